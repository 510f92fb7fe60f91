"""Rating scales: ordered categories, and rescaling between scales of different lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray

Categories: TypeAlias = int | Sequence[float]
"""A rating scale: a number of points (3 means 1, 2, 3), or the values in increasing order."""

DECIMALS = 9
"""Decimals to which means are compared: summing the same ratings in another order changes the last bits."""

COMMON_POINTS = 3
"""Number of points of the common scale of `rescaled`, as in Toutanova et al. 2016."""


def category_values(categories: Categories) -> FloatArray:
    """Return the values of a scale.

    Parameters
    ----------
    categories : int or sequence of float
        A number of points, or the values in increasing order.

    Returns
    -------
    FloatArray of shape (k,)
        The values.

    Raises
    ------
    ValueError
        If there are no values, or they are not strictly increasing.

    Examples
    --------
    >>> category_values(3)
    array([1., 2., 3.])
    """
    chosen = range(1, categories + 1) if isinstance(categories, int) else categories
    values = np.array(chosen, dtype=np.float64)
    if values.ndim != 1 or not len(values) or not (np.diff(values) > 0).all():
        raise ValueError(f"categories must be a number of points or rising values, not {categories!r}")
    return values


def category_indices(ratings: npt.ArrayLike, categories: Categories) -> IntArray:
    """Return the category index of each rating.

    Parameters
    ----------
    ratings : array_like of any shape
        Ratings, NaN where missing.
    categories : int or sequence of float
        The scale, with k categories.

    Returns
    -------
    IntArray of the same shape
        0 to k - 1, or -1 where the rating is missing.

    Raises
    ------
    ValueError
        If a rating is not one of the categories.

    Examples
    --------
    >>> category_indices([3, np.nan, 1], 3)
    array([ 2, -1,  0])
    """
    values, scores = category_values(categories), np.asarray(ratings, dtype=np.float64)
    indices = np.minimum(np.searchsorted(values, scores), len(values) - 1)
    missing = np.isnan(scores)
    if (strange := ~missing & (values[indices] != scores)).any():
        raise ValueError(f"rating {scores[strange][0]:g} is not one of the categories")
    return np.where(missing, -1, indices)


def rescaled(scores: npt.ArrayLike, points: Sequence[int]) -> FloatArray:
    """Map scores from scales of different lengths linearly to 1 to 3.

    On each scale 1 stays 1 and the highest point becomes 3.

    Parameters
    ----------
    scores : array_like of shape (..., s)
        Scores or mean scores in points, one column per scale, NaN where missing.
    points : sequence of int, of length s
        Number of points of each scale, at least 2.

    Returns
    -------
    FloatArray of the same shape
        The scores on scales of 3 points. Values outside 1 to `points` end up outside 1 to 3.

    Raises
    ------
    ValueError
        If `points` does not have one number per column, or one of them is below 2.

    Examples
    --------
    >>> rescaled([[1, 1], [3, 4], [2, np.nan]], points=(3, 5))
    array([[1. , 1. ],
           [3. , 2.5],
           [2. , nan]])
    """
    values, lengths = np.asarray(scores, dtype=np.float64), np.asarray(points)
    if lengths.ndim != 1 or values.shape[-1:] != lengths.shape:
        raise ValueError(f"points must be one number for each column of scores, not {points!r}")
    if (lengths < 2).any():
        raise ValueError(f"points must be at least 2, not {points!r}")
    return np.asarray(1 + (values - 1) * (COMMON_POINTS - 1) / (lengths - 1))
