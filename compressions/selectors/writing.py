"""Reading how texts were written: drafts, logs, what staff should look at, paragraphs beside their sentences."""

from django.db.models import Prefetch, QuerySet, Value
from django.db.models.functions import Coalesce

from compressions.models import Compression, Draft, Source
from crowd.models import Assignment, Campaign, Remark


def drafts_of_assignment(assignment: Assignment) -> QuerySet[Draft]:
    """The drafts of a task, the newest first."""
    return Draft.objects.filter(assignment=assignment).order_by("-saved_at", "-pk")


def compression_of_assignment(assignment: Assignment) -> Compression:
    return Compression.objects.get(assignment=assignment)


def compressions_of_campaign(campaign: Campaign) -> QuerySet[Compression]:
    related = Compression.objects.select_related("source", "assignment", "worker")
    return related.filter(source__campaign=campaign).order_by("-pk")


def flagged_compressions(campaign: Campaign) -> QuerySet[Compression]:
    """Compressions with something to look at, the newest first."""
    return compressions_of_campaign(campaign).filter(is_flagged=True).defer("edit_log")


def paragraphs_with_sentences(campaign: Campaign) -> QuerySet[Source]:
    """Paragraphs that are also compressed sentence by sentence, with all that was written from both."""
    written = Compression.objects.defer("edit_log").select_related("worker").order_by("pk")
    sentences = Source.objects.order_by("pk").prefetch_related(Prefetch("compressions", written))
    return (
        Source.objects.filter(campaign=campaign, own_sentences__isnull=False)
        .distinct()
        .order_by("pk")
        .prefetch_related(Prefetch("compressions", written), Prefetch("own_sentences", sentences))
    )


def undivided_paragraphs(campaign: Campaign) -> QuerySet[Source]:
    """Paragraphs that are compressed only as a whole."""
    return Source.objects.filter(campaign=campaign, sentences=2, own_sentences__isnull=True, paragraph=None)


# Where the source of an item is found, whichever room made the item; a gold item has none.
SOURCES_OF_ITEMS = ("source", "target__source", "pair__first__source", "expert_item__target__source")


def source_id_of(remark: Remark) -> str:
    """The source that a remark is about; empty for one about a gold item. Free of queries after the following."""
    return str(getattr(remark, "source", ""))


def remarks_of_campaign(campaign: Campaign) -> QuerySet[Remark]:
    """What workers said about their tasks, the newest first; `source` is the id of what each is about."""
    said = Remark.objects.filter(assignment__worker__campaign=campaign).select_related("assignment__worker")
    paths = [f"assignment__item__{path}__source_id" for path in SOURCES_OF_ITEMS]
    return said.annotate(source=Coalesce(*paths, Value(""))).order_by("-created_at", "-pk")
