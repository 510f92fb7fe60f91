"""Import a file of ratings, by models or by people who rated elsewhere: find the texts of its lines, and add them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.errors import Refused
from common.jobs import Progress
from common.sql import slices
from compressions.models import Source, System, SystemOutput, Target
from compressions.readers import BadLine
from compressions.services.file_imports import (
    AS_IT_IS,
    ReadAs,
    import_count_added,
    import_finish,
    import_request,
    import_transaction,
)
from crowd.models import Campaign, Stream
from ratings.models import ImportPool, RaterPool, Rating, RatingImport
from ratings.rating_files import AddedRatings, FileRating, LeftAside, TextLine, rating_lines, refuse_unfit
from ratings.services.imported_scales import file_scales, imported_scales_create
from ratings.services.model_ratings import model_ratings_add
from ratings.services.ratings_of_people import people_ratings_add

_SHOWN = 40


class TextFinder:
    """The sources and systems of a campaign, by which the texts of many lines are found at once."""

    def __init__(self, campaign: Campaign, pool: ImportPool) -> None:
        self._names_outputs = pool != ImportPool.MODEL
        self._sources = dict(Source.objects.filter(campaign=campaign).values_list("source_id", "pk"))
        self._systems = dict(System.objects.filter(campaign=campaign).values_list("name", "pk"))

    def texts_of(self, lines: Sequence[FileRating]) -> Iterator[tuple[FileRating, int | str]]:
        """Yield each line, with its output, and the id of its text or why there is none; two queries for all lines."""
        sources = {self._sources.get(line.source_id) for line in lines} - {None}
        systems = {self._systems.get(line.system) for line in lines} - {None}
        outputs = SystemOutput.objects.filter(source__in=sources, system__in=systems)
        of_systems = {
            (source, system): rest
            for source, system, *rest in outputs.values_list(
                "source_id", "system_id", "target_id", "target__digest", "pk"
            )
        }
        # What only test participants wrote is no text of the campaign to anyone else.
        targets = Target.objects.filter(source__in=sources, digest__in={line.digest for line in lines} - {""})
        rows = targets.exclude(item__stream=Stream.TEST).values_list("source_id", "digest", "pk")
        by_text = {(source, digest): target for source, digest, target in rows}
        for line in lines:
            yield self._text_of(line, of_systems, by_text)

    def _text_of(
        self, line: FileRating, of_systems: Mapping[tuple[int, int], Any], by_text: Mapping[tuple[int, str], int]
    ) -> tuple[FileRating, int | str]:
        text = self._place(line, by_text)
        if not isinstance(text, tuple):
            return line, text
        if text not in of_systems:
            return line, _("the system has no output for this source")
        target, digest, output = of_systems[text]
        if line.digest and line.digest != digest:
            return line, _("the system’s output for this source is another text")
        return (replace(line, output=output) if self._names_outputs else line), target

    def _place(self, line: FileRating, by_text: Mapping[tuple[int, str], int]) -> tuple[int, int] | int | str:
        """Return the source and the system of a line, or its text, or why there is neither."""
        source, system = self._sources.get(line.source_id), self._systems.get(line.system)
        if source is None:
            return _("the campaign has no source %(name)s") % {"name": repr(line.source_id[:_SHOWN])}
        if not line.system:
            return by_text.get((source, line.digest)) or _("the source has no such text")
        if system is None:
            return _("the campaign has no system %(name)s") % {"name": repr(line.system[:_SHOWN])}
        return source, system


RATINGS_JOB = "import_ratings"
MAX_ROWS = 500_000
MAX_PEOPLE = 1_000
"""Ratings of one text by people in one file."""

SLICE = 250
FOUND_AT_ONCE = 1_000


def _silent(_done: int, _total: int) -> None:
    """Report no progress."""


def rating_import_request(
    *,
    campaign: Campaign,
    pool: ImportPool,
    file_name: str,
    content: bytes,
    user: User,
    scales: Sequence[str] = (),
    read_as: ReadAs = AS_IT_IS,
) -> RatingImport:
    """Store an uploaded file and enqueue its import. Without `scales`, its columns are the campaign's own."""
    record = _record(campaign, pool, file_name, content, scales)
    return import_request(record=record, kind=RATINGS_JOB, user=user, read_as=read_as)


def file_ratings_import(
    *,
    campaign: Campaign,
    pool: ImportPool,
    file_name: str,
    content: bytes,
    scales: Sequence[str] = (),
    is_export: bool = False,
    progress: Progress = _silent,
) -> RatingImport:
    """Import a file immediately. Lines that cannot be used are reported by number; the others are imported."""
    record = _record(campaign, pool, file_name, content, scales)
    record.is_export = is_export
    record.save()
    rating_import_run(record=record, progress=progress)
    return record


def _record(
    campaign: Campaign, pool: ImportPool, file_name: str, content: bytes, scales: Sequence[str]
) -> RatingImport:
    refuse_unfit(campaign, file_scales(campaign, scales))
    return RatingImport(
        campaign=campaign, pool=pool, file_name=file_name[:255], content=content, scales=list(map(str.strip, scales))
    )


