"""A metric's differences of two systems beside people's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import FloatArray
from measures.core.drawn_sources import LEAST_SOURCES, NEVER_DEFINED, TOO_FEW_SOURCES, drawn_interval, source_draws
from measures.core.intervals import Interval
from measures.core.signed_rank import DECIMALS
from measures.core.undefined import Undefined
from measures.experiments.judgements import ONE_SOURCE
from measures.experiments.paired import DRAWS, PairedTests, paired_tests

CONSTANT = Undefined("one side has the same difference for every source")
_ROUNDING = 1e-12


@dataclass(frozen=True)
class MetricBesidePeople:
    """Whether a metric sees between two systems what people see.

    Attributes
    ----------
    tests : PairedTests
        The metric's own comparison of the systems, for the same sources.
    rho : float or Undefined
        Spearman's correlation of the metric's and people's differences over sources.
    interval : Interval or Undefined
        Of rho, over draws of the sources.
    same_sign : float
        Share of the sources for which both differences have the same sign, both 0 included.
    sources : int
        Number of sources.
    """

    tests: PairedTests
    rho: float | Undefined
    interval: Interval | Undefined
    same_sign: float
    sources: int


def metric_beside_people(
    metric: npt.ArrayLike, people: npt.ArrayLike, *, draws: int = DRAWS, seed: int
) -> MetricBesidePeople | Undefined:
    """Hold a metric's differences between two systems against people's.

    Source: Spearman 1904, "The proof and measurement of association between two things".

    Parameters
    ----------
    metric, people : array_like of shape (n,)
        Differences of the two systems for each source, such as `SourceMeans.differences`.
    draws : int, default 10_000
        Draws of the sources.
    seed : int
        Seed of these draws.

    Returns
    -------
    MetricBesidePeople or Undefined
        Undefined without sources.

    Raises
    ------
    ValueError
        If lengths differ, or a difference is not finite.

    Examples
    --------
    >>> found = metric_beside_people([0.2, 0.1, -0.1, 0.0], [1, 0.5, -0.5, 0.25], seed=1)
    >>> found.rho, found.same_sign
    (1.0, 0.75)
    """
    one, other = (np.asarray(np.round(np.asarray(each, np.float64), DECIMALS), np.float64) for each in (metric, people))
    if one.shape != other.shape or not np.isfinite(other).all():
        raise ValueError("a finite difference of the metric and one of people for each source")
    tests = paired_tests(one, draws=draws, seed=seed)
    if isinstance(tests, Undefined):
        return tests
    n = len(one)
    rho: float | Undefined = ONE_SOURCE if n < 2 else CONSTANT
    interval: Interval | Undefined = TOO_FEW_SOURCES if n < LEAST_SOURCES else NEVER_DEFINED
    if n > 1 and np.ptp(one) and np.ptp(other):
        rho = float(scipy.stats.spearmanr(one, other).statistic)
        if n >= LEAST_SOURCES:
            interval = drawn_interval(_drawn_rhos(one, other, draws, seed), n)
    return MetricBesidePeople(tests, rho, interval, float((np.sign(one) == np.sign(other)).mean()), n)


def _drawn_rhos(one: FloatArray, other: FloatArray, draws: int, seed: int) -> FloatArray:
    """Return rho of drawn sources, ranked anew in each draw: ranks follow from how often each value was drawn."""
    found = []
    for times in source_draws(len(one), draws, seed):
        ranks = []
        for values in (one, other):
            distinct, place = np.unique(values, return_inverse=True)
            number = times @ (place[:, None] == np.arange(len(distinct)))
            ranks.append((number.cumsum(axis=1) - (number - 1) / 2)[:, place])
        centred = [each - (times * each).sum(axis=1, keepdims=True) / len(one) for each in ranks]
        cross, of_one, of_other = ((times * a * b).sum(axis=1) for a, b in _products(centred))
        known = (of_one > _ROUNDING) & (of_other > _ROUNDING)
        found.append(cross[known] / np.sqrt(of_one[known] * of_other[known]))
    return np.concatenate(found)


def _products(centred: list[FloatArray]) -> list[tuple[FloatArray, FloatArray]]:
    one, other = centred
    return [(one, other), (one, one), (other, other)]
