"""Intervals of correlations with judgements: from resampling inputs, systems or both, and Fisher's."""

from __future__ import annotations

from dataclasses import dataclass
from math import atanh, sqrt, tanh
from statistics import NormalDist
from typing import Literal, TypeAlias

import numpy as np
import scipy

from measures.core.arrays import FloatArray
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.meta_evaluation.judged_outputs import JudgedOutputs, SystemDifferences
from measures.meta_evaluation.system_correlations import Correlation, Of
from measures.meta_evaluation.system_differences import Missing

Resampled: TypeAlias = Literal["inputs", "systems", "both"]

DRAWS = 1000
_LEAST_VARIANCE = 1e-12
_BLOCK = 4_000_000

NEVER = Undefined("it is not defined in any draw")
FEW = Undefined("Fisher's interval needs more inputs")
PERFECT = Undefined("Fisher's interval does not exist for a correlation of 1 or -1")


@dataclass(frozen=True)
class BootstrapIntervals:
    """Intervals of one number for each metric.

    Attributes
    ----------
    intervals : tuple of (Interval or Undefined)
        Percentile interval of each metric over the draws in which it is defined.
    undefined : tuple of int
        Number of draws without a value, of each metric.
    resampled : {"inputs", "systems", "both"}
        What was drawn with replacement.
    draws, seed : int
        Number of draws, and the seed of the random number generator.
    """

    intervals: tuple[Interval | Undefined, ...]
    undefined: tuple[int, ...]
    resampled: Resampled
    draws: int
    seed: int


def bootstrap_input_level(
    outputs: JudgedOutputs,
    *,
    seed: int,
    resampled: Resampled = "both",
    draws: int = DRAWS,
    missing: Missing = "by pair",
) -> BootstrapIntervals:
    """Resample the mean over pairs of systems of the correlation over inputs.

    Drawing inputs with replacement weighs them with multinomial counts, so one matrix product of weights and moments
    for each pair gives the correlations of all metrics in all draws. Of systems drawn twice, the pair of twins is
    dropped; other pairs count as often as they come.

    Source: Deutsch et al. 2021, "A statistical analysis of summarization evaluation metrics using resampling methods".

    Parameters
    ----------
    outputs : JudgedOutputs
        Scores and quality.
    seed : int
        Seed of the random number generator.
    resampled : {"inputs", "systems", "both"}
        What is drawn.
    draws : int, default 1000
        Number of draws.
    missing : {"by pair", "complete"}
        Which inputs a pair is compared on.

    Returns
    -------
    BootstrapIntervals
        An interval for each metric.

    Raises
    ------
    ValueError
        If `draws` is below 1.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> quality = rng.normal(size=(3, 40))
    >>> names = tuple(str(number) for number in range(40))
    >>> scores = quality[None] + rng.normal(size=(1, 3, 40))
    >>> found = bootstrap_input_level(JudgedOutputs(("R",), tuple("ABC"), names, scores, quality), seed=1)
    >>> 0.4 < found.intervals[0].low < 0.7 < found.intervals[0].high < 0.9
    True
    """
    input_weights, systems = _draws(outputs, seed, resampled, draws)
    total, weight = np.zeros((draws, len(outputs.metrics))), np.zeros((draws, len(outputs.metrics)))
    differences = outputs.pair_differences(missing=missing)
    for place, (a, b) in enumerate(outputs.pairs):
        difference = SystemDifferences.of(differences, place)
        both = np.vstack([difference.scores, difference.quality])
        times = (systems == a).sum(axis=1) * (systems == b).sum(axis=1)
        weights = None if input_weights is None else input_weights[:, difference.inputs]
        r = weighted_correlations(both, weights)
        counted = times[:, None] * ~np.isnan(r)
        total += counted * np.where(np.isnan(r), 0, r)
        weight += counted
    return summarised(np.where(weight > 0, total / np.maximum(weight, 1), np.nan), resampled, seed)


