"""Queries for drafts, compressions, flags, remarks, and paragraphs with their sentences."""

from django.db.models import Prefetch, QuerySet, Value
from django.db.models.functions import Coalesce

from compressions.models import Compression, Draft, Source
from crowd.models import Assignment, Campaign, Remark


def drafts_of_assignment(assignment: Assignment) -> QuerySet[Draft]:
    """Return the drafts of a task, newest first."""
    return Draft.objects.filter(assignment=assignment).order_by("-saved_at", "-pk")


def compression_of_assignment(assignment: Assignment) -> Compression:
    return Compression.objects.get(assignment=assignment)


def compressions_of_campaign(campaign: Campaign) -> QuerySet[Compression]:
    related = Compression.objects.select_related("source", "assignment", "worker")
    return related.filter(source__campaign=campaign).order_by("-pk")


def flagged_compressions(campaign: Campaign) -> QuerySet[Compression]:
    """Return the compressions flagged for staff, newest first."""
    return compressions_of_campaign(campaign).filter(is_flagged=True).defer("edit_log")


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
    """Return the paragraphs that are compressed only as a whole."""
    return Source.objects.filter(campaign=campaign, sentences=2, own_sentences__isnull=True, paragraph=None)


# Paths from an item to its source, for each kind of item; a gold item has none.
SOURCES_OF_ITEMS = ("source", "target__source", "pair__first__source", "expert_item__target__source")


def source_id_of(remark: Remark) -> str:
    """Return the source id of a remark from `remarks_of_campaign`, without a query; empty for a gold item."""
    return str(getattr(remark, "source", ""))


def remarks_of_campaign(campaign: Campaign) -> QuerySet[Remark]:
    """Return the remarks of a campaign, newest first, annotated with the id of their `source`."""
    remarks = Remark.objects.filter(assignment__worker__campaign=campaign).select_related("assignment__worker")
    paths = [f"assignment__item__{path}__source_id" for path in SOURCES_OF_ITEMS]
    return remarks.annotate(source=Coalesce(*paths, Value(""))).order_by("-created_at", "-pk")
