"""Preview of the worker filter with several shares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.quality_control.dawid_skene import PointScores
from measures.quality_control.filter_input import FilterInput, Measurements
from measures.quality_control.gold_accuracy import GoldAnswers
from measures.quality_control.parameters import FilterParameters, ManualDecisions
from measures.quality_control.tables import Authorship, Ratings
from measures.quality_control.worker_filter import Outcome, decide

__all__ = ["SharePreview", "preview", "preview_measured"]


@dataclass(frozen=True, eq=False)
class SharePreview:
    """Effect of the worker filter with one share.

    Attributes
    ----------
    share : float
        The share, 0 to 1.
    removed_raters, removed_editors : IntArray of shape (r,) and (e,)
        Workers who would be removed by the filter or are excluded manually, in increasing order.
    ratings_kept, texts_kept : int
        Number of ratings and texts that would remain, among texts written by people.
    means_before, means_after : FloatArray of shape (s,)
        Mean of each scale over all texts written by people, each with the mean of its ratings (a text without
        ratings does not count), and over those that would remain; of `point_scores` if given, else of `ratings`.
        NaN without ratings.
    rating_means_before, rating_means_after : FloatArray of shape (s,)
        The same over ratings: each rating counts once.
    """

    share: float
    removed_raters: IntArray
    removed_editors: IntArray
    ratings_kept: int
    texts_kept: int
    means_before: FloatArray
    means_after: FloatArray
    rating_means_before: FloatArray
    rating_means_after: FloatArray

    @property
    def n_removed_raters(self) -> int:
        """Number of raters who would be removed."""
        return len(self.removed_raters)

    @property
    def n_removed_editors(self) -> int:
        """Number of editors who would be removed."""
        return len(self.removed_editors)


def preview(  # noqa: PLR0913  (the complete input of the worker filter)
    ratings: Ratings,
    authorship: Authorship,
    *,
    rater_ids: npt.ArrayLike,
    editor_ids: npt.ArrayLike,
    n_texts: int,
    parameters: FilterParameters,
    shares: Sequence[float],
    manual: ManualDecisions | None = None,
    gold: GoldAnswers | None = None,
    point_scores: PointScores | None = None,
) -> list[SharePreview]:
    """Preview `apply_filter` with each of several shares.

    The first role is measured once. The second is measured again only when the number of workers removed from
    the first changes. In the first role a larger share removes a superset of those that a smaller one removes.
    In the second it may keep some of them, whose quality is better on the data that the larger cut leaves.

    Parameters
    ----------
    ratings, authorship, rater_ids, editor_ids, n_texts, manual, gold, point_scores
        As for `apply_filter`.
    parameters : FilterParameters
        As for `apply_filter`; its share is ignored.
    shares : sequence of float
        The shares, each 0 to 1, in any order.

    Returns
    -------
    list of SharePreview
        One for each share, in the same order.

    Raises
    ------
    ValueError
        As from `apply_filter`, or if a share is out of range.

    Examples
    --------
    >>> scores = np.array([[3.0], [3.0], [1.0], [1.0], [1.0], [1.0]])
    >>> ratings = Ratings(np.repeat([0, 1], 3), np.tile([0, 1, 2], 2), scores)
    >>> found = preview(ratings, Authorship(np.array([0, 1]), np.array([0, 1])), rater_ids=[7, 8, 9],
    ...                 editor_ids=[5, 6], n_texts=2, parameters=FilterParameters(min_items=1), shares=[0, 0.4, 0.5])
    >>> [(one.n_removed_raters, one.n_removed_editors, one.ratings_kept) for one in found]
    [(0, 0, 6), (1, 0, 4), (1, 1, 2)]
    >>> found[2].rating_means_before.round(2), found[2].means_after
    (array([1.67]), array([3.]))
    """
    raters, editors = np.asarray(rater_ids), np.asarray(editor_ids)
    manual = manual or ManualDecisions.none(len(raters), len(editors))
    filter_input = FilterInput(ratings, authorship, raters, editors, n_texts, manual, gold, point_scores)
    return preview_measured(Measurements(filter_input, parameters.rater_quality), parameters, shares)


def preview_measured(
    measurements: Measurements, parameters: FilterParameters, shares: Sequence[float]
) -> list[SharePreview]:
    """Preview `decide` with each of several shares.

    Parameters
    ----------
    measurements : Measurements
        As for `decide`.
    parameters : FilterParameters
        As for `decide`; its share is ignored.
    shares : sequence of float
        The shares, each 0 to 1, in any order.

    Returns
    -------
    list of SharePreview
        As from `preview`.

    Raises
    ------
    ValueError
        As from `decide`, or if a share is out of range.
    """
    variants = [replace(parameters, share=share) for share in shares]
    return [_share_preview(measurements.filter_input, each.share, decide(measurements, each)) for each in variants]


def _share_preview(data: FilterInput, share: float, outcome: Outcome) -> SharePreview:
    scores = data.ratings.scores if data.point_scores is None else data.point_scores.scores
    of_human_texts = data.human_texts[data.ratings.text]
    kept = outcome.kept_rating & of_human_texts
    return SharePreview(
        share=share,
        removed_raters=np.flatnonzero(outcome.raters.removed),
        removed_editors=np.flatnonzero(outcome.editors.removed),
        ratings_kept=int(kept.sum()),
        texts_kept=int((outcome.kept_text & data.human_texts).sum()),
        means_before=_means_over_texts(data.ratings.text[of_human_texts], scores[of_human_texts]),
        means_after=_means_over_texts(data.ratings.text[kept], scores[kept]),
        rating_means_before=_means(scores[of_human_texts]),
        rating_means_after=_means(scores[kept]),
    )


def _means_over_texts(text: IntArray, scores: FloatArray) -> FloatArray:
    """Return the means over texts. Sums of whole points are exact, so the order of the ratings does not matter."""
    _, place, number = np.unique(text, return_inverse=True, return_counts=True)
    sums = np.stack([np.bincount(place, column, minlength=len(number)) for column in scores.T], axis=1)
    if not len(number):
        return _means(scores)
    return np.array([math.fsum(column) for column in (sums / number[:, None]).T]) / len(number)


def _means(scores: FloatArray) -> FloatArray:
    return scores.mean(axis=0) if len(scores) else np.full(scores.shape[1], np.nan)