def rating_import_run(*, record: RatingImport, progress: Progress = _silent) -> None:
    """Read the file outside any transaction, then write its ratings in slices, each in a short transaction.

    All ratings of a text are in one slice. Run again after it was stopped, it finds what it has written and writes the
    rest.
    """
    try:
        read = _read(record, progress)
        with import_transaction(record=record):
            imported_scales_create(campaign=record.campaign, scales=record.scales)
    except Refused as refusal:
        import_finish(record=record, usable=0, problems=[(0, str(refusal))])
        raise
    texts, done, total = list(read.by_text.items()), 0, 2 * read.lines
    for part in slices(texts, SLICE):
        lines = [(target, line) for target, of_text in part for line in of_text]
        outcome = _slice_write(record, lines)
        read.accepted += outcome.accepted
        read.problems += outcome.problems
        done += len(lines)
        progress(read.lines + done, total)
    warnings = [*read.aside.warnings(), *_left_unrated(record, read)]
    import_finish(record=record, usable=read.accepted, problems=read.problems, warnings=warnings)


def _left_unrated(record: RatingImport, read: "_Read") -> list[tuple[int, str]]:
    """Return a warning where outputs have no rating, though their text has those of an equal output.

    Ratings of a file never join those of participants, so participants are not given that text any more.
    """
    if record.pool == ImportPool.MODEL:
        return []
    lines = {target: of_text[0].line for target, of_text in read.by_text.items() if of_text[0].output}
    of_output = Rating.objects.filter(target=OuterRef("target"), rater_pool=record.pool)
    own, of_text = Q(output=OuterRef("pk")), Q(output=None)
    found = list[tuple[int, str, str]]()
    for part in slices(list(lines), FOUND_AT_ONCE):
        equal = SystemOutput.objects.filter(
            Exists(of_output), ~Exists(of_output.filter(own | of_text)), target__in=part
        )
        rows = equal.values_list("target", "system__name", "source__source_id")
        found += [(lines[target], system, source) for target, system, source in rows]
    if not found:
        return []
    line, system, source = min(found)
    words = ngettext(
        "%(n)s output has the text of one that the file rates, but no rating (%(system)s, %(source)s), and this pool "
        "is not given that text any more",
        "%(n)s outputs have the text of one that the file rates, but no rating (the first: %(system)s, %(source)s), "
        "and this pool is not given these texts any more",
        len(found),
    )
    return [(line, words % {"n": len(found), "system": system[:_SHOWN], "source": source[:_SHOWN]})]


@dataclass
class _Read:
    """The lines of a file that can be imported, by the id of their text, and why the others are refused."""

    lines: int = 0
    by_text: dict[int, list[FileRating]] = field(default_factory=dict)
    accepted: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)
    aside: LeftAside = field(default_factory=LeftAside)
    _first: dict[tuple[int, int | None, str], FileRating] = field(default_factory=dict)

    def add(self, target: int, line: FileRating) -> None:
        """Add a line, unless an earlier one has the same subject and rater. People without a name may be any number."""
        subject = (target, line.output, line.rater)
        if not line.rater or subject not in self._first:
            self._first[subject] = line
            of_text = self.by_text.setdefault(target, [])
            if len(of_text) < MAX_PEOPLE:
                of_text.append(line)
            else:
                words = _("more than %(n)s ratings of one text")
                self.problems.append((line.line, words % {"n": f"{MAX_PEOPLE:,}"}))
            return
        first = self._first[subject]
        if line.system != first.system and line.scores == first.scores:
            self.accepted += 1  # systems that wrote the same share the text, which a model rates once
            return
        words = _("line %(line)s has the same text and rater")
        self.problems.append((line.line, words % {"line": first.line}))


def _read(record: RatingImport, progress: Progress) -> _Read:
    """Read a file and find its texts; raise Refused if it is none, or too large."""
    campaign, pool = record.campaign, ImportPool(record.pool)
    scales, aside = file_scales(campaign, record.scales), LeftAside()
    refuse_unfit(campaign, scales)
    others = aside if record.scales or record.is_export else None
    lines = rating_lines(record.file_name, bytes(record.content), scales, pool, others)
    found = list(islice(lines, MAX_ROWS + 1))
    if len(found) > MAX_ROWS:
        words = _("%(file)s: more than %(most)s rows. Split the file.")
        raise Refused(words % {"file": record.file_name, "most": f"{MAX_ROWS:,}"})
    problems = [(each.line, each.reason) for each in found if isinstance(each, BadLine)]
    read = _Read(lines=len(found), problems=problems, aside=aside)
    usable = [each for each in found if isinstance(each, FileRating)]
    for done, line, text in _texts(campaign, pool, usable):
        if isinstance(text, str):
            read.problems.append((line.line, text))
        else:
            read.add(text, line)
        if done % FOUND_AT_ONCE == 0:
            progress(done, 2 * len(found))
    return read


def _texts(
    campaign: Campaign, pool: ImportPool, lines: Sequence[FileRating]
) -> Iterator[tuple[int, FileRating, int | str]]:
    """Yield each line with its number and its text, or with the reason why there is none."""
    finder = TextFinder(campaign, pool)
    for start in range(0, len(lines), FOUND_AT_ONCE):
        part = lines[start : start + FOUND_AT_ONCE]
        for place, (line, text) in enumerate(finder.texts_of(part), start=start + 1):
            yield place, line, text


def _slice_write(record: RatingImport, lines: Sequence[TextLine]) -> AddedRatings:
    with import_transaction(record=record):
        if record.pool == ImportPool.MODEL:
            outcome = model_ratings_add(campaign=record.campaign, lines=lines)
        else:
            pool = RaterPool(record.pool)
            outcome = people_ratings_add(campaign=record.campaign, pool=pool, lines=lines)
        import_count_added(record=record, added=outcome.added)
    return outcome
