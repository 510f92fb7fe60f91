"""Williams' test of two correlations with the same judgement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.difference_correlations import InputLevel

Sided: TypeAlias = Literal[1, 2]

LEAST_INPUTS = 4
# Below this, 1 - r23 and K are rounding errors.
_NOTHING = 1e-12

FEW_INPUTS = Undefined("Williams' test needs at least 4 inputs")
NO_CORRELATION = Undefined("one of the correlations is not defined")
SAME_METRIC = Undefined("the two metrics correlate perfectly with each other")
DEGENERATE = Undefined("the three correlations leave nothing that varies")


@dataclass(frozen=True)
class WilliamsTest:
    """Test of the difference of two correlations.

    Attributes
    ----------
    t : float
        The statistic: above 0 if the first correlation is the larger one.
    p : float
        One-sided p-value for "the first is larger", or two-sided.
    degrees : int
        Degrees of freedom.
    """

    t: float
    p: float
    degrees: int


@dataclass(frozen=True, eq=False)
class WilliamsTests:
    """Tests of every two metrics on every pair of systems.

    Attributes
    ----------
    level : InputLevel
        The correlations that are compared.
    t, p : FloatArray of shape (p, m, m)
        For pair of systems, metric and other metric: the statistic, above 0 if the metric correlates better than the
        other, and the p-value; NaN where undefined.
    sided : {1, 2}
        Whether the p-values are one-sided or two-sided.
    """

    level: InputLevel
    t: FloatArray
    p: FloatArray
    sided: Sided

    def at(self, first: int, second: int, pair: int) -> WilliamsTest | Undefined:
        """Return the test of two metrics on one pair of systems, or why there is none."""
        r = self.level.r[:, pair]
        inputs = int(self.level.inputs[pair])
        t, p = self.t[pair, first, second], self.p[pair, first, second]
        if not np.isnan(t):
            return WilliamsTest(float(t), float(p), inputs - 3)
        return _reason(float(r[first]), float(r[second]), float(self.level.between[pair, first, second]), inputs)


def williams_test(r12: float, r13: float, r23: float, inputs: int, *, sided: Sided = 1) -> WilliamsTest | Undefined:
    """Test whether one of two correlations with the same variable is larger than the other.

    Source: Williams 1959, "The comparison of regression variables"; Steiger 1980, "Tests for comparing elements of a
    correlation matrix". t keeps its sign: a metric that correlates negatively is worse, not better.

    Parameters
    ----------
    r12, r13 : float
        Correlations of the first and of the second metric with the judgement.
    r23 : float
        Correlation of the two metrics.
    inputs : int
        Number of inputs.
    sided : {1, 2}
        1: p of "the first is larger"; 2: p of "they differ".

    Returns
    -------
    WilliamsTest or Undefined
        Undefined if a correlation is NaN, with fewer than 4 inputs, if r23 = 1, or if the three correlations leave
        nothing that varies (K <= 0).

    Raises
    ------
    ValueError
        If a correlation is not between -1 and 1.

    Examples
    --------
    >>> test = williams_test(0.59, 0.57, 0.9, 785)
    >>> round(test.t, 3), round(test.p, 3), test.degrees
    (1.557, 0.06, 782)
    """
    if any(abs(each) > 1 for each in (r12, r13, r23)):
        raise ValueError(f"a correlation is not between -1 and 1: {r12}, {r13}, {r23}")
    t = float(williams_t(r12, r13, r23, inputs))
    if np.isnan(t):
        return _reason(r12, r13, r23, inputs)
    p = scipy.special.stdtr(inputs - 3, -t) if sided == 1 else 2 * scipy.special.stdtr(inputs - 3, -abs(t))
    return WilliamsTest(t, float(p), inputs - 3)


def williams_t(r12: npt.ArrayLike, r13: npt.ArrayLike, r23: npt.ArrayLike, inputs: npt.ArrayLike) -> FloatArray:
    """Return the statistic of Williams' test for arrays of correlations.

    Parameters
    ----------
    r12, r13, r23, inputs : array_like
        As for `williams_test`; they are broadcast against each other.

    Returns
    -------
    FloatArray
        t, NaN where it is undefined.

    Examples
    --------
    >>> williams_t([0.5, 0.5], [0.4, 0.5], [0.3, 1.0], 100).round(3)
    array([0.982,   nan])
    """
    first, second, other = (np.asarray(each, dtype=np.float64) for each in (r12, r13, r23))
    n = np.asarray(inputs, dtype=np.float64)
    # Powers of arrays cost much more than products.
    products = first * second
    left = 1 - first * first - second * second - other * other + 2 * products * other
    mean, apart = (first + second) / 2, 1 - other
    defined = (n >= LEAST_INPUTS) & (apart > _NOTHING) & (left > _NOTHING)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = 2 * left * (n - 1) / (n - 3) + mean * mean * apart * apart * apart
        t = (first - second) * np.sqrt((n - 1) * (1 + other) / spread)
    return np.where(defined, t, np.nan)


def williams_tests(level: InputLevel, *, sided: Sided = 1) -> WilliamsTests:
    """Test every two metrics on every pair of systems.

    Source: Toutanova et al. 2016, §4.3.2; Graham and Baldwin 2014, "Testing for significance of increased correlation
    with human judgment".

    Parameters
    ----------
    level : InputLevel
        Correlations of all metrics on all pairs.
    sided : {1, 2}
        1: p of "the first metric is better"; 2: p of "they differ".

    Returns
    -------
    WilliamsTests
        The tests.

    Examples
    --------
    >>> from measures.meta_evaluation.difference_correlations import input_level
    >>> from measures.meta_evaluation.judged_outputs import JudgedOutputs
    >>> scores = np.array([[[1, 2, 3, 4, 5.0], [2, 3, 5, 2, 1]], [[3, 1, 2, 5, 5.0], [1, 4, 4, 2, 3]]])
    >>> quality = np.array([[1, 2, 3, 3, 3.0], [2, 3, 3, 2, 1]])
    >>> tests = williams_tests(input_level(JudgedOutputs(("R", "S"), ("A", "B"), tuple("vwxyz"), scores, quality)))
    >>> round(tests.at(0, 1, 0).p, 3), tests.at(0, 0, 0).reason
    (0.162, 'the two metrics correlate perfectly with each other')
    """
    pairs, metrics = level.between.shape[:2]
    above, below = np.triu_indices(metrics, 1)
    r, between = level.r.T, level.between[:, above, below]
    half = williams_t(r[:, above], r[:, below], between, level.inputs[:, None])
    # The other half of each matrix follows, so half of the slow distribution function is enough.
    tail = scipy.special.stdtr(np.maximum(level.inputs - 3, 1)[:, None].astype(np.float64), -np.abs(half))
    t, p = np.full((pairs, metrics, metrics), np.nan), np.full((pairs, metrics, metrics), np.nan)
    t[:, above, below], t[:, below, above] = half, -half
    if sided == 2:
        p[:, above, below] = p[:, below, above] = 2 * tail
    else:
        p[:, above, below] = np.where(half > 0, tail, 1 - tail)
        p[:, below, above] = np.where(half > 0, 1 - tail, tail)
    return WilliamsTests(level, t, p, sided)


def _reason(r12: float, r13: float, r23: float, inputs: int) -> Undefined:
    if np.isnan([r12, r13, r23]).any():
        return NO_CORRELATION
    if inputs < LEAST_INPUTS:
        return FEW_INPUTS
    return SAME_METRIC if 1 - r23 <= _NOTHING else DEGENERATE
