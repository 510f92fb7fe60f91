"""Query what other raters gave to the texts that one person rated."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Avg, Count

from crowd.models import Campaign, Round, Worker
from crowd.selectors.exclusions import excluded_workers
from ratings.models import RaterPool, Rating, Score

SUBJECTS = ("target", "pair", "gold")
Subject = tuple[str, int]


@dataclass(frozen=True)
class OthersOnScale:
    """A point that a person gave, with the mean and the number of the others' points; None if nobody else gave one."""

    scale: str
    point: int
    mean: float | None
    others: int


@dataclass(frozen=True)
class RatingBesideOthers:
    rating: Rating
    points: list[OthersOnScale]

    @property
    def has_others(self) -> bool:
        return any(each.others for each in self.points)

    @property
    def source_id(self) -> str:
        """The id of the text that was rated; empty for a gold question, which belongs to none."""
        target = self._target
        return target.source.source_id if target else ""

    @property
    def anchor(self) -> str:
        """The place of the compression on the page of its text."""
        target = self._target
        return f"text-{target.pk}" if target else ""

    @property
    def _target(self) -> Any:
        return self.rating.pair.first if self.rating.pair else self.rating.target


def beside_others(worker: Worker, ratings: Iterable[Rating]) -> list[RatingBesideOthers]:
    """Return ratings of a person, each with what the others of the same pool gave, without excluded raters.

    The ratings come with their scores and texts, as `ratings_of_worker` selects them.
    """
    listed = list(ratings)
    pool = listed[0].rater_pool if listed else RaterPool.CROWD
    means = _means_of_others(worker, listed, pool)
    return [RatingBesideOthers(each, _points(each, means.get(_subject(each), {}))) for each in listed]


def _points(rating: Rating, others: Mapping[str, tuple[float, int]]) -> list[OthersOnScale]:
    return [
        OthersOnScale(score.scale, score.value, *others.get(score.scale, (None, 0))) for score in rating.scores.all()
    ]


def _subject(rating: Rating) -> Subject:
    return next((name, pk) for name in SUBJECTS if (pk := getattr(rating, f"{name}_id")) is not None)


def _means_of_others(
    worker: Worker, ratings: Iterable[Rating], pool: str
) -> dict[Subject, dict[str, tuple[float, int]]]:
    """Return mean and number of the others' points by subject and scale, in a query per kind."""
    by_kind: dict[str, list[int]] = {name: [] for name in SUBJECTS}
    for rating in ratings:
        kind, pk = _subject(rating)
        by_kind[kind].append(pk)
    left_out = {worker.pk, *_excluded(worker.campaign, pool)}
    means: dict[Subject, dict[str, tuple[float, int]]] = defaultdict(dict)
    for kind, subjects in by_kind.items():
        scores = Score.objects.filter(**{f"rating__{kind}__in": subjects, "rating__rater_pool": pool})
        scores = scores.exclude(rating__worker__in=left_out)
        rows = scores.values_list(f"rating__{kind}", "scale").annotate(Avg("value"), Count("pk")).order_by()
        for subject, scale, mean, number in rows:
            means[kind, subject][scale] = (mean, number)
    return means


def _excluded(campaign: Campaign, pool: str) -> frozenset[int]:
    return excluded_workers(campaign, Round.EXPERT if pool == RaterPool.EXPERTS else Round.RATE)
