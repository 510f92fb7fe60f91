"""Heterogeneity-based ranking: measures combined without any rating (Amigó et al. 2012)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.system_differences import SCORE_DECIMALS, complete_outputs, score_array, system_pairs

MAX_PAIRS, SAMPLED, SEED = 100_000, 10_000, 2012
NO_PAIR = Undefined("no input has two outputs with every score")
Words = npt.NDArray[np.uint64]

# Cells of a block of sets by patterns: small enough for the processor's cache.
_BLOCK = 1 << 15


@dataclass(frozen=True)
class PairSample:
    """For each sampled pair of outputs, which measures score the first one higher and which lower.

    Pairs with the same answers are kept once, with their number.

    Attributes
    ----------
    higher, lower : array of uint64 of shape (patterns, words)
        A bit for each measure.
    weights : IntArray of shape (patterns,)
        Number of pairs with each pattern.
    measures, pairs, all_pairs : int
        Number of measures, of pairs in the sample, and of pairs that there are.
    """

    higher: Words
    lower: Words
    weights: IntArray
    measures: int
    pairs: int
    all_pairs: int


@dataclass(frozen=True)
class HeterogeneityRanking:
    """Scores of heterogeneity-based ranking.

    Attributes
    ----------
    outputs : FloatArray of shape (systems, inputs)
        HBR of each output, in [0, 1]; NaN where an output lacks a score or is alone on its input.
    systems : tuple of (float or Undefined)
        Mean over the inputs of each system.
    pairs, all_pairs : int
        Pairs of outputs in the sample that heterogeneity was taken from, and pairs that there are.
    corroboration : FloatArray of shape (systems, systems, inputs)
        What the means are of; see `corroboration`.
    """

    outputs: FloatArray
    systems: tuple[float | Undefined, ...]
    pairs: int
    all_pairs: int
    corroboration: FloatArray


def sample_pairs(
    scores: npt.ArrayLike, *, max_pairs: int = MAX_PAIRS, sampled: int = SAMPLED, seed: int = SEED
) -> PairSample | Undefined:
    """Compare pairs of outputs of the same input by every measure.

    Parameters
    ----------
    scores : array_like of shape (measures, systems, inputs)
        Large is good; outputs with a NaN are left out.
    max_pairs : int
        All unordered pairs are taken if there are no more than these; the paper takes 10,000 in any case.
    sampled : int
        Otherwise so many are drawn, without replacement.
    seed : int
        Seed of the draw.

    Returns
    -------
    PairSample or Undefined
        The pairs; undefined without any.

    Raises
    ------
    ValueError
        If the shape of the scores is wrong.

    Examples
    --------
    >>> sample_pairs([[[1, 2], [2, 1]], [[1, 2], [2, 1]]])
    PairSample(higher=array([[0],
           [3]], dtype=uint64), lower=array([[3],
           [0]], dtype=uint64), weights=array([1, 1]), measures=2, pairs=2, all_pairs=2)
    """
    x = score_array(scores)
    pairs = system_pairs(x.shape[1])
    complete = complete_outputs(x)
    pair, place = np.nonzero(complete[pairs[:, 0]] & complete[pairs[:, 1]])
    if not len(pair):
        return NO_PAIR
    all_pairs = len(pair)
    if all_pairs > max_pairs:
        drawn = np.random.default_rng(seed).choice(all_pairs, sampled, replace=False)
        pair, place = pair[drawn], place[drawn]
    # Measures last, so that the bits of a pair lie side by side.
    outputs = np.ascontiguousarray(x.transpose(1, 2, 0))
    d = np.round(outputs[pairs[pair, 0], place] - outputs[pairs[pair, 1], place], SCORE_DECIMALS)
    higher, lower = _words(d > 0), _words(d < 0)
    patterns, weights = np.unique(np.hstack([higher, lower]), axis=0, return_counts=True)
    width = higher.shape[1]
    counted = weights.astype(np.int64)
    return PairSample(patterns[:, :width].copy(), patterns[:, width:].copy(), counted, len(x), len(pair), all_pairs)


def heterogeneity(sample: PairSample, sets: npt.ArrayLike) -> FloatArray:
    """Return H of sets of measures: the share of the sample that one measure orders one way and another the other.

    Ties do not count, so H of fewer than two measures is 0.

    Source: Amigó, Gonzalo and Verdejo 2012, §2.

    Parameters
    ----------
    sample : PairSample
        Pairs of outputs, from `sample_pairs`.
    sets : array_like of bool of shape (sets, measures)
        The measures in each set.

    Returns
    -------
    FloatArray of shape (sets,)
        H of each set, in [0, 1]. Takes time in proportion to distinct sets, distinct patterns, and measures / 64.

    Raises
    ------
    ValueError
        If the sets are not of the sample's measures.

    Examples
    --------
    >>> sample = sample_pairs([[[1, 1], [2, 2]], [[1, 2], [2, 1]]])
    >>> heterogeneity(sample, [[True, False], [True, True]]).tolist()
    [0.0, 0.5]
    """
    chosen = np.asarray(sets, dtype=np.bool_)
    if chosen.ndim != 2 or chosen.shape[1] != sample.measures:
        raise ValueError(f"sets must be of {sample.measures} measures, not of shape {chosen.shape}")
    distinct, places = np.unique(_words(chosen), axis=0, return_inverse=True)
    step = max(1, _BLOCK // len(sample.weights))
    lacking = [_one_sided(sample, distinct[start : start + step]) for start in range(0, len(distinct), step)]
    shares = 1 - np.concatenate([np.zeros(0), *lacking]) / sample.pairs
    return np.asarray(shares[places.reshape(-1)], dtype=np.float64)


def corroboration(scores: npt.ArrayLike, sample: PairSample) -> FloatArray:
    """Return H of the measures that score one output of an input no lower than another, for each ordered pair.

    Parameters
    ----------
    scores : array_like of shape (measures, systems, inputs)
        Large is good; NaN where a score is missing.
    sample : PairSample
        Pairs of outputs, from `sample_pairs`.

    Returns
    -------
    FloatArray of shape (systems, systems, inputs)
        Heterogeneity of the set that says "the first is at least as good as the second"; NaN for an output against
        itself and where an output lacks a score.

    Raises
    ------
    ValueError
        If the shape of the scores is wrong.

    Examples
    --------
    >>> scores = [[[1, 1], [2, 2]], [[1, 2], [2, 1]]]
    >>> corroboration(scores, sample_pairs(scores))[1, 0].tolist()
    [0.5, 0.0]
    """
    x = score_array(scores)
    pairs = system_pairs(x.shape[1])
    complete = complete_outputs(x)
    pair, place = np.nonzero(complete[pairs[:, 0]] & complete[pairs[:, 1]])
    first, second = pairs[pair].T
    outputs = np.ascontiguousarray(x.transpose(1, 2, 0))
    d = np.round(outputs[first, place] - outputs[second, place], SCORE_DECIMALS)
    found = np.full((x.shape[1], x.shape[1], x.shape[2]), np.nan)
    if len(pair):
        values = heterogeneity(sample, np.concatenate([d >= 0, d <= 0]))
        found[first, second, place], found[second, first, place] = np.split(values, 2)
    return found


def heterogeneity_ranking(
    scores: npt.ArrayLike, *, max_pairs: int = MAX_PAIRS, sampled: int = SAMPLED, seed: int = SEED
) -> HeterogeneityRanking | Undefined:
    """Score outputs and systems by heterogeneity-based ranking, without any rating.

    HBR of an output is the mean, over the other outputs of its input, of the heterogeneity of the measures that score
    it no lower. It does not change with a strictly growing transformation of a measure, nor when a measure is given
    twice.

    Source: Amigó, Gonzalo and Verdejo 2012, "The heterogeneity principle in evaluation measures for automatic
    summarization", §3.2.

    Parameters
    ----------
    scores : array_like of shape (measures, systems, inputs)
        Large is good; NaN where a score is missing.
    max_pairs, sampled, seed : int
        See `sample_pairs`.

    Returns
    -------
    HeterogeneityRanking or Undefined
        Values of outputs and systems; undefined if no input has two outputs with every score.

    Raises
    ------
    ValueError
        If the shape of the scores is wrong.

    Examples
    --------
    >>> found = heterogeneity_ranking([[[1, 1], [2, 2]], [[1, 2], [2, 1]]])
    >>> found.outputs.tolist(), found.systems
    ([[0.0, 0.0], [0.5, 0.0]], (0.0, 0.25))
    """
    sample = sample_pairs(scores, max_pairs=max_pairs, sampled=sampled, seed=seed)
    if isinstance(sample, Undefined):
        return sample
    found = corroboration(scores, sample)
    outputs = _means(found, axis=1)
    systems = tuple(_value(each) for each in _means(outputs, axis=1))
    return HeterogeneityRanking(outputs, systems, sample.pairs, sample.all_pairs, found)


def _words(bits: BoolArray) -> Words:
    """Pack each row into words of 64 bits, the first measure into the lowest bit of the first word."""
    packed = np.packbits(bits, axis=1, bitorder="little")
    width = max(1, -(-bits.shape[1] // 64)) * 8
    padded = np.zeros((len(bits), width), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view("<u8").astype(np.uint64)


def _one_sided(sample: PairSample, sets: Words) -> FloatArray:
    """Count the pairs that no measure of a set orders one way, or none the other way.

    The first 64 measures settle nearly all cells; the other words are looked at only where they find nothing.
    """
    first = sets[:, :1]
    lacking = ((first & sample.higher[:, 0]) == 0) | ((first & sample.lower[:, 0]) == 0)
    if sets.shape[1] == 1:
        return np.asarray(lacking @ sample.weights.astype(np.float64), dtype=np.float64)
    row, pattern = np.nonzero(lacking)
    up, down = np.zeros(len(row), dtype=np.bool_), np.zeros(len(row), dtype=np.bool_)
    for word in range(sets.shape[1]):
        chosen = sets[:, word][row]
        up |= (chosen & sample.higher[:, word][pattern]) != 0
        down |= (chosen & sample.lower[:, word][pattern]) != 0
    weights = np.where(up & down, 0, sample.weights[pattern])
    return np.bincount(row, weights=weights, minlength=len(sets)).astype(np.float64)


def _means(values: FloatArray, axis: int) -> FloatArray:
    there = np.isfinite(values)
    number = there.sum(axis=axis)
    total = np.where(there, values, 0.0).sum(axis=axis)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)


def _value(mean: float) -> float | Undefined:
    return float(mean) if np.isfinite(mean) else NO_PAIR
