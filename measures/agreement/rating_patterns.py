"""Items counted by their ratings: where it does not matter who gave which."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.core.arrays import IntArray
from measures.core.rating_scale import Categories, category_indices, category_values


@dataclass(frozen=True, eq=False)
class Patterns:
    """Items counted by their ratings: who gave which does not matter here.

    Attributes
    ----------
    counts : IntArray of shape (p, k)
        Ratings of each of the k categories in an item of the pattern.
    items : IntArray of shape (p,)
        Number of items with the pattern.
    left_out : int
        Number of items with too few ratings.
    """

    counts: IntArray
    items: IntArray
    left_out: int


def count_patterns(matrix: npt.ArrayLike, categories: Categories, least: int = 2) -> Patterns:
    """Count items by their ratings.

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing.
    categories : int or sequence of float
        The scale, k categories.
    least : int, default 2
        Items with fewer ratings are left out.

    Returns
    -------
    Patterns
        The distinct patterns in a fixed order, which depends on neither the order of the items nor of
        the raters.

    Raises
    ------
    ValueError
        If the matrix is not two-dimensional, a rating is not one of the categories, or `least` < 1.

    Examples
    --------
    >>> patterns = count_patterns([[3, 2, 3], [3, 3, 2], [1, np.nan, np.nan]], 3)
    >>> patterns.counts, patterns.items, patterns.left_out
    (array([[0, 1, 2]]), array([2]), 1)
    """
    if least < 1:
        raise ValueError(f"least must be at least 1, not {least}")
    indices = category_indices(matrix, categories)
    if indices.ndim != 2:
        raise ValueError(f"a matrix of items by raters, not of shape {indices.shape}")
    k = len(category_values(categories))
    counts = np.stack([(indices == category).sum(axis=1) for category in range(k)], axis=1)
    enough = counts[counts.sum(axis=1) >= least]
    patterns, items = np.unique(enough, axis=0, return_counts=True)
    return Patterns(counts=patterns, items=items, left_out=len(indices) - len(enough))


def require_pairs(patterns: Patterns) -> Patterns:
    """Refuse patterns of items that nobody else rated: they have no pairs.

    Parameters
    ----------
    patterns : Patterns
        Items counted by their ratings.

    Returns
    -------
    Patterns
        The same.

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
