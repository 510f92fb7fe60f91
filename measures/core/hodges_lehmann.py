"""The Hodges-Lehmann estimate: how far differences are shifted from 0, with the signed-rank test's interval."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, sqrt
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.core.confidence import CONFIDENCE
from measures.core.rank_sums import rank_sum_counts
from measures.core.signed_rank import DECIMALS, MOST_EXACT, NO_DIFFERENCES
from measures.core.undefined import Undefined

TOO_FEW_FOR_INTERVAL = Undefined("no interval at 95% with fewer than 6 differences")

_LARGEST = 2.0**60


@dataclass(frozen=True)
class ShiftInterval:
    """A 95% interval for a shift.

    Attributes
    ----------
    low, high : float
        The ends, in the unit of the differences.
    method : {"exact", "normal"}
        Whether the inverted signed-rank test uses its exact distribution or the normal one. With ties the exact
        interval covers the shift at least as often as stated (Noether 1967).
    """

    low: float
    high: float
    method: Literal["exact", "normal"]


@dataclass(frozen=True)
class Shift:
    """How far differences are shifted from 0.

    Attributes
    ----------
    estimate : float
        Median of the means of all pairs of differences, including each with itself.
    interval : ShiftInterval or Undefined
        95% interval; undefined for fewer than 6 differences.
    n : int
        Number of differences, zeros included.
    """

    estimate: float
    interval: ShiftInterval | Undefined
    n: int


def hodges_lehmann(differences: npt.ArrayLike, *, decimals: int = DECIMALS) -> Shift | Undefined:
    """Estimate the shift of differences and its interval. Zeros count as differences of 0.

    The interval ends at the two outermost means of pairs that the signed-rank test does not reject at 5%. It uses the
    exact distribution of the rank sum for n <= 50, and otherwise the normal one.

    Source: Hodges and Lehmann 1963, "Estimates of location based on rank tests"; Hollander and Wolfe 1999,
    *Nonparametric Statistical Methods*, §3.2 and §3.3.

    Parameters
    ----------
    differences : array_like of shape (n,)
        The differences; NaN for a missing one.
    decimals : int, default 9
        Differences are rounded to this many decimals; from there on the results are exact.

    Returns
    -------
    Shift or Undefined
        Undefined without differences. Takes time n log n for each of some 70 steps; the pairs are never listed.

    Raises
    ------
    ValueError
        If a difference is infinite or too large to round to that many decimals.

    Examples
    --------
    >>> hodges_lehmann([0.933333333, 0.45, 0.3, 0.3, -1.0, 0.0, -0.6])
    Shift(estimate=0.15, interval=ShiftInterval(low=-0.6, high=0.6166666665, method='exact'), n=7)
    >>> hodges_lehmann([0.5, 1.0]).interval.reason
    'no interval at 95% with fewer than 6 differences'
    """
    values = np.asarray(differences, dtype=np.float64).ravel()
    values = values[~np.isnan(values)]
    scaled = np.sort(np.rint(values * 10.0**decimals))
    if len(scaled) and not np.abs(scaled[[0, -1]]).max() < _LARGEST:
        raise ValueError(f"differences must be finite and below {_LARGEST / 10**decimals:g}")
    n = len(scaled)
    if not n:
        return NO_DIFFERENCES
    whole, unit = scaled.astype(np.int64), 2 * 10.0**decimals
    pairs = n * (n + 1) // 2
    middle = (_smallest_sum(whole, (pairs + 1) // 2) + _smallest_sum(whole, pairs // 2 + 1)) / 2
    return Shift(middle / unit, _interval(whole, unit), n)


def _interval(whole: IntArray, unit: float) -> ShiftInterval | Undefined:
    n = len(whole)
    place = _exact_place(n) if n <= MOST_EXACT else _normal_place(n)
    if place < 1:
        return TOO_FEW_FOR_INTERVAL
    low, high = _smallest_sum(whole, place), _smallest_sum(whole, n * (n + 1) // 2 + 1 - place)
    return ShiftInterval(low / unit, high / unit, "exact" if n <= MOST_EXACT else "normal")


def _exact_place(n: int) -> int:
    """Return how many rank sums, from 0 upwards, together have at most half of the error."""
    below: FloatArray = np.cumsum(rank_sum_counts(n)) / 2.0**n
    return int(np.searchsorted(below, (1 - CONFIDENCE) / 2, side="right"))


def _normal_place(n: int) -> int:
    quantile = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    return floor(n * (n + 1) / 4 - quantile * sqrt(n * (n + 1) * (2 * n + 1) / 24))


def _smallest_sum(whole: IntArray, place: int) -> int:
    """Return the sum of the pair at `place` (from 1) among all pairs i <= j of sorted whole numbers."""
    low, high = 2 * int(whole[0]), 2 * int(whole[-1])
    own = np.arange(len(whole))
    while low < high:
        sum_ = (low + high) // 2
        # For each i the partners j >= i with a sum of at most this one.
        partners = np.searchsorted(whole, sum_ - whole, side="right") - own
        if int(np.maximum(partners, 0).sum()) >= place:
            high = sum_
        else:
            low = sum_ + 1
    return low
