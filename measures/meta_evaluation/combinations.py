"""Simple ways to combine measures without ratings, and the best single measure, which uses ratings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import BoolArray, FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.system_differences import SCORE_DECIMALS, complete_outputs, rounded, score_array

ALL_CONSTANT = Undefined("every measure is constant")
NOTHING_DEFINED = Undefined("no measure has a value")


def mean_rank(scores: npt.ArrayLike, *, among: Literal["input", "all"] = "input") -> FloatArray | Undefined:
    """Average the ranks that the measures give to each output (Borda).

    Parameters
    ----------
    scores : array_like of shape (measures, systems, inputs)
        Large is good; outputs with a NaN are left out.
    among : {"input", "all"}
        Rank an output among those of its input, or among all.

    Returns
    -------
    FloatArray of shape (systems, inputs) or Undefined
        Mean rank: 1 is the lowest, ties share the mean of their ranks; NaN where an output is left out.

    Raises
    ------
    ValueError
        If the shape of the scores is wrong.

    Examples
    --------
    >>> mean_rank([[[1, 1], [2, 2]], [[1, 2], [2, 1]]]).tolist()
    [[1.0, 1.5], [2.0, 1.5]]
    """
    x = rounded(score_array(scores), SCORE_DECIMALS)
    complete = complete_outputs(x)
    if not len(x) or not complete.any():
        return NOTHING_DEFINED
    hidden = np.where(complete, x, np.nan)
    if among == "all":
        ranks = scipy.stats.rankdata(hidden.reshape(len(x), -1), axis=1, nan_policy="omit").reshape(x.shape)
    else:
        # A missing output is ranked above the others, which moves none of them.
        ranks = scipy.stats.rankdata(np.where(complete, x, np.inf), axis=1)
    return np.where(complete, ranks.mean(axis=0), np.nan)


def mean_z_score(scores: npt.ArrayLike) -> FloatArray | Undefined:
    """Average the measures after standardising each over all outputs; constant measures are left out.

    Parameters
    ----------
    scores : array_like of shape (measures, systems, inputs)
        Large is good; outputs with a NaN are left out.

    Returns
    -------
    FloatArray of shape (systems, inputs) or Undefined
        Mean z-score, NaN where an output is left out; undefined if every measure is constant.

    Raises
    ------
    ValueError
        If the shape of the scores is wrong.

    Examples
    --------
    >>> mean_z_score([[[1, 1], [3, 3]], [[5, 5], [5, 5]]]).tolist()
    [[-1.0, -1.0], [1.0, 1.0]]
    """
    z, complete = _standardised(score_array(scores))
    return _placed(z.mean(axis=0), complete) if len(z) else ALL_CONSTANT


def first_component(scores: npt.ArrayLike) -> FloatArray | Undefined:
    """Project outputs on the first principal component of the standardised measures.

    Its sign is the one that goes with the mean z-score.

    Parameters
    ----------
    scores : array_like of shape (measures, systems, inputs)
        Large is good; outputs with a NaN are left out.

    Returns
    -------
    FloatArray of shape (systems, inputs) or Undefined
        Values along the component, NaN where an output is left out; undefined if every measure is constant.

    Raises
    ------
    ValueError
        If the shape of the scores is wrong.

    Examples
    --------
    >>> first_component([[[1, 1], [3, 3]], [[2, 2], [4, 4]]]).round(3).tolist()
    [[-1.414, -1.414], [1.414, 1.414]]
    """
    z, complete = _standardised(score_array(scores))
    if not len(z):
        return ALL_CONSTANT
    # Measures are fewer than outputs: the small matrix has the same first direction.
    direction = np.linalg.eigh(z @ z.T)[1][:, -1]
    values = direction @ z
    return _placed(-values if values @ z.mean(axis=0) < 0 else values, complete)


def best_single(values: Sequence[float | Undefined]) -> int | Undefined:
    """Return the place of the measure with the largest value, such as its AUC: an oracle, since it saw the ratings.

    Parameters
    ----------
    values : sequence of (float or Undefined)
        A value for each measure.

    Returns
    -------
    int or Undefined
        The first of the best.

    Examples
    --------
    >>> best_single([0.4, Undefined("constant"), 0.7, 0.7])
    2
    """
    defined = [(-value, place) for place, value in enumerate(values) if not isinstance(value, Undefined)]
    return min(defined)[1] if defined else NOTHING_DEFINED


def _standardised(x: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return the z-scores of the measures that vary, outputs with every score in a row, and which outputs these are."""
    complete = complete_outputs(x)
    outputs = x[:, complete]
    if not outputs.size:
        return outputs[:0], complete
    outputs = outputs[np.round(np.ptp(outputs, axis=1), SCORE_DECIMALS) > 0]
    return (outputs - outputs.mean(axis=1, keepdims=True)) / outputs.std(axis=1, keepdims=True), complete


def _placed(values: FloatArray, complete: BoolArray) -> FloatArray:
    placed = np.full(complete.shape, np.nan)
    placed[complete] = values
    return placed
