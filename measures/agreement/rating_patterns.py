"""Items grouped by how many ratings they have in each category, regardless of who gave them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.core.arrays import IntArray
from measures.core.rating_scale import Categories, category_indices, category_values


@dataclass(frozen=True, eq=False)
class Patterns:
    """Items grouped by how many ratings they have in each category, regardless of who gave them.

    Attributes
    ----------
    counts : IntArray of shape (p, k)
        Number of ratings in each of the k categories of an item with the pattern.
    items : IntArray of shape (p,)
        Number of items with the pattern.
    left_out : int
        Number of items with too few ratings.
    """

    counts: IntArray
    items: IntArray
    left_out: int


def count_patterns(matrix: npt.ArrayLike, categories: Categories, min_ratings: int = 2) -> Patterns:
    """Group items by their ratings and count each group.

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing.
    categories : int or sequence of float
        The scale, k categories.
    min_ratings : int, default 2
        Items with fewer ratings are left out.

    Returns
    -------
    Patterns
        The distinct patterns, sorted, so that the result does not depend on the order of items or raters.

    Raises
    ------
    ValueError
        If the matrix is not two-dimensional, a rating is not one of the categories, or `min_ratings` < 1.

    Examples
    --------
    >>> patterns = count_patterns([[3, 2, 3], [3, 3, 2], [1, np.nan, np.nan]], 3)
    >>> patterns.counts, patterns.items, patterns.left_out
    (array([[0, 1, 2]]), array([2]), 1)
    """
    if min_ratings < 1:
        raise ValueError(f"min_ratings must be at least 1, not {min_ratings}")
    indices = category_indices(matrix, categories)
    if indices.ndim != 2:
        raise ValueError(f"a matrix of items by raters, not of shape {indices.shape}")
    k = len(category_values(categories))
    counts = np.stack([(indices == category).sum(axis=1) for category in range(k)], axis=1)
    enough = counts[counts.sum(axis=1) >= min_ratings]
    patterns, items = np.unique(enough, axis=0, return_counts=True)
    return Patterns(counts=patterns, items=items, left_out=len(indices) - len(enough))


def require_pairs(patterns: Patterns) -> Patterns:
    """Check that every item has at least two ratings, and therefore a pair.

    Parameters
    ----------
    patterns : Patterns
        Items grouped by their ratings.

    Returns
    -------
    Patterns
        The patterns, unchanged.

    Raises
    ------
    ValueError
        If an item has fewer than two ratings.

    Examples
    --------
    >>> require_pairs(count_patterns([[3, 2], [1, np.nan]], 3)).left_out
    1
    """
    if (patterns.counts.sum(axis=1) < 2).any():
        raise ValueError("some items have fewer than two ratings: count patterns of two at least")
    return patterns
