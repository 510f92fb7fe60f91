"""What the pages of texts show of ratings: the room that stores ratings registers how to find it here."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from compressions.models import Source
from crowd.models import Campaign

# Source id -> scale -> mean over the ratings of its compressions; a source without ratings is not there.
Means = Mapping[int, Mapping[str, float]]
# (campaign, keys of scales, ids of the sources, or None for all) -> means
MeansOfSources = Callable[[Campaign, Collection[str], Collection[int] | None], Means]


@dataclass(frozen=True)
class ShownRating:
    """One rating with its points by scale; `number` is that of the rater's page, None if nobody knows the rater."""

    rater: str
    number: int | None
    pool: str
    points: Mapping[str, int]
    at: datetime | None
    left_out: str
    """Why releases leave the rater's work out; empty if they do not."""


@dataclass(frozen=True)
class ShownComparison:
    first: str
    second: str
    ratings: Sequence[ShownRating]


@dataclass(frozen=True)
class SourceRatings:
    """The ratings of a source's texts, by the id of the text, and its comparisons of two texts."""

    of_texts: Mapping[int, Sequence[ShownRating]] = field(default_factory=dict)
    comparisons: Sequence[ShownComparison] = ()


RatingsOfSource = Callable[[Source], SourceRatings]

_registered: list[tuple[MeansOfSources, RatingsOfSource]] = []


def rating_figures_register(means: MeansOfSources, ratings: RatingsOfSource) -> None:
    _registered.append((means, ratings))


def means_of_sources(campaign: Campaign, scales: Collection[str], among: Collection[int] | None = None) -> Means:
    means, _ = _registered[-1]
    return means(campaign, scales, among)


def ratings_of_source(source: Source) -> SourceRatings:
    _, ratings = _registered[-1]
    return ratings(source)
