"""Sample size planning: how the intervals of a mean and of kappa narrow with more raters or more items."""

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

# Equally likely qualities that the model's integrals are averaged over.
_NODES = 401
# Steps of the bisection for the correlation.
_BISECTION_STEPS = 40
# A correlation of 1 would divide by zero; at this one raters differ on about one item in a million.
_MAX_CORRELATION = 1 - 1e-12


@dataclass(frozen=True)
class ItemModel:
    """A latent-variable model of ratings: normal item quality plus normal rater noise, cut into categories.

    Attributes
    ----------
    thresholds : tuple of float, of length k - 1
        The cuts between categories, in standard deviations of the quality that one rater perceives.
    correlation : float
        Correlation of two raters' perceptions of an item: 0 if items do not differ, 1 if raters always agree.
    """

    thresholds: tuple[float, ...]
    correlation: float


@dataclass(frozen=True)
class Plan:
    """Expected precision of a campaign with a given number of items and of ratings per item.

    Attributes
    ----------
    raters, items : int
        Ratings per item, and number of items.
    mean : Interval
        The mean rating, in points, over simulated campaigns.
    kappa : Interval or Undefined
        Kappa of one rater and the rounded mean of the others, over the simulated campaigns in which it is defined.
    undefined : float
        Share of the simulated campaigns without a kappa because all ratings are in one category.
    """

    raters: int
    items: int
    mean: Interval
    kappa: Interval | Undefined
    undefined: float

    @property
    def ratings(self) -> int:
        return self.raters * self.items


def fit_item_model(patterns: Patterns) -> ItemModel | Undefined:
    """Fit the item model to the ratings by the method of moments.

    The thresholds reproduce the shares of the categories. The correlation reproduces the mean squared distance,
    in ranks, between two ratings of an item, which is what quadratic kappa is made of.

    Source: the model of Olsson 1979, "Maximum likelihood estimation of the polychoric correlation
    coefficient"; fitting it by moments is this project's choice.

    Parameters
    ----------
    patterns : Patterns
        Items grouped by their ratings, at least two each.

    Returns
    -------
    ItemModel or Undefined
        The model; undefined if there are no items or all ratings are in one category.

    Raises
    ------
    ValueError
        If an item has fewer than two ratings.

    Examples
    --------
    >>> model = fit_item_model(count_patterns([[1, 1], [2, 2], [1, 2], [2, 2]], 2))
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
    thresholds = tuple(_quantile(float(share)) for share in shares.cumsum()[:-1])
    return ItemModel(thresholds, _fit_correlation(thresholds, float(weight @ variance)))


def _quantile(share: float) -> float:
    if share <= 0:
        return -inf
    return NormalDist().inv_cdf(share) if share < 1 else inf


def _fit_correlation(thresholds: tuple[float, ...], within_variance: float) -> float:
    """Find the correlation with the given within-item variance of the ranks, which decreases with it, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(_BISECTION_STEPS):
        middle = (low + high) / 2
        if _within_variance(category_probabilities(ItemModel(thresholds, middle))) > within_variance:
            low = middle
        else:
            high = middle
    return 0.0 if high < 1e-6 else 1.0 if low > 1 - 1e-6 else (low + high) / 2


def _within_variance(probabilities: FloatArray) -> float:
    ranks = np.arange(probabilities.shape[1])
    return float((probabilities @ ranks**2 - (probabilities @ ranks) ** 2).mean())


