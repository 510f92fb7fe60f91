"""Queries for drafts, compressions and their authors, remarks, and paragraphs with their sentences."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    JSONField,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    RowRange,
    Sum,
    Value,
    When,
    Window,
)
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from common.errors import NotYours
from compressions.models import Compression, Draft, Source, SystemOutput, Target
from compressions.rows import is_source_id
from crowd.models import Assignment, Campaign, Remark, Round, Worker
from crowd.selectors.members import excluded_workers, workers_of_tests
from measures.text.segmentation import sentences, word_count

MAX_IN_PAGE = 500_000
"""Greatest size of the drafts that go into the editing page, in bytes. The newest one goes there in any case."""


def drafts_for_page(assignment: Assignment) -> QuerySet[Any]:
    """Return the drafts of a task, newest first, each with the `log` that goes into the editing page.

    It is None for older ones for which the newer ones leave no room: they are fetched one by one when asked for.
    """
    newer_too = Window(Sum("size"), order_by=[F("saved_at").desc(), F("pk").desc()], frame=RowRange(end=0))
    has_room = Q(together__lte=MAX_IN_PAGE) | Q(together=F("size"))
    return (
        Draft.objects.filter(assignment=assignment)
        .annotate(together=newer_too)
        .annotate(log=Case(When(has_room, then=F("edit_log")), output_field=JSONField()))
        .defer("edit_log")
        .order_by("-saved_at", "-pk")
    )


def draft_of_page(assignment: Assignment, page: str) -> Any:
    """Return the draft that a page of a task has saved."""
    try:
        return Draft.objects.annotate(log=F("edit_log")).defer("edit_log").get(assignment=assignment, page=page)
    except Draft.DoesNotExist as error:
        raise NotYours("There is no such draft.") from error


def compression_of_assignment(assignment: Assignment) -> Compression:
    return Compression.objects.get(assignment=assignment)


def compressions_of_campaign(campaign: Campaign) -> QuerySet[Compression]:
    related = Compression.objects.select_related("source", "assignment", "worker")
    return related.filter(source__campaign=campaign).order_by("-pk")


def paragraphs_with_sentences(campaign: Campaign) -> QuerySet[Source]:
    """Return the paragraphs that are also compressed sentence by sentence, with the compressions of both."""
    written = Compression.objects.defer("edit_log").select_related("worker").order_by("pk")
    sentences = Source.objects.order_by("pk").prefetch_related(Prefetch("compressions", written))
    return (
        Source.objects.filter(campaign=campaign, own_sentences__isnull=False)
        .distinct()
        .order_by("pk")
        .prefetch_related(Prefetch("compressions", written), Prefetch("own_sentences", sentences))
    )


def undivided_paragraphs(campaign: Campaign) -> QuerySet[Source]:
    """Return the paragraphs that are compressed only as a whole, without retired ones."""
    return Source.objects.filter(
        campaign=campaign, sentences=2, own_sentences__isnull=True, paragraph=None, retired_at=None
    )


# Paths from an item to its source, for each kind of item; a gold item has none.
SOURCES_OF_ITEMS = ("source", "target__source", "pair__first__source", "expert_item__target__source")


def source_id_of(remark: Remark) -> str:
    """Return the source id of a remark from `with_sources`, without a query; empty for a gold item."""
    return str(getattr(remark, "source", ""))


def remarks_of_campaign(campaign: Campaign) -> QuerySet[Remark]:
    """Return the remarks of a campaign, newest first."""
    # Looked up remark by remark: PostgreSQL would join all assignments of the campaign, of which few have a remark.
    own = Assignment.objects.filter(pk=OuterRef("assignment"), worker__campaign=campaign)
    return Remark.objects.filter(Exists(own)).order_by("-created_at", "-pk")


def with_sources(remarks: QuerySet[Remark]) -> QuerySet[Remark]:
    """Annotate remarks with the id of their `source`, and fetch their workers: for few, since many tables are joined.

    The remarks of a page are chosen before: databases join the tables for all of them, however few are wanted.
    """
    paths = [f"assignment__item__{path}__source_id" for path in SOURCES_OF_ITEMS]
    return remarks.select_related("assignment__worker", "answered_by").annotate(source=Coalesce(*paths, Value("")))


def remarks_of_page(remarks: Iterable[Remark]) -> list[Remark]:
    """Return some remarks in the same order, with what a page shows of them."""
    return _remarks_of([remark.pk for remark in remarks])


def _remarks_of(chosen: list[int]) -> list[Remark]:
    found = {remark.pk: remark for remark in with_sources(Remark.objects.filter(pk__in=chosen))}
    return [found[pk] for pk in chosen if pk in found]


AT_ONCE = 500


def remarks_told(remarks: QuerySet[Remark]) -> Iterator[Remark]:
    """Yield remarks in their order with what a file says of them; `AT_ONCE` are in memory."""
    chosen = list(remarks.values_list("pk", flat=True))
    for start in range(0, len(chosen), AT_ONCE):
        yield from _remarks_of(chosen[start : start + AT_ONCE])


def compressions_by_settings(campaign: Campaign) -> Mapping[int | None, int]:
    """Return the number of compressions by the id of their settings version; None where it is not recorded.

    Those of test participants do not count.
    """
    # Nearly all have a version, and are counted from its index alone.
    recorded = _by_version(Compression.objects.filter(settings_version__campaign=campaign))
    tests = _by_version(Compression.objects.filter(worker__in=workers_of_tests(campaign)))
    without = Compression.objects.filter(settings_version=None)  # chosen first: SQLite would begin with all texts
    unrecorded = Compression.objects.filter(source__campaign=campaign, pk__in=without.values("pk")).count()
    return {version: number - tests.get(version, 0) for version, number in recorded.items()} | {None: unrecorded}


def _by_version(compressions: QuerySet[Compression]) -> Mapping[int | None, int]:
    return dict(compressions.values_list("settings_version_id").annotate(n=Count("*")).order_by())


def texts_of_excluded_only(campaign: Campaign) -> QuerySet[Target]:
    """Return the texts written by excluded people, and by nobody else who counts nor any system; these do not count."""
    excluded = excluded_workers(campaign, Round.EDIT)
    written = Compression.objects.filter(target=OuterRef("pk"))
    by_others = written.exclude(worker__in=excluded).exclude(worker__is_test=True)
    by_systems = SystemOutput.objects.filter(target=OuterRef("pk"))
    texts = Target.objects.filter(Exists(written.filter(worker__in=excluded)), source__campaign=campaign)
    return texts.exclude(Exists(by_others)).exclude(Exists(by_systems))


def texts_only_of_tests(campaign: Campaign) -> QuerySet[Target]:
    """Return the texts that only test participants wrote, and no system."""
    written = Compression.objects.filter(target=OuterRef("pk"))
    by_systems = SystemOutput.objects.filter(target=OuterRef("pk"))
    own = Target.objects.filter(Exists(written.filter(worker__is_test=True)), source__campaign=campaign)
    return own.exclude(Exists(written.filter(worker__is_test=False))).exclude(Exists(by_systems))


def texts_only_by(worker: Worker) -> QuerySet[Target]:
    """Return the texts that a worker wrote and nobody else did, nor any system."""
    others = Compression.objects.filter(target=OuterRef("pk")).exclude(worker=worker)
    by_systems = SystemOutput.objects.filter(target=OuterRef("pk"))
    own = Target.objects.filter(compressions__worker=worker).distinct()
    return own.exclude(Exists(others)).exclude(Exists(by_systems))


def is_suitable(paragraph: Source, campaign: Campaign) -> bool:
    texts = sentences(paragraph.text)
    return (
        not campaign.fuses
        and len(texts) == 2
        and all(word_count(text) >= campaign.sentence_min_words for text in texts)
    )


def free_ids(paragraph: Source, taken: set[str]) -> tuple[str, ...]:
    return next((ids for ids in possible_ids(paragraph.source_id) if not taken & set(ids)), ())


def possible_ids(paragraph_id: str) -> Iterator[tuple[str, ...]]:
    """Yield ids for the sentences: those in the paragraph's id, as in 101_102, then the id with a number appended."""
    parts = tuple(paragraph_id.split("_"))
    if len(set(parts)) == len(parts) == 2 and all(map(is_source_id, parts)):
        yield parts
    numbered = (f"{paragraph_id}.1", f"{paragraph_id}.2")
    if all(map(is_source_id, numbered)):
        yield numbered


