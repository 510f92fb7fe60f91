"""Worker against worker: one rater of each item, drawn at random, against the mean of the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from measures.arrays import FloatArray, IntArray
from measures.bootstrap import Interval, table_intervals
from measures.cohen import Weights, kappa_of_table
from measures.scale import Categories, category_indices, category_values
from measures.undefined import NO_PAIRS, Undefined

# Bounds the memory of the draws (numbers of 8 bytes) when nearly every item has a pattern of its own.
_BLOCK = 4_000_000


class Rounding(StrEnum):
    """What becomes of a mean half-way between two categories."""

    HALF_UP = "half up"
    HALF_EVEN = "half to even"


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


@dataclass(frozen=True)
class PairAgreement:
    """How far a rater agrees with the others.

    Attributes
    ----------
    agreement : Interval
        Share of the items on which both fall into the same category, 0 to 1.
    kappa : Interval
        Kappa, over the draws in which it is defined.
    draws, undefined_draws : int
        Number of draws, and of those in which kappa is undefined.
    items, left_out : int
        Items with two ratings or more, and the others.
    kappas : FloatArray of shape (draws - undefined_draws,)
        Kappa of each draw in which it is defined.
    """

    agreement: Interval
    kappa: Interval
    draws: int
    undefined_draws: int
    items: int
    left_out: int
    kappas: FloatArray = field(compare=False, repr=False)


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


def pairable(patterns: Patterns) -> Patterns:
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
    >>> pairable(count_patterns([[3, 2], [1, np.nan]], 3)).left_out
    1
    """
    if (patterns.counts.sum(axis=1) < 2).any():
        raise ValueError("some items have fewer than two ratings: count patterns of two at least")
    return patterns


def expected_table(patterns: Patterns, *, categories: Categories, rounding: Rounding = Rounding.HALF_UP) -> FloatArray:
    """Return the mean of the tables that `simulated_pair_agreement` draws, without drawing.

    Parameters
    ----------
    patterns : Patterns
        The items.
    categories : int or sequence of int
        The scale, k whole numbers that follow one another.
    rounding : Rounding, default Rounding.HALF_UP
        How the mean of the others is rounded.

    Returns
    -------
    FloatArray of shape (k, k)
        Expected items by category of the rater drawn (rows) and of the others (columns).

    Raises
    ------
    ValueError
        If the categories do not follow one another or do not fit the patterns.

    Examples
    --------
    >>> expected_table(count_patterns([[1, 2, 2]], 2), categories=2)
    array([[0.        , 0.33333333],
           [0.        , 0.66666667]])
    """
    landing = _landing(patterns, categories, rounding)
    return np.asarray(np.einsum("p,pa,pab->ab", patterns.items, _chances(patterns), landing))


def simulated_pair_agreement(
    ratings: npt.ArrayLike | Patterns,
    *,
    categories: Categories,
    draws: int = 1000,
    seed: int,
    rounding: Rounding = Rounding.HALF_UP,
    weights: Weights = "quadratic",
    resample_items: bool = False,
) -> PairAgreement | Undefined:
    """Simulate how far one rater agrees with the others.

    In each draw, one rater of each item is chosen at random and stands against the rounded mean of the
    other raters of the item. Items with the same ratings are drawn together, by a multinomial over the
    category of the rater chosen, which is the same distribution as drawing item by item.

    Source: Toutanova et al. 2016, §3.2, Table 4 (worker vs worker).

    Parameters
    ----------
    ratings : array_like of shape (n, r), or Patterns
        Items by raters, NaN where missing; or items already counted.
    categories : int or sequence of int
        The scale, whole numbers that follow one another.
    draws : int, default 1000
        Number of draws.
    seed : int
        Seed of the random numbers.
    rounding : Rounding, default Rounding.HALF_UP
        How the mean of the others is rounded.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.
    resample_items : bool, default False
        Draw the items too, with replacement. Otherwise the intervals show the choice of raters only.

    Returns
    -------
    PairAgreement or Undefined
        The values; undefined if no item has two ratings or no draw has a kappa.

    Raises
    ------
    ValueError
        If `draws` < 1, the categories do not follow one another, or a rating is not one of them.

    Examples
    --------
    >>> matrix = [[3, 3, 2], [1, 1, 2], [2, 2, 2], [3, 3, 3], [1, np.nan, np.nan]]
    >>> result = simulated_pair_agreement(matrix, categories=3, seed=1)
    >>> result.items, result.left_out, round(result.agreement.mean, 1)
    (4, 1, 0.7)
    """
    if draws < 1:
        raise ValueError(f"draws must be at least 1, not {draws}")
    patterns = ratings if isinstance(ratings, Patterns) else count_patterns(ratings, categories)
    items = int(patterns.items.sum())
    if items == 0:
        return NO_PAIRS
    rng = np.random.default_rng(seed)
    if resample_items:
        # An item drawn at random falls into a cell of the expected table: one multinomial does both.
        cells = expected_table(patterns, categories=categories, rounding=rounding)
        drawn = rng.multinomial(items, cells.ravel() / items, size=draws)
        tables = drawn.reshape(draws, *cells.shape).astype(np.float64)
    else:
        tables = _draw(rng, patterns, _landing(patterns, categories, rounding), draws)
    intervals = table_intervals(tables, weights)
    if isinstance(intervals, Undefined):
        return intervals
    agreement, kappa, undefined = intervals
    kappas = kappa_of_table(tables, weights)
    return PairAgreement(agreement, kappa, draws, undefined, items, patterns.left_out, kappas[~np.isnan(kappas)])


def _chances(patterns: Patterns) -> FloatArray:
    return np.asarray(patterns.counts / patterns.counts.sum(axis=1, keepdims=True))


def _landing(patterns: Patterns, categories: Categories, rounding: Rounding) -> FloatArray:
    """Return, by pattern and category drawn, a 1 at the category of the others (p, k, k)."""
    values = whole_values(categories)
    k = len(values)
    if patterns.counts.shape[1] != k:
        raise ValueError(f"patterns of {patterns.counts.shape[1]} categories do not fit {categories!r}")
    number = pairable(patterns).counts.sum(axis=1)[:, None]
    others = rounded((patterns.counts @ values)[:, None] - values, number - 1, rounding) - values[0]
    # A category that the pattern lacks is never drawn: where it would land does not matter.
    return np.asarray(others[:, :, None] == np.arange(k), dtype=np.float64)


def _draw(rng: np.random.Generator, patterns: Patterns, landing: FloatArray, draws: int) -> FloatArray:
    """Draw a rater of every item and count the pairs (draws, k, k)."""
    chances, k = _chances(patterns), landing.shape[1]
    tables = np.zeros((k, draws, k))
    step = max(1, _BLOCK // (draws * k))
    for first in range(0, len(chances), step):
        block = slice(first, first + step)
        chosen = rng.multinomial(patterns.items[block], chances[block], size=(draws, len(chances[block])))
        tables += chosen.transpose(2, 0, 1) @ landing[block].transpose(1, 0, 2)
    return np.asarray(tables.transpose(1, 0, 2))
