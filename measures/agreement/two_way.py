"""Confidence intervals over sources and raters: how far other texts and other people could move a statistic."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from measures.agreement.sampled_ratings import SampledRatings, Terms
from measures.core.arrays import FloatArray, IntArray
from measures.core.confidence import ConfidenceInterval, degrees_of_freedom, interval_ends
from measures.core.undefined import Undefined

Statistic = Callable[[FloatArray], FloatArray]
"""A statistic of summed terms: from (d, v) to (d,), NaN where it is undefined."""

ONE_SOURCE = Undefined("all texts are of one source, so nothing shows how far sources differ")
ONE_SOURCE_DECIDES = Undefined("without one of the sources there is no value, so its uncertainty is unknown")
NO_SPREAD = Undefined("every source gives the same value, so nothing shows how far it could be off")

# Share of the largest sum by which each sum is moved to see which way the statistic goes.
_STEP = 1e-5
# Below this the standard error is rounding error.
_NO_ERROR = 1e-12


def two_way_interval(
    ratings: SampledRatings,
    terms: Terms,
    statistic: Statistic,
    *,
    value: float | None = None,
    bounds: tuple[float, float],
) -> ConfidenceInterval | Undefined:
    """Compute the 95% confidence interval of a statistic over sources and raters.

    The variance has two parts. That of the sources is the delete-one jackknife: the statistic without each source in
    turn, with all its items. That of the raters is what the ratings of one rater, of different sources, have in
    common: for each rater, the square of the influence of all ratings less the squares of those of each source, which
    the first part has already. Where that comes out negative, it is 0. The influence of a rating is that of its item
    with and without it, less the mean over ratings of items with as many ratings: whoever is left out, the others have
    a mean of fewer.

    Source: Cameron, Gelbach and Miller 2011, "Robust inference with multiway clustering", for the two ways; Efron and
    Stein 1981, "The jackknife estimate of variance", for each of them. Toutanova et al. 2016, §3.2, draws compressions.

    Parameters
    ----------
    ratings : SampledRatings
        The ratings. Without known raters, the interval takes the raters as given.
    terms : callable
        What items contribute to the sums that the statistic is computed from.
    statistic : callable
        The statistic of these sums.
    value : float, optional
        The estimate to put the interval around; by default the statistic of all items.
    bounds : tuple of float
        The smallest and the largest possible value.

    Returns
    -------
    ConfidenceInterval or Undefined
        The interval; undefined with fewer than two sources, if leaving out one source leaves no value, or if nothing
        varies.

    Examples
    --------
    >>> from measures.agreement.sampled_ratings import sampled_ratings
    >>> ratings = sampled_ratings([[3], [1], [2], [3]], categories=3, sources=[0, 0, 1, 2])
    >>> mean = lambda sums: sums[:, 0] / sums[:, 1]
    >>> sums = lambda counts: np.column_stack([counts @ [1.0, 2.0, 3.0], counts.sum(axis=1)])
    >>> round(two_way_interval(ratings, sums, mean, bounds=(1, 3)).standard_error, 3)
    0.297
    """
    if ratings.sources < 2:
        return ONE_SOURCE
    of_items, of_ratings = ratings.terms(terms)
    total = of_items.sum(axis=0)
    estimate = float(statistic(total[None])[0]) if value is None else value
    variance = source_variance(statistic, total, _sums(ratings.source, of_items, ratings.sources))
    raters = ratings.raters if ratings.raters > 1 else 0
    if raters:
        variance += max(0.0, _rater_variance(ratings, statistic, total, of_ratings))
    return interval_of(estimate, variance, sources=ratings.sources, raters=raters, bounds=bounds)


def interval_of(
    value: float, variance: float, *, sources: int, raters: int = 0, bounds: tuple[float, float]
) -> ConfidenceInterval | Undefined:
    """Return the interval around a value, or why there is none.

    Parameters
    ----------
    value : float
        The estimate.
    variance : float
        Its variance; NaN if there is no value without one of the sources.
    sources : int
        Number of sources.
    raters : int, default 0
        Number of raters, 0 if they are taken as given.
    bounds : tuple of float
        The smallest and the largest possible value.

    Returns
    -------
    ConfidenceInterval or Undefined
        The interval; undefined with fewer than two sources, or if the variance is NaN or nothing.

    Examples
    --------
    >>> interval_of(0.5, 0.01, sources=40, bounds=(-1, 1)).standard_error
    0.1
    >>> interval_of(1.0, 0.0, sources=1, bounds=(-1, 1)).reason
    'all texts are of one source, so nothing shows how far sources differ'
    """
    if sources < 2:
        return ONE_SOURCE
    if np.isnan(variance):
        return ONE_SOURCE_DECIDES
    error = float(np.sqrt(variance))
    if error < _NO_ERROR:
        return NO_SPREAD
    low, high = interval_ends(value, error, degrees_of_freedom(sources, raters), bounds)
    return ConfidenceInterval(low, high, error, sources, raters)


def source_variance(statistic: Statistic, total: FloatArray, by_source: FloatArray) -> float:
    """Return the variance of a statistic by the delete-one jackknife over sources.

    Parameters
    ----------
    statistic : callable
        The statistic of summed terms.
    total : FloatArray of shape (v,)
        Sums over all items.
    by_source : FloatArray of shape (s, v)
        Sums over the items of each source, at least two of them.

    Returns
    -------
    float
        The variance; NaN if the statistic is undefined without one of the sources.

    Examples
    --------
    >>> by_source = np.array([[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]])
    >>> round(source_variance(lambda sums: sums[:, 0] / sums[:, 1], by_source.sum(axis=0), by_source), 4)
    0.3333
    """
    without = statistic(total - by_source)
    number = len(by_source)
    return float((number - 1) / number * ((without - statistic(total[None])[0]) ** 2).sum())


def _rater_variance(ratings: SampledRatings, statistic: Statistic, total: FloatArray, of_ratings: FloatArray) -> float:
    """Return the variance that comes from the choice of raters, which an unlucky sample can make negative."""
    influence = _influence(ratings, of_ratings @ _gradient(statistic, total))
    cells, cell = np.unique(ratings.rater * ratings.sources + ratings.source[ratings.item], return_inverse=True)
    of_cells = np.bincount(cell.reshape(-1), weights=influence)
    of_raters = np.bincount(ratings.rater, weights=influence)
    common = float((of_raters**2).sum() - (of_cells**2).sum())
    # Of n sources of a rater, n (n - 1) of the n * n products are of different ones.
    sources = np.bincount(cells // ratings.sources, minlength=ratings.raters)
    different = int((sources * (sources - 1)).sum())
    if not different:
        return 0.0
    return common * int((sources**2).sum()) / different * ratings.raters / (ratings.raters - 1)


def _gradient(statistic: Statistic, total: FloatArray) -> FloatArray:
    """Return how the statistic moves with each of the sums (v,)."""
    step = _STEP * float(np.abs(total).max())
    steps = step * np.eye(len(total))
    return np.asarray((statistic(total + steps) - statistic(total - steps)) / (2 * step))


def _influence(ratings: SampledRatings, moved: FloatArray) -> FloatArray:
    """Return how each rating moves the statistic, less what ratings of items with as many ratings do on average."""
    number = np.bincount(ratings.item)[ratings.item]
    sums, numbers = np.bincount(number, weights=moved), np.bincount(number)
    return np.asarray(moved - (sums / np.maximum(numbers, 1))[number])


def _sums(group: IntArray, values: FloatArray, number: int) -> FloatArray:
    """Return the sums of the rows of each group (number, v)."""
    return np.stack([np.bincount(group, weights=column, minlength=number) for column in values.T], axis=1)
