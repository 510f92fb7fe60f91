"""How large a difference between two systems must be before a metric can be trusted to say which is better."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.intervals import Interval
from measures.core.undefined import Undefined

LEVELS = (0.8, 0.9, 0.95)
NEVER = Undefined("agreement does not reach this level")
_TOLERANCE = 1e-12


@dataclass(frozen=True, eq=False)
class DifferenceHistogram:
    """Pairs of systems by the size of the difference in a metric.

    Attributes
    ----------
    edges : FloatArray of shape (b + 1,)
        Edges of the bins.
    significant, agree, all_pairs : IntArray of shape (b,)
        Pairs that differ significantly for people, pairs whose direction agrees, and all pairs of each bin.
    """

    edges: FloatArray
    significant: IntArray
    agree: IntArray
    all_pairs: IntArray


@dataclass(frozen=True, eq=False)
class TrustedDifference:
    """Agreement as it grows with the difference.

    Attributes
    ----------
    differences, agreement : FloatArray of shape (k,)
        The sizes of differences in increasing order, and the fitted agreement, which never falls.
    smallest : dict of float to (float or Undefined)
        For each level of agreement, the smallest difference that reaches it.
    intervals : dict of float to (Interval or Undefined)
        Bootstrap interval of each, over the draws that reach the level.
    missed : dict of float to int
        Number of draws that do not reach it.
    """

    differences: FloatArray
    agreement: FloatArray
    smallest: dict[float, float | Undefined]
    intervals: dict[float, Interval | Undefined]
    missed: dict[float, int]


def difference_histogram(
    differences: npt.ArrayLike, significant: npt.ArrayLike, agree: npt.ArrayLike, *, bins: int = 20
) -> DifferenceHistogram:
    """Count pairs of systems by the size of their difference in a metric.

    Source: Owczarzak et al. 2012, Figures 1 and 2.

    Examples
    --------
    >>> found = difference_histogram([0.1, -0.2, 0.4], [False, True, True], [True, False, True], bins=2)
    >>> found.all_pairs.tolist(), found.significant.tolist(), found.agree.tolist()
    ([1, 2], [0, 2], [1, 1])
    """
    size = np.abs(np.asarray(differences, dtype=np.float64))
    top = float(size.max(initial=0)) or 1.0
    place = np.minimum(np.floor(np.round(size / top * bins, 9)).astype(np.int64), bins - 1)
    counts = [
        np.bincount(place[np.asarray(mask, dtype=bool)], minlength=bins)
        for mask in (significant, agree, np.ones(len(size)))
    ]
    return DifferenceHistogram(np.linspace(0, top, bins + 1), counts[0], counts[1], counts[2])


def trusted_difference(
    differences: npt.ArrayLike,
    agree: npt.ArrayLike,
    *,
    seed: int,
    levels: tuple[float, ...] = LEVELS,
    draws: int = 1000,
) -> TrustedDifference:
    """Fit agreement as a non-decreasing function of the difference, and find where it reaches some levels.

    Source: Owczarzak et al. 2012, §4, who read this off a histogram; isotonic regression is ours. Pairs are drawn for
    the intervals; they share systems, so the intervals are too narrow.

    Parameters
    ----------
    differences : array_like of shape (p,)
        Difference of means in the metric for each pair.
    agree : array_like of bool, of shape (p,)
        Whether metric and judgement agree on the pair.
    seed : int
        Seed of the draws.
    levels : tuple of float
        Levels of agreement.
    draws : int, default 1000
        Number of bootstrap draws; 0 for no intervals.

    Returns
    -------
    TrustedDifference
        The curve and the smallest differences.

    Examples
    --------
    >>> found = trusted_difference([0.1, 0.2, 0.3, 0.4], [False, True, True, True], seed=1, draws=100)
    >>> found.smallest[0.9], found.agreement.tolist()
    (0.2, [0.0, 1.0, 1.0, 1.0])
    """
    (found,) = trusted_differences(
        np.atleast_2d(np.asarray(differences, dtype=np.float64)),
        np.atleast_2d(np.asarray(agree, dtype=np.bool_)),
        seed=seed,
        levels=levels,
        draws=draws,
    )
    return found


def trusted_differences(
    differences: FloatArray, agree: BoolArray, *, seed: int, levels: tuple[float, ...] = LEVELS, draws: int = 1000
) -> list[TrustedDifference]:
    """Do the same for many metrics with the same draws of pairs; see `trusted_difference`.

    Parameters
    ----------
    differences : FloatArray of shape (m, p)
        Difference of means in each metric for each pair; NaN where a metric has none.
    agree : BoolArray of shape (m, p)
        Whether metric and judgement agree on the pair.
    seed : int
        Seed of the draws.
    levels : tuple of float
        Levels of agreement.
    draws : int, default 1000
        Number of bootstrap draws; 0 for no intervals.

    Returns
    -------
    list of TrustedDifference
        One for each metric, over the pairs on which it has a difference.

    Examples
    --------
    >>> found = trusted_differences(np.array([[0.1, 0.2], [0.1, np.nan]]), np.array([[False, True]] * 2), seed=1)
    >>> found[0].smallest[0.8], found[1].smallest[0.8].reason
    (0.2, 'agreement does not reach this level')
    """
    known = ~np.isnan(differences)
    weights = {pairs: _drawn(pairs, draws, seed) for pairs in np.unique(known.sum(axis=1)).tolist()}
    return [
        _trusted(np.abs(row[there]), right[there].astype(np.float64), weights[int(there.sum())], levels)
        for row, right, there in zip(differences, agree, known, strict=True)
    ]


def _trusted(size: FloatArray, right: FloatArray, weights: FloatArray, levels: tuple[float, ...]) -> TrustedDifference:
    sizes, place = np.unique(size, return_inverse=True)
    of_size = (place[:, None] == np.arange(len(sizes))).astype(np.float64)
    count: FloatArray = of_size.sum(axis=0)
    agreeing: FloatArray = right @ of_size
    drawn: FloatArray = weights @ of_size
    drawn_right: FloatArray = (weights * right) @ of_size
    smallest: dict[float, float | Undefined] = {}
    intervals: dict[float, Interval | Undefined] = {}
    missed: dict[float, int] = {}
    for level in levels:
        (found,) = _first_sizes(sizes, agreeing[None], count[None], level)
        smallest[level] = NEVER if np.isnan(found) else float(found)
        reached = _first_sizes(sizes, drawn_right, drawn, level)
        known = reached[~np.isnan(reached)]
        intervals[level] = Interval.of(known) if len(known) else NEVER
        missed[level] = len(reached) - len(known)
    return TrustedDifference(sizes, _curve(agreeing, count), smallest, intervals, missed)


def _drawn(pairs: int, draws: int, seed: int) -> FloatArray:
    """Return how often each pair is drawn, of shape (draws, pairs)."""
    if not pairs:
        return np.zeros((0, 0))
    drawn = np.random.default_rng(seed).multinomial(pairs, np.full(pairs, 1 / pairs), size=draws)
    return drawn.astype(np.float64)


def _curve(agreeing: FloatArray, count: FloatArray) -> FloatArray:
    """Fit the agreement at each size."""
    return np.asarray(scipy.optimize.isotonic_regression(agreeing / count, weights=count).x) if len(count) else count


def _first_sizes(sizes: FloatArray, agreeing: FloatArray, count: FloatArray, level: float) -> FloatArray:
    """Return, for each row of pairs by size, the smallest size at which the fitted agreement reaches a level.

    The fit is the slope of the greatest convex minorant of the sums of agreeing pairs over the sums of pairs. Its slope
    reaches the level where the sums lie furthest below a line of that slope. NaN where it never does.
    """
    below = np.cumsum(agreeing - (level - _TOLERANCE) * count, axis=1)
    start = np.argmin(np.pad(below, ((0, 0), (1, 0))), axis=1)
    after = (np.arange(len(sizes)) >= start[:, None]) & (count > 0)
    reached = after.any(axis=1)
    first = np.argmax(after, axis=1) if len(sizes) else np.zeros(len(count), dtype=np.int64)
    return np.where(reached, np.append(sizes, np.nan)[first], np.nan)
