"""A model of how ratings come about: sources, items and raters differ, and each perception is cut into points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf, sqrt
from statistics import NormalDist

import numpy as np

from measures.agreement.sampled_ratings import SampledRatings
from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY, Undefined

# Equally likely values that the integrals of the model are averaged over.
_NODES = 401
# Steps of the bisection for a correlation.
_BISECTION_STEPS = 40
# A share of 1 would divide by zero; at this one raters differ on about one item in a million.
_MAX_SHARE = 1 - 1e-12
# With fewer, the share of their differences is a guess: its standard error is about half of it.
MIN_GROUPS = 10

UNKNOWN_RATERS = Undefined("the ratings do not say who gave them")
FEW_RATERS = Undefined(f"fewer than {MIN_GROUPS} raters rated texts of two sources")
FEW_SOURCES = Undefined(f"fewer than {MIN_GROUPS} sources have two texts that different people rated")
ONE_TEXT_EACH = Undefined("each source has one text")


@dataclass(frozen=True)
class RatingModel:
    """A latent-variable model of ratings: normal differences of sources, items and raters, and normal noise.

    Attributes
    ----------
    thresholds : tuple of float, of length k - 1
        The cuts between categories, in standard deviations of what one rater perceives of one item.
    source : float or Undefined
        Share of the variance that all items of a source have in common; `Undefined` if the ratings cannot tell. The
        model then has it as part of `item`.
    item : float
        Share of the variance in which items of a source differ.
    rater : float or Undefined
        Share of the variance in which raters differ in severity; `Undefined` if the ratings cannot tell. The model then
        has it as part of the noise.
    """

    thresholds: tuple[float, ...]
    source: float | Undefined
    item: float
    rater: float | Undefined

    @property
    def shares(self) -> tuple[float, float, float]:
        """Shares of source, item and rater, 0 for what the ratings cannot tell."""
        source, rater = (0.0 if isinstance(each, Undefined) else each for each in (self.source, self.rater))
        return source, self.item, rater


def fit_rating_model(ratings: SampledRatings) -> RatingModel | Undefined:
    """Fit the model to ratings by the method of moments.

    The thresholds reproduce the shares of the categories. The correlations of two raters' perceptions of an item, of
    two items of a source, and of one rater's perceptions of items of two sources reproduce the mean squared distances,
    in ranks, between two such ratings; squared distances are what quadratic kappa is made of.

    Source: the model of Olsson 1979, "Maximum likelihood estimation of the polychoric correlation coefficient", with
    crossed effects; fitting it by moments is this project's choice.

    Parameters
    ----------
    ratings : SampledRatings
        The ratings. Items with a single rating count towards the thresholds, the sources and the raters.

    Returns
    -------
    RatingModel or Undefined
        The model; undefined if no item has two ratings or all ratings are in one category.

    Examples
    --------
    >>> from measures.agreement.sampled_ratings import sampled_ratings
    >>> model = fit_rating_model(sampled_ratings([[1, 1], [2, 2], [1, 2], [2, 2]], categories=2))
    >>> [round(each, 3) for each in model.thresholds], round(model.item, 3), model.source.reason
    ([-0.319], 0.675, 'each source has one text')
    """
    number = ratings.counts.sum(axis=1)
    if not (number >= 2).any():
        return NO_PAIRS
    shares = (ratings.counts / number[:, None]).mean(axis=0)
    if np.count_nonzero(shares) == 1:
        return ONE_CATEGORY
    thresholds = tuple(_quantile(float(share)) for share in shares.cumsum()[:-1])
    of_item = _fit_share(thresholds, _within_items(ratings.counts[number >= 2]))
    source, rater = _source_share(ratings, thresholds), _rater_share(ratings, thresholds)
    known_source = 0.0 if isinstance(source, Undefined) else min(source, of_item)
    known_rater = 0.0 if isinstance(rater, Undefined) else min(rater, 1 - of_item)
    return RatingModel(
        thresholds=thresholds,
        source=source if isinstance(source, Undefined) else known_source,
        item=of_item - known_source,
        rater=rater if isinstance(rater, Undefined) else known_rater,
    )


def category_probabilities(thresholds: tuple[float, ...], perceived: FloatArray, variance: float) -> FloatArray:
    """Return the distribution of a rating whose perception is normal around a mean.

    Parameters
    ----------
    thresholds : tuple of float, of length k - 1
        The cuts between categories.
    perceived : FloatArray of shape (...)
        Mean of the perception.
    variance : float
        Its variance.

    Returns
    -------
    FloatArray of shape (..., k)
        The probability of each category.

    Examples
    --------
    >>> category_probabilities((0.0,), np.array([0.0, 1.0]), 1.0).round(3)
    array([[0.5  , 0.5  ],
           [0.159, 0.841]])
    """
    from scipy.special import ndtr

    cuts = (np.array(thresholds) - perceived[..., None]) / sqrt(max(variance, 1 - _MAX_SHARE))
    return np.diff(ndtr(cuts), axis=-1, prepend=0.0, append=1.0)


@lru_cache(maxsize=4)
def normal_nodes(number: int) -> FloatArray:
    """Return equally likely values of a standard normal variable.

    Parameters
    ----------
    number : int
        How many.

    Returns
    -------
    FloatArray of shape (number,)
        The values, in increasing order, with a variance of 1.

    Examples
    --------
    >>> normal_nodes(3).round(3)
    array([-1.225,  0.   ,  1.225])
    """
    nodes = np.array([NormalDist().inv_cdf((node + 0.5) / number) for node in range(number)])
    return np.asarray(nodes / nodes.std())


def _quantile(share: float) -> float:
    if share <= 0:
        return -inf
    return NormalDist().inv_cdf(share) if share < 1 else inf


def _within_items(counts: IntArray) -> float:
    """Return the mean variance of the ranks within items."""
    ranks, number = np.arange(counts.shape[1]), counts.sum(axis=1)
    mean = counts @ ranks / number
    return float(((counts @ ranks**2 - number * mean**2) / (number - 1)).mean())


def _source_share(ratings: SampledRatings, thresholds: tuple[float, ...]) -> float | Undefined:
    """Return the correlation of ratings of two items of a source by two people."""
    if len(ratings.counts) == ratings.sources:
        return ONE_TEXT_EACH
    source = ratings.source[ratings.item]
    pairs = _Pairs.within(source, source, ratings.category) - _Pairs.within(ratings.item, source, ratings.category)
    if ratings.raters:
        by_one_rater = ratings.rater * ratings.sources + source
        pairs -= _Pairs.within(by_one_rater, source, ratings.category)
    if np.count_nonzero(pairs.numbers) < MIN_GROUPS:
        return FEW_SOURCES
    return _fit_share(thresholds, pairs.half_distance)


def _rater_share(ratings: SampledRatings, thresholds: tuple[float, ...]) -> float | Undefined:
    """Return the correlation of a rater's ratings of items of two sources."""
    if not ratings.raters:
        return UNKNOWN_RATERS
    rater, of_one_source = ratings.rater, ratings.rater * ratings.sources + ratings.source[ratings.item]
    pairs = _Pairs.within(rater, rater, ratings.category) - _Pairs.within(of_one_source, rater, ratings.category)
    if np.count_nonzero(pairs.numbers) < MIN_GROUPS:
        return FEW_RATERS
    return _fit_share(thresholds, pairs.half_distance)


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of ratings in each of some groups: their number, and the sum of their squared distances, in ranks."""

    numbers: FloatArray
    squares: FloatArray

    @classmethod
    def within(cls, part: IntArray, group: IntArray, ranks: IntArray) -> _Pairs:
        """Count the pairs of ratings of the same part, added up by the group that the part belongs to."""
        parts, place = np.unique(part, return_inverse=True)
        place = place.reshape(-1)
        number = np.bincount(place).astype(np.float64)
        squares = number * np.bincount(place, weights=ranks**2.0) - np.bincount(place, weights=ranks) ** 2
        group_of = np.zeros(len(parts), np.int64)
        group_of[place] = group
        pairs: FloatArray = number * (number - 1) / 2
        return cls(_added(pairs, group_of), _added(squares, group_of))

    def __sub__(self, other: _Pairs) -> _Pairs:
        return _Pairs(self.numbers - other.numbers, self.squares - other.squares)

    @property
    def half_distance(self) -> float:
        """Half the mean squared distance: the variance of the ranks that is left within such pairs."""
        return float(self.squares.sum() / self.numbers.sum() / 2)


def _added(values: FloatArray, group: IntArray) -> FloatArray:
    return np.asarray(np.bincount(group, weights=values), dtype=np.float64)


def _fit_share(thresholds: tuple[float, ...], within_variance: float) -> float:
    """Find the correlation with the given variance of the ranks within pairs, which falls with it, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(_BISECTION_STEPS):
        middle = (low + high) / 2
        if _variance_within(thresholds, middle) > within_variance:
            low = middle
        else:
            high = middle
    return 0.0 if high < 1e-6 else 1.0 if low > 1 - 1e-6 else (low + high) / 2


def _variance_within(thresholds: tuple[float, ...], correlation: float) -> float:
    common = normal_nodes(_NODES) * sqrt(correlation)
    probabilities = category_probabilities(thresholds, common, 1 - correlation)
    ranks = np.arange(probabilities.shape[-1])
    return float((probabilities @ ranks**2 - (probabilities @ ranks) ** 2).mean())
