"""Ratings with the source of each item and the person behind each rating: what an interval has to draw anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.core.rating_scale import Categories, category_indices, category_values

Terms = Callable[[IntArray], FloatArray]
"""What items contribute to a statistic: from counts by category (p, k) to terms (p, v)."""

_LARGEST_CODE = 2**62


@dataclass(frozen=True, eq=False)
class SampledRatings:
    """Ratings of items, with the source of each item and the rater of each rating.

    Attributes
    ----------
    counts : IntArray of shape (n, k)
        Number of ratings of each item in each category; k may include columns that describe the item and have no
        ratings.
    source : IntArray of shape (n,)
        Source of each item, from 0 without gaps.
    item, category, rater : IntArray of shape (m,)
        The item, the category and the rater of each rating; raters are numbered from 0 without gaps.
    raters : int
        Number of raters; 0 where the raters are not known, or are taken as given.
    """

    counts: IntArray
    source: IntArray
    item: IntArray
    category: IntArray
    rater: IntArray
    raters: int

    @property
    def sources(self) -> int:
        """Number of sources."""
        return int(self.source.max(initial=-1)) + 1

    def with_at_least(self, number: int) -> SampledRatings:
        """Return the items with so many ratings, and their sources and raters.

        Parameters
        ----------
        number : int
            The fewest ratings of an item.

        Returns
        -------
        SampledRatings
            The items that have as many, and their ratings.
        """
        enough = np.bincount(self.item, minlength=len(self.counts)) >= number
        kept = enough[self.item]
        source = np.unique(self.source[enough], return_inverse=True)[1].reshape(-1)
        people, rater = np.unique(self.rater[kept], return_inverse=True)
        place = enough.cumsum() - 1
        return SampledRatings(
            self.counts[enough],
            source,
            place[self.item[kept]],
            self.category[kept],
            rater.reshape(-1),
            len(people) if self.raters else 0,
        )

    @cached_property
    def _patterns(self) -> tuple[IntArray, IntArray, IntArray]:
        """Distinct rows of counts, that of each item, and that of each rating's item without the rating."""
        without = self.counts[self.item]
        without[np.arange(len(self.item)), self.category] -= 1
        rows = np.concatenate([self.counts, without])
        first, places = _distinct_rows(rows)
        patterns = rows[first]
        return patterns, places[: len(self.counts)], places[len(self.counts) :]

    def terms(self, of: Terms) -> tuple[FloatArray, FloatArray]:
        """Return what each item contributes, and how much of it would go with each rating.

        Parameters
        ----------
        of : callable
            What items with given counts contribute.

        Returns
        -------
        items : FloatArray of shape (n, v)
            Contribution of each item.
        ratings : FloatArray of shape (m, v)
            Contribution of the rating's item, less what the item would contribute without the rating.
        """
        patterns, items, without = self._patterns
        contributed = of(patterns)
        return contributed[items], contributed[items][self.item] - contributed[without]


def sampled_ratings(
    matrix: npt.ArrayLike,
    *,
    categories: Categories,
    sources: npt.ArrayLike | None = None,
    raters: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    min_ratings: int = 1,
) -> SampledRatings:
    """Bring ratings into the form that `two_way_interval` takes.

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing.
    categories : int or sequence of float
        The scale, k categories.
    sources : array_like of shape (n,), optional
        Source of each item, numbers or names. By default each item has a source of its own.
    raters : array_like of int, of shape (n, r), optional
        The rater of each rating, 0 or above. If one of them is negative, that is unknown, no rater is taken as sampled;
        likewise by default.
    groups : array_like of int, of shape (n,), optional
        A number of each item from 0, such as the category that experts gave it, which becomes a column of the counts.
    min_ratings : int, default 1
        Items with fewer ratings are left out.

    Returns
    -------
    SampledRatings
        The ratings.

    Raises
    ------
    ValueError
        If a shape is wrong, or a rating is not one of the categories.

    Examples
    --------
    >>> ratings = sampled_ratings([[3, 3], [1, np.nan]], categories=3, sources=["a", "a"], raters=[[7, 9], [7, -1]])
    >>> ratings.counts, ratings.sources, ratings.raters
    (array([[0, 0, 2],
           [1, 0, 0]]), 1, 2)
    """
    indices = category_indices(matrix, categories)
    if indices.ndim != 2:
        raise ValueError(f"a matrix of items by raters, not of shape {indices.shape}")
    rated = (indices >= 0).sum(axis=1) >= max(1, min_ratings)
    indices = indices[rated]
    item, column = np.nonzero(indices >= 0)
    category = indices[item, column]
    counts = _counts(item, category, len(indices), len(category_values(categories)))
    if groups is not None:
        counts = np.column_stack([counts, _of_items(groups, rated, "group")])
    labels = np.arange(len(rated)) if sources is None else np.asarray(sources)
    source = np.unique(_of_items(labels, rated, "source"), return_inverse=True)[1]
    rater, number = _raters(raters, rated, item, column)
    return SampledRatings(counts, source.reshape(-1), item, category, rater, number)


