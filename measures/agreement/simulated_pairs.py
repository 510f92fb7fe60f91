"""Worker against worker: one rater of each item, drawn at random, against the mean of the others."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from measures.agreement.bootstrap import table_intervals
from measures.agreement.cohen import Weights, kappa_of_table
from measures.agreement.mean_rounding import Rounding, rounded, whole_values
from measures.agreement.rating_patterns import Patterns, count_patterns, require_pairs
from measures.core.arrays import FloatArray
from measures.core.intervals import Interval
from measures.core.rating_scale import Categories
from measures.core.undefined import NO_PAIRS, Undefined

# Bounds the memory of the draws (numbers of 8 bytes) when nearly every item has a pattern of its own.
_BLOCK = 4_000_000


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
    number = require_pairs(patterns).counts.sum(axis=1)[:, None]
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
