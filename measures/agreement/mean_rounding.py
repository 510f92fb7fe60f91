"""Means of ratings that become ratings again: which way halves go, exactly."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.core.rating_scale import Categories, category_values


class Rounding(StrEnum):
    """What becomes of a mean half-way between two categories."""

    HALF_UP = "half up"
    HALF_EVEN = "half to even"


def rounded(total: npt.ArrayLike, count: npt.ArrayLike, rounding: Rounding = Rounding.HALF_UP) -> IntArray:
    """Round means of whole numbers to whole numbers, exactly.

    Source: Toutanova et al. 2016, §3.2, speak of "the rounded average" and do not say how halves go.

    Parameters
    ----------
    total, count : array_like of int
        Sum and number of the ratings of each mean, count > 0; shapes that fit each other.
    rounding : Rounding, default Rounding.HALF_UP
        What becomes of halves. Up is towards the greater number, for negative means too.

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
    """Round the mean of each row's ratings, which are whole numbers.

    Source: Toutanova et al. 2016, §3.2, Table 4 (expert vs worker).

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items x raters, NaN where somebody did not rate.
    rounding : Rounding, default Rounding.HALF_UP
        What becomes of halves.

    Returns
    -------
    FloatArray of shape (n,)
        The rounded means, NaN for a row without ratings.

    Raises
    ------
    ValueError
        If a rating is no whole number.

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
    """Return the values of a scale whose means can be rounded to one of them.

    Parameters
    ----------
    categories : int or sequence of int
        The scale, k whole numbers that follow one another.

    Returns
    -------
    IntArray of shape (k,)
        The values.

    Raises
    ------
    ValueError
        If they are no whole numbers that follow one another.

    Examples
    --------
    >>> whole_values([-1, 0, 1])
    array([-1,  0,  1])
    """
    values = category_values(categories)
    if (values != np.arange(len(values)) + np.floor(values[0])).any():
        raise ValueError(f"categories {categories!r} are not the whole, successive numbers of the ratings")
    return values.astype(np.int64)
