"""Soft pairwise accuracy: are a metric and people equally sure of the differences between systems?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import BoolArray, FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.sign_flips import sign_flip_shares
from measures.meta_evaluation.system_differences import pair_differences
from measures.meta_evaluation.system_order import NO_PAIR_OF_SYSTEMS


@dataclass(frozen=True)
class SoftPairwiseAccuracy:
    """Soft pairwise accuracy of metrics, and the p-values behind it.

    Attributes
    ----------
    values : tuple of (float or Undefined)
        1 minus the mean, over pairs of systems, of the distance of the metric's p from that of the quality.
    p : FloatArray of shape (metrics, pairs)
        One-sided p of each metric that the first system of a pair is no better; NaN where it has no value.
    quality_p : FloatArray of shape (pairs,)
        The same for the quality; NaN for a pair without inputs.
    ties : BoolArray of shape (1 + metrics, pairs)
        Where every difference is 0, first of the quality, then of each metric; p is 1 there by its formula.
    """

    values: tuple[float | Undefined, ...]
    p: FloatArray
    quality_p: FloatArray
    ties: BoolArray


def soft_pairwise_accuracy(
    scores: npt.ArrayLike,
    quality: npt.ArrayLike,
    *,
    p: Literal["draws", "normal"] = "draws",
    draws: int = 1000,
    seed: int = 2024,
) -> SoftPairwiseAccuracy:
    """Compare one-sided permutation p-values of a metric with those of the quality.

    p of a pair is the share of sign vectors e with sum e d >= sum d. All pairs and scores get the same vectors: all of
    them with 16 inputs or fewer, else seeded draws.

    Source: Thompson et al. 2024, "Improving statistical significance in human evaluation of automatic metrics via soft
    pairwise accuracy".

    Parameters
    ----------
    scores : array_like of shape (metrics, systems, inputs)
        Large is good; NaN where a score is missing.
    quality : array_like of shape (systems, inputs)
        NaN where an output has no rating.
    p : {"draws", "normal"}
        Sign vectors, or the closed form Phi(-sum d / sqrt(sum d²)).
    draws : int
        Number of vectors.
    seed : int
        Seed of the draws.

    Returns
    -------
    SoftPairwiseAccuracy
        Value of each metric, over the pairs on which it has one.

    Raises
    ------
    ValueError
        If the shapes do not fit, or there is less than one draw.

    Examples
    --------
    >>> found = soft_pairwise_accuracy([[[3, 4, 2], [1, 2, 3]]], [[3, 3, 3], [1, 2, 2]])
    >>> found.p.tolist(), found.quality_p.tolist(), found.values
    ([[0.25]], [0.125], (0.875,))
    """
    if draws < 1:
        raise ValueError(f"draws must be at least 1, not {draws}")
    d = pair_differences(scores, quality)
    rows = np.concatenate([d.quality[None], d.scores])
    there: BoolArray = np.concatenate([np.atleast_2d(d.used.any(axis=1)), d.scored])
    flat = rows.reshape(rows.shape[0] * rows.shape[1], rows.shape[2])
    found = _closed_form(flat) if p == "normal" else sign_flip_shares(flat, draws=draws, seed=seed)
    values = np.where(there, found.reshape(there.shape), np.nan)
    distances = np.abs(values[1:] - values[0])
    accuracy = tuple(_accuracy(each) for each in distances)
    return SoftPairwiseAccuracy(accuracy, values[1:], values[0], there & (rows == 0).all(axis=2))


def _accuracy(distances: FloatArray) -> float | Undefined:
    defined = distances[~np.isnan(distances)]
    return 1 - float(defined.mean()) if len(defined) else NO_PAIR_OF_SYSTEMS


def _closed_form(rows: FloatArray) -> FloatArray:
    length = np.sqrt((rows**2).sum(axis=1))
    z = rows.sum(axis=1) / np.where(length > 0, length, 1)
    return np.asarray(np.where(length > 0, scipy.special.ndtr(-z), 1.0), dtype=np.float64)
