"""Queries for drafts, compressions, remarks, and paragraphs with their sentences."""

from collections.abc import Iterable, Mapping
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

from common.errors import NotYours
from compressions.models import Compression, Draft, Source
from crowd.models import Assignment, Campaign, Remark
from crowd.selectors.members import workers_of_tests

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
    chosen = [remark.pk for remark in remarks]
    found = {remark.pk: remark for remark in with_sources(Remark.objects.filter(pk__in=chosen))}
    return [found[pk] for pk in chosen if pk in found]


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
