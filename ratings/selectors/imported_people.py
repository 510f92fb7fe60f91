"""Count the ratings that people gave elsewhere."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from common.words import Words
from crowd.models import Campaign
from crowd.models.people import IMPORTED
from ratings.models import ImportPool, RaterPool, Rating


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
