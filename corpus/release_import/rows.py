"""Write the rows of an imported release with bulk inserts, table by table."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import chain, count, islice, pairwise

from common.clock import database_now
from compressions.models import (
    AlignmentCorrection,
    Compression,
    Pair,
    Source,
    System,
    SystemOutput,
    Target,
    text_digest,
)
from corpus.release.records import (
    Ratings,
    ReleasedAlignment,
    ReleasedOutput,
    ReleasedRating,
    ReleasedSource,
    Subject,
)
from crowd.models import Campaign, Item, Round, Stream, Worker
from crowd.models.people import IMPORTED
from crowd.services.imported_people import is_number
from crowd.services.items import POSITIONS
from measures.text.length_rule import allowed_length
from measures.text.normalization import length
from ratings.models import ExpertItem, ExpertSample, RaterPool
from ratings.services.imported import (
    ImportedRating,
    imported_ratings_create,
    imported_scales_of,
    submitted_assignments_create,
)

BATCH = 2000
SUBJECTS_PER_BATCH = 1000


@dataclass
class _RatedSubject:
    """A target or a pair with the ratings of a pool: of itself, and of each output that was rated apart."""

    item: Item
    target: Target | None
    pair: Pair | None
    ratings: Sequence[tuple[SystemOutput | None, Ratings]]


@dataclass
class _Text:
    """A distinct text of a source with its editors, its outputs and the ratings that these share."""

    source: Source
    text: str
    editors: tuple[str, ...] = ()
    outputs: list[ReleasedOutput] = field(default_factory=list)
    ratings: Ratings = ()
    expert_ratings: Ratings = ()
    alignment: ReleasedAlignment | None = None
    is_by_person: bool = False

    def share_ratings(self) -> None:
        """Let outputs that were not rated apart share their ratings if no person wrote the text and all are alike."""
        if not self.is_by_person:
            self.ratings = self._ratings_of_all(RaterPool.CROWD)
            self.expert_ratings = self._ratings_of_all(RaterPool.EXPERTS)

    def _ratings_of_all(self, pool: RaterPool) -> Ratings:
        together = [_ratings_by(each, pool) for each in self.outputs if pool not in each.rated_apart]
        return together[0] if together and all(each == together[0] for each in together) else ()

    def apart(self, output: ReleasedOutput, pool: RaterPool) -> Ratings:
        """Return the ratings that an output has for itself."""
        own = _ratings_by(output, pool)
        return own if pool in output.rated_apart or own != _ratings_by(self, pool) else ()


class ImportedCampaign:
    """The rows of one release, written in the order of their foreign keys.

    A campaign allows a person one contribution per source, so a name that occurs twice becomes two people.
    """

    def __init__(self, campaign: Campaign, sources: Sequence[ReleasedSource]) -> None:
        self.campaign, self.released = campaign, sources
        self.now: datetime = database_now()
        self.scales = imported_scales_of(campaign)
        self.rng = random.Random(campaign.slug)
        self.numbers = count(1)
        self.workers: dict[tuple[str, int], Worker] = {}

    def write(self, progress: Callable[[int, int], None]) -> None:
        steps = (self._sources, self._texts, self._people, self._compressions, self._pairs, self._ratings)
        for number, step in enumerate(steps, start=1):
            step()
            progress(number, len(steps))

    def _items(self, wanted: Sequence[int], work_round: str, streams: Iterable[str] | None = None) -> list[Item]:
        """Create items without open slots."""
        kinds = list(streams) if streams is not None else [Stream.WORK] * len(wanted)
        rows = [
            Item(
                campaign=self.campaign,
                round=work_round,
                stream=stream,
                position=self.rng.randrange(POSITIONS),
                wanted=people,
                open_slots=0,
            )
            for people, stream in zip(wanted, kinds, strict=True)
        ]
        return Item.objects.bulk_create(rows, batch_size=BATCH)

    def _sources(self) -> None:
        wanted = [sum(len(text.editors) for text in source.texts) for source in self.released]
        ids = {source.source_id for source in self.released}
        rows = [
            Source(
                campaign=self.campaign,
                source_id=source.source_id,
                genre=source.genre,
                text=source.text,
                nuggets="\n".join(source.nuggets),
                sentences=source.sentences,
                split=source.split,
                unreleased_paragraph="" if source.paragraph_id in ids else source.paragraph_id,
                item=item,
            )
            for source, item in zip(self.released, self._items(wanted, Round.EDIT), strict=True)
        ]
        Source.objects.bulk_create(rows, batch_size=BATCH)
        self.sources = {row.source_id: row for row in rows}
        linked = [source for source in self.released if source.paragraph_id in self.sources]
        for source in linked:
            self.sources[source.source_id].paragraph = self.sources[source.paragraph_id]
        Source.objects.bulk_update([self.sources[each.source_id] for each in linked], ["paragraph"], batch_size=BATCH)

    @cached_property
    def texts(self) -> list[_Text]:
        """Distinct texts. An output that equals a person's compression, or another's, shares its text.

        It shares its ratings, too, where both have the same.
        """
        found: dict[tuple[str, str], _Text] = {}
        for released in self.released:
            source = self.sources[released.source_id]
            for text in released.texts:
                key = (released.source_id, text.text)
                ratings = (text.ratings, text.expert_ratings)
                found[key] = _Text(source, text.text, text.editors, [], *ratings, text.alignment, is_by_person=True)
            for output in released.outputs:
                key = (released.source_id, output.text)
                shared = found.setdefault(key, _Text(source, output.text))
                shared.outputs.append(output)
                shared.alignment = shared.alignment or output.alignment
            for pair in released.comparisons:
                for each in (pair.first, pair.second):
                    found.setdefault((released.source_id, each), _Text(source, each))
        for distinct in found.values():
            distinct.share_ratings()
        return [found[released.source_id, text] for released in self.released for text in _ordered_texts(released)]

    def _texts(self) -> None:
        wanted = [_people_in([text.ratings, *(each.ratings for each in text.outputs)]) for text in self.texts]
        streams = [Stream.WORK if text.editors else Stream.SYSTEM for text in self.texts]
        items = self._items(wanted, Round.RATE, streams)
        rows = [
            Target(source=text.source, text=text.text, digest=text_digest(text.text), item=item)
            for text, item in zip(self.texts, items, strict=True)
        ]
        self.targets = Target.objects.bulk_create(rows, batch_size=BATCH)
        systems = {output.system for text in self.texts for output in text.outputs}
        named = {name: System.objects.create(campaign=self.campaign, name=name) for name in sorted(systems)}
        outputs = [
            SystemOutput(system=named[output.system], source=text.source, target=target)
            for text, target in zip(self.texts, self.targets, strict=True)
            for output in text.outputs
        ]
        self.outputs = SystemOutput.objects.bulk_create(outputs, batch_size=BATCH)
        self._alignments()

    def _alignments(self) -> None:
        """Store alignments that were corrected by hand as corrections without a user, with their versions."""
        rows = [
            AlignmentCorrection(
                target=target,
                version=made.version,
                source_words=list(made.source_words),
                words=list(made.words),
                places=list(made.places),
                created_at=self.now,
            )
            for text, target in zip(self.texts, self.targets, strict=True)
            if (made := text.alignment)
        ]
        AlignmentCorrection.objects.bulk_create(rows, batch_size=BATCH)

    def _people(self) -> None:
        """Create a worker for every name; generated numbers avoid those that occur as names."""
        names = people_named(self.released)
        keys = [(name, nth) for name in names for nth in range(names[name])]
        taken = {int(name) for name in names if is_number(name)}
        rows = [self._worker(name, nth, taken) for name, nth in keys]
        for key, row in zip(keys, Worker.objects.bulk_create(rows, batch_size=BATCH), strict=True):
            self.workers[key] = row

    def _worker(self, name: str, nth: int, taken: set[int]) -> Worker:
        is_first_number = is_number(name) and nth == 0
        number = int(name) if is_first_number else next(free for free in self.numbers if free not in taken)
        imported_name = "" if is_first_number else name
        return Worker(campaign=self.campaign, platform_key=IMPORTED, number=number, imported_name=imported_name)

    def _compressions(self) -> None:
        written = list(self._authors())
        given = [(text.source.item, worker) for text, _, worker in written]
        assignments = submitted_assignments_create(given=given, work_round=Round.EDIT)
        rows = [
            Compression(
                source=text.source,
                target=target,
                worker=worker,
                assignment=assignment,
                text=text.text,
                edit_log=[],
                length=length(text.text),
                allowed=allowed_length(text.source.text, self.campaign.keep_percent),
                is_imported=True,
            )
            for (text, target, worker), assignment in zip(written, assignments, strict=True)
        ]
        Compression.objects.bulk_create(rows, batch_size=BATCH)

    def _authors(self) -> Iterator[tuple[_Text, Target, Worker]]:
        seen: Counter[tuple[int, str]] = Counter()
        for text, target in zip(self.texts, self.targets, strict=True):
            for name in text.editors:
                yield text, target, self.workers[name, seen[text.source.pk, name]]
                seen[text.source.pk, name] += 1

    def _pairs(self) -> None:
        by_text = {(target.source.source_id, target.text): target for target in self.targets}
        released = [(source, pair) for source in self.released for pair in source.comparisons]
        wanted = [sum(bool(rating.rater) for rating in pair.ratings) for _, pair in released]
        rows = []
        for (source, pair), item in zip(released, self._items(wanted, Round.RATE), strict=True):
            first, second = by_text[source.source_id, pair.first], by_text[source.source_id, pair.second]
            rows.append(Pair(first=first, second=second, item=item))
        self.pairs = list(zip(released, Pair.objects.bulk_create(rows, batch_size=BATCH), strict=True))

    def _ratings(self) -> None:
        self._write_ratings(self._rated(RaterPool.CROWD), RaterPool.CROWD)
        experts = self._rated(RaterPool.EXPERTS)
        if experts:
            self._write_ratings(self._expert_subjects(experts), RaterPool.EXPERTS)

    def _rated(self, pool: RaterPool) -> list[_RatedSubject]:
        """Return what a pool rated, the texts before the pairs."""
        outputs = iter(self.outputs)
        found = [
            _RatedSubject(target.item, target, None, _of_text(text, list(islice(outputs, len(text.outputs))), pool))
            for text, target in zip(self.texts, self.targets, strict=True)
        ]
        found += [
            _RatedSubject(pair.item, None, pair, [(None, _ratings_by(released, pool))])
            for (_, released), pair in self.pairs
        ]
        return [each for each in found if any(ratings for _, ratings in each.ratings)]

    def _expert_subjects(self, subjects: list[_RatedSubject]) -> list[_RatedSubject]:
        """Create one expert sample for all subjects that experts rated, since the original draws are unknown."""
        most = max(len(ratings) for each in subjects for _, ratings in each.ratings)
        sample = ExpertSample.objects.create(
            campaign=self.campaign, size=len(subjects), seed=0, experts=most, strata=[], created_at=self.now
        )
        wanted = [_people_in(ratings for _, ratings in each.ratings) for each in subjects]
        items = self._items(wanted, Round.EXPERT)
        rows = [
            ExpertItem(sample=sample, target=each.target, item=item)
            for each, item in zip(subjects, items, strict=True)
            if each.target
        ]
        ExpertItem.objects.bulk_create(rows, batch_size=BATCH)
        return [
            _RatedSubject(item, each.target, each.pair, each.ratings)
            for each, item in zip(subjects, items, strict=True)
        ]

    def _write_ratings(self, subjects: Sequence[_RatedSubject], pool: RaterPool) -> None:
        """Write ratings in batches: they are by far the most rows, and should not all be in memory at once."""
        for start in range(0, len(subjects), SUBJECTS_PER_BATCH):
            self._write_rating_batch(subjects[start : start + SUBJECTS_PER_BATCH], pool)

    def _write_rating_batch(self, subjects: Sequence[_RatedSubject], pool: RaterPool) -> None:
        given = [
            self._imported(each, output, rating, nth)
            for each in subjects
            for output, ratings in each.ratings
            for rating, nth in _with_places(ratings)
        ]
        imported_ratings_create(pool=pool, given=given, scales=self.scales)

    def _imported(
        self, subject: _RatedSubject, output: SystemOutput | None, rating: ReleasedRating, nth: int
    ) -> ImportedRating:
        worker = self.workers[rating.rater, nth] if rating.rater else None
        day = _midnight(rating.day)
        return ImportedRating(rating.scores, subject.target, subject.pair, subject.item, worker, day, output)


def _of_text(
    text: _Text, outputs: Sequence[SystemOutput], pool: RaterPool
) -> list[tuple[SystemOutput | None, Ratings]]:
    """Return the ratings that a text has for all who wrote it, and those of each output for itself."""
    own = [(row, text.apart(each, pool)) for row, each in zip(outputs, text.outputs, strict=True)]
    return [(None, _ratings_by(text, pool)), *own]


def _ratings_by(subject: _Text | Subject, pool: RaterPool) -> Ratings:
    return subject.ratings if pool == RaterPool.CROWD else subject.expert_ratings


def _with_places(ratings: Ratings) -> Iterator[tuple[ReleasedRating, int]]:
    """Yield each rating with how many ratings of the same name stand before it."""
    seen: Counter[str] = Counter()
    for rating in ratings:
        yield rating, seen[rating.rater]
        seen[rating.rater] += 1


def _people_in(sets: Iterable[Ratings]) -> int:
    """Return how many people who are named gave sets of ratings; a name twice in one set is two people."""
    people = {(rating.rater, nth) for ratings in sets for rating, nth in _with_places(ratings) if rating.rater}
    return len(people)


def _midnight(day: date | None) -> datetime | None:
    return datetime.combine(day, time(), UTC) if day else None


def _ordered_texts(source: ReleasedSource) -> Iterable[str]:
    """Return the distinct texts of a source in file order, with the first text of each pair before the second."""
    sorter: TopologicalSorter[str] = TopologicalSorter()
    texts = [text.text for text in source.texts]
    for before, after in (*pairwise(texts), *((pair.first, pair.second) for pair in source.comparisons)):
        sorter.add(after, before)
    unique = dict.fromkeys([*texts, *(output.text for output in source.outputs)])
    try:
        merged = list(sorter.static_order())
    except CycleError:  # contradictory orders; this app does not write such files
        merged = []
    return dict.fromkeys([*merged, *unique])


def people_named(sources: Iterable[ReleasedSource]) -> dict[str, int]:
    """Return how many people there are of each name: as many as are named at once."""
    people: dict[str, int] = {}
    for names in chain.from_iterable(map(_names_at_once, sources)):
        for name, times in Counter(names).items():
            people[name] = max(times, people.get(name, 0))
    return people


def _names_at_once(source: ReleasedSource) -> Iterator[Iterable[str]]:
    """Yield the names of those who wrote a source's texts, then of those who gave each of its sets of ratings."""
    yield (editor for text in source.texts for editor in text.editors)
    for ratings in _all_ratings(source):
        yield (rating.rater for rating in ratings if rating.rater)


def _all_ratings(source: ReleasedSource) -> Iterator[Ratings]:
    for each in source.subjects:
        yield each.ratings
        yield each.expert_ratings
