"""Whether a metric agrees more often than another with people on which system is better, from resampling."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray, FloatArray, IntArray
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
    if not 0 <= baseline < len(outputs.metrics):
        raise ValueError(f"there is no metric at place {baseline}")
    drawn = drawn_directions(outputs, seed=seed, draws=draws)
    every = list(range(len(outputs.metrics)))
    counted = np.ones(len(drawn.found.pairs), dtype=np.bool_) if among is None else np.asarray(among, dtype=np.bool_)
    agreeing, pairs = np.zeros((draws, len(every))), np.zeros((draws, len(every)))
    for place in np.flatnonzero(counted & drawn.found.used.any(axis=1)).tolist():
        same, often = drawn.of_pair(place, every)
        agreeing += often * same
        pairs += often
    shares = np.where(pairs > 0, agreeing / np.maximum(pairs, 1), np.nan)
    return summarised(shares - shares[:, [baseline]], "both", seed)


@dataclass(frozen=True, eq=False)
class DrawnDirections:
    """Drawn systems and inputs, by which every pair of systems is compared again.

    Attributes
    ----------
    found : PairDifferences
        The differences of every pair.
    inputs : FloatArray of shape (draws, n)
        How often each input is drawn.
    systems : FloatArray of shape (draws, s)
        How often each system is drawn.
    """

    found: PairDifferences
    inputs: FloatArray
    systems: FloatArray

    @property
    def draws(self) -> int:
        """Number of draws."""
        return len(self.inputs)

    def places_of(self, pairs: IntArray) -> list[int]:
        """Return the places of some pairs, of shape (k, 2), among all."""
        places = {pair: place for place, pair in enumerate(map(tuple, self.found.pairs.tolist()))}
        return [places[pair] for pair in map(tuple, pairs.tolist())]

    def of_pair(self, place: int, metrics: list[int]) -> tuple[BoolArray, FloatArray]:
        """Return whether the means of a pair differ as people's do, and how often the pair is drawn.

        Parameters
        ----------
        place : int
            Place of the pair.
        metrics : list of int
            Places of the metrics.

        Returns
        -------
        tuple of array of shape (draws, m)
            The directions, and the numbers: 0 where a mean is not known.
        """
        same, known = _same_direction(self.found, place, self.inputs, metrics)
        first, second = self.found.pairs[place]
        return same, (self.systems[:, first] * self.systems[:, second])[:, None] * known


def drawn_directions(outputs: JudgedOutputs, *, seed: int, draws: int = 1000) -> DrawnDirections:
    """Draw inputs and systems with replacement (BOOT-BOTH); a pair counts as often as both its systems come.

    Parameters
    ----------
    outputs : JudgedOutputs
        Scores and quality.
    seed : int
        Seed of the random number generator.
    draws : int, default 1000
        Number of draws.

    Returns
    -------
    DrawnDirections
        What was drawn.

    Raises
    ------
    ValueError
        If `draws` is below 1.

    Examples
    --------
    >>> outputs = JudgedOutputs(("R",), ("A", "B"), ("x", "y"), np.array([[[1, 2], [3, 5.0]]]), np.eye(2))
    >>> drawn = drawn_directions(outputs, seed=1, draws=3)
    >>> drawn.inputs.sum(axis=1).tolist(), drawn.systems.sum(axis=1).tolist()
    ([2.0, 2.0, 2.0], [2.0, 2.0, 2.0])
    """
    if draws < 1:
        raise ValueError(f"draws must be at least 1, not {draws}")
    rng, inputs, systems = np.random.default_rng(seed), len(outputs.inputs), len(outputs.systems)
    weights = _drawn_inputs(rng, inputs, draws)
    chosen = rng.integers(systems, size=(draws, systems)) if systems else np.zeros((draws, 0), dtype=np.int64)
    times = np.array([(chosen == place).sum(axis=1) for place in range(systems)], dtype=np.float64)
    return DrawnDirections(outputs.pair_differences(), weights, times.reshape(systems, draws).T)


def _drawn_inputs(rng: np.random.Generator, inputs: int, draws: int) -> FloatArray:
    """Return how often each input is drawn, of shape (draws, inputs)."""
    if not inputs:
        return np.zeros((draws, 0))
    drawn = rng.integers(inputs, size=(draws, inputs)) + inputs * np.arange(draws)[:, None]
    return np.bincount(drawn.reshape(-1), minlength=draws * inputs).reshape(draws, inputs).astype(np.float64)


def _same_direction(
    found: PairDifferences, pair: int, weights: FloatArray, metrics: list[int]
) -> tuple[BoolArray, BoolArray]:
    """Return, for each draw and metric, whether the means differ as people's do, and whether they are known."""
    places = np.flatnonzero(found.used[pair])
    drawn = weights[:, places]
    size = drawn.sum(axis=1)
    number = np.maximum(size, 1)[:, None]
    mine = np.sign(np.round(drawn @ found.scores[metrics, pair][:, places].T / number, SCORE_DECIMALS))
    theirs = np.sign(np.round(drawn @ found.quality[pair, places][:, None] / number, QUALITY_DECIMALS))
    known = (size > 0)[:, None] & found.scored[metrics, pair]
    return np.asarray(mine == theirs, dtype=np.bool_), np.asarray(known, dtype=np.bool_)
