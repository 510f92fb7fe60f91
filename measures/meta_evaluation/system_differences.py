"""Differences between the outputs of two systems on the same input, in scores and in quality."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray, FloatArray, IntArray

QUALITY_DECIMALS = 9
"""Decimals of differences of quality: means of thirds and fifths that are equal differ in their last bits."""

SCORE_DECIMALS = 12
"""Decimals of differences of a metric."""

Missing: TypeAlias = Literal["by pair", "complete"]
"""Which inputs a pair of systems is compared on: those where both have everything, or those where all systems have."""


@dataclass(frozen=True)
class PairDifferences:
    """Differences of every pair of systems on every input; 0 where an input is not used for a pair.

    Attributes
    ----------
    pairs : IntArray of shape (pairs, 2)
        The two systems of each pair.
    scores : FloatArray of shape (metrics, pairs, inputs)
        Score of the first minus that of the second, rounded to 12 decimals.
    quality : FloatArray of shape (pairs, inputs)
        The same for the quality, rounded to 9 decimals.
    used : BoolArray of shape (pairs, inputs)
        Whether the pair is compared on the input. A metric without any value on a pair takes away no input.
    scored : BoolArray of shape (metrics, pairs)
        Whether the metric has a value on an input that is used; where it has none, its differences are 0.
    """

    pairs: IntArray
    scores: FloatArray
    quality: FloatArray
    used: BoolArray
    scored: BoolArray


def system_pairs(systems: int) -> IntArray:
    """Return the unordered pairs of systems, in order.

    Parameters
    ----------
    systems : int
        Number of systems.

    Returns
    -------
    IntArray of shape (pairs, 2)
        Pairs (a, b) with a < b.

    Examples
    --------
    >>> system_pairs(3).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    return np.array(list(combinations(range(systems), 2)), dtype=np.int64).reshape(-1, 2)


def score_array(scores: npt.ArrayLike) -> FloatArray:
    """Check the shape of scores.

    Parameters
    ----------
    scores : array_like of shape (metrics, systems, inputs)
        NaN where a score is missing.

    Returns
    -------
    FloatArray of the same shape
        The scores.

    Raises
    ------
    ValueError
        If there are not three dimensions, or a score is infinite.

    Examples
    --------
    >>> score_array([[[0.5, 0.25]]]).shape
    (1, 1, 2)
    """
    array = np.asarray(scores, dtype=np.float64)
    if array.ndim != 3 or np.isinf(array).any():
        raise ValueError(f"scores must be finite or NaN, metrics by systems by inputs, not of shape {array.shape}")
    return array


def checked_arrays(scores: npt.ArrayLike, quality: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Check that scores and quality are of the same outputs.

    Parameters
    ----------
    scores : array_like of shape (metrics, systems, inputs)
        NaN where a score is missing.
    quality : array_like of shape (systems, inputs)
        NaN where an output has no rating.

    Returns
    -------
    tuple of FloatArray
        Both as arrays.

    Raises
    ------
    ValueError
        If the shapes do not fit, or a number is infinite.

    Examples
    --------
    >>> checked_arrays([[[0.5]]], [[2, 3]])
    Traceback (most recent call last):
    ...
    ValueError: quality must be finite or NaN and of shape (1, 1), not (1, 2)
    """
    first, second = score_array(scores), np.asarray(quality, dtype=np.float64)
    if second.shape != first.shape[1:] or np.isinf(second).any():
        raise ValueError(f"quality must be finite or NaN and of shape {first.shape[1:]}, not {second.shape}")
    return first, second


def pair_differences(
    scores: npt.ArrayLike, quality: npt.ArrayLike, *, missing: Missing = "by pair", pairs: IntArray | None = None
) -> PairDifferences:
    """Subtract the outputs of each pair of systems, input by input.

    The one rule for what is missing and for rounding: whatever compares systems goes through here.

    Parameters
    ----------
    scores : array_like of shape (metrics, systems, inputs)
        Large is good; NaN where a score is missing.
    quality : array_like of shape (systems, inputs)
        NaN where an output has no rating.
    missing : {"by pair", "complete"}
        Take the inputs where both outputs have a quality and every score, or those where the outputs of all systems
        have.
    pairs : IntArray of shape (pairs, 2), optional
        The pairs of systems; all of them if not given. The differences of one pair do not depend on the others.

    Returns
    -------
    PairDifferences
        The differences.

    Raises
    ------
    ValueError
        If the shapes do not fit, or a number is infinite.

    Examples
    --------
    >>> found = pair_differences([[[0.5, 0.3], [0.1, np.nan]]], [[3, 2], [1, 1]])
    >>> found.scores.tolist(), found.quality.tolist(), found.used.tolist()
    ([[[0.4, 0.0]]], [[2.0, 0.0]], [[True, False]])
    """
    x, q = checked_arrays(scores, quality)
    chosen = system_pairs(q.shape[0]) if pairs is None else pairs
    first, second = chosen.T
    known, judged = np.isfinite(x), np.isfinite(q)
    rated = judged[first] & judged[second]
    both = known[:, first] & known[:, second] & rated
    has = both.any(axis=2)
    used = np.asarray((both | ~has[:, :, None]).all(axis=0) & rated, dtype=np.bool_)
    if missing == "complete":
        used = rated & (known.all(axis=0) & judged).all(axis=0)
    d = np.where(used & has[:, :, None], x[:, first] - x[:, second], 0.0)
    e = np.where(used, q[first] - q[second], 0.0)
    scored = has & used.any(axis=1)
    return PairDifferences(chosen, rounded(d, SCORE_DECIMALS), rounded(e, QUALITY_DECIMALS), used, scored)


def complete_outputs(scores: FloatArray) -> BoolArray:
    """Tell which outputs have every score.

    Parameters
    ----------
    scores : FloatArray of shape (metrics, systems, inputs)
        NaN where a score is missing.

    Returns
    -------
    BoolArray of shape (systems, inputs)
        True for the complete ones.

    Examples
    --------
    >>> complete_outputs(np.array([[[0.5, np.nan]]])).tolist()
    [[True, False]]
    """
    return np.asarray(np.isfinite(scores).all(axis=0), dtype=np.bool_)


def rounded(values: FloatArray, decimals: int) -> FloatArray:
    """Round, so that equal differences compare as equal.

    Parameters
    ----------
    values : FloatArray
        Differences.
    decimals : int
        Decimals to keep.

    Returns
    -------
    FloatArray
        The rounded values.

    Examples
    --------
    >>> (rounded(np.array([0.3 - 0.2, 0.2 - 0.1]), 9) == 0.1).tolist()
    [True, True]
    """
    return np.asarray(np.round(values, decimals), dtype=np.float64)
