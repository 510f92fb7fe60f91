"""Agreement of each rater, or of any other group of ratings, with the other raters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.agreement.cohen import Weights, kappa_of_table, kappa_or_undefined
from measures.agreement.mean_rounding import Rounding, rounded, whole_values
from measures.agreement.table_intervals import AgreementIntervals, group_intervals
from measures.core.arrays import FloatArray, IntArray
from measures.core.rating_scale import Categories, category_indices
from measures.core.undefined import Undefined

NO_OTHER_RATINGS = Undefined("no rating of an item that somebody else rated")


@dataclass(frozen=True)
class RaterVsOthers:
    """Agreement of a group of ratings with the rounded mean of the other ratings of each item.

    Attributes
    ----------
    group : int
        The rater, or the group, of the ratings.
    ratings : int
        Number of ratings of items that somebody else rated too.
    agreement : float or None
        Share of these that equal the rounded mean of the others, 0 to 1; None if there are none.
    kappa : float or Undefined
        Kappa with the rounded mean of the others.
    bias : float or None
        Mean difference between a rating and the mean of the others, in points; positive if lenient.
    intervals : AgreementIntervals
        Intervals of agreement and kappa over the sources; they take the raters, these and the others, as given.
    """

    group: int
    ratings: int
    agreement: float | None
    kappa: float | Undefined
    bias: float | None
    intervals: AgreementIntervals


def rater_agreement(
    matrix: npt.ArrayLike,
    *,
    categories: Categories,
    rounding: Rounding = Rounding.HALF_UP,
    weights: Weights = "quadratic",
    sources: npt.ArrayLike | None = None,
) -> list[RaterVsOthers]:
    """Compare each rater with the rounded mean of the other raters.

    Takes one pass over the ratings.

    Source: the comparison of Toutanova et al. 2016, §3.2, Table 4 (worker vs worker), for each rater in turn
    on all of their items instead of one randomly drawn rater per item.

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing.
    categories : int or sequence of int
        The scale, k consecutive whole numbers.
    rounding : Rounding, default Rounding.HALF_UP
        How the mean of the others is rounded.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.
    sources : array_like of shape (n,), optional
        Source of each item, for the intervals. By default each item has a source of its own.

    Returns
    -------
    list of RaterVsOthers
        One for each column, in order.

    Raises
    ------
    ValueError
        If the matrix is not two-dimensional, the categories are not consecutive, or a rating is not one of them.

    Examples
    --------
    >>> found = rater_agreement([[3, 3, 1], [2, 2, 1], [1, np.nan, np.nan]], categories=3)
    >>> [(each.ratings, each.agreement, round(each.bias, 2)) for each in found]
    [(2, 0.5, 0.75), (2, 0.5, 0.75), (2, 0.0, -1.5)]
    """
    indices = _indices(matrix, categories)
    columns = np.broadcast_to(np.arange(indices.shape[1]), indices.shape)
    return _rater_vs_others(indices, columns, indices.shape[1], sources, whole_values(categories), rounding, weights)


def group_agreement(
    matrix: npt.ArrayLike,
    groups: npt.ArrayLike,
    *,
    categories: Categories,
    rounding: Rounding = Rounding.HALF_UP,
    weights: Weights = "quadratic",
    sources: npt.ArrayLike | None = None,
) -> list[RaterVsOthers]:
    """Compare each rating with the rounded mean of the item's other ratings, by group of ratings.

    A group is, for example, the ratings of one day. The other ratings of the item need not be in the group.

    Source: as `rater_agreement`, with groups of ratings in place of raters.

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing.
    groups : array_like of int, of shape (n, r)
        The group of each rating, numbered from 0 without large gaps; negative for a rating that is in no
        group but still counts among the others.
    categories : int or sequence of int
        The scale, k consecutive whole numbers.
    rounding : Rounding, default Rounding.HALF_UP
        How the mean of the others is rounded.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.
    sources : array_like of shape (n,), optional
        Source of each item, for the intervals. By default each item has a source of its own.

    Returns
    -------
    list of RaterVsOthers
        One for each group from 0 to the highest.

    Raises
    ------
    ValueError
        If the shapes differ, the matrix is not two-dimensional, the categories are not consecutive, or a rating
        is not one of them.

    Examples
    --------
    >>> first, second = group_agreement([[3, 3, 1], [2, 2, 1]], [[0, 0, 1], [0, 1, 1]], categories=3)
    >>> first.ratings, round(first.agreement, 3), second.ratings, round(second.agreement, 3)
    (3, 0.333, 3, 0.333)
    """
    indices, group_of = _indices(matrix, categories), np.asarray(groups, dtype=np.int64)
    if indices.shape != group_of.shape:
        raise ValueError(f"a group for each rating: {indices.shape} is not {group_of.shape}")
    number = int(group_of.max(initial=-1)) + 1
    return _rater_vs_others(indices, group_of, number, sources, whole_values(categories), rounding, weights)


def _indices(matrix: npt.ArrayLike, categories: Categories) -> IntArray:
    indices = category_indices(matrix, categories)
    if indices.ndim != 2:
        raise ValueError(f"a matrix of items by raters, not of shape {indices.shape}")
    return indices


def _rater_vs_others(
    indices: IntArray,
    groups: IntArray,
    number: int,
    sources: npt.ArrayLike | None,
    values: IntArray,
    rounding: Rounding,
    weights: Weights,
) -> list[RaterVsOthers]:
    k = len(values)
    labels = np.arange(len(indices)) if sources is None else np.asarray(sources)
    if labels.shape != indices.shape[:1]:
        raise ValueError(f"a source for each item: {indices.shape[:1]} is not {labels.shape}")
    pairs = _pairs(indices, groups, values, rounding)
    cells = np.bincount(pairs.group * k * k + pairs.cell, minlength=number * k * k)
    tables = cells.reshape(number, k, k)
    biases = np.bincount(pairs.group, weights=pairs.difference, minlength=number)
    ratings = tables.sum(axis=(1, 2))
    agreed, kappas = tables.trace(axis1=1, axis2=2), kappa_of_table(tables, weights)
    intervals = group_intervals(pairs.group, labels[pairs.item], pairs.cell, groups=number, k=k, weights=weights)
    return [
        RaterVsOthers(
            group=group,
            ratings=int(count),
            agreement=float(agreed[group] / count) if count else None,
            kappa=kappa_or_undefined(float(kappas[group])) if count else NO_OTHER_RATINGS,
            bias=float(biases[group] / count) if count else None,
            intervals=intervals[group],
        )
        for group, count in enumerate(ratings)
    ]


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Each rating in a group, with the others of its item: the cell of their table, and the difference in points."""

    item: IntArray
    group: IntArray
    cell: IntArray
    difference: FloatArray


def _pairs(indices: IntArray, groups: IntArray, values: IntArray, rounding: Rounding) -> _Pairs:
    is_rated = indices >= 0
    counts = is_rated.sum(axis=1)
    totals = np.where(is_rated, indices, 0).sum(axis=1)
    item, column = np.nonzero(is_rated & (groups >= 0) & (counts >= 2)[:, None])
    own, others = indices[item, column], counts[item] - 1
    others_total = totals[item] - own
    # Half to even depends on the values, so round these, then convert back to indices.
    shift = int(values[0]) * others
    others_mean = rounded(others_total + shift, others, rounding) - int(values[0])
    return _Pairs(item, groups[item, column], own * len(values) + others_mean, own - others_total / others)
