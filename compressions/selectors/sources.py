"""Queries for sources, their imports and their compressions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import Count, Prefetch, QuerySet

from common.errors import NotYours
from common.sql import Columns, Statement, is_possible_id, read_each
from compressions.genres import genre_label, genre_words
from compressions.models import Compression, FileImport, Source, SystemOutput, Target
from compressions.rating_figures import ShownComparison, ShownRating, ratings_of_source
from crowd.models import Assignment, Campaign, Enrolment
from crowd.selectors.work import SUBMITTED

AnyImport = TypeVar("AnyImport", bound=FileImport)
ASSIGNMENT = Columns(
    Assignment, "a", "id item_id worker_id round state page_position leased_at lease_ends_at submitted_at"
)
SOURCE = Columns(Source, "s", "id campaign_id source_id text sentences item_id")
TASK = Statement(f"""
    SELECT {ASSIGNMENT}, {SOURCE}, {SUBMITTED},
        EXISTS (SELECT 1 FROM compressions_draft d WHERE d.assignment_id = a.id)
    FROM crowd_assignment a JOIN compressions_source s ON s.item_id = a.item_id
    WHERE a.id = %(assignment)s AND a.worker_id = %(worker)s AND a.round = %(round)s AND a.state <> 'blocked'
""")  # noqa: S608 - of constants


def source_of_assignment(assignment: Assignment) -> Source:
    """Return the source to compress."""
    try:
        return assignment.item.source
    except Source.DoesNotExist as error:
        raise NotYours("This task is not about a source.") from error


@dataclass(frozen=True)
class EditorTask:
    assignment: Assignment
    source: Source
    submitted: int  # tasks of this editor
    has_drafts: bool


def editor_task(enrolment: Enrolment, assignment_id: int) -> EditorTask:
    """Return a task of this editor; raise NotYours for anybody else's, and for other kinds of work."""
    mine = {"worker": enrolment.worker_id, "round": enrolment.round, "link": enrolment.link_id}
    row = TASK.row(assignment=assignment_id, **mine) if is_possible_id(assignment_id) else None
    if row is None:
        raise NotYours("This task does not exist, or it is not yours.")
    assignment, source = read_each(row, ASSIGNMENT, SOURCE)
    return EditorTask(assignment, source, submitted=row[-2], has_drafts=bool(row[-1]))


def compression_counts(sources: Iterable[Source]) -> Mapping[int, int]:
    """Return the numbers of compressions of some sources, by the id of the source; 0 is left out.

    Those of excluded people, of people who withdrew and of tests do not count: others are wanted in their place.
    """
    counted = {"assignment__state": Assignment.State.SUBMITTED, "worker__is_test": False}
    written = Compression.objects.filter(source__in=list(sources), **counted)
    return dict(written.values_list("source_id").annotate(Count("pk")).order_by())


def file_imports(kind: type[AnyImport], campaign: Campaign) -> QuerySet[AnyImport]:
    """Return the imports of files of a kind, the newest first, without the files."""
    imports = kind._default_manager.filter(campaign=campaign).defer("content")
    return imports.select_related("campaign", "job").order_by("-pk")


@dataclass(frozen=True)
class GenreCount:
    key: str
    """The genre as it is stored; empty if unknown."""

    sources: int
    paragraphs: int

    @property
    def genre(self) -> str:
        return genre_label(self.key)

    @property
    def words(self) -> str:
        """What pages call the genre."""
        return genre_words(self.key)


def genres_of_campaign(campaign: Campaign) -> list[GenreCount]:
    counts: dict[str, dict[int, int]] = {}
    grouped = Source.objects.filter(campaign=campaign).values_list("genre", "sentences").annotate(n=Count("pk"))
    for genre, sentences, number in grouped.order_by("genre"):
        counts.setdefault(genre, {})[sentences] = number
    return [GenreCount(genre, sum(by.values()), by.get(2, 0)) for genre, by in counts.items()]


def retired_sources(campaign: Campaign) -> QuerySet[Source]:
    return Source.objects.filter(campaign=campaign, retired_at__isnull=False).order_by("pk")


def left_out_sources(campaign: Campaign) -> frozenset[int]:
    """Return the ids of the sources that releases leave out together with the work done on them."""
    return frozenset(retired_sources(campaign).filter(work_is_kept=False).values_list("pk", flat=True))


def first_versions(campaign: Campaign) -> dict[int, Source]:
    """Return the text that each correction goes back to, by the id of the correction, with its paragraph.

    A text and its corrections are nearly the same, so they belong to one family and to one split.
    """
    related = Source.objects.select_related("corrects__paragraph")
    found: dict[int, Source] = {}
    # A correction is newer than what it corrects.
    for source in related.filter(campaign=campaign, corrects__isnull=False).order_by("pk"):
        if source.corrects is not None:
            found[source.pk] = found.get(source.corrects.pk, source.corrects)
    return found


def live_relative(source: Source) -> Source | None:
    """Return a text that is not retired and stands in a text's place: a correction of it, or what it corrects."""
    firsts = first_versions(source.campaign)
    first = firsts.get(source.pk, source)
    family = {first.pk, *(pk for pk, each in firsts.items() if each.pk == first.pk)} - {source.pk}
    return Source.objects.filter(pk__in=family, retired_at=None).order_by("-pk").first()


@dataclass(frozen=True)
class ShownText:
    """A distinct text with its editors' work on it, the systems that gave it out, and its ratings."""

    target: Target
    compressions: Sequence[Compression]
    systems: Sequence[str]
    ratings: Sequence[ShownRating]


def sources_with_relations(campaign: Campaign) -> QuerySet[Source]:
    return Source.objects.filter(campaign=campaign).select_related(
        "campaign", "paragraph", "corrects", "retired_by", "item"
    )


def texts_of_source(source: Source) -> tuple[list[ShownText], Sequence[ShownComparison]]:
    """Return the distinct texts of a source, oldest first, and its comparisons."""
    written = Compression.objects.select_related("assignment", "worker").order_by("pk")
    outputs = SystemOutput.objects.select_related("system").order_by("system__name")
    targets = Target.objects.filter(source=source).order_by("pk")
    targets = targets.prefetch_related(Prefetch("compressions", written), Prefetch("outputs", outputs))
    ratings = ratings_of_source(source)
    texts = [
        ShownText(
            target,
            list(target.compressions.all()),
            [output.system.name for output in target.outputs.all()],
            ratings.of_texts.get(target.pk, ()),
        )
        for target in targets
    ]
    return texts, ratings.comparisons
