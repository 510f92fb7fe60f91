"""Whether a metric agrees more often than another with people on which system is better, from resampling."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray, FloatArray
from measures.meta_evaluation.bootstrap import BootstrapIntervals, summarised
from measures.meta_evaluation.judged_outputs import JudgedOutputs
from measures.meta_evaluation.system_differences import QUALITY_DECIMALS, SCORE_DECIMALS, PairDifferences


def bootstrap_direction(
    outputs: JudgedOutputs,
    baseline: int,
    *,
    seed: int,
    among: npt.ArrayLike | None = None,
    draws: int = 1000,
) -> BootstrapIntervals:
    """Resample how much more often a metric has the direction of people's difference than a baseline (BOOT-BOTH).

    Systems and inputs are drawn with replacement. Of systems drawn twice, the pair of twins is dropped; other pairs
    count as often as they come.

    Source: the share is of Owczarzak et al. 2012, Table 3, "all"; the bootstrap of Deutsch et al. 2021.

    Parameters
    ----------
    outputs : JudgedOutputs
        Scores and quality.
    baseline : int
        Place of the metric whose share is subtracted.
    seed : int
        Seed of the random number generator.
    among : array_like of bool, of shape (p,), optional
        Which pairs of systems to count; all without it.
    draws : int, default 1000
        Number of draws.

    Returns
    -------
    BootstrapIntervals
        An interval of the difference of shares for each metric, over the draws that have a pair.

    Raises
    ------
    ValueError
        If `draws` is below 1, or there is no such metric.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> quality = rng.normal(size=(6, 40)) + np.arange(6)[:, None]
    >>> names = tuple(str(number) for number in range(40))
    >>> outputs = JudgedOutputs(("R", "S"), tuple("ABCDEF"), names, np.stack([quality, -quality]), quality)
    >>> found = bootstrap_direction(outputs, 0, seed=1, draws=100)
    >>> [(each.low, each.high) for each in found.intervals]
    [(0.0, 0.0), (-1.0, -1.0)]
    """
    if draws < 1:
        raise ValueError(f"draws must be at least 1, not {draws}")
    if not 0 <= baseline < len(outputs.metrics):
        raise ValueError(f"there is no metric at place {baseline}")
    found = outputs.pair_differences()
    counted = np.ones(len(found.pairs), dtype=np.bool_) if among is None else np.asarray(among, dtype=np.bool_)
    rng, inputs, systems = np.random.default_rng(seed), len(outputs.inputs), len(outputs.systems)
    weights = _drawn_inputs(rng, inputs, draws)
    drawn = rng.integers(systems, size=(draws, systems)) if systems else np.zeros((draws, 0), dtype=np.int64)
    times = np.array([(drawn == place).sum(axis=1) for place in range(systems)]).reshape(systems, draws)
    agreeing, pairs = np.zeros((draws, len(outputs.metrics))), np.zeros((draws, len(outputs.metrics)))
    for place in np.flatnonzero(counted & found.used.any(axis=1)).tolist():
        first, second = found.pairs[place]
        same, known = _same_direction(found, place, weights)
        often = (times[first] * times[second])[:, None] * known
        agreeing += often * same
        pairs += often
    shares = np.where(pairs > 0, agreeing / np.maximum(pairs, 1), np.nan)
    return summarised(shares - shares[:, [baseline]], "both", seed)


def _drawn_inputs(rng: np.random.Generator, inputs: int, draws: int) -> FloatArray:
    """Return how often each input is drawn, of shape (draws, inputs)."""
    if not inputs:
        return np.zeros((draws, 0))
    drawn = rng.integers(inputs, size=(draws, inputs)) + inputs * np.arange(draws)[:, None]
    return np.bincount(drawn.reshape(-1), minlength=draws * inputs).reshape(draws, inputs).astype(np.float64)


def _same_direction(found: PairDifferences, pair: int, weights: FloatArray) -> tuple[BoolArray, BoolArray]:
    """Return, for each draw and metric, whether the means differ as people's do, and whether they are known."""
    places = np.flatnonzero(found.used[pair])
    drawn = weights[:, places]
    size = drawn.sum(axis=1)
    number = np.maximum(size, 1)[:, None]
    mine = np.sign(np.round(drawn @ found.scores[:, pair][:, places].T / number, SCORE_DECIMALS))
    theirs = np.sign(np.round(drawn @ found.quality[pair, places][:, None] / number, QUALITY_DECIMALS))
    known = (size > 0)[:, None] & found.scored[:, pair]
    return np.asarray(mine == theirs, dtype=np.bool_), np.asarray(known, dtype=np.bool_)
