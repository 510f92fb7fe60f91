"""Query the ratings that files brought, by models and by people who gave them elsewhere, and those files."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Count, Max, QuerySet

from common.words import Words
from crowd.models import Campaign
from crowd.models.people import IMPORTED
from ratings.models import ImportPool, ModelRater, ModelRating, RaterPool, Rating

CHUNK = 2000


class ModelRatingRow(NamedTuple):
    """A model's rating: of which text of which source, by which model, with its number on each scale."""

    source_id: str
    text: str
    rater: str
    scores: Mapping[str, float]


def model_raters(campaign: Campaign) -> QuerySet[ModelRater]:
    """Return the models by name, annotated with the numbers of their ratings."""
    raters = ModelRater.objects.filter(campaign=campaign)
    return raters.annotate(rating_count=Count("ratings")).order_by("name", "pk")


def model_rating_counts(campaign: Campaign) -> list[tuple[str, int]]:
    """Return the name and the number of ratings of each model, by name."""
    raters = ModelRater.objects.filter(campaign=campaign).order_by("name")
    return list(raters.values_list("name", Count("ratings")))


def last_model_rating(campaign: Campaign) -> int | None:
    """Return the id of the newest rating by a model; None if there is none."""
    last: int | None = ModelRating.objects.filter(rater__campaign=campaign).aggregate(last=Max("pk"))["last"]
    return last


def model_ratings_until(campaign: Campaign, last: int) -> Iterator[ModelRatingRow]:
    """Yield the ratings by models up to an id, model by model and in the order of the sources."""
    rows = ModelRating.objects.filter(rater__campaign=campaign, pk__lte=last)
    in_order = rows.order_by("rater_id", "target__source_id", "target_id")
    columns = ("target__source__source_id", "target__text", "rater__name", "scores")
    yield from map(ModelRatingRow._make, in_order.values_list(*columns).iterator(chunk_size=CHUNK))


@dataclass(frozen=True)
class ImportedPool:
    """The imported ratings of a pool: by so many people who are named, and those by nobody known."""

    words: Words
    raters: int
    ratings: int
    nameless: int


def imported_pools(campaign: Campaign) -> list[ImportedPool]:
    """Return what was imported into each pool of people, in two queries; nothing of a pool without any."""
    named = Rating.objects.filter(worker__campaign=campaign, worker__platform_key=IMPORTED)
    nameless = Rating.objects.filter(target__source__campaign=campaign, worker=None)
    people = {pool: (raters, number) for pool, raters, number in _by_pool(named)}
    unknown = {pool: number for pool, _none, number in _by_pool(nameless)}
    found = []
    for pool in RaterPool:
        raters, ratings = people.get(pool, (0, 0))
        if ratings or pool in unknown:
            found.append(ImportedPool(ImportPool(pool.value).label, raters, ratings, unknown.get(pool, 0)))
    return found


def _by_pool(ratings: QuerySet[Rating]) -> Iterable[tuple[str, int, int]]:
    """Return the number of raters and of ratings of each pool."""
    by_pool = ratings.order_by().values_list("rater_pool")
    return by_pool.annotate(Count("worker", distinct=True), Count("pk"))
