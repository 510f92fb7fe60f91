"""What the rule would do with other shares, and how qualities are distributed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np
import numpy.typing as npt

from measures.arrays import FloatArray, IntArray
from measures.case import Case, Measurements
from measures.dawid_skene import PointScores
from measures.gold import GoldAnswers
from measures.quality import Outcome, decide
from measures.rule import HandDecisions, RuleParameters
from measures.scale import DECIMALS
from measures.workers import Authorship, Ratings

__all__ = ["Histogram", "SharePreview", "histogram", "preview", "preview_measured"]


@dataclass(frozen=True, eq=False)
class SharePreview:
    """What the rule would do with one share.

    Attributes
    ----------
    share : float
        The share, 0 to 1.
    removed_raters, removed_editors : IntArray of shape (r,) and (e,)
        Who would be removed, by the rule or by hand, in rising order.
    ratings_kept, texts_kept : int
        How many would remain of the texts that people wrote, and of the ratings of these.
    means_before, means_after : FloatArray of shape (s,)
        Mean of each scale over all ratings of texts that people wrote, and over those that would remain; in
        points as given where `in_points` is, else of `ratings`. NaN without ratings.
    """

    share: float
    removed_raters: IntArray
    removed_editors: IntArray
    ratings_kept: int
    texts_kept: int
    means_before: FloatArray
    means_after: FloatArray

    @property
    def n_removed_raters(self) -> int:
        return len(self.removed_raters)

    @property
    def n_removed_editors(self) -> int:
        return len(self.removed_editors)


def preview(  # noqa: PLR0913  (all that the rule looks at)
    ratings: Ratings,
    authorship: Authorship,
    *,
    rater_ids: npt.ArrayLike,
    editor_ids: npt.ArrayLike,
    n_texts: int,
    parameters: RuleParameters,
    shares: Sequence[float],
    kept_by_hand: HandDecisions | None = None,
    gold: GoldAnswers | None = None,
    in_points: PointScores | None = None,
) -> list[SharePreview]:
    """Say what `apply_rule` would do with each of several shares.

    The role judged first is measured once. The second is measured again only where another number of the
    first is removed. A greater share removes all of the first role that a smaller one does; of the second
    role it may spare some, whose quality looks better on what the greater cut leaves.

    Parameters
    ----------
    ratings, authorship, rater_ids, editor_ids, n_texts, kept_by_hand, gold, in_points
        As for `apply_rule`.
    parameters : RuleParameters
        As for `apply_rule`; their own share does not matter.
    shares : sequence of float
        The shares, each 0 to 1, in any order.

    Returns
    -------
    list of SharePreview
        One for each share, in their order.

    Raises
    ------
    ValueError
        As from `apply_rule`, or if a share is out of range.
    ImportError
        If the Dawid-Skene accuracy is wanted and crowd-kit is not installed.

    Examples
    --------
    >>> scores = np.array([[3.0], [3.0], [1.0], [1.0], [1.0], [1.0]])
    >>> ratings = Ratings(np.repeat([0, 1], 3), np.tile([0, 1, 2], 2), scores)
    >>> found = preview(ratings, Authorship(np.array([0, 1]), np.array([0, 1])), rater_ids=[7, 8, 9],
    ...                 editor_ids=[5, 6], n_texts=2, parameters=RuleParameters(min_items=1), shares=[0, 0.4, 0.5])
    >>> [(one.n_removed_raters, one.n_removed_editors, one.ratings_kept) for one in found]
    [(0, 0, 6), (1, 0, 4), (1, 1, 2)]
    >>> found[2].means_before.round(2), found[2].means_after
    (array([1.67]), array([3.]))
    """
    of_raters, of_editors = np.asarray(rater_ids), np.asarray(editor_ids)
    by_hand = kept_by_hand or HandDecisions.none(len(of_raters), len(of_editors))
    case = Case(ratings, authorship, of_raters, of_editors, n_texts, by_hand, gold, in_points)
    return preview_measured(Measurements(case, parameters.rater_quality), parameters, shares)


def preview_measured(
    measurements: Measurements, parameters: RuleParameters, shares: Sequence[float]
) -> list[SharePreview]:
    """Say what `decide` would do with each of several shares.

    Parameters
    ----------
    measurements : Measurements
        As for `decide`.
    parameters : RuleParameters
        As for `decide`; their own share does not matter.
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
    asked = [replace(parameters, share=share) for share in shares]
    return [_share_preview(measurements.case, one.share, decide(measurements, one)) for one in asked]


