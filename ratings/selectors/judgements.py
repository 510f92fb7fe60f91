"""The crowd's judgements of a campaign as arrays, for the science. Gold items and experts are not among them."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

import numpy as np
import numpy.typing as npt

from compressions.models import Compression
from compressions.selectors.authors import texts_of_excluded_only
from crowd.models import Campaign, Round
from crowd.scales import Scale
from crowd.selectors.exclusions import excluded_workers
from measures.arrays import FloatArray, IntArray
from measures.quality import Authorship, Ratings
from measures.scale import rescaled
from ratings.models import Judges, Score


@dataclass(frozen=True)
class Judgements:
    """Ratings and authors with targets and workers numbered from 0; the ids give the numbers their meaning.

    Ratings whose rater is unknown are each by a rater of their own, with an id below zero.
    """

    ratings: Ratings
    authorship: Authorship
    target_ids: IntArray
    rater_ids: IntArray
    editor_ids: IntArray


@dataclass(frozen=True)
class RatingTable:
    """One row for each rating: its id, target, rater, and a point on each scale."""

    rating: IntArray
    target: IntArray
    rater: IntArray
    scores: IntArray

    def but_of(self, targets: IntArray) -> "RatingTable":
        """The rows of other targets."""
        rows = ~np.isin(self.target, targets)
        return RatingTable(self.rating[rows], self.target[rows], self.rater[rows], self.scores[rows])


def judgements_of_campaign(campaign: Campaign) -> Judgements:
    """Ratings come first: a text is written before it is rated, so each has its authors. Excluded people are out."""
    excluded = excluded_workers(campaign, Round.EDIT)
    table = crowd_ratings(campaign)
    if excluded:
        table = table.but_of(np.array(texts_of_excluded_only(campaign).values_list("pk", flat=True), dtype=np.int64))
    written = _table(
        Compression.objects.filter(source__campaign=campaign)
        .exclude(worker__in=excluded)
        .values_list("target_id", "worker_id"),
        columns=2,
    )
    target_ids = np.union1d(table.target, written[:, 0])
    rater_ids, raters = np.unique(table.rater, return_inverse=True)
    editor_ids, editors = np.unique(written[:, 1], return_inverse=True)
    return Judgements(
        Ratings(np.searchsorted(target_ids, table.target), raters, comparable(table, campaign.rating_scales)),
        Authorship(np.searchsorted(target_ids, written[:, 0]), editors),
        target_ids,
        rater_ids,
        editor_ids,
    )


def comparable(table: RatingTable, scales: Iterable[Scale]) -> FloatArray:
    """Scores on scales of any number of points, each brought to the range from 1 to 3."""
    return rescaled(table.scores.astype(np.float64), tuple(len(scale.points) for scale in scales))


def crowd_ratings(campaign: Campaign) -> RatingTable:
    """What the crowd said of single texts, in the order in which it was said."""
    keys = {scale.key: place for place, scale in enumerate(campaign.rating_scales)}
    excluded = excluded_workers(campaign, Round.RATE)
    rows = (
        Score.objects.filter(rating__judges=Judges.CROWD, rating__target__source__campaign=campaign)
        .exclude(rating__worker__in=excluded)
        .order_by("rating", "pk")
        .values_list("rating_id", "rating__target_id", "rating__worker_id", "scale", "value")
    )
    unknown = count(-1, -1)
    found: dict[int, list[int]] = {}
    for rating, target, worker, scale, value in rows.iterator(chunk_size=5000):
        row = found.get(rating)
        if row is None:
            who = next(unknown) if worker is None else worker
            row = found[rating] = [rating, target, who, *([0] * len(keys))]
        row[3 + keys[scale]] = value
    table = _table(found.values(), columns=3 + len(keys))
    return RatingTable(table[:, 0], table[:, 1], table[:, 2], table[:, 3:])


def _table(rows: object, columns: int) -> IntArray:
    table: npt.NDArray[np.int64] = np.array(list(rows), dtype=np.int64)  # type: ignore[call-overload]
    return table.reshape(-1, columns)
