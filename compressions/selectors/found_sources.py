"""Find texts by their words, genre, state, remarks, number of compressions and mean rating."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from compressions.genres import UNKNOWN_GENRE
from compressions.models import Compression, Source
from compressions.rating_figures import means_of_sources
from compressions.selectors.sources import compression_counts
from compressions.selectors.writing import SOURCES_OF_ITEMS, remarks_of_campaign
from crowd.models import Campaign, Remark

BATCH = 2_000
FEW = 5_000
"""Up to so many texts are named in the query for their ratings; for more, it goes through the whole campaign."""

WANTS, COMPLETE, RETIRED = "wants", "complete", "retired"
STATES = {
    WANTS: Q(retired_at=None, item__open_slots__gt=0),
    COMPLETE: Q(retired_at=None, item__open_slots=0),
    RETIRED: Q(retired_at__isnull=False),
}
ORDERS = {"id": "source_id", "genre": "genre", "sentences": "sentences", "compressions": "written"}
MEAN = "mean-"
"""Before the key of a scale, in the name of an order."""


@dataclass(frozen=True)
class Wanted:
    """What texts are looked for; what is empty or None does not matter. `sort` begins with - for falling order."""

    q: str = ""
    genre: str = ""
    state: str = ""
    reported: bool = False
    least: int | None = None
    most: int | None = None
    scale: str = ""
    above: float | None = None
    below: float | None = None
    sort: str = ""

    @property
    def order(self) -> str:
        return self.sort.removeprefix("-")

    @property
    def is_falling(self) -> bool:
        return self.sort.startswith("-")

    @property
    def has_mean(self) -> bool:
        """Whether means are asked for, which takes a look at all ratings of a scale."""
        return self.above is not None or self.below is not None


@dataclass(frozen=True)
class SourceRow:
    """A text with what the list shows of it."""

    source: Source
    compressions: int
    is_reported: bool
    means: dict[str, float] = field(default_factory=dict)


Ids = QuerySet[Any] | Sequence[int]


def found_sources(campaign: Campaign, wanted: Wanted) -> Ids:
    """Return the ids of the texts that are wanted, in their order; each can be counted and sliced."""
    found: QuerySet[Any] = Source.objects.filter(campaign=campaign).filter(_conditions(campaign, wanted))
    if wanted.order == "compressions" or wanted.least is not None or wanted.most is not None:
        found = found.annotate(written=Coalesce(Subquery(_number_written()), 0))
    if wanted.least is not None:
        found = found.filter(written__gte=wanted.least)
    if wanted.most is not None:
        found = found.filter(written__lte=wanted.most)
    column = ORDERS.get(wanted.order)
    sign = "-" if wanted.is_falling else ""
    found = found.order_by(*([f"{sign}{column}"] if column else []), "pk")
    ids = found.values_list("pk", flat=True)
    by_mean = wanted.order.removeprefix(MEAN) if wanted.order.startswith(MEAN) else ""
    return _by_mean(campaign, list(ids), wanted, by_mean) if wanted.has_mean or by_mean else ids


def _number_written() -> QuerySet[Any]:
    of_source = Compression.objects.filter(source=OuterRef("pk")).order_by().values("source")
    return of_source.annotate(number=Count("pk")).values("number")


def _conditions(campaign: Campaign, wanted: Wanted) -> Q:
    found = STATES.get(wanted.state, Q())
    if wanted.q:
        found &= Q(source_id__icontains=wanted.q) | Q(text__icontains=wanted.q)
    if wanted.genre:
        found &= Q(genre__in=["", UNKNOWN_GENRE]) if wanted.genre == UNKNOWN_GENRE else Q(genre=wanted.genre)
    if wanted.reported:
        found &= Q(pk__in=reported_sources(campaign))
    return found


def reported_sources(campaign: Campaign) -> frozenset[int]:
    """Return the ids of the texts that somebody reported a problem with: with the text or with one of its versions."""
    problems = remarks_of_campaign(campaign).filter(kind=Remark.Kind.PROBLEM)
    paths = [f"assignment__item__{path}" for path in SOURCES_OF_ITEMS]
    found = problems.annotate(about=Coalesce(*paths)).order_by().values_list("about", flat=True)
    return frozenset(pk for pk in found if pk is not None)


def _by_mean(campaign: Campaign, ids: list[int], wanted: Wanted, by_mean: str) -> list[int]:
    """Return those with a mean in the range, in the order of their means if that is wanted, unrated ones last."""
    scales = {wanted.scale} if wanted.has_mean else set()
    means = means_of_sources(campaign, scales | ({by_mean} if by_mean else set()), ids if len(ids) <= FEW else None)
    if wanted.has_mean:
        ids = [pk for pk in ids if _is_within(means.get(pk, {}).get(wanted.scale), wanted)]
    if not by_mean:
        return ids
    rated = [pk for pk in ids if by_mean in means.get(pk, {})]
    rated.sort(key=lambda pk: means[pk][by_mean], reverse=wanted.is_falling)
    return rated + [pk for pk in ids if by_mean not in means.get(pk, {})]


def _is_within(mean: float | None, wanted: Wanted) -> bool:
    if mean is None:
        return False
    return (wanted.above is None or mean > wanted.above) and (wanted.below is None or mean < wanted.below)


def source_rows(campaign: Campaign, ids: Collection[int], reported: frozenset[int]) -> list[SourceRow]:
    """Return what the list shows of some texts, in their order."""
    sources = Source.objects.select_related("paragraph", "item").in_bulk(list(ids))
    counts = compression_counts(sources.values())
    scales = shown_scales(campaign)
    means = means_of_sources(campaign, scales, list(sources)) if sources and scales else {}
    return [
        SourceRow(sources[pk], counts.get(pk, 0), pk in reported, dict(means.get(pk, {})))
        for pk in ids
        if pk in sources
    ]


def shown_scales(campaign: Campaign) -> list[str]:
    """Return the scales that have means: side by side, points compare two texts and say nothing of one."""
    return [scale.key for scale in campaign.rating_scales] if campaign.task.judges_single_texts else []


def all_source_rows(campaign: Campaign, ids: Ids) -> Iterator[SourceRow]:
    """Yield the rows of all texts found, some thousand at a time."""
    reported, every = reported_sources(campaign), list(ids)
    for start in range(0, len(every), BATCH):
        yield from source_rows(campaign, every[start : start + BATCH], reported)
