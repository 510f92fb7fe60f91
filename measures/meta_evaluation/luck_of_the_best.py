"""How much of the highest correlation of many metrics is luck, and which others may be the best."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.bootstrap import weighted_correlations
from measures.meta_evaluation.difference_correlations import input_level
from measures.meta_evaluation.judged_outputs import JudgedOutputs, SystemDifferences
from measures.meta_evaluation.system_differences import Missing

SPLITS = 100
LEAST_INPUTS = 20
"""With fewer, halves say little."""
ONE_METRIC = Undefined("there are fewer than two metrics to choose from")
FEW_INPUTS = Undefined(f"there are fewer than {LEAST_INPUTS} inputs")
NO_HALVES = Undefined("no half of the inputs has correlations")


@dataclass(frozen=True)
class BestOfMany:
    """The metric with the highest mean correlation, and what it is worth without the luck of being chosen.

    Attributes
    ----------
    metric, metrics : int
        Its place, and the number of metrics that it is the best of.
    r, adjusted : float
        Its mean correlation over pairs of systems, and that less the luck.
    luck : float
        By how much the best of so many is expected to look better on these inputs than on others.
    group : tuple of int
        The best metric and all that are not shown to be worse, in order of their correlations.
    splits : int
        Number of halves that have a best metric whose value in the other half is known.
    """

    metric: int
    metrics: int
    r: float
    adjusted: float
    luck: float
    group: tuple[int, ...]
    splits: int


def best_of_many(
    outputs: JudgedOutputs, *, seed: int, alpha: float = 0.05, splits: int = SPLITS, missing: Missing = "by pair"
) -> BestOfMany | Undefined:
    """Find the best metric at input level, and take off what it owes to having been chosen.

    Inputs are split into halves many times. The metric that is best on one half is looked at on the other, which had no
    say in the choice: what it loses there is luck on half of the inputs. On all of them it is smaller by the square
    root of 2, as the errors of correlations are. The same halves give the standard error of the difference of two
    metrics: another one may be the best unless the difference is more than z of them, z with Bonferroni's correction
    for the number of others; so the truly best one is in the group in at least 1 - `alpha` of cases, about. Luck in the
    choice of systems is not seen.

    Source: ours.

    Parameters
    ----------
    outputs : JudgedOutputs
        Scores and quality.
    seed : int
        Seed of the splits.
    alpha : float, default 0.05
        How often the group may miss the truly best metric.
    splits : int, default 100
        Number of splits; each half chooses once.
    missing : {"by pair", "complete"}
        Which inputs a pair is compared on.

    Returns
    -------
    BestOfMany or Undefined
        The best metric; undefined with fewer than two metrics that have a correlation, fewer than 20 inputs, or
        without correlations in the halves.

    Raises
    ------
    ValueError
        If `splits` is below 1.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> quality = rng.normal(size=(3, 40))
    >>> names = tuple(f"m{number:02}" for number in range(50)), tuple("ABC"), tuple(str(each) for each in range(40))
    >>> noise = JudgedOutputs(*names, rng.normal(size=(50, 3, 40)), quality)
    >>> found = best_of_many(noise, seed=1)
    >>> found.metrics, round(found.r, 2), abs(found.adjusted) < 0.1
    (50, 0.23, True)
    """
    if splits < 1:
        raise ValueError(f"splits must be at least 1, not {splits}")
    whole = input_level(outputs, missing=missing).means
    metrics = int((~np.isnan(whole)).sum())
    if metrics < 2:
        return ONE_METRIC
    if len(outputs.inputs) < LEAST_INPUTS:
        return FEW_INPUTS
    first, second = _halves(outputs, seed, splits, missing)
    losses = np.concatenate([_losses(first, second), _losses(second, first)])
    losses = losses[~np.isnan(losses)]
    if not len(losses):
        return NO_HALVES
    best, luck = int(np.nanargmax(whole)), max(0.0, float(losses.mean()) / sqrt(2))
    group = _group(whole, best, first - second, NormalDist().inv_cdf(1 - alpha / (metrics - 1)))
    return BestOfMany(best, metrics, float(whole[best]), float(whole[best]) - luck, luck, group, len(losses))


def _halves(outputs: JudgedOutputs, seed: int, splits: int, missing: Missing) -> tuple[FloatArray, FloatArray]:
    """Return the mean correlation of each metric in the halves of each split, both of shape (splits, m)."""
    rng, inputs = np.random.default_rng(seed), len(outputs.inputs)
    chosen = np.argsort(rng.random((splits, inputs)), axis=1) < inputs // 2
    differences = outputs.pair_differences(missing=missing)
    totals, counts = np.zeros((2, splits, len(outputs.metrics))), np.zeros((2, splits, len(outputs.metrics)))
    for place in range(len(outputs.pairs)):
        difference = SystemDifferences.of(differences, place)
        both = np.vstack([difference.scores, difference.quality])
        for half, weights in enumerate((chosen, ~chosen)):
            r = weighted_correlations(both, weights[:, difference.inputs].astype(np.float64))
            totals[half] += np.nan_to_num(r)
            counts[half] += ~np.isnan(r)
    first, second = np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)
    return first, second


def _group(whole: FloatArray, best: int, between_halves: FloatArray, z: float) -> tuple[int, ...]:
    """Return the metrics not shown to be worse than the best; one whose error is not known is not shown to be."""
    differences = between_halves[:, [best]] - between_halves
    known = ~np.isnan(differences)
    number = known.sum(axis=0)
    squares = np.where(known, differences, 0) ** 2
    # Two halves differ by twice the error of the whole.
    error = np.where(number > 0, np.sqrt(squares.sum(axis=0) / np.maximum(number, 1)) / 2, np.inf)
    order = np.argsort(-whole, kind="stable").tolist()
    return tuple(each for each in order if whole[best] - whole[each] <= z * error[each])


def _losses(chosen_on: FloatArray, seen_on: FloatArray) -> FloatArray:
    """Return what the best metric of one half loses on the other; NaN where there is none."""
    best = np.argmax(np.where(np.isnan(chosen_on), -np.inf, chosen_on), axis=1)[:, None]
    lost: FloatArray = (np.take_along_axis(chosen_on, best, axis=1) - np.take_along_axis(seen_on, best, axis=1))[:, 0]
    return lost
