"""Reading sources and what was made of them."""

from dataclasses import dataclass

from django.db.models import Count, QuerySet

from compressions.models import Compression, Source, SourceImport
from crowd.errors import NotYours
from crowd.models import Assignment, Campaign


def source_of_assignment(assignment: Assignment) -> Source:
    source = Source.objects.select_related("campaign").filter(item_id=assignment.item_id).first()
    if source is None:
        raise NotYours("This task is not about a source.")
    return source


def sources_of_campaign(campaign: Campaign) -> QuerySet[Source]:
    """Sources with how many compressions each has, in the order of their import."""
    return (
        Source.objects.filter(campaign=campaign)
        .select_related("paragraph", "item")
        .annotate(compression_count=Count("compressions"))
        .order_by("pk")
    )


def imports_of_campaign(campaign: Campaign) -> QuerySet[SourceImport]:
    return SourceImport.objects.filter(campaign=campaign).defer("content").select_related("job").order_by("-pk")


@dataclass(frozen=True)
class GenreCount:
    genre: str
    sources: int
    paragraphs: int


def genres_of_campaign(campaign: Campaign) -> list[GenreCount]:
    counts: dict[str, dict[int, int]] = {}
    grouped = Source.objects.filter(campaign=campaign).values_list("genre", "sentences").annotate(n=Count("pk"))
    for genre, sentences, number in grouped.order_by("genre"):
        counts.setdefault(genre, {})[sentences] = number
    return [GenreCount(genre, sum(by.values()), by.get(2, 0)) for genre, by in counts.items()]


def compressions_of_source(source: Source) -> QuerySet[Compression]:
    return Compression.objects.filter(source=source).select_related("worker", "target").order_by("pk")
