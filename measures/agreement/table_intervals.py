"""Confidence intervals of agreement and kappa: the crowd with itself, with a reference, and one group at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from measures.agreement.cohen import Weights, kappa_of_table, pair_table
from measures.agreement.mean_rounding import Rounding, rounded, whole_values
from measures.agreement.sampled_ratings import SampledRatings
from measures.agreement.simulated_pairs import expected_cells
from measures.agreement.two_way import ONE_SOURCE, Statistic, interval_of, two_way_interval
from measures.core.arrays import FloatArray, IntArray
from measures.core.confidence import ConfidenceInterval
from measures.core.rating_scale import Categories, category_indices
from measures.core.undefined import Undefined

SHARE = (0.0, 1.0)
COEFFICIENT = (-1.0, 1.0)
# Sums of fractions, less some of them, may leave a trace in a cell that holds nothing.
_NOTHING = 1e-9

IntervalOrUndefined = ConfidenceInterval | Undefined


@dataclass(frozen=True)
class AgreementIntervals:
    """The intervals of agreement and kappa of the same contingency table.

    Attributes
    ----------
    agreement : ConfidenceInterval or Undefined
        Of the share of the items on which both agree.
    kappa : ConfidenceInterval or Undefined
        Of Cohen's kappa.
    """

    agreement: IntervalOrUndefined
    kappa: IntervalOrUndefined


def crowd_intervals(
    ratings: SampledRatings,
    *,
    categories: Categories,
    rounding: Rounding = Rounding.HALF_UP,
    weights: Weights = "quadratic",
    agreement: float | None = None,
    kappa: float | None = None,
) -> AgreementIntervals:
    """Compute the intervals of worker vs worker agreement: one rater of an item against the mean of the others.

    Source: `two_way_interval`, for the statistic of Toutanova et al. 2016, §3.2, Table 4.

    Parameters
    ----------
    ratings : SampledRatings
        The ratings of the crowd.
    categories : int or sequence of int
        The scale, k consecutive whole numbers.
    rounding : Rounding, default Rounding.HALF_UP
        How the mean of the others is rounded.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.
    agreement, kappa : float, optional
        The estimates to put the intervals around, such as means over draws; by default those of the expected table.

    Returns
    -------
    AgreementIntervals
        The intervals.

    Examples
    --------
    >>> from measures.agreement.sampled_ratings import sampled_ratings
    >>> ratings = sampled_ratings([[3, 3, 2], [1, 1, 2], [2, 2, 2], [3, 3, 3]], categories=3)
    >>> round(crowd_intervals(ratings, categories=3).kappa.standard_error, 3)
    0.168
    """
    cells = partial(expected_cells, categories=categories, rounding=rounding)
    share = two_way_interval(ratings, cells, _agreement, value=agreement, bounds=SHARE)
    return AgreementIntervals(
        share, two_way_interval(ratings, cells, _kappa_statistic(weights), value=kappa, bounds=COEFFICIENT)
    )


def reference_intervals(
    ratings: SampledRatings,
    *,
    categories: Categories,
    rounding: Rounding = Rounding.HALF_UP,
    weights: Weights = "quadratic",
) -> AgreementIntervals:
    """Compute the intervals of the agreement of a fixed reference with the rounded mean of the crowd.

    Source: `two_way_interval`, for expert vs worker of Toutanova et al. 2016, §3.2, Table 4. The experts are taken as
    given.

    Parameters
    ----------
    ratings : SampledRatings
        The ratings of the crowd; the group of each item is the index of its category in the reference.
    categories : int or sequence of int
        The scale, k consecutive whole numbers.
    rounding : Rounding, default Rounding.HALF_UP
        How the mean of the crowd is rounded.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.

    Returns
    -------
    AgreementIntervals
        The intervals.

    Examples
    --------
    >>> from measures.agreement.sampled_ratings import sampled_ratings
    >>> ratings = sampled_ratings([[3, 3], [1, 2], [2, 2], [3, 3]], categories=3, groups=[2, 0, 1, 1])
    >>> round(reference_intervals(ratings, categories=3).agreement.standard_error, 3)
    0.289
    """
    cells = partial(_reference_cells, categories=categories, rounding=rounding)
    return AgreementIntervals(
        two_way_interval(ratings, cells, _agreement, bounds=SHARE),
        two_way_interval(ratings, cells, _kappa_statistic(weights), bounds=COEFFICIENT),
    )


def pair_intervals(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    categories: Categories,
    sources: npt.ArrayLike | None = None,
    weights: Weights = "quadratic",
) -> AgreementIntervals:
    """Compute the intervals of the agreement of two given raters over the sources.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        Ratings of the same items by two raters, none missing.
    categories : int or sequence of float
        The scale.
    sources : array_like of shape (n,), optional
        Source of each item; by default each item has a source of its own.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.

    Returns
    -------
    AgreementIntervals
        The intervals.

    Raises
    ------
    ValueError
        If the lengths differ, or a rating is missing or not one of the categories.

    Examples
    --------
    >>> a, b = [3, 3, 2, 1, 3, 2, 3, 1, 2, 3], [3, 2, 2, 1, 3, 3, 3, 2, 2, 3]
    >>> round(pair_intervals(a, b, categories=3).kappa.standard_error, 3)
    0.213
    """
    k = len(pair_table(a, b, categories))
    cells = category_indices(a, categories) * k + category_indices(b, categories)
    if not len(cells):
        return AgreementIntervals(ONE_SOURCE, ONE_SOURCE)
    of_source = np.arange(len(cells)) if sources is None else np.asarray(sources)
    (intervals,) = group_intervals(np.zeros(len(cells), np.int64), of_source, cells, groups=1, k=k, weights=weights)
    return intervals


def group_intervals(
    group: IntArray, source: npt.ArrayLike, cell: IntArray, *, groups: int, k: int, weights: Weights
) -> list[AgreementIntervals]:
    """Compute the intervals of the contingency table of each group over its sources.

    Parameters
    ----------
    group : IntArray of shape (n,)
        Group of each pair of ratings, such as the rater, from 0.
    source : array_like of shape (n,)
        Source of the item of each pair of ratings.
    cell : IntArray of shape (n,)
        Where the pair stands in the flattened table: category of the one times k plus category of the other.
    groups, k : int
        Number of groups and of categories.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.

    Returns
    -------
    list of AgreementIntervals
        The intervals of each group.

    Examples
    --------
    >>> (one,) = group_intervals(np.zeros(4, int), [1, 1, 2, 3], np.array([0, 3, 3, 1]), groups=1, k=2, weights="none")
    >>> one.agreement.sources, round(one.agreement.standard_error, 3)
    (3, 0.297)
    """
    labels = np.unique(np.asarray(source), return_inverse=True)[1].reshape(-1)
    width = int(labels.max(initial=0)) + 1
    parts, part = np.unique(group * width + labels, return_inverse=True)
    by_part = np.bincount(part.reshape(-1) * k * k + cell, minlength=len(parts) * k * k).reshape(len(parts), k * k)
    group_of = parts // width
    totals = np.zeros((groups, k * k))
    np.add.at(totals, group_of, by_part)
    sources = np.bincount(group_of, minlength=groups)
    found = [
        _jackknifed(statistic, totals, by_part, group_of, sources, bounds)
        for statistic, bounds in ((_agreement, SHARE), (_kappa_statistic(weights), COEFFICIENT))
    ]
    return [AgreementIntervals(*each) for each in zip(*found, strict=True)]


def _jackknifed(
    statistic: Statistic,
    totals: FloatArray,
    by_part: IntArray,
    group_of: IntArray,
    sources: IntArray,
    bounds: tuple[float, float],
) -> list[IntervalOrUndefined]:
    """Return the interval of each group by the delete-one jackknife over its sources."""
    values = statistic(totals)
    without = statistic(totals[group_of] - by_part)
    squares = np.bincount(group_of, weights=(without - values[group_of]) ** 2, minlength=len(totals))
    variances = squares * (sources - 1) / np.maximum(sources, 1)
    return [
        interval_of(float(value), float(variance), sources=int(number), bounds=bounds)
        for value, variance, number in zip(values, variances, sources, strict=True)
    ]


def _reference_cells(counts: IntArray, categories: Categories, rounding: Rounding) -> FloatArray:
    """Return the cell of each item, one-hot (p, k * k): the reference (last column) and the crowd's rounded mean."""
    values = whole_values(categories)
    k = len(values)
    of_crowd, reference = counts[:, :k], counts[:, k]
    number = of_crowd.sum(axis=1)
    means = rounded(of_crowd @ values, np.maximum(number, 1), rounding) - values[0]
    cells = np.zeros((len(counts), k * k))
    rated = np.flatnonzero(number)
    cells[rated, reference[rated] * k + means[rated]] = 1
    return cells


def _agreement(sums: FloatArray) -> FloatArray:
    tables = _tables(sums)
    numbers = sums.sum(axis=-1)
    share = np.full(len(sums), np.nan)
    np.divide(tables.trace(axis1=1, axis2=2), numbers, out=share, where=numbers > 0)
    return share


def _kappa_statistic(weights: Weights) -> Statistic:
    return lambda sums: kappa_of_table(_tables(sums), weights)


def _tables(sums: FloatArray) -> FloatArray:
    k = round(sums.shape[-1] ** 0.5)
    return np.where(np.abs(sums) > _NOTHING, sums, 0).reshape(-1, k, k)
