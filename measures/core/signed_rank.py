"""Wilcoxon's signed-rank test, for many samples at once."""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, sqrt
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.core.rank_sums import rank_sum_counts, subset_sum_counts, two_sided_tail
from measures.core.undefined import Undefined

Zeros: TypeAlias = Literal["wilcox", "pratt"]
Method: TypeAlias = Literal["auto", "normal"]

DECIMALS = 9
"""Differences are rounded to this many decimals, so that means of thirds and fifths tie where they should."""

MOST_EXACT = 50
MOST_FLIPPED = 13

NO_DIFFERENCES = Undefined("there are no differences")
ONLY_ZEROS = Undefined("all differences are 0")

_MISSING = np.iinfo(np.int64).max
# Differences that are ranked at a time: ranks take several times the memory of the differences.
_BLOCK = 2_000_000
_TOO_LARGE = 2.0**61


@dataclass(frozen=True, eq=False)
class SignedRanks:
    """Signed-rank tests of many rows of differences. Each array has the shape of the input without its last axis.

    Attributes
    ----------
    n : IntArray
        Number of differences that are not missing, zeros included.
    zeros : IntArray
        How many of them are 0.
    w_plus, w_minus : FloatArray
        Sums of the ranks of the positive and of the negative differences; 0 if there are none.
    z : FloatArray
        Standardised smaller rank sum, with the correction for ties: never above 0. The direction is that of
        `rank_biserial`. NaN if all differences are 0 or missing.
    p : FloatArray
        Two-sided p-value, 1 if all differences are 0; NaN without differences.
    rank_biserial : FloatArray
        Matched rank-biserial correlation (W+ - W-) / (W+ + W-), -1 to 1; NaN if all differences are 0 or missing.
    method : array of str
        Where p comes from: "exact" (the distribution without ties), "flips" (all changes of sign), "normal" or "none".
    """

    n: IntArray
    zeros: IntArray
    w_plus: FloatArray
    w_minus: FloatArray
    z: FloatArray
    p: FloatArray
    rank_biserial: FloatArray
    method: npt.NDArray[np.str_]


@dataclass(frozen=True)
class SignedRankTest:
    """The signed-rank test of one sample of differences; the attributes are as in `SignedRanks`."""

    n: int
    zeros: int
    w_plus: float
    w_minus: float
    z: float | Undefined
    p: float
    rank_biserial: float | Undefined
    method: str


