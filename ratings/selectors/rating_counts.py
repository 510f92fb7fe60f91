"""Summarise the crowd's ratings from stored counts and from what came or changed since.

The mean over texts needs the mean of each text, so millions of ratings take seconds to summarise. The counts hold the
sums up to a mark: the last rating and the last version that they know of. Texts that were rated or corrected since, or
rated by somebody excluded or readmitted since, are counted again: their totals at the mark, known from the versions
of their ratings, are subtracted, and their totals now are added. So the summary is always up to date.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain

from django.db.models import Avg, Count, Q, QuerySet, Sum

from crowd.models import Campaign, Round, Worker
from crowd.models.people import IMPORTED
from crowd.selectors.members import uncounted_workers
from ratings.models import RaterPool, Rating, RatingCounts, RatingVersion, Score, UpToMark
from ratings.selectors.rating_tasks import RatingSummary, ScaleSummary, rating_summary

MANY_TEXTS = 5_000
"""If more texts have changed, counting all anew is as quick."""

RATINGS = ""
"""In the place of a scale: its `texts` are the ratings, of which imported ones may lack a scale."""

RatedPoint = tuple[int, int, int | None, str, int]  # rating, text or pair, rater, scale, point


@dataclass(frozen=True)
class Mark:
    """How far ratings are counted, and whose ratings are left out."""

    last_rating: int
    last_version: int
    excluded: frozenset[int]


@dataclass
class ScaleTotals:
    texts: int = 0
    means: float = 0.0
    points: dict[int, int] = field(default_factory=dict)

    def add(self, other: "ScaleTotals", sign: int = 1) -> None:
        self.texts += sign * other.texts
        self.means += sign * other.means
        for point, number in other.points.items():
            self.points[point] = self.points.get(point, 0) + sign * number


class Totals(dict[str, ScaleTotals]):
    """The totals of each scale."""

    def add(self, other: "Totals", sign: int = 1) -> None:
        for scale, totals in other.items():
            self.setdefault(scale, ScaleTotals()).add(totals, sign)

    def dump(self) -> dict[str, list[object]]:
        return {scale: [each.texts, each.means, each.points] for scale, each in self.items()}

    @classmethod
    def load(cls, stored: dict[str, tuple[int, float, dict[str, int]]]) -> "Totals":
        return cls(
            (scale, ScaleTotals(texts, means, {int(point): number for point, number in points.items()}))
            for scale, (texts, means, points) in stored.items()
        )


def rating_summary_now(campaign: Campaign) -> RatingSummary:
    """Summarise the crowd's ratings as `rating_summary` does, from the stored counts where there are any."""
    stored = RatingCounts.objects.filter(campaign=campaign).first()
    if stored is None:
        return rating_summary(campaign)
    mark, excluded = mark_of(stored), uncounted_workers(campaign, Round.RATE)
    texts = texts_since(campaign, mark, excluded)
    if texts is None:
        return rating_summary(campaign)
    totals = Totals.load(stored.totals)
    rows = points_of(campaign, texts)
    totals.add(totals_at(campaign, rows, mark), -1)
    totals.add(totals_of(row for row in rows if row[2] not in excluded))
    return _summary(campaign, totals)


def _summary(campaign: Campaign, totals: Totals) -> RatingSummary:
    scales = {scale.key: totals.get(scale.key, ScaleTotals()) for scale in campaign.rating_scales}
    counts = {key: {point: number for point, number in each.points.items() if number} for key, each in scales.items()}
    of_scales = {key: _scale_summary(each.texts, each.means, counts[key]) for key, each in scales.items()}
    return RatingSummary(totals.get(RATINGS, ScaleTotals()).texts, of_scales)


def _scale_summary(texts: int, means: float, counts: dict[int, int]) -> ScaleSummary:
    ratings = sum(counts.values())
    over_ratings = sum(point * number for point, number in counts.items()) / ratings if ratings else None
    return ScaleSummary(means / texts if texts else None, over_ratings, counts)


def mark_of(stored: UpToMark) -> Mark:
    return Mark(stored.last_rating, stored.last_version, frozenset(stored.excluded))


def _ratings(campaign: Campaign) -> QuerySet[Rating]:
    of_campaign = {f"{campaign.task.source}__campaign": campaign}
    return Rating.objects.filter(rater_pool=RaterPool.CROWD, gold=None, **of_campaign)


def texts_since(campaign: Campaign, mark: Mark, excluded: Collection[int]) -> set[int] | None:
    """Return the texts (or pairs) whose ratings may differ from those at a mark; None if over MANY_TEXTS."""
    ratings = _ratings(campaign)
    changes: list[QuerySet[Rating]] = [
        # Chosen first: those since are few, and a plan that began with the texts would read all.
        ratings.filter(pk__in=Rating.objects.filter(pk__gt=mark.last_rating).values("pk")),
        ratings.filter(pk__in=RatingVersion.objects.filter(pk__gt=mark.last_version).values("rating")),
        ratings.filter(worker__in=mark.excluded.symmetric_difference(excluded)),
    ]
    found: set[int] = set()
    for each in changes:
        texts = each.values_list(f"{campaign.task.subject}_id", flat=True).order_by().distinct()
        found.update(texts[: MANY_TEXTS + 1])
    return found if len(found) <= MANY_TEXTS else None