def category_probabilities(model: ItemModel) -> FloatArray:
    """Return the distribution of a rater's ratings of items across the range of quality.

    Parameters
    ----------
    model : ItemModel
        The item model.

    Returns
    -------
    FloatArray of shape (m, k)
        The probability of each category, for m equally likely items.

    Examples
    --------
    >>> probabilities = category_probabilities(ItemModel((0.0,), 0.5))
    >>> probabilities[0].round(3), probabilities.mean(axis=0).round(3)
    (array([0.999, 0.001]), array([0.5, 0.5]))
    """
    correlation = min(model.correlation, _MAX_CORRELATION)
    cuts = (np.array(model.thresholds) - sqrt(correlation) * _quality_nodes()[:, None]) / sqrt(1 - correlation)
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
    """Predict how the intervals of the mean and of kappa narrow with more raters per item and more items.

    Campaigns of each size are simulated from the model of `fit_item_model`; the items, their ratings and the
    rater compared with the others are drawn anew each time. Read the widths of the intervals, which show what
    more items and raters gain. Their location is only as certain as the ratings so far, which the widths do
    not reflect; nor do they reflect that some raters are more severe than others. The model is fitted to
    squared distances, so it describes other weights less well. If some items were given more raters because
    the first ones disagreed, leave out these extra ratings: they make raters look more alike than they are.

    Source: this project's own.

    Parameters
    ----------
    ratings : array_like of shape (n, r), or Patterns
        The ratings so far: items by raters, NaN where missing; or items already grouped, at least two ratings each.
    categories : int or sequence of int
        The scale, k consecutive whole numbers.
    raters, items : sequence of int
        Ratings per item, at least 2, and numbers of items, at least 1. Each combination is a plan.
    replications : int, default 2000
        Number of campaigns simulated for each plan.
    seed : int
        Seed of the random number generator.
    rounding : Rounding, default Rounding.HALF_UP
        How the mean of the others is rounded.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.

    Returns
    -------
    list of Plan, or Undefined
        By raters, then by items; undefined if `fit_item_model` is.

    Raises
    ------
    ValueError
        If a number of raters is below 2, a number of items or of replications is below 1, or a rating is not one
        of the categories.

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
    model = fit_item_model(patterns)
    if isinstance(model, Undefined):
        return model
    probabilities = category_probabilities(model)
    plans = []
    for number in raters:
        sums = _rank_sum_probabilities(probabilities, number).mean(axis=0)
        cells = _table_probabilities(probabilities, number, values, rounding)
        means = values[0] + np.arange(len(sums)) / number
        for size in items:
            rng = np.random.default_rng([seed, number, size])  # so that a plan does not depend on the others
            mean = Interval.of(rng.multinomial(size, sums / sums.sum(), size=replications) @ means / size)
            pairs = rng.multinomial(size, cells.ravel() / cells.sum(), size=replications)
            plans.append(_plan(number, size, mean, pairs.reshape(-1, *cells.shape), weights))
    return plans


@lru_cache(maxsize=1)
def _quality_nodes() -> FloatArray:
    """Return equally likely standard normal qualities (m,)."""
    return np.array([NormalDist().inv_cdf((node + 0.5) / _NODES) for node in range(_NODES)])


def _rank_sum_probabilities(probabilities: FloatArray, number: int) -> FloatArray:
    """Return the distribution of the sum of `number` raters' ranks for each item (m, number * (k - 1) + 1)."""
    k = probabilities.shape[1]
    sums = np.ones((len(probabilities), 1))
    for _ in range(number):
        longer = np.zeros((len(probabilities), sums.shape[1] + k - 1))
        for rank in range(k):
            longer[:, rank : rank + sums.shape[1]] += sums * probabilities[:, rank, None]
        sums = longer
    return sums


def _table_probabilities(probabilities: FloatArray, number: int, values: IntArray, rounding: Rounding) -> FloatArray:
    """Return the joint distribution of one rater (rows) and the rounded mean of the others (columns) (k, k)."""
    others = _rank_sum_probabilities(probabilities, number - 1)
    totals = np.arange(others.shape[1]) + (number - 1) * values[0]
    rounds_to = rounded(totals, np.full(len(totals), number - 1), rounding)[:, None] == values
    return np.asarray(probabilities.T @ (others @ rounds_to) / len(probabilities))


def _plan(raters: int, items: int, mean: Interval, tables: IntArray, weights: Weights) -> Plan:
    intervals = table_intervals(tables, weights)
    if isinstance(intervals, Undefined):
        return Plan(raters, items, mean, intervals, 1.0)
    _, kappa, undefined = intervals
    return Plan(raters, items, mean, kappa, undefined / len(tables))
