"""Query what a campaign holds, which goes when it is deleted."""

from dataclasses import dataclass

from compressions.models import Compression, Source, SystemOutput
from corpus.models import Release
from crowd.models import Campaign, Worker
from ratings.models import Rating


@dataclass(frozen=True)
class Contents:
    participants: int
    texts: int
    compressions: int
    outputs: int
    ratings: int
    releases: list[Release]


def contents_of(campaign: Campaign) -> Contents:
    return Contents(
        participants=Worker.objects.filter(campaign=campaign).count(),
        texts=Source.objects.filter(campaign=campaign).count(),
        compressions=Compression.objects.filter(source__campaign=campaign).count(),
        outputs=SystemOutput.objects.filter(system__campaign=campaign).count(),
        ratings=_ratings(campaign),
        releases=list(Release.objects.filter(campaign=campaign).select_related("campaign").order_by("version")),
    )


def _ratings(campaign: Campaign) -> int:
    """Count the ratings of texts, of pairs and of gold questions; imported ones have no worker."""
    paths = ("target__source__campaign", "pair__first__source__campaign", "gold__item__campaign")
    return sum(Rating.objects.filter(**{path: campaign}).count() for path in paths)