def points_of(campaign: Campaign, texts: Collection[int]) -> list[RatedPoint]:
    """Return all points that the crowd gave to some texts."""
    of_texts = {f"rating__{campaign.task.subject}__in": texts, "rating__rater_pool": RaterPool.CROWD}
    rows = Score.objects.filter(**of_texts).order_by("rating", "pk") if texts else Score.objects.none()
    return list(
        rows.values_list("rating_id", f"rating__{campaign.task.subject}_id", "rating__worker_id", "scale", "value")
    )


def totals_of(rows: Iterable[RatedPoint]) -> Totals:
    by_text: dict[tuple[str, int], list[int]] = {}
    ratings = set()
    for rating, text, _, scale, point in rows:
        ratings.add(rating)
        by_text.setdefault((scale, text), []).append(point)
    totals = Totals({RATINGS: ScaleTotals(len(ratings))})
    for (scale, _), points in by_text.items():
        one = ScaleTotals(1, sum(points) / len(points), {point: points.count(point) for point in points})
        totals.add(Totals({scale: one}))
    return totals


def totals_at(campaign: Campaign, rows: Collection[RatedPoint], mark: Mark) -> Totals:
    """Return what the ratings among some rows had come to at a mark."""
    known = [row for row in rows if row[0] <= mark.last_rating and row[2] not in mark.excluded]
    changed = _changed_since(campaign, {row[1] for row in known}, mark)
    unchanged = (row for row in known if row[0] not in changed)
    return totals_of(chain(unchanged, _as_they_were(known, changed, mark)))


def _changed_since(campaign: Campaign, texts: Collection[int], mark: Mark) -> set[int]:
    since = RatingVersion.objects.filter(pk__gt=mark.last_version, rating__lte=mark.last_rating)
    return set(since.filter(**{f"rating__{campaign.task.subject}__in": texts}).values_list("rating_id", flat=True))


def _as_they_were(rows: Iterable[RatedPoint], changed: Collection[int], mark: Mark) -> Iterator[RatedPoint]:
    """Yield the points that ratings changed since then had at a mark; a rating with no version by then is left out."""
    about = {rating: (text, worker) for rating, text, worker, _, _ in rows if rating in changed}
    versions = RatingVersion.objects.filter(rating__in=list(about), pk__lte=mark.last_version).order_by("number")
    for rating, scores in dict(versions.values_list("rating_id", "scores")).items():
        text, worker = about[rating]
        yield from ((rating, text, worker, scale, point) for scale, point in scores.items())


def totals_in_database(campaign: Campaign, mark: Mark) -> Totals:
    """Return the totals of the ratings up to a mark, with the points they have now; this reads all of them."""
    ratings = _ratings(campaign).filter(pk__lte=mark.last_rating).exclude(worker__in=mark.excluded)
    scores = Score.objects.filter(rating__in=ratings)
    by_text = scores.values("scale", f"rating__{campaign.task.subject}").annotate(mean=Avg("value")).order_by()
    keys = {f"scale_{place}": scale.key for place, scale in enumerate(campaign.rating_scales)}
    sums = {f"{name}_sum": Sum("mean", filter=Q(scale=key), default=0.0) for name, key in keys.items()}
    found = by_text.aggregate(**sums, **{name: Count("mean", filter=Q(scale=key)) for name, key in keys.items()})
    totals = Totals((key, ScaleTotals(found[name], found[f"{name}_sum"])) for name, key in keys.items())
    totals[RATINGS] = ScaleTotals(ratings.count())
    for scale, point, number in scores.values_list("scale", "value").annotate(Count("pk")).order_by():
        totals.setdefault(scale, ScaleTotals()).points[point] = number
    return totals


def ratings_before(campaign: Campaign, at: datetime, pools: Collection[str] = RaterPool.values) -> int | None:
    """Return how many ratings people had given by some time, or None where that is not known.

    Files say the day of a rating at most, and of people who have withdrawn, texts and their ratings may be deleted.
    """
    of_campaign = Q(target__source__campaign=campaign) | Q(pair__first__source__campaign=campaign)
    ratings = Rating.objects.filter(of_campaign, rater_pool__in=pools).exclude(worker__is_test=True)
    erased = Worker.objects.filter(campaign=campaign, erased_at__isnull=False, created_at__lt=at)
    imported = ratings.filter(Q(worker=None) | Q(worker__platform_key=IMPORTED))
    return None if imported.exists() or erased.exists() else int(ratings.filter(created_at__lt=at).count())
