"""How far each rater, or any other group of ratings, agrees with the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.agreement.cohen import Weights, defined_kappa, kappa_of_table
from measures.agreement.mean_rounding import Rounding, rounded, whole_values
from measures.core.arrays import FloatArray, IntArray
from measures.core.rating_scale import Categories, category_indices
from measures.core.undefined import Undefined

NOBODY_ELSE = Undefined("no rating of an item that somebody else rated")


@dataclass(frozen=True)
class RaterVsOthers:
    """Some ratings, each against the rounded mean of the others of its item.

    Attributes
    ----------
    group : int
        Of which rater, or of which group, the ratings are.
    ratings : int
        Number of ratings of items that somebody else rated, too.
    agreement : float or None
        Share of these that are the rounded mean of the others, 0 to 1; None without ratings.
    kappa : float or Undefined
        Their kappa with it.
    bias : float or None
        Mean of a rating minus the mean of the others, in points: above 0 for who is lenient.
    """

    group: int
    ratings: int
    agreement: float | None
    kappa: float | Undefined
    bias: float | None


def rater_agreement(
    matrix: npt.ArrayLike,
    *,
    categories: Categories,
    rounding: Rounding = Rounding.HALF_UP,
    weights: Weights = "quadratic",
) -> list[RaterVsOthers]:
    """Set every rater against the rounded mean of the others.

    Source: the comparison of Toutanova et al. 2016, §3.2, Table 4 (worker vs worker), for one rater after
    another and all of their items instead of one rater drawn for each item.

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing.
    categories : int or sequence of int
        The scale, k whole numbers that follow one another.
    rounding : Rounding, default Rounding.HALF_UP
        How the mean of the others is rounded.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.

    Returns
    -------
    list of RaterVsOthers
        One for each column, in their order. Takes the time of one pass over the ratings.

    Raises
    ------
    ValueError
        If the matrix is not two-dimensional, the categories do not follow one another, or a rating is not one of
        them.

    Examples
    --------
    >>> found = rater_agreement([[3, 3, 1], [2, 2, 1], [1, np.nan, np.nan]], categories=3)
    >>> [(each.ratings, each.agreement, round(each.bias, 2)) for each in found]
    [(2, 0.5, 0.75), (2, 0.5, 0.75), (2, 0.0, -1.5)]
    """
    indices = _indices(matrix, categories)
    columns = np.broadcast_to(np.arange(indices.shape[1]), indices.shape)
    return _rater_vs_others(indices, columns, indices.shape[1], whole_values(categories), rounding, weights)


def group_agreement(
    matrix: npt.ArrayLike,
    groups: npt.ArrayLike,
    *,
    categories: Categories,
    rounding: Rounding = Rounding.HALF_UP,
    weights: Weights = "quadratic",
) -> list[RaterVsOthers]:
    """Set every rating against the rounded mean of the others of its item, and say how far each group agrees.

    A group may be the ratings of one day. The others need not be of the group.

    Source: as `rater_agreement`, with other groups than the raters.

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing.
    groups : array_like of int, of shape (n, r)
        The group of each rating, from 0 without great gaps; below 0 for a rating that is in none, but counts
        as another.
    categories : int or sequence of int
        The scale, k whole numbers that follow one another.
    rounding : Rounding, default Rounding.HALF_UP
        How the mean of the others is rounded.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.

    Returns
    -------
    list of RaterVsOthers
        One for each group from 0 up to the highest.

    Raises
    ------
    ValueError
        If the shapes differ, the matrix is not two-dimensional, the categories do not follow one another, or a
        rating is not one of them.

    Examples
    --------
    >>> first, second = group_agreement([[3, 3, 1], [2, 2, 1]], [[0, 0, 1], [0, 1, 1]], categories=3)
    >>> first.ratings, round(first.agreement, 3), second.ratings, round(second.agreement, 3)
    (3, 0.333, 3, 0.333)
    """
    indices, chosen = _indices(matrix, categories), np.asarray(groups, dtype=np.int64)
    if indices.shape != chosen.shape:
        raise ValueError(f"a group for each rating: {indices.shape} is not {chosen.shape}")
    number = int(chosen.max(initial=-1)) + 1
    return _rater_vs_others(indices, chosen, number, whole_values(categories), rounding, weights)


def _indices(matrix: npt.ArrayLike, categories: Categories) -> IntArray:
    indices = category_indices(matrix, categories)
    if indices.ndim != 2:
        raise ValueError(f"a matrix of items by raters, not of shape {indices.shape}")
    return indices


def _rater_vs_others(
    indices: IntArray, groups: IntArray, number: int, values: IntArray, rounding: Rounding, weights: Weights
) -> list[RaterVsOthers]:
    tables, biases = _tables(indices, groups, number, values, rounding)
    ratings = tables.sum(axis=(1, 2))
    agreed, kappas = tables.trace(axis1=1, axis2=2), kappa_of_table(tables, weights)
    return [
        RaterVsOthers(
            group=group,
            ratings=int(count),
            agreement=float(agreed[group] / count) if count else None,
            kappa=defined_kappa(float(kappas[group])) if count else NOBODY_ELSE,
            bias=float(biases[group] / count) if count else None,
        )
        for group, count in enumerate(ratings)
    ]


def _tables(
    indices: IntArray, groups: IntArray, number: int, values: IntArray, rounding: Rounding
) -> tuple[IntArray, FloatArray]:
    """Return of each group the pairs with the others (number, k, k), and the sum of the differences (number,)."""
    k = len(values)
    given = indices >= 0
    counts = given.sum(axis=1)
    totals = np.where(given, indices, 0).sum(axis=1)
    item, column = np.nonzero(given & (groups >= 0) & (counts >= 2)[:, None])
    own, others, group = indices[item, column], counts[item] - 1, groups[item, column]
    rest = totals[item] - own
    # Ranks instead of values: the same rounding, since the values follow one another from a whole number on.
    shift = int(values[0]) * others
    meant = rounded(rest + shift, others, rounding) - int(values[0])
    cells = (group * k + own) * k + meant
    tables = np.bincount(cells, minlength=number * k * k).reshape(number, k, k)
    biases = np.bincount(group, weights=own - rest / others, minlength=number)
    return np.asarray(tables, dtype=np.int64), np.asarray(biases, dtype=np.float64)
