"""Conditions compared two by two on the same people: differences, standardised differences, equivalence and power."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import FloatArray
from measures.core.confidence import CONFIDENCE
from measures.core.many_tests import holm
from measures.core.undefined import Undefined
from measures.experiments.complete_cases import complete_cases
from measures.experiments.paired import noncentrality, paired_t, standardised_difference
from measures.experiments.small_samples import TTest

SAME_DIFFERENCE = Undefined("everybody has the same difference, so there is no error to test against")

# Differences that are the same can differ in their last bits.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class PairedT:
    """A paired t-test of two conditions with its effect sizes.

    Attributes
    ----------
    t : float
        The statistic.
    df : int
        People less one.
    p, bonferroni, holm : float
        Two-sided p-value, and the same by Bonferroni and by Holm over all pairs that have a test.
    low, high : float
        95% interval of the difference.
    simultaneous_low, simultaneous_high : float
        Interval at 1 - .05 / pairs, by which all pairs hold together with 95%.
    d_z, d_z_low, d_z_high : float
        Mean difference divided by the standard deviation of the differences, with its 95% interval.
    g : float
        d_z corrected for bias.
    """

    t: float
    df: int
    p: float
    bonferroni: float
    holm: float
    low: float
    high: float
    simultaneous_low: float
    simultaneous_high: float
    d_z: float
    d_z_low: float
    d_z_high: float
    g: float


@dataclass(frozen=True)
class ConditionPair:
    """Two conditions compared.

    Attributes
    ----------
    a, b : int
        Numbers of the conditions, ``a < b``.
    difference : float
        Mean of a minus mean of b, in units of the scores.
    test : PairedT or Undefined
        The test; undefined if everybody has the same difference.
    """

    a: int
    b: int
    difference: float
    test: PairedT | Undefined


@dataclass(frozen=True)
class ConditionPairs:
    """All pairs of conditions.

    Attributes
    ----------
    pairs : tuple of ConditionPair
        In the order (0, 1), (0, 2) ...
    people, left_out : int
        Numbers of people who were compared, and who lack a score.
    """

    pairs: tuple[ConditionPair, ...]
    people: int
    left_out: int


@dataclass(frozen=True)
class Equivalence:
    """Two one-sided tests of whether a condition is within a bound of the control.

    Attributes
    ----------
    condition : int
        Number of the condition.
    difference : float
        Its mean minus that of the control, in units of the scores.
    low, high : float
        90% interval of the difference: within the bounds just where p < .05.
    t_low, t_high : float
        Statistics against minus the bound and against the bound.
    df : int
        People less one.
    p, holm : float
        The larger of the two one-sided p-values, and the same by Holm over the conditions that have a test. Small: the
        difference is smaller than the bound.
    """

    condition: int
    difference: float
    low: float
    high: float
    t_low: float
    t_high: float
    df: int
    p: float
    holm: float


class _Differences(NamedTuple):
    """Differences of some pairs (columns) on the same people: means, standard errors, and where these are above 0."""

    mean: FloatArray
    error: FloatArray
    varies: npt.NDArray[np.bool_]
    n: int


def condition_pairs(scores: npt.ArrayLike) -> ConditionPairs | Undefined:
    """Compare each two conditions on the same people.

    Source: Student 1908; Cumming and Finch 2001 (the interval of d_z by the noncentral t distribution); Hedges 1981
    (g); Holm 1979. McCallum et al. 2012, §3.6, give p by Bonferroni.

    Parameters
    ----------
    scores : array_like of shape (n, c)
        Scores of people under conditions; people with a NaN are left out.

    Returns
    -------
    ConditionPairs or Undefined
        Undefined with fewer than 2 conditions or complete people.

    Raises
    ------
    ValueError
        If the table is not two-dimensional, or a score is infinite.

    Examples
    --------
    >>> found = condition_pairs([[54, 50, 38], [71, 67, 58], [33, 42, 29], [58, 50, 46], [46, 54, 50]])
    >>> one = found.pairs[1]
    >>> one.difference, round(one.test.p, 3), round(one.test.holm, 3), round(one.test.d_z, 2)
    (8.2, 0.087, 0.175, 1.01)
    """
    cases = complete_cases(scores)
    if isinstance(cases, Undefined):
        return cases
    pairs = list(combinations(range(cases.scores.shape[1]), 2))
    first, second = np.array(pairs).T
    differences = cases.scores[:, first] - cases.scores[:, second]
    found = _differences(differences, cases.scores)
    tests = _paired_tests(differences, found)
    rows = zip(pairs, found.mean.tolist(), tests, strict=True)
    return ConditionPairs(tuple(ConditionPair(*pair, mean, test) for pair, mean, test in rows), found.n, cases.left_out)


def equivalence_tests(
    scores: npt.ArrayLike, *, control: int, bound: float
) -> tuple[Equivalence | Undefined, ...] | Undefined:
    """Test whether each other condition differs from the control by less than a bound, on the same people.

    That a difference is not significant is no evidence that there is none; this is.

    Source: Schuirmann 1987, "A comparison of the two one-sided tests procedure and the power approach"; Lakens 2017.

    Parameters
    ----------
    scores : array_like of shape (n, c)
        Scores of people under conditions; people with a NaN are left out.
    control : int
        Number of the control.
    bound : float
        The smallest difference that would matter, in units of the scores; above 0.

    Returns
    -------
    tuple of (Equivalence or Undefined), of length c - 1; or Undefined
        One for each other condition, in order, undefined if everybody has the same difference; altogether undefined
        with fewer than 2 conditions or complete people.

    Raises
    ------
    ValueError
        If the table is not two-dimensional, a score is infinite, there is no such control, or the bound is not above 0.

    Examples
    --------
    >>> (found,) = equivalence_tests([[54, 53], [71, 72], [33, 35], [58, 57], [46, 45]], control=0, bound=5)
    >>> found.difference, round(found.p, 4), round(found.low, 1), round(found.high, 1)
    (0.0, 0.0007, -1.3, 1.3)
    """
    cases = complete_cases(scores)
    if isinstance(cases, Undefined):
        return cases
    if not 0 <= control < cases.scores.shape[1]:
        raise ValueError(f"there is no condition {control} to be the control")
    if not 0 < bound < np.inf:
        raise ValueError(f"the bound must be above 0 and finite, not {bound}")
    others = [each for each in range(cases.scores.shape[1]) if each != control]
    found = _differences(cases.scores[:, others] - cases.scores[:, [control]], cases.scores)
    df = found.n - 1
    error = np.where(found.varies, found.error, 1.0)
    low, high = (found.mean + bound) / error, (found.mean - bound) / error
    p = np.where(found.varies, np.maximum(scipy.stats.t.sf(low, df), scipy.stats.t.cdf(high, df)), np.nan)
    reach = float(scipy.stats.t.ppf(CONFIDENCE, df)) * error
    columns = (found.mean, found.mean - reach, found.mean + reach, low, high, np.full(len(p), df), p, holm(p))
    rows = zip(*(each.tolist() for each in columns), strict=True)
    return tuple(
        Equivalence(condition, *row) if varies else SAME_DIFFERENCE
        for condition, row, varies in zip(others, rows, found.varies.tolist(), strict=True)
    )


def smallest_paired_difference(people: int, deviation: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return the smallest true difference that a paired t-test finds with a given power.

    Source: Cohen 1988, *Statistical Power Analysis for the Behavioral Sciences*, chapter 2, by the noncentral t
    distribution; significance in the wrong direction does not count as finding it.

    Parameters
    ----------
    people : int
        Number of people, at least 2.
    deviation : float
        Standard deviation of the differences; sqrt(2 * error_variance) of `repeated_measures`.
    alpha : float, default 0.05
        Level of the two-sided test; .05 / pairs for Bonferroni.
    power : float, default 0.8
        How often the difference is to be found, above alpha / 2 and below 1.

    Returns
    -------
    float
        The difference, in units of the deviation.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> round(smallest_paired_difference(48, 14.0), 2)
    5.78
    """
    if people < 2 or not 0 <= deviation < np.inf or not 0 < alpha < 1 or not alpha / 2 < power < 1:
        raise ValueError(f"people {people}, deviation {deviation}, alpha {alpha} or power {power} is out of range")
    df = people - 1
    critical = float(scipy.stats.t.ppf(1 - alpha / 2, df))
    return noncentrality(critical, df, 1 - power) * deviation / sqrt(people)


