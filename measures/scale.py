"""The scale of a judgement: its categories and their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from measures.arrays import FloatArray, IntArray

Categories: TypeAlias = int | Sequence[float]
"""The scale: a number of points (3 means 1, 2, 3), or the values in rising order."""


def category_values(categories: Categories) -> FloatArray:
    """Return the values of a scale.

    Parameters
    ----------
    categories : int or sequence of float
        A number of points, or the values in rising order.

    Returns
    -------
    FloatArray of shape (k,)
        The values.

    Raises
    ------
    ValueError
        If there are none, or they do not rise.

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
    """Return the index of the category of each rating.

    Parameters
    ----------
    ratings : array_like of any shape
        Ratings, NaN where missing.
    categories : int or sequence of float
        The scale, k categories.

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
