"""Exact rounding of mean ratings to ratings, with a choice of how halves are rounded."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.core.rating_scale import Categories, category_values


class Rounding(StrEnum):
    """How a mean half-way between two categories is rounded."""

    HALF_UP = "half up"
    HALF_EVEN = "half to even"


def rounded(total: npt.ArrayLike, count: npt.ArrayLike, rounding: Rounding = Rounding.HALF_UP) -> IntArray:
    """Round means of whole numbers to whole numbers, exactly.

    Source: Toutanova et al. 2016, §3.2, which uses "the rounded average" without saying how halves are rounded.

    Parameters
    ----------
    total, count : array_like of int
        Sum and number of the ratings of each mean, count > 0; broadcastable shapes.
    rounding : Rounding, default Rounding.HALF_UP
        How halves are rounded. Up means towards the greater number, also for negative means.

    Returns
    -------
    IntArray
        The rounded means.

    Examples
    --------
    >>> rounded([5, 3, 7], [2, 2, 3]), rounded([5, 3, 7], [2, 2, 3], Rounding.HALF_EVEN)
    (array([3, 2, 2]), array([2, 2, 2]))
    """
    sums, counts = np.asarray(total, dtype=np.int64), np.asarray(count, dtype=np.int64)
    up = (2 * sums + counts) // (2 * counts)
    if rounding is Rounding.HALF_UP:
        return up
    is_half = (2 * sums + counts) % (2 * counts) == 0
    return np.asarray(up - (is_half & (up % 2 == 1)))


def rounded_means(matrix: npt.ArrayLike, rounding: Rounding = Rounding.HALF_UP) -> FloatArray:
    """Round the mean of each row of whole-number ratings.

    Source: Toutanova et al. 2016, §3.2, Table 4 (expert vs worker).

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing.
    rounding : Rounding, default Rounding.HALF_UP
        How halves are rounded.

    Returns
    -------
    FloatArray of shape (n,)
        The rounded means, NaN for a row without ratings.

    Raises
    ------
    ValueError
        If a rating is not a whole number.

    Examples
    --------
    >>> rounded_means([[3, 2, np.nan], [np.nan, np.nan, np.nan]])
    array([ 3., nan])
    """
    ratings = np.asarray(matrix, dtype=np.float64)
    if (np.nan_to_num(ratings) % 1 != 0).any():
        raise ValueError("ratings must be whole numbers")
    counts = np.count_nonzero(~np.isnan(ratings), axis=1)
    means = rounded(np.nansum(ratings, axis=1), np.maximum(counts, 1), rounding)
    return np.where(counts > 0, means, np.nan)


def whole_values(categories: Categories) -> IntArray:
    """Return the values of a scale of consecutive whole numbers, to which means can be rounded.

    Parameters
    ----------
    categories : int or sequence of int
        The scale, k consecutive whole numbers.

    Returns
    -------
    IntArray of shape (k,)
        The values.

    Raises
    ------
    ValueError
        If the categories are not consecutive whole numbers.

    Examples
    --------
    >>> whole_values([-1, 0, 1])
    array([-1,  0,  1])
    """
    values = category_values(categories)
    if (values != np.arange(len(values)) + np.floor(values[0])).any():
        raise ValueError(f"categories {categories!r} are not the whole, successive numbers of the ratings")
    return values.astype(np.int64)