def _share_preview(case: Case, share: float, outcome: Outcome) -> SharePreview:
    scores = case.ratings.scores if case.in_points is None else case.in_points.scores
    of_people = case.written[case.ratings.text]
    kept = outcome.kept_rating & of_people
    return SharePreview(
        share=share,
        removed_raters=np.flatnonzero(outcome.raters.removed),
        removed_editors=np.flatnonzero(outcome.editors.removed),
        ratings_kept=int(kept.sum()),
        texts_kept=int((outcome.kept_text & case.written).sum()),
        means_before=_means(scores[of_people]),
        means_after=_means(scores[kept]),
    )


def _means(scores: FloatArray) -> FloatArray:
    return scores.mean(axis=0) if len(scores) else np.full(scores.shape[1], np.nan)


@dataclass(frozen=True, eq=False)
class Histogram:
    """How many values lie in each of several bins.

    Attributes
    ----------
    edges : FloatArray of shape (b + 1,)
        Where the bins begin and end, rising, all equally wide.
    counts : IntArray of shape (b,)
        How many values lie in each.
    """

    edges: FloatArray
    counts: IntArray


def histogram(values: npt.ArrayLike, bins: int = 20, low: float | None = None, high: float | None = None) -> Histogram:
    """Count how many values lie in each of several bins of equal width.

    A value on an edge lies in the bin above, the highest edge in the last bin. What lies outside `low` to
    `high` is counted in the first or last bin. Values that are equal to nine decimals lie in one bin.

    Parameters
    ----------
    values : array_like of shape (n,)
        The values; NaN are left out.
    bins : int, default 20
        Number of bins, at least 1.
    low, high : float or None
        Where the first bin begins and the last ends; None takes the least and the greatest value. If that
        leaves no room, as it does for values that are all equal, the bins take 1 in all: about the values,
        or beside the end that is given; without values they go from 0 to 1.

    Returns
    -------
    Histogram
        Edges and counts; the counts sum to the number of values that are not NaN.

    Raises
    ------
    ValueError
        If a value is infinite, `values` is not one-dimensional, `bins` is below 1, `low` is not below `high`, or
        one of them is not finite.

    Examples
    --------
    >>> found = histogram([1.0, 1.5, 2.9, np.nan, 3.0], bins=4, low=1, high=3)
    >>> found.edges, found.counts
    (array([1. , 1.5, 2. , 2.5, 3. ]), array([1, 1, 0, 2]))
    """
    known = np.asarray(values, dtype=np.float64)
    if known.ndim != 1:
        raise ValueError(f"values must be a list of numbers, not of shape {known.shape}")
    known = np.round(known[~np.isnan(known)], DECIMALS)
    if np.isinf(known).any():
        raise ValueError("values must not be infinite")
    if bins < 1:
        raise ValueError(f"bins must be at least 1, not {bins}")
    first, last = _range(known, low, high)
    if not (isfinite(first) and isfinite(last)):
        raise ValueError(f"low and high must be finite, not {low} and {high}")
    # In nine decimals: a value on an edge must not fall into the bin below by binary noise.
    places = np.floor(np.round((known - first) / (last - first) * bins, DECIMALS))
    counts = np.bincount(np.clip(places, 0, bins - 1).astype(np.int64), minlength=bins)
    return Histogram(edges=np.linspace(first, last, bins + 1), counts=counts.astype(np.int64))


def _range(known: FloatArray, low: float | None, high: float | None) -> tuple[float, float]:
    if low is not None and high is not None:
        if not low < high:
            raise ValueError(f"low must be below high, not {low} and {high}")
        return low, high
    least, greatest = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    if low is not None:
        return low, greatest if greatest > low else low + 1
    if high is not None:
        return least if least < high else high - 1, high
    return (least, greatest) if least < greatest else (least - 0.5, greatest + 0.5)