def sampled_rows(
    item: IntArray, points: IntArray, rater: IntArray, *, categories: Categories, sources: npt.ArrayLike
) -> SampledRatings:
    """Bring ratings, one per row, into the form that `two_way_interval` takes.

    Parameters
    ----------
    item, points, rater : IntArray of shape (m,)
        The item of each rating, from 0 without gaps; its points; and its rater, negative if unknown, as in
        `sampled_ratings`.
    categories : int or sequence of float
        The scale.
    sources : array_like of shape (n,)
        Source of each item, numbers or names.

    Returns
    -------
    SampledRatings
        The ratings.

    Raises
    ------
    ValueError
        If a rating is not one of the categories.

    Examples
    --------
    >>> item, points, rater = np.array([0, 0, 1]), np.array([3, 3, 1]), np.array([7, 9, 7])
    >>> ratings = sampled_rows(item, points, rater, categories=3, sources=["a", "a"])
    >>> ratings.counts.tolist(), ratings.sources, ratings.raters
    ([[0, 0, 2], [1, 0, 0]], 1, 2)
    """
    category = category_indices(points, categories)
    source = np.unique(np.asarray(sources), return_inverse=True)[1]
    counts = _counts(item, category, len(source), len(category_values(categories)))
    return SampledRatings(counts, source.reshape(-1), item, category, *_people(rater))


def _counts(item: IntArray, category: IntArray, items: int, k: int) -> IntArray:
    return np.bincount(item * k + category, minlength=items * k).reshape(-1, k)


def _distinct_rows(rows: IntArray) -> tuple[IntArray, IntArray]:
    """Return where each distinct row stands first, and which of them each row is."""
    base = int(rows.max(initial=0)) + 1
    if base ** rows.shape[1] < _LARGEST_CODE:  # one number for each row sorts several times as fast
        codes = rows @ np.array([base**power for power in range(rows.shape[1])], dtype=np.int64)
        _, first, places = np.unique(codes, return_index=True, return_inverse=True)
    else:
        _, first, places = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first, places.reshape(-1)


def _of_items(values: npt.ArrayLike, rated: npt.NDArray[np.bool_], name: str) -> npt.NDArray[np.generic]:
    array = np.asarray(values)
    if array.shape != rated.shape:
        raise ValueError(f"a {name} for each item: {rated.shape} is not {array.shape}")
    return np.asarray(array[rated])


def _raters(
    raters: npt.ArrayLike | None, rated: npt.NDArray[np.bool_], item: IntArray, column: IntArray
) -> tuple[IntArray, int]:
    """Return the rater of each rating, and the number of raters; 0 if they are not all known."""
    if raters is None:
        return np.zeros(len(item), np.int64), 0
    given = np.asarray(raters, dtype=np.int64)
    if given.ndim != 2 or len(given) != len(rated):
        raise ValueError(f"a rater for each rating of {len(rated)} items, not of shape {given.shape}")
    return _people(given[rated][item, column])


def _people(rater: IntArray) -> tuple[IntArray, int]:
    """Number the raters from 0; they count as unknown if one of them is."""
    if (rater < 0).any():
        return np.zeros(len(rater), np.int64), 0
    people, numbers = np.unique(rater, return_inverse=True)
    return numbers.reshape(-1), len(people)
