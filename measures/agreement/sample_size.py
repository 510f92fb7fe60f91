"""What more raters or more items would buy: how the intervals of a mean and of kappa would narrow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import erfc, inf, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from measures.agreement.bootstrap import table_intervals
from measures.agreement.cohen import Weights
from measures.agreement.mean_rounding import Rounding, rounded, whole_values
from measures.agreement.rating_patterns import Patterns, count_patterns, require_pairs
from measures.core.arrays import FloatArray, IntArray
from measures.core.intervals import Interval
from measures.core.rating_scale import Categories
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY, Undefined

# Items over which the model's integrals go taken, all equally likely; and halvings in the search for its correlation.
_NODES = 401
_HALVINGS = 40
# A correlation of 1 would divide by zero: two raters who differ once in a million items are as good as one.
_MAX_PARAMETER = 1 - 1e-12


@dataclass(frozen=True)
class ItemModel:
    """How items differ: raters see a normally distributed quality through noise of their own, and cut it into points.

    Attributes
    ----------
    thresholds : tuple of float, of length k - 1
        Where the points are cut, in standard deviations of what one rater sees.
    correlation : float
        Of what two raters see of the same item: 0 where items do not differ, 1 where raters always agree.
    """

    thresholds: tuple[float, ...]
    correlation: float


@dataclass(frozen=True)
class Plan:
    """What a number of items, each with a number of ratings, would show.

    Attributes
    ----------
    raters, items : int
        Ratings of each item, and items.
    mean : Interval
        The mean rating, in points, over campaigns like this one.
    kappa : Interval or Undefined
        The kappa of one rater and the rounded mean of the others, in the campaigns in which it is defined.
    undefined : float
        Share of the campaigns in which it is not, since all ratings are in one category.
    """

    raters: int
    items: int
    mean: Interval
    kappa: Interval | Undefined
    undefined: float

    @property
    def ratings(self) -> int:
        return self.raters * self.items


def fit_items(patterns: Patterns) -> ItemModel | Undefined:
    """Find how items differ, from how far apart two ratings of one item are.

    The thresholds are those that give the shares of the categories. The correlation is the one under which
    two raters of an item are as far apart, in squared ranks, as they are: the quantity that quadratic kappa
    is made of.

    Source: the model of Olsson 1979, "Maximum likelihood estimation of the polychoric correlation
    coefficient", fitted by moments; this project's choice.

    Parameters
    ----------
    patterns : Patterns
        Items counted by their ratings, two at least.

    Returns
    -------
    ItemModel or Undefined
        The model; undefined without items, or if all ratings are in one category.

    Examples
    --------
    >>> model = fit_items(count_patterns([[1, 1], [2, 2], [1, 2], [2, 2]], 2))
    >>> [round(each, 3) for each in model.thresholds], round(model.correlation, 3)
    ([-0.319], 0.676)
    """
    if not require_pairs(patterns).items.sum():
        return NO_PAIRS
    counts, weight = patterns.counts.astype(np.float64), patterns.items / patterns.items.sum()
    number = counts.sum(axis=1)
    shares = weight @ (counts / number[:, None])
    if np.count_nonzero(shares) == 1:
        return ONE_CATEGORY
    ranks = np.arange(len(shares))
    mean = counts @ ranks / number
    variance = (counts @ ranks**2 - number * mean**2) / (number - 1)
    thresholds = tuple(_quantile(float(each)) for each in shares.cumsum()[:-1])
    return ItemModel(thresholds, _correlation(thresholds, float(weight @ variance)))


def _quantile(share: float) -> float:
    if share <= 0:
        return -inf
    return NormalDist().inv_cdf(share) if share < 1 else inf


def _correlation(thresholds: tuple[float, ...], within: float) -> float:
    """Return the correlation under which the ranks of an item's ratings vary so much; it falls as they vary more."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _varies(rater_chances(ItemModel(thresholds, middle))) > within:
            low = middle
        else:
            high = middle
    return 0.0 if high < 1e-6 else 1.0 if low > 1 - 1e-6 else (low + high) / 2


def _varies(chances: FloatArray) -> float:
    ranks = np.arange(chances.shape[1])
    return float((chances @ ranks**2 - (chances @ ranks) ** 2).mean())


def rater_chances(model: ItemModel) -> FloatArray:
    """Return what a rater says of items of every quality.

    Parameters
    ----------
    model : ItemModel
        How items differ.

    Returns
    -------
    FloatArray of shape (m, k)
        The probability of each category, for m items that are equally likely.

    Examples
    --------
    >>> chances = rater_chances(ItemModel((0.0,), 0.5))
    >>> chances[0].round(3), chances.mean(axis=0).round(3)
    (array([0.999, 0.001]), array([0.5, 0.5]))
    """
    correlation = min(model.correlation, _MAX_PARAMETER)
    cuts = (np.array(model.thresholds) - sqrt(correlation) * _qualities()[:, None]) / sqrt(1 - correlation)
    below = np.vectorize(lambda cut: erfc(-cut / sqrt(2)) / 2, otypes=[np.float64])(cuts)
    return np.diff(below, axis=1, prepend=0.0, append=1.0)


