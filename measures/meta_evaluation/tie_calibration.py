"""Accuracy over pairs of outputs with ties, each metric with its own threshold for a tie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.core.seeded_order import seeded_key
from measures.core.undefined import Undefined
from measures.meta_evaluation.system_differences import PairDifferences, pair_differences

NO_OUTPUT_PAIR = Undefined("no input has two outputs with this metric and the quality")
FEW_INPUTS = Undefined("fewer inputs with two outputs than folds")
_DECIMALS = 12


@dataclass(frozen=True)
class TieCalibration:
    """Accuracy of one metric over pairs of outputs of one input, mean over inputs.

    Attributes
    ----------
    accuracy : float or Undefined
        Share of pairs that are concordant, or tied in both, with the best threshold.
    epsilon : float or Undefined
        The smallest such threshold: differences up to it count as ties of the metric.
    accuracy_at_zero : float or Undefined
        Accuracy when only equal scores are ties.
    held_out : float or Undefined
        Mean accuracy over inputs, each with the threshold of the inputs of the other folds.
    inputs : int
        Inputs with a pair.
    """

    accuracy: float | Undefined
    epsilon: float | Undefined
    accuracy_at_zero: float | Undefined
    held_out: float | Undefined
    inputs: int


@dataclass(frozen=True)
class _Sorted:
    """Pairs of outputs by the size of their difference in one metric.

    Attributes
    ----------
    size : FloatArray of shape (pairs,)
        |difference|, growing.
    gain : FloatArray of shape (pairs,)
        What calling the pair a tie adds to the share of its input.
    at_zero : FloatArray of shape (pairs,)
        What the pair adds when only equal scores are ties.
    input : IntArray of shape (pairs,)
        Its input.
    """

    size: FloatArray
    gain: FloatArray
    at_zero: FloatArray
    input: IntArray


def calibrated_accuracy(
    scores: npt.ArrayLike,
    quality: npt.ArrayLike,
    *,
    folds: int = 5,
    seed: int = 2023,
    names: Sequence[str] | None = None,
) -> tuple[TieCalibration, ...]:
    """Compute accuracy with ties, and the threshold that maximises it, for each metric.

    Thresholds are 0 and every difference that occurs; the smallest of the best is taken. This favours continuous
    metrics, held out or not: show the threshold and the accuracy at 0 as well.

    Source: Deutsch, Foster and Freitag 2023, "Ties matter: meta-evaluating modern metrics with pairwise accuracy and
    tie calibration"; the caution, Perrella et al. 2024.

    Parameters
    ----------
    scores : array_like of shape (metrics, systems, inputs)
        Large is good; NaN where a score is missing.
    quality : array_like of shape (systems, inputs)
        NaN where an output has no rating.
    folds : int
        Parts of the inputs for the held-out threshold.
    seed : int
        Seed for dealing the inputs out to the folds.
    names : sequence of str, optional
        Names of the inputs; the folds then do not depend on their order. Without them, places are the names.

    Returns
    -------
    tuple of TieCalibration
        One for each metric. One sort of the pairs serves all thresholds and folds.

    Raises
    ------
    ValueError
        If the shapes do not fit, or there are fewer than two folds.

    Examples
    --------
    >>> found = calibrated_accuracy([[[0.30, 0.5], [0.32, 0.5], [0.9, 0.1]]], [[1, 2], [1, 2], [3, 1]])[0]
    >>> round(found.accuracy, 9), found.epsilon, round(found.accuracy_at_zero, 3)
    (1.0, 0.02, 0.833)
    """
    if folds < 2:
        raise ValueError(f"folds must be at least 2, not {folds}")
    d = pair_differences(scores, quality)
    labels = _folds(d.quality.shape[1], folds, seed, names)
    return tuple(_calibrated(each, labels, folds) for each in _sorted_pairs(d))


def input_shares(scores: npt.ArrayLike, quality: npt.ArrayLike, epsilon: Sequence[float]) -> FloatArray:
    """Return the share of right verdicts of each metric on each input, given the thresholds.

    Parameters
    ----------
    scores : array_like of shape (metrics, systems, inputs)
        Large is good; NaN where a score is missing.
    quality : array_like of shape (systems, inputs)
        NaN where an output has no rating.
    epsilon : sequence of float of shape (metrics,)
        Threshold of each metric.

    Returns
    -------
    FloatArray of shape (metrics, inputs)
        Share of pairs that are concordant or tied in both; NaN without a pair.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> input_shares([[[0.30, 0.5], [0.32, 0.5]]], [[1, 2], [1, 1]], [0.05]).tolist()
    [[1.0, 0.0]]
    """
    d = pair_differences(scores, quality)
    limit = np.asarray(epsilon, dtype=np.float64)
    if limit.shape != (len(d.scores),):
        raise ValueError(f"epsilon must have {len(d.scores)} values, not shape {limit.shape}")
    sign = np.sign(d.scores) * (np.abs(d.scores) > limit[:, None, None])
    there = d.used & d.scored[:, :, None]
    pairs = there.sum(axis=1)
    right = (there & (sign == np.sign(d.quality))).sum(axis=1)
    return np.where(pairs > 0, right / np.maximum(pairs, 1), np.nan)


def _sorted_pairs(d: PairDifferences) -> list[_Sorted]:
    theirs = np.sign(d.quality)
    found = []
    for differences, scored in zip(d.scores, d.scored, strict=True):
        there = d.used & scored[:, None]
        place = np.nonzero(there)[1]
        x, q = differences[there], theirs[there]
        size = np.abs(x)
        order = np.argsort(size)
        weights = 1 / there.sum(axis=0)[place] if len(place) else np.zeros(0)
        concordant, tied = np.sign(x) == q, q == 0
        gain = weights * (tied.astype(np.float64) - concordant)
        found.append(_Sorted(size[order], gain[order], (weights * concordant)[order], place[order].astype(np.int64)))
    return found


def _calibrated(pairs: _Sorted, labels: IntArray, folds: int) -> TieCalibration:
    present = np.unique(pairs.input)
    if not len(present):
        return TieCalibration(*(NO_OUTPUT_PAIR,) * 4, 0)
    # The last pair of each size: a threshold takes all pairs of a size or none.
    ends = np.flatnonzero(np.append(np.diff(pairs.size) > 0, True))
    total = pairs.at_zero.sum()
    gain, epsilon = _best(pairs.gain, ends, pairs.size)
    # Sums of shares may exceed the number of inputs by a rounding error.
    accuracy = min(1.0, (total + gain) / len(present))
    held_out = min(1.0, _held_out(pairs, ends, labels, folds) / len(present))
    return TieCalibration(
        float(accuracy),
        epsilon,
        min(1.0, float(total / len(present))),
        FEW_INPUTS if len(present) < folds else held_out,
        len(present),
    )


def _best(gain: FloatArray, ends: IntArray, size: FloatArray) -> tuple[float, float]:
    """Return the largest sum of gains up to a threshold, and the first threshold that has it."""
    # Ties of the metric gain nothing, so the threshold 0 is a sum of nothing.
    sums = np.cumsum(gain)[ends]
    best = int(np.argmax(np.round(sums, _DECIMALS)))
    return (float(sums[best]), float(size[ends[best]])) if sums[best] > 10.0**-_DECIMALS else (0.0, 0.0)


def _held_out(pairs: _Sorted, ends: IntArray, labels: IntArray, folds: int) -> float:
    """Add up the shares of all inputs, each with the threshold of the other folds."""
    total, fold = 0.0, labels[pairs.input]
    for each in range(folds):
        mine = fold == each
        epsilon = _best(np.where(mine, 0.0, pairs.gain), ends, pairs.size)[1]
        total += float(pairs.at_zero[mine].sum() + pairs.gain[mine & (pairs.size <= epsilon)].sum())
    return total


def _folds(inputs: int, folds: int, seed: int, names: Sequence[str] | None) -> IntArray:
    """Deal the inputs out to the folds in a seeded order of their names."""
    known = [str(place) for place in range(inputs)] if names is None else names
    order = sorted(range(inputs), key=lambda place: seeded_key(seed, known[place]))
    labels = np.zeros(inputs, dtype=np.int64)
    labels[order] = np.arange(inputs) % folds
    return labels
