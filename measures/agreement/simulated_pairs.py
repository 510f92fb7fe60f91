"""Worker vs worker: one rater of each item, drawn at random, against the rounded mean of the others."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from measures.agreement.bootstrap import table_intervals
from measures.agreement.cohen import Weights, kappa_of_table
from measures.agreement.mean_rounding import Rounding, rounded, whole_values
from measures.agreement.rating_patterns import Patterns, count_patterns, require_pairs
from measures.core.arrays import FloatArray, IntArray
from measures.core.intervals import Interval
from measures.core.rating_scale import Categories
from measures.core.undefined import NO_PAIRS, Undefined

# Limits the memory of the draws (in numbers of 8 bytes) when nearly every item has its own pattern.
_BLOCK = 4_000_000


@dataclass(frozen=True)
class PairAgreement:
    """Agreement of one randomly drawn rater per item with the others.

    Attributes
    ----------
    agreement : Interval
        Share of the items on which both are in the same category, 0 to 1.
    kappa : Interval or Undefined
        Kappa over the draws in which it is defined; undefined if there are none.
    draws, undefined_draws : int
        Number of draws, and number of draws without a kappa.
    items, left_out : int
        Numbers of items with at least two ratings, and with fewer.
    kappas : FloatArray of shape (draws - undefined_draws,)
        Kappa of each draw in which it is defined.
    """

    agreement: Interval
    kappa: Interval | Undefined
    draws: int
    undefined_draws: int
    items: int
    left_out: int
    kappas: FloatArray = field(compare=False, repr=False)


def expected_table(patterns: Patterns, *, categories: Categories, rounding: Rounding = Rounding.HALF_UP) -> FloatArray:
    """Return the expected contingency table of `simulated_pair_agreement`, without drawing.

    Parameters
    ----------
    patterns : Patterns
        Items grouped by their ratings, at least two each.
    categories : int or sequence of int
        The scale, k consecutive whole numbers.
    rounding : Rounding, default Rounding.HALF_UP
        How the mean of the others is rounded.

    Returns
    -------
    FloatArray of shape (k, k)
        Expected numbers of items by category of the drawn rater (rows) and of the others (columns).

    Raises
    ------
    ValueError
        If the categories are not consecutive or do not fit the patterns, or an item has fewer than two ratings.

    Examples
    --------
    >>> expected_table(count_patterns([[1, 2, 2]], 2), categories=2)
    array([[0.        , 0.33333333],
           [0.        , 0.66666667]])
    """
    k = len(whole_values(categories))
    cells = expected_cells(require_pairs(patterns).counts, categories=categories, rounding=rounding)
    return np.asarray((patterns.items @ cells).reshape(k, k))


def expected_cells(counts: IntArray, *, categories: Categories, rounding: Rounding = Rounding.HALF_UP) -> FloatArray:
    """Return what an item adds to the expected contingency table, given its ratings.

    Parameters
    ----------
    counts : IntArray of shape (p, k)
        Number of ratings in each category.
    categories : int or sequence of int
        The scale, k consecutive whole numbers.
    rounding : Rounding, default Rounding.HALF_UP
        How the mean of the others is rounded.

    Returns
    -------
    FloatArray of shape (p, k * k)
        The share of each cell, by category of the drawn rater and then of the others; they sum to 1, or to 0 for an
        item with fewer than two ratings.

    Raises
    ------
    ValueError
        If the categories are not consecutive or do not fit the counts.

    Examples
    --------
    >>> expected_cells(np.array([[1, 2], [1, 0]]), categories=2).round(3)
    array([[0.   , 0.333, 0.   , 0.667],
           [0.   , 0.   , 0.   , 0.   ]])
    """
    others = _others_category(counts, categories, rounding)
    number = counts.sum(axis=1)
    chosen = np.where(number[:, None] >= 2, counts / np.maximum(number, 1)[:, None], 0)
    return np.asarray((chosen[:, :, None] * others).reshape(len(counts), others.shape[1] ** 2))


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
    """Simulate the agreement of one rater per item with the others.

    Each draw picks one rater of each item at random and compares them with the rounded mean of the item's
    other raters. Items with the same pattern are drawn together, by a multinomial over the category of the
    rater picked, which has the same distribution as drawing item by item.

    Source: Toutanova et al. 2016, §3.2, Table 4 (worker vs worker).

    Parameters
    ----------
    ratings : array_like of shape (n, r), or Patterns
        Items by raters, NaN where missing; or items already grouped by their ratings.
    categories : int or sequence of int
        The scale, consecutive whole numbers.
    draws : int, default 1000
        Number of draws.
    seed : int
        Seed of the random number generator.
    rounding : Rounding, default Rounding.HALF_UP
        How the mean of the others is rounded.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.
    resample_items : bool, default False
        Also resample the items, with replacement. Otherwise the intervals reflect the choice of raters only.

    Returns
    -------
    PairAgreement or Undefined
        The estimates; undefined if no item has two ratings.

    Raises
    ------
    ValueError
        If `draws` < 1, the categories are not consecutive, a rating is not one of them, or given patterns have
        another number of categories or an item with fewer than two ratings.

    Examples
    --------
    >>> matrix = [[3, 3, 2], [1, 1, 2], [2, 2, 2], [3, 3, 3], [1, np.nan, np.nan]]
    >>> result = simulated_pair_agreement(matrix, categories=3, seed=1)
    >>> result.items, result.left_out, round(result.agreement.mean, 1)
    (4, 1, 0.7)
    """
    if draws < 1:
        raise ValueError(f"draws must be at least 1, not {draws}")
    patterns = require_pairs(ratings) if isinstance(ratings, Patterns) else count_patterns(ratings, categories)
    items = int(patterns.items.sum())
    if items == 0:
        return NO_PAIRS
    rng = np.random.default_rng(seed)
    if resample_items:
        # A random item with a random rater falls into a cell of the expected table, so one multinomial does both.
        cells = expected_table(patterns, categories=categories, rounding=rounding)
        drawn = rng.multinomial(items, cells.ravel() / items, size=draws)
        tables = drawn.reshape(draws, *cells.shape).astype(np.float64)
    else:
        tables = _draw_tables(rng, patterns, _others_category(patterns.counts, categories, rounding), draws)
    agreement, kappa, undefined = table_intervals(tables, weights)
    kappas = kappa_of_table(tables, weights)
    return PairAgreement(agreement, kappa, draws, undefined, items, patterns.left_out, kappas[~np.isnan(kappas)])


def _draw_probabilities(patterns: Patterns) -> FloatArray:
    return np.asarray(patterns.counts / patterns.counts.sum(axis=1, keepdims=True))


def _others_category(counts: IntArray, categories: Categories, rounding: Rounding) -> FloatArray:
    """Return the others' category, one-hot, by item and category drawn (p, k, k)."""
    values = whole_values(categories)
    k = len(values)
    if counts.shape[1] != k:
        raise ValueError(f"patterns of {counts.shape[1]} categories do not fit {categories!r}")
    number = np.maximum(counts.sum(axis=1)[:, None] - 1, 1)
    others = rounded((counts @ values)[:, None] - values, number, rounding) - values[0]
    # Entries for categories that the item lacks are meaningless, but never drawn.
    return np.asarray(others[:, :, None] == np.arange(k), dtype=np.float64)


def _draw_tables(rng: np.random.Generator, patterns: Patterns, others: FloatArray, draws: int) -> FloatArray:
    """Draw one rater of every item and return the contingency tables (draws, k, k)."""
    probabilities, k = _draw_probabilities(patterns), others.shape[1]
    tables = np.zeros((k, draws, k))
    step = max(1, _BLOCK // (draws * k))
    for first in range(0, len(probabilities), step):
        block = slice(first, first + step)
        size = (draws, len(probabilities[block]))
        chosen = rng.multinomial(patterns.items[block], probabilities[block], size=size)
        tables += chosen.transpose(2, 0, 1) @ others[block].transpose(1, 0, 2)
    return np.asarray(tables.transpose(1, 0, 2))