def plan_ratings(
    ratings: npt.ArrayLike | Patterns,
    *,
    categories: Categories,
    raters: Sequence[int],
    items: Sequence[int],
    replications: int = 2000,
    seed: int,
    rounding: Rounding = Rounding.HALF_UP,
    weights: Weights = "quadratic",
) -> list[Plan] | Undefined:
    """Say how the intervals would narrow with more raters of an item, and with more items.

    Campaigns of the asked sizes are drawn from `fit_items`; items, their ratings and the rater who stands
    against the others are drawn anew in each. The widths of the intervals are what more items and raters buy.
    Where the intervals lie is known only as well as the ratings so far tell, which the widths do not show; nor
    do they show that some raters are more severe than others. The model is fitted by squared distances: it
    fits other weights less well. Items that were given more raters because the first ones differed make raters
    look more alike than they are: leave those ratings out.

    Parameters
    ----------
    ratings : array_like of shape (n, r), or Patterns
        The ratings so far: items by raters, NaN where missing; or items already counted, by two ratings or more.
    categories : int or sequence of int
        The scale, k whole numbers that follow one another.
    raters, items : sequence of int
        Ratings of each item, at least 2, and numbers of items, at least 1. Every pair of both is a plan.
    replications : int, default 2000
        Number of campaigns drawn for each plan.
    seed : int
        Seed of the random numbers.
    rounding : Rounding, default Rounding.HALF_UP
        How the mean of the others is rounded.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.

    Returns
    -------
    list of Plan, or Undefined
        By raters, then by items; undefined as from `fit_items`.

    Raises
    ------
    ValueError
        If a number of raters is below 2, of items or replications below 1, or a rating is not one of the
        categories.

    Examples
    --------
    >>> matrix = [[3, 3, 2], [1, 1, 2], [2, 2, 2], [3, 3, 3], [1, 2, 1], [3, 2, 3]]
    >>> few, many = plan_ratings(matrix, categories=3, raters=[3], items=[50, 5000], seed=1)
    >>> many.ratings, many.mean.high - many.mean.low < few.mean.high - few.mean.low
    (15000, True)
    """
    if replications < 1 or min(items, default=1) < 1 or min(raters, default=2) < 2:
        raise ValueError("a plan wants two raters of an item, one item and one replication at least")
    values = whole_values(categories)
    patterns = ratings if isinstance(ratings, Patterns) else count_patterns(ratings, categories)
    if patterns.counts.shape[1] != len(values):
        raise ValueError(f"patterns of {patterns.counts.shape[1]} categories do not fit {categories!r}")
    model = fit_items(patterns)
    if isinstance(model, Undefined):
        return model
    chances = rater_chances(model)
    plans = []
    for number in raters:
        sums, cells = _sums(chances, number).mean(axis=0), _pair_chances(chances, number, values, rounding)
        means = values[0] + np.arange(len(sums)) / number
        for size in items:
            rng = np.random.default_rng([seed, number, size])  # so that a plan does not depend on the others
            mean = Interval.of(rng.multinomial(size, sums / sums.sum(), size=replications) @ means / size)
            pairs = rng.multinomial(size, cells.ravel() / cells.sum(), size=replications)
            plans.append(_plan(number, size, mean, pairs.reshape(-1, *cells.shape), weights))
    return plans


@lru_cache(maxsize=1)
def _qualities() -> FloatArray:
    """Qualities of items (m,), all equally likely."""
    return np.array([NormalDist().inv_cdf((each + 0.5) / _NODES) for each in range(_NODES)])


def _sums(chances: FloatArray, number: int) -> FloatArray:
    """Return of each item how probably the ranks of so many raters have each sum (m, number * (k - 1) + 1)."""
    k = chances.shape[1]
    sums = np.ones((len(chances), 1))
    for _ in range(number):
        longer = np.zeros((len(chances), sums.shape[1] + k - 1))
        for rank in range(k):
            longer[:, rank : rank + sums.shape[1]] += sums * chances[:, rank, None]
        sums = longer
    return sums


def _pair_chances(chances: FloatArray, number: int, values: IntArray, rounding: Rounding) -> FloatArray:
    """Return how probably one of so many raters says what (rows) where the others round to what (columns) (k, k)."""
    others = _sums(chances, number - 1)
    totals = np.arange(others.shape[1]) + (number - 1) * values[0]
    landing = rounded(totals, np.full(len(totals), number - 1), rounding)[:, None] == values
    return np.asarray(chances.T @ (others @ landing) / len(chances))


def _plan(raters: int, items: int, mean: Interval, tables: IntArray, weights: Weights) -> Plan:
    intervals = table_intervals(tables, weights)
    if isinstance(intervals, Undefined):
        return Plan(raters, items, mean, intervals, 1.0)
    _, kappa, undefined = intervals
    return Plan(raters, items, mean, kappa, undefined / len(tables))