def why_none_is_suitable(campaign: Campaign) -> list[str]:
    """Say what a suitable paragraph is, and how many of the campaign's texts lack what."""
    if campaign.fuses:
        return [_("Editors make one sentence of the two of a text, so no text is divided.")]
    rule = _(
        "A paragraph is suitable if it has two sentences, each of at least %(words)s words, and is neither divided nor "
        "retired."
    ) % {"words": campaign.sentence_min_words}
    texts = Source.objects.filter(campaign=campaign)
    undivided = list(undivided_paragraphs(campaign))
    if not texts.filter(sentences=2).exists():
        return [rule, _("None of the campaign’s texts has two sentences.")]
    taken = set(texts.values_list("source_id", flat=True))
    counts = {
        _("divided already"): texts.filter(sentences=2, own_sentences__isnull=False).distinct().count(),
        _("retired"): texts.filter(sentences=2, retired_at__isnull=False).count(),
        _("with a sentence that is too short, or that cannot be cut into two"): sum(
            not is_suitable(each, campaign) for each in undivided
        ),
        _("whose sentences find no free ids"): sum(
            is_suitable(each, campaign) and not free_ids(each, taken) for each in undivided
        ),
    }
    found = "; ".join(f"{number:,} {words}" for words, number in counts.items() if number)
    return [rule, _("The campaign’s paragraphs: %(counts)s.") % {"counts": found}]
