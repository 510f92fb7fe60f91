"""Permutation tests of the difference between two metrics, for all pairs of metrics at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.swapped_correlations import (
    PairOfSystems,
    Unit,
    is_enumerated,
    standardised,
    swapped_correlations,
    swaps,
)
from measures.meta_evaluation.system_differences import (
    QUALITY_DECIMALS,
    Missing,
    PairDifferences,
    checked_arrays,
    complete_outputs,
    pair_differences,
    rounded,
)

NOTHING_TO_COMPARE = Undefined("the statistic is not defined for one of the two metrics")
# Differences of statistics this close are equal but added up in another order: one value for each precision.
_TOLERANCE, _SINGLE_TOLERANCE = 1e-9, 2e-6
_BLOCK = 256
# Values that the statistics of a part of a block may have.
_MOST_VALUES = 4_000_000


@dataclass(frozen=True)
class MetricComparisons:
    """Tests of every metric against every other.

    Attributes
    ----------
    values : FloatArray of shape (metrics,)
        The statistic of each metric, on its own scores; NaN where it is not defined.
    difference : FloatArray of shape (metrics, metrics)
        Value of the metric of the row minus that of the column.
    greater, other_than : IntArray of shape (metrics, metrics)
        Swaps whose difference is at least the observed one, signed and without sign.
    swaps : int
        Number of swaps, each with its complement.
    enumerated : bool
        Whether these are all possible swaps, so that the shares are exact.
    """

    values: FloatArray
    difference: FloatArray
    greater: IntArray
    other_than: IntArray
    swaps: int
    enumerated: bool

    def p(self, better: int, worse: int, *, sided: int = 1) -> float | Undefined:
        """One-sided p that a metric is no better than another, or the two-sided p; with draws (1 + #) / (1 + K).

        Without sign a swap and its complement are one draw, so for the two-sided p both numbers are halved.
        """
        if better == worse or np.isnan(self.difference[better, worse]):
            return NOTHING_TO_COMPARE
        count = int((self.greater if sided == 1 else self.other_than)[better, worse])
        if self.enumerated:
            return count / self.swaps
        return (1 + count) / (1 + self.swaps) if sided == 1 else (2 + count) / (2 + self.swaps)


def compare_input_level(
    scores: npt.ArrayLike,
    quality: npt.ArrayLike,
    *,
    unit: Unit = "both",
    draws: int = 1000,
    seed: int = 2021,
    single: bool | None = None,
    missing: Missing = "by pair",
) -> MetricComparisons:
    """Test differences of the input-level correlation between all pairs of metrics.

    The statistic is the mean over pairs of systems of Pearson's correlation, over inputs, of the differences in score
    with those in quality, on the inputs that `input_level` compares them on; pairs without spread are left out of the
    mean. A metric without any value for a pair of systems is compared with the others on the other pairs. Scores are
    standardised over all outputs that are compared, so that those of two metrics can be exchanged. Sums of swapped
    scores come from products of the swaps with single metrics; only the sums of products of two systems need a matrix
    product for each swap and pair of systems. The complement of a swap exchanges the parts of two metrics, so that its
    difference is that of the swap with the other sign: half of the swaps are computed, and each counts for both.

    Source: Deutsch, Dror and Roth 2021, "A statistical analysis of summarization evaluation metrics using resampling
    methods".

    Parameters
    ----------
    scores : array_like of shape (metrics, systems, inputs)
        Large is good; NaN where a score is missing.
    quality : array_like of shape (systems, inputs)
        NaN where an output has no rating.
    unit : {"both", "inputs", "systems"}
        PERM-BOTH, PERM-INPUTS or PERM-SYSTEMS.
    draws : int
        Number of swaps, complements included, an odd number counting as the next even one; all possible ones if they
        are no more. The same for all pairs of metrics.
    seed : int
        Seed of the swaps.
    single : bool, optional
        Compute in single precision; without it, only if swaps are drawn.
    missing : {"by pair", "complete"}
        Which inputs a pair is compared on.

    Returns
    -------
    MetricComparisons
        Counts for all ordered pairs of metrics.

    Raises
    ------
    ValueError
        If the shapes do not fit, or there is less than one draw.

    Examples
    --------
    >>> quality = np.array([[1.0, 2.0, 3.0, 2.0], [2.0, 1.0, 1.0, 3.0]])
    >>> noise = np.array([[0.5, 0.1, 0.2, 0.9], [0.4, 0.8, 0.1, 0.3]])
    >>> found = compare_input_level([quality, noise], quality, draws=256)
    >>> found.values.round(3).tolist(), found.swaps, found.p(0, 1)
    ([1.0, -0.506], 256, 0.00390625)
    """
    x, q = checked_arrays(scores, quality)
    enumerated = is_enumerated(unit, len(q), q.shape[1], draws)
    is_single = not enumerated if single is None else single
    dtype: np.dtype[np.floating] = np.dtype(np.float32) if is_single else np.dtype(np.float64)
    pairs = _pairs(x, pair_differences(x, q, missing=missing), dtype)
    # Without a pair of systems no metric has a value, whatever is swapped.
    values, difference = _observed(pairs, x.shape)
    counter = _Counter.start(values, difference, _SINGLE_TOLERANCE if is_single else _TOLERANCE)
    step = max(1, _MOST_VALUES // len(x) ** 2) if len(x) else 1
    for kept in swaps(unit, *q.shape, draws=draws, seed=seed, block=_BLOCK) if pairs else ():
        for start in range(0, len(kept), step):
            for statistic in swapped_correlations(pairs, kept[start : start + step], len(x), dtype):
                counter.add(statistic)
    return counter.result(enumerated)


def compare_system_level(
    scores: npt.ArrayLike,
    quality: npt.ArrayLike,
    correlation: Callable[[FloatArray, FloatArray], FloatArray],
    *,
    unit: Unit = "both",
    draws: int = 1000,
    seed: int = 2021,
) -> MetricComparisons:
    """Test differences of a statistic of the systems' means between all pairs of metrics.

    Parameters
    ----------
    scores : array_like of shape (metrics, systems, inputs)
        Large is good; outputs with a NaN are left out for all metrics.
    quality : array_like of shape (systems, inputs)
        NaN where an output has no rating.
    correlation : callable
        Takes rows of means of systems and the means of quality; returns a value for each row, NaN if undefined: a
        function of `measures.meta_evaluation.summary_correlations`.
    unit, draws, seed
        See `compare_input_level`.

    Returns
    -------
    MetricComparisons
        Counts for all ordered pairs of metrics.

    Raises
    ------
    ValueError
        If the shapes do not fit, or there is less than one draw.

    Examples
    --------
    >>> from measures.meta_evaluation.summary_correlations import pearson_rows
    >>> quality = np.array([[1.0, 2.0], [2.0, 3.0], [3.0, 3.0]])
    >>> found = compare_system_level([quality, quality[::-1]], quality, pearson_rows, draws=64)
    >>> found.values.round(3).tolist(), found.p(0, 1)
    ([1.0, -0.929], 0.1875)
    """
    x, q = checked_arrays(scores, quality)
    used = complete_outputs(x) & np.isfinite(q)
    number = np.maximum(used.sum(axis=1), 1)
    there = used.any(axis=1)
    z, theirs = standardised(x, used), rounded((np.where(used, q, 0).sum(axis=1) / number)[there], QUALITY_DECIMALS)
    total = z.sum(axis=2) / number
    values = correlation(total[:, there], theirs)
    counter = _Counter.start(values, values[:, None] - values, _TOLERANCE)
    for kept in swaps(unit, *q.shape, draws=draws, seed=seed, block=_BLOCK):
        own = np.einsum("ksn,msn->kms", kept.astype(np.float64), z, optimize=True) / number
        for mine in own:
            mixed = mine[:, None] + (total - mine)[None]
            counter.add(correlation(mixed[:, :, there].reshape(-1, int(there.sum())), theirs).reshape(len(x), len(x)))
    return counter.result(is_enumerated(unit, len(q), q.shape[1], draws))


def compare_input_values(values: npt.ArrayLike, *, draws: int = 1000, seed: int = 2021) -> MetricComparisons:
    """Test differences of the mean of a value of each input, such as accuracy with calibrated ties.

    The verdicts of a whole input are swapped together, after each metric got its own threshold.

    Parameters
    ----------
    values : array_like of shape (metrics, inputs)
        Such as those of `measures.meta_evaluation.tie_calibration.input_shares`; inputs with a NaN are left out.
    draws : int
        See `compare_input_level`.
    seed : int
        Seed of the swaps.

    Returns
    -------
    MetricComparisons
        Counts for all ordered pairs of metrics.

    Raises
    ------
    ValueError
        If the values are not metrics by inputs, or there is less than one draw.

    Examples
    --------
    >>> found = compare_input_values([[1.0, 1.0, 0.5], [0.5, 0.5, 0.5]], draws=8)
    >>> found.p(0, 1), found.p(1, 0), found.p(0, 1, sided=2)
    (0.25, 1.0, 0.5)
    """
    rows = np.asarray(values, dtype=np.float64)
    if rows.ndim != 2:
        raise ValueError(f"values must be metrics by inputs, not of shape {rows.shape}")
    rows = rows[:, ~np.isnan(rows).any(axis=0)]
    inputs = rows.shape[1]
    means = rows.sum(axis=1) / inputs if inputs else np.full(len(rows), np.nan)
    counter = _Counter.start(means, means[:, None] - means, _TOLERANCE)
    for kept in swaps("inputs", 1, inputs, draws=draws, seed=seed, block=_BLOCK):
        half = (2.0 * kept[:, 0] - 1) @ rows.T / max(1, inputs) / 2
        for each in half:
            counter.add(np.repeat(each[:, None], len(rows), axis=1) - each)
    return counter.result(is_enumerated("inputs", 1, inputs, draws))


def _pairs(x: FloatArray, found: PairDifferences, dtype: np.dtype[np.floating]) -> list[PairOfSystems]:
    used = np.zeros(x.shape[1:], dtype=np.bool_)
    for (a, b), there in zip(found.pairs.tolist(), found.used, strict=True):
        used[[a, b]] |= there
    z, pairs = standardised(x, used), []
    for place, (a, b) in enumerate(found.pairs.tolist()):
        inputs = np.flatnonzero(found.used[place]).astype(np.int64)
        d = found.quality[place, inputs]
        if len(inputs) > 1 and np.ptp(d) > 0:
            pairs.append(PairOfSystems.of(z, d - d.mean(), (a, b), inputs, found.scored[:, place], dtype))
    return pairs


def _observed(pairs: list[PairOfSystems], shape: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
    """Return the statistic of each metric, and the differences, each on the pairs of systems that both metrics have."""
    metrics, *outputs = shape
    if not pairs:
        return np.full(metrics, np.nan), np.full((metrics, metrics), np.nan)
    # With nothing swapped, row i of column j is metric i on the pairs of systems that j has as well.
    kept = np.ones((1, *outputs), dtype=np.bool_)
    (found,) = swapped_correlations(pairs, kept, metrics, np.dtype(np.float64))
    own = np.asarray(found, dtype=np.float64)
    return own.diagonal().copy(), own - own.T


@dataclass
class _Counter:
    """Counts the swaps whose difference is at least the observed one."""

    values: FloatArray
    difference: FloatArray
    tolerance: float
    greater: IntArray
    other_than: IntArray
    swaps: int = 0

    @classmethod
    def start(cls, values: FloatArray, difference: FloatArray, tolerance: float) -> _Counter:
        zeros = np.zeros(difference.shape, dtype=np.int64)
        return cls(values, difference, tolerance, zeros, zeros.copy())

    def add(self, statistic: npt.NDArray[np.floating]) -> None:
        """Count a swap and its complement, given the statistic of the scores of row i with those of j swapped in."""
        swapped, least = statistic - statistic.T, self.difference - self.tolerance
        # A swap without a value counts against the metric, as if its difference were as large.
        self.greater += ~(swapped < least)
        self.greater += ~(least > swapped.T)
        self.other_than += 2 * ~(np.abs(swapped) < np.abs(self.difference) - self.tolerance)
        self.swaps += 2

    def result(self, enumerated: bool) -> MetricComparisons:
        return MetricComparisons(self.values, self.difference, self.greater, self.other_than, self.swaps, enumerated)