def _differences(differences: FloatArray, scores: FloatArray) -> _Differences:
    n = len(differences)
    deviation = differences.std(axis=0, ddof=1)
    varies = deviation > _ROUNDING * max(1.0, float(np.abs(scores).max()))
    return _Differences(differences.mean(axis=0), deviation / sqrt(n), varies, n)


def _paired_tests(differences: FloatArray, found: _Differences) -> list[PairedT | Undefined]:
    alone = [
        paired_t(column) if varies else SAME_DIFFERENCE
        for column, varies in zip(differences.T, found.varies.tolist(), strict=True)
    ]
    tests = sum(not isinstance(each, Undefined) for each in alone)
    corrected = holm([np.nan if isinstance(each, Undefined) else each.p for each in alone]).tolist()
    wide = float(scipy.stats.t.ppf(1 - (1 - CONFIDENCE) / (2 * max(1, tests)), found.n - 1)) * found.error
    return [
        each if isinstance(each, Undefined) else _with_effect(each, found.n, tests, by_holm, float(reach))
        for each, by_holm, reach in zip(alone, corrected, wide, strict=True)
    ]


def _with_effect(test: TTest, n: int, tests: int, by_holm: float, reach: float) -> PairedT:
    effect = standardised_difference(test.t, n)
    mean = (test.low + test.high) / 2
    return PairedT(
        t=test.t,
        df=n - 1,
        p=test.p,
        bonferroni=min(1.0, test.p * tests),
        holm=by_holm,
        low=test.low,
        high=test.high,
        simultaneous_low=mean - reach,
        simultaneous_high=mean + reach,
        d_z=effect.d_z,
        d_z_low=effect.low,
        d_z_high=effect.high,
        g=effect.g,
    )