def signed_rank(
    differences: npt.ArrayLike, *, zeros: Zeros = "wilcox", method: Method = "auto", decimals: int = DECIMALS
) -> SignedRanks:
    """Test for each row whether its differences are symmetric around 0.

    Mid-ranks for ties, no continuity correction. p is what scipy's `method="auto"` gives: from the exact distribution
    for n <= 50 without ties or zeros; from all changes of sign for n <= 13 with them; else from the normal
    distribution with the correction for ties. n counts the zeros.

    Source: Wilcoxon 1945, "Individual comparisons by ranking methods"; Pratt 1959, "Remarks on zeros and ties in the
    Wilcoxon signed rank procedures"; Cureton 1967 (the variance of Pratt's); Kerby 2014 (rank-biserial correlation).

    Parameters
    ----------
    differences : array_like of shape (..., n)
        The differences; NaN for a missing one.
    zeros : {"wilcox", "pratt"}
        Whether zeros are dropped before ranking, or ranked and then dropped.
    method : {"auto", "normal"}
        Where p comes from; "normal" takes the normal distribution for any n.
    decimals : int, default 9
        Differences are rounded to this many decimals before anything else.

    Returns
    -------
    SignedRanks
        One test for each row. Takes time n log n for each.

    Raises
    ------
    ValueError
        If a difference is infinite, there is no axis, or an option is unknown.

    Examples
    --------
    >>> tests = signed_rank([[0.9, 0.4, 0.3, 0.3, -1.0, 0.0, -0.6], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]])
    >>> tests.w_plus.tolist(), tests.p.round(4).tolist(), tests.method.tolist()
    ([11.0, 28.0], [0.9375, 0.0156], ['flips', 'exact'])
    """
    if zeros not in ("wilcox", "pratt") or method not in ("auto", "normal"):
        raise ValueError(f"unknown way with zeros {zeros!r} or method {method!r}")
    rows = np.asarray(differences, dtype=np.float64)
    if not rows.ndim or np.isinf(rows).any():
        raise ValueError("differences must have at least one axis and be finite or NaN")
    shape = rows.shape[:-1]
    flat = rows.reshape(-1, rows.shape[-1]) if rows.size else np.empty((int(np.prod(shape)), 0))
    step = max(1, _BLOCK // max(1, flat.shape[1]))
    starts = range(0, max(1, len(flat)), step)
    found = [_tested(_ranked(flat[start : start + step], decimals), zeros, method) for start in starts]
    joined = {name: np.concatenate([each[name] for each in found]).reshape(shape) for name in found[0]}
    return SignedRanks(**joined)


def signed_rank_test(
    differences: npt.ArrayLike, *, zeros: Zeros = "wilcox", method: Method = "auto", decimals: int = DECIMALS
) -> SignedRankTest | Undefined:
    """Test whether the differences of one sample are symmetric around 0; see `signed_rank`.

    Parameters
    ----------
    differences : array_like of shape (n,)
        The differences; NaN for a missing one.
    zeros : {"wilcox", "pratt"}
        As for `signed_rank`.
    method : {"auto", "normal"}
        As for `signed_rank`.
    decimals : int, default 9
        As for `signed_rank`.

    Returns
    -------
    SignedRankTest or Undefined
        Undefined without differences. If all of them are 0, p is 1, and z and the correlation are undefined.

    Raises
    ------
    ValueError
        As `signed_rank`.

    Examples
    --------
    >>> test = signed_rank_test([0.9, 0.4, 0.3, 0.3, -1.0, 0.0, -0.6], method="normal")
    >>> round(test.z, 4), round(test.p, 4), round(test.rank_biserial, 4)
    (-0.1051, 0.9163, 0.0476)
    >>> signed_rank_test([0.0, 0.0]).rank_biserial
    Undefined(reason='all differences are 0')
    """
    found = signed_rank(
        np.atleast_1d(np.asarray(differences, dtype=np.float64)), zeros=zeros, method=method, decimals=decimals
    )
    if not found.n:
        return NO_DIFFERENCES
    every_zero = bool(found.n == found.zeros)
    return SignedRankTest(
        n=int(found.n),
        zeros=int(found.zeros),
        w_plus=float(found.w_plus),
        w_minus=float(found.w_minus),
        z=ONLY_ZEROS if every_zero else float(found.z),
        p=float(found.p),
        rank_biserial=ONLY_ZEROS if every_zero else float(found.rank_biserial),
        method=str(found.method),
    )


@dataclass(frozen=True, eq=False)
class _Ranked:
    """Rows of differences, sorted by size, as runs of equal sizes of each row.

    `row`, `first` (place in its row, from 0), `length` and `positive` (number of positive differences) have an entry
    for each run of sizes above 0; `n` and `zeros` one for each row.
    """

    n: IntArray
    zeros: IntArray
    row: IntArray
    first: IntArray
    length: IntArray
    positive: IntArray


def _ranked(rows: FloatArray, decimals: int) -> _Ranked:
    # Whole numbers sort faster than floating ones with their places; the last bit is the sign.
    keys = _sizes(rows, decimals) * 2 + (rows > 0)
    missing = np.isnan(rows)
    keys[missing] = _MISSING
    keys.sort(axis=1)
    n = rows.shape[1] - missing.sum(axis=1)
    sizes = keys >> 1
    zeros = (sizes == 0).sum(axis=1)
    new = np.ones(keys.shape, dtype=bool)
    new[:, 1:] = sizes[:, 1:] != sizes[:, :-1]
    starts = np.flatnonzero(new)
    length = np.diff(starts, append=keys.size)
    row, first = np.divmod(starts, max(1, rows.shape[1]))
    positive = np.add.reduceat(keys.ravel() & 1, starts) if keys.size else starts
    counted = (first >= zeros[row]) & (first < n[row])
    return _Ranked(n, zeros, row[counted], first[counted], length[counted], positive[counted])


def _sizes(rows: FloatArray, decimals: int) -> IntArray:
    """Return the sizes of differences as whole numbers, so that equal ones tie; those that round to 0 are 0."""
    scaled = np.rint(np.abs(np.nan_to_num(rows)) * 10.0**decimals)
    if scaled.size and scaled.max() >= _TOO_LARGE:
        values, places = np.unique(scaled, return_inverse=True)
        return places.reshape(rows.shape).astype(np.int64) + int(values[0] > 0)
    whole: IntArray = scaled.astype(np.int64)
    return whole


def _tested(ranks: _Ranked, zeros: Zeros, method: Method) -> dict[str, npt.NDArray[Any]]:
    rows, n = len(ranks.n), ranks.n.astype(np.float64)
    dropped = ranks.zeros.astype(np.float64)
    before = np.zeros(rows) if zeros == "pratt" else dropped
    middle = ranks.first - before[ranks.row] + (ranks.length + 1) / 2
    w_plus = np.bincount(ranks.row, middle * ranks.positive, minlength=rows)
    total = np.bincount(ranks.row, middle * ranks.length, minlength=rows)
    sizes = ranks.length.astype(np.float64)
    ties = np.bincount(ranks.row, sizes**3 - sizes, minlength=rows).astype(np.float64)
    smaller = np.minimum(w_plus, total - w_plus)
    ranked, unranked = (n, dropped) if zeros == "pratt" else (n - dropped, np.zeros(rows))
    variance = (_squares(ranked) - _squares(unranked) - ties / 2) / 24
    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.where(total > 0, (smaller - total / 2) / np.sqrt(variance), np.nan)
        biserial = np.where(total > 0, (2 * w_plus - total) / total, np.nan)
    p, way = _p_values(ranks, middle, z, smaller, ties, method)
    return {
        "n": ranks.n,
        "zeros": ranks.zeros,
        "w_plus": w_plus,
        "w_minus": total - w_plus,
        "z": z,
        "p": p,
        "rank_biserial": biserial,
        "method": way,
    }


def _squares(n: FloatArray) -> FloatArray:
    """Return 6 times the sum of the first n squares."""
    return n * (n + 1) * (2 * n + 1)


def _p_values(
    ranks: _Ranked, middle: FloatArray, z: FloatArray, smaller: FloatArray, ties: FloatArray, method: Method
) -> tuple[FloatArray, npt.NDArray[np.str_]]:
    p = np.array([erfc(-each / sqrt(2)) for each in z.tolist()])
    way = np.full(len(p), "normal")
    if method == "auto":
        plain = (ties == 0) & (ranks.zeros == 0)
        for row in np.flatnonzero((ranks.n <= MOST_EXACT) & plain).tolist():
            p[row], way[row] = two_sided_tail(rank_sum_counts(int(ranks.n[row])), smaller[row]), "exact"
        # The runs of one row stand together.
        bounds = np.searchsorted(ranks.row, np.arange(len(p) + 1))
        for row in np.flatnonzero((ranks.n <= MOST_FLIPPED) & ~plain).tolist():
            mine = slice(bounds[row], bounds[row + 1])
            doubled = np.repeat(np.rint(2 * middle[mine]).astype(np.int64), ranks.length[mine])
            p[row], way[row] = two_sided_tail(subset_sum_counts(doubled), 2 * smaller[row]), "flips"
    every_zero = (ranks.zeros == ranks.n) & (ranks.n > 0)
    p[every_zero], way[every_zero] = 1.0, "none"
    p[ranks.n == 0], way[ranks.n == 0] = np.nan, "none"
    return p, way
