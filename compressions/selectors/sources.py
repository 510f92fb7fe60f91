"""Queries for sources, their imports and their compressions."""

from dataclasses import dataclass

from django.db.models import Count, QuerySet

from common.errors import NotYours
from compressions.models import Compression, Source, SourceImport
from crowd.models import Assignment, Campaign, Enrolment
from crowd.selectors.work import assignment_of_worker


def source_of_assignment(assignment: Assignment) -> Source:
    """Return the source to compress; needs no query for an assignment from `editor_task`."""
    try:
        return assignment.item.source
    except Source.DoesNotExist as error:
        raise NotYours("This task is not about a source.") from error


def editor_task(enrolment: Enrolment, assignment_id: int) -> Assignment:
    """Return an assignment of this editor, fetched with its source."""
    return assignment_of_worker(enrolment, assignment_id, related=("item__source",))


def sources_of_campaign(campaign: Campaign) -> QuerySet[Source]:
    """Return the sources in import order, each with its number of compressions."""
    return (
        Source.objects.filter(campaign=campaign)
        .select_related("paragraph", "item")
        .annotate(compression_count=Count("compressions"))
        .order_by("pk")
    )


def imports_of_campaign(campaign: Campaign) -> QuerySet[SourceImport]:
    imports = SourceImport.objects.filter(campaign=campaign).defer("content")
    return imports.select_related("campaign", "job").order_by("-pk")


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
    return Compression.objects.filter(source=source).select_related("assignment", "worker").order_by("pk")
