"""Query the ratings by models, and the files that ratings came from."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from django.db.models import Count, Max, QuerySet

from crowd.models import Campaign
from ratings.models import ModelRater, ModelRating

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
