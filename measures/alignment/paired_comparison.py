"""Two sides compared by the pairs that have both: means, a test, and an interval of their difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.core.drawn_sources import LEAST_SOURCES, TOO_FEW_SOURCES, source_draws
from measures.core.hodges_lehmann import Shift, hodges_lehmann
from measures.core.intervals import Interval
from measures.core.many_tests import holm
from measures.core.signed_rank import SignedRankTest, signed_rank_test
from measures.core.undefined import Undefined


@dataclass(frozen=True)
class PairedComparison:
    """Mean quality of two sides, paired by source (or by editor).

    Attributes
    ----------
    present, absent : float
        Means of the sides. Of Table 6: made jointly, and sentence by sentence.
    sources : int
        Number of pairs: sources, paragraphs or editors with both sides.
    difference : float
        Mean of the pairs' differences, the first side less the second.
    interval : Interval or Undefined
        95% interval of that mean, which draws the pairs; undefined for one pair.
    test : SignedRankTest
        Wilcoxon's test of the differences.
    shift : Shift
        Hodges-Lehmann difference with its interval.
    p_holm : float or None
        p corrected for the family of comparisons; None before `holm_family`.
    """

    present: float
    absent: float
    sources: int
    difference: float
    interval: Interval | Undefined
    test: SignedRankTest
    shift: Shift
    p_holm: float | None = None

    @property
    def p(self) -> float:
        """Two-sided p-value of the test, not corrected."""
        return self.test.p


def holm_family(results: Sequence[PairedComparison | Undefined]) -> tuple[PairedComparison | Undefined, ...]:
    """Correct the p-values of comparisons that belong together; those that are undefined do not count.

    Parameters
    ----------
    results : sequence of (PairedComparison or Undefined)
        The family: for Table 5, four operations by two scales.

    Returns
    -------
    tuple of (PairedComparison or Undefined)
        The same with `p_holm`.

    Examples
    --------
    >>> from measures.alignment import paired_operation
    >>> one = paired_operation([1, 0] * 6, range(12), [each // 2 for each in range(12)])
    >>> [round(each.p_holm, 4) for each in holm_family([one, one])], one.p
    ([0.0625, 0.0625], 0.03125)
    """
    adjusted = holm([np.nan if isinstance(each, Undefined) else each.p for each in results])
    return tuple(
        each if isinstance(each, Undefined) else replace(each, p_holm=float(p))
        for each, p in zip(results, adjusted, strict=True)
    )


def paired_comparison(first: FloatArray, second: FloatArray, draws: int, seed: int) -> PairedComparison | Undefined:
    """Compare two sides, pair by pair.

    Parameters
    ----------
    first, second : (n,) array
        The sides, at least one pair.
    draws : int
        Number of draws of the pairs.
    seed : int
        Seed of the draws.

    Returns
    -------
    PairedComparison or Undefined
        Undefined if the test is.
    """
    differences = first - second
    test, shift = signed_rank_test(differences), hodges_lehmann(differences)
    if isinstance(test, Undefined):
        return test
    if isinstance(shift, Undefined):
        return shift
    return PairedComparison(
        present=float(first.mean()),
        absent=float(second.mean()),
        sources=len(differences),
        difference=float(differences.mean()),
        interval=_mean_interval(differences, draws, seed),
        test=test,
        shift=shift,
    )


def _mean_interval(differences: FloatArray, draws: int, seed: int) -> Interval | Undefined:
    if len(differences) < LEAST_SOURCES:
        return TOO_FEW_SOURCES
    drawn = [times @ differences / len(differences) for times in source_draws(len(differences), draws, seed)]
    return Interval.of(np.concatenate(drawn))


def numbers_by_name(quality: npt.ArrayLike, names: npt.ArrayLike) -> tuple[FloatArray, npt.NDArray[np.generic]]:
    """Return values and names as arrays.

    Parameters
    ----------
    quality : array_like of shape (t,)
        Values.
    names : array_like of shape (t,)
        A name for each.

    Returns
    -------
    tuple of (t,) arrays
        The values and the names.

    Raises
    ------
    ValueError
        If there is not one name for each value.
    """
    values, groups = np.asarray(quality, dtype=np.float64), np.asarray(names)
    if values.ndim != 1 or groups.shape != values.shape:
        raise ValueError(f"{groups.shape} names for {values.shape} of quality")
    return values, groups


def numbered(names: npt.NDArray[np.generic]) -> IntArray:
    """Return for each name its number, from 0, in the order of the names.

    Parameters
    ----------
    names : (t,) array
        Names.

    Returns
    -------
    (t,) array of int
        Their numbers.
    """
    _, place = np.unique(names, return_inverse=True)
    return np.asarray(place, dtype=np.int64)


def means_by_place(values: FloatArray, place: IntArray, n: int, weights: FloatArray | None = None) -> FloatArray:
    """Return the mean of the values at each place, NaN where there is none.

    Parameters
    ----------
    values : (t,) array
        Values; those that are NaN do not count.
    place : (t,) array of int
        The place of each.
    n : int
        Number of places.
    weights : (t,) array, optional
        The weight of each value.

    Returns
    -------
    (n,) array
        The means.
    """
    defined = ~np.isnan(values)
    by = np.where(defined, 1.0 if weights is None else weights, 0.0)
    sums = np.bincount(place, by * np.where(defined, values, 0.0), minlength=n)
    counts = np.bincount(place, by, minlength=n)
    means = np.full(n, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means
