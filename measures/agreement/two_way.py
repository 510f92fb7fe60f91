"""Confidence intervals over sources and raters: how far other texts and other people could move a statistic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.core.confidence import ConfidenceInterval, degrees_of_freedom, interval_ends
from measures.core.undefined import Undefined


class Sampled(Protocol):
    """Ratings of items with their sources and raters: of categories, or of numbers."""

    @property
    def source(self) -> IntArray: ...

    @property
    def item(self) -> IntArray: ...

    @property
    def rater(self) -> IntArray: ...

    @property
    def raters(self) -> int: ...

    @property
    def sources(self) -> int: ...

    def terms(self, of: Any) -> tuple[FloatArray, FloatArray]: ...


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
    ratings: Sampled,
    terms: Any,
    statistic: Statistic,
    *,
    value: float | None = None,
    bounds: tuple[float, float],
) -> ConfidenceInterval | Undefined:
    """Compute the 95% confidence interval of a statistic over sources and raters.

    The variance has two parts. That of the sources is the delete-one jackknife: the statistic without each source in
    turn, with all its items. That of the raters is what the ratings of one rater, of different sources, have in
    common (`rater_variance`), beyond what each source has, which is in the first part. Where that comes out negative,
    it is 0. The influence of a rating is that of its item
    with and without it, less the mean over ratings of items with as many ratings: whoever is left out, the others have
    a mean of fewer.

    Source: Cameron, Gelbach and Miller 2011, "Robust inference with multiway clustering", for the two ways; Efron and
    Stein 1981, "The jackknife estimate of variance", for each of them. Toutanova et al. 2016, §3.2, draws compressions.

    Parameters
    ----------
    ratings : SampledRatings or SampledNumbers
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
    degrees = ratings.sources - 1
    if raters:
        of_raters, as_many = _rater_variance(ratings, statistic, total, of_ratings)
        variance += of_raters
        degrees = degrees_of_freedom(ratings.sources, as_many, of_raters / variance if variance > 0 else 0.0)
    return interval_of(estimate, variance, sources=ratings.sources, raters=raters, degrees=degrees, bounds=bounds)


def interval_of(
    value: float,
    variance: float,
    *,
    sources: int,
    raters: int = 0,
    degrees: int | None = None,
    bounds: tuple[float, float],
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
    degrees : int, optional
        Degrees of freedom of the variance; by default one fewer than the sources.
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
    low, high = interval_ends(value, error, sources - 1 if degrees is None else degrees, bounds)
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


def _rater_variance(
    ratings: Sampled, statistic: Statistic, total: FloatArray, of_ratings: FloatArray
) -> tuple[float, float]:
    """Return the variance that comes from the choice of raters, and how many with equal work tell as much."""
    influence = _influence(ratings, of_ratings @ _gradient(statistic, total))
    cells, cell = np.unique(ratings.rater * ratings.sources + ratings.source[ratings.item], return_inverse=True)
    of_cells = np.bincount(cell.reshape(-1), weights=influence).astype(np.float64)
    return rater_variance(of_cells, cells // ratings.sources)


def rater_variance(of_cells: FloatArray, rater: IntArray) -> tuple[float, float]:
    """Return the variance that comes from the choice of raters, whose work may differ in amount.

    Every rater has a mean influence. Its variance over raters is estimated from all of them, each with the weight that
    so many sources deserve, and counts for each rater with the square of their work. An estimate from each rater's own
    work alone would rest on the busiest one, around whom the mean lies. Raters who do much are taken to differ no more
    than others.

    Source: Cameron, Gelbach and Miller 2011, with the variance of rater means by weighted moments: DerSimonian and
    Kacker 2007, "Random-effects model for meta-analysis of clinical trials: an update".

    Parameters
    ----------
    of_cells : FloatArray of shape (c,)
        Influence of the ratings of each rater of each source, with a sum near 0.
    rater : IntArray of shape (c,)
        The rater of each, from 0 without gaps.

    Returns
    -------
    tuple of float
        The variance, at least 0, and how many raters who all did the same would have work as uneven in sum: one over
        the sum of squares of the shares of the work.

    Examples
    --------
    >>> rater_variance(np.array([1.0, 1.0, -1.0, -1.0]), np.array([0, 0, 1, 1]))
    (16.0, 2.0)
    """
    sums, squares = np.bincount(rater, weights=of_cells), np.bincount(rater, weights=of_cells**2)
    number = np.bincount(rater)
    share = number / number.sum()
    several, as_many = number > 1, 1 / float((share**2).sum())
    if not several.any():
        return 0.0, as_many
    # The mean lies nearer to those who do more.
    seen = (1 - 2 * share + (share**2).sum())[several]
    of = number[several]
    products = (sums[several] ** 2 - squares[several]) / (of * (of - 1))
    weights = (of - 1).astype(np.float64)
    between = max(0.0, float(weights @ products / (weights @ seen)))
    noise = max(0.0, float(squares.sum()) / number.sum() - between)
    weights = (of - 1) / of * (between / (between + noise / of)) ** 2 if between else weights
    found = max(0.0, float(weights @ products / (weights @ seen))) * float((number**2).sum())
    return found, as_many


def _gradient(statistic: Statistic, total: FloatArray) -> FloatArray:
    """Return how the statistic moves with each of the sums (v,)."""
    step = _STEP * float(np.abs(total).max())
    steps = step * np.eye(len(total))
    return np.asarray((statistic(total + steps) - statistic(total - steps)) / (2 * step))


def _influence(ratings: Sampled, moved: FloatArray) -> FloatArray:
    """Return how each rating moves the statistic, less what ratings of items with as many ratings do on average."""
    number = np.bincount(ratings.item)[ratings.item]
    sums, numbers = np.bincount(number, weights=moved), np.bincount(number)
    return np.asarray(moved - (sums / np.maximum(numbers, 1))[number])


def _sums(group: IntArray, values: FloatArray, number: int) -> FloatArray:
    """Return the sums of the rows of each group (number, v)."""
    return np.stack([np.bincount(group, weights=column, minlength=number) for column in values.T], axis=1)