def weighted_correlations(rows: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Correlate rows with the last row, for each of many weightings of the columns.

    Parameters
    ----------
    rows : FloatArray of shape (m + 1, n)
        The values; the last row is the judgement.
    weights : FloatArray of shape (k, n) or None
        Weights of the columns, 0 or above; None weighs all alike.

    Returns
    -------
    FloatArray of shape (k, m), or (1, m) without weights
        The correlations, NaN where a row does not vary.

    Examples
    --------
    >>> rows = np.array([[1.0, 2, 4], [1, 3, 2]])
    >>> weighted_correlations(rows, np.array([[1.0, 1, 1], [1, 0, 2], [3, 0, 0]])).round(3).tolist()
    [[0.327], [1.0], [nan]]
    """
    if not rows.shape[1]:
        return np.full((1 if weights is None else len(weights), len(rows) - 1), np.nan)
    drawn = np.ones((1, rows.shape[1])) if weights is None else weights
    # Correlations do not depend on origin and scale; removing both keeps the sums of squares from losing digits.
    centred = rows - rows.mean(axis=1, keepdims=True)
    scale = np.abs(centred).max(axis=1, keepdims=True)
    centred = np.where(np.ptp(rows, axis=1, keepdims=True) == 0, 0, centred / np.where(scale > 0, scale, 1))
    x, y = centred[:-1], centred[-1]
    metrics = len(x)
    moments = drawn @ np.concatenate([x, x * x, x * y, [y, y * y]]).T
    size = drawn.sum(axis=1)
    size = np.where(size > 0, size, np.nan)[:, None]
    mean_x, mean_y = moments[:, :metrics] / size, moments[:, -2:-1] / size
    variance_x = moments[:, metrics : 2 * metrics] / size - mean_x * mean_x
    variance_y = moments[:, -1:] / size - mean_y * mean_y
    covariance = moments[:, 2 * metrics : 3 * metrics] / size - mean_x * mean_y
    varies = (variance_x > _LEAST_VARIANCE) & (variance_y > _LEAST_VARIANCE)
    product = np.where(varies, variance_x * variance_y, 1)
    return np.where(varies, np.clip(covariance / np.sqrt(product), -1, 1), np.nan)


def bootstrap_corpus_level(
    outputs: JudgedOutputs,
    *,
    seed: int,
    method: Correlation = "pearson",
    of: Of = "judged",
    resampled: Resampled = "both",
    draws: int = DRAWS,
) -> BootstrapIntervals:
    """Resample the correlation over systems of their means.

    Source: Deutsch et al. 2021.

    Parameters
    ----------
    outputs : JudgedOutputs
        Scores and quality.
    seed : int
        Seed of the random number generator.
    method : {"pearson", "spearman", "kendall"}
        Kendall's is tau-b.
    of : {"judged", "all"}
        Which outputs the mean of a metric is over.
    resampled : {"inputs", "systems", "both"}
        What is drawn.
    draws : int, default 1000
        Number of draws.

    Returns
    -------
    BootstrapIntervals
        An interval for each metric.

    Raises
    ------
    ValueError
        If `draws` is below 1.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> quality = rng.normal(size=(6, 40)) + np.arange(6)[:, None]
    >>> names = tuple(str(number) for number in range(40))
    >>> outputs = JudgedOutputs(("R",), tuple("ABCDEF"), names, quality[None] ** 3, quality)
    >>> bootstrap_corpus_level(outputs, seed=1, method="spearman").intervals[0].high
    1.0
    """
    input_weights, systems = _draws(outputs, seed, resampled, draws)
    judged = ~np.isnan(outputs.quality)
    scores = np.where(judged, outputs.scores, np.nan) if of == "judged" else outputs.scores
    every = np.concatenate([scores, outputs.quality[None]])
    weights = np.ones((1, every.shape[2])) if input_weights is None else input_weights
    flat, known = np.nan_to_num(every), ~np.isnan(every)
    shape = (len(weights), *every.shape[:2])
    count = (weights @ known.reshape(-1, every.shape[2]).T).reshape(shape)
    totals = (weights @ flat.reshape(-1, every.shape[2]).T).reshape(shape)
    means = np.where(count > 0, totals / np.maximum(count, 1), np.nan)
    found = np.full((draws, len(outputs.metrics)), np.nan)
    step = max(1, _BLOCK // (len(every) * max(1, len(outputs.systems)) ** 2))
    for begin in range(0, draws, step):
        block = slice(begin, begin + step)
        chosen = means[block] if len(means) > 1 else np.repeat(means, len(systems[block]), axis=0)
        drawn = np.take_along_axis(chosen, systems[block][:, None, :], axis=2)
        found[block] = _over_systems(np.round(drawn, 12), method)
    return summarised(found, resampled, seed)


def fisher_interval(
    r: float, n: int, *, method: Correlation = "pearson", confidence: float = 0.95
) -> tuple[float, float] | Undefined:
    """Return the interval of a correlation by Fisher's transformation.

    Source: Bonett and Wright 2000, "Sample size requirements for estimating Pearson, Kendall and Spearman
    correlations".

    Parameters
    ----------
    r : float
        The correlation.
    n : int
        Number of inputs or systems.
    method : {"pearson", "spearman", "kendall"}
        Which correlation it is.
    confidence : float, default 0.95
        Coverage of the interval.

    Returns
    -------
    tuple of float, or Undefined
        Low and high end; undefined for 1 and -1, and for n of at most 3 (Kendall's: 4).

    Raises
    ------
    ValueError
        If r is not between -1 and 1.

    Examples
    --------
    >>> [round(end, 3) for end in fisher_interval(0.59, 785)]
    [0.542, 0.634]
    """
    if not -1 <= r <= 1:
        raise ValueError(f"a correlation is not between -1 and 1: {r}")
    if abs(r) == 1:
        return PERFECT
    lost = 4 if method == "kendall" else 3
    if n <= lost:
        return FEW
    factor = {"pearson": 1.0, "spearman": sqrt(1 + r * r / 2), "kendall": sqrt(0.437)}[method]
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * factor / sqrt(n - lost)
    return tanh(atanh(r) - reach), tanh(atanh(r) + reach)


def _draws(
    outputs: JudgedOutputs, seed: int, resampled: Resampled, draws: int
) -> tuple[FloatArray | None, np.ndarray[tuple[int, int], np.dtype[np.int64]]]:
    """Return how often each input was drawn, or None for once each; and which systems were."""
    if draws < 1:
        raise ValueError(f"draws must be at least 1, not {draws}")
    rng, inputs, systems = np.random.default_rng(seed), len(outputs.inputs), len(outputs.systems)
    weights = None
    if resampled != "systems" and inputs:
        weights = rng.multinomial(inputs, np.full(inputs, 1 / inputs), size=draws).astype(np.float64)
    if resampled == "inputs" or not systems:
        return weights, np.tile(np.arange(systems), (draws, 1))
    return weights, rng.integers(systems, size=(draws, systems))


def _over_systems(means: FloatArray, method: Correlation) -> FloatArray:
    """Correlate means (draw, metric, system) with those of the last metric, NaN where they do not vary."""
    if method == "spearman":
        means = scipy.stats.rankdata(means, axis=2, nan_policy="propagate")
    elif method == "kendall":
        above, below = np.triu_indices(means.shape[2], 1)
        means = np.sign(means[..., above] - means[..., below])
    if method != "kendall":
        means = means - means.mean(axis=2, keepdims=True)
    size = np.sqrt((means**2).sum(axis=2))
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.clip(np.einsum("kms,ks->km", means[:, :-1], means[:, -1]) / (size[:, :-1] * size[:, -1:]), -1, 1)
    return np.where((size[:, :-1] > 1e-9) & (size[:, -1:] > 1e-9), r, np.nan)


def summarised(values: FloatArray, resampled: Resampled, seed: int) -> BootstrapIntervals:
    """Return the interval of each column over the draws, one a row, in which it has a value.

    Examples
    --------
    >>> found = summarised(np.array([[0.1, np.nan], [0.1, np.nan]]), "both", 1)
    >>> found.intervals[0].low, found.intervals[1].reason, found.undefined
    (0.1, 'it is not defined in any draw', (0, 2))
    """
    missing = np.isnan(values)
    intervals = tuple(
        NEVER if gone.all() else Interval.of(column[~gone]) for column, gone in zip(values.T, missing.T, strict=True)
    )
    return BootstrapIntervals(intervals, tuple(missing.sum(axis=0).tolist()), resampled, len(values), seed)
