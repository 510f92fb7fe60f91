"""Kappa of every pair of raters who share items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.agreement.cohen import Weights, kappa_of_table, kappa_or_undefined
from measures.agreement.table_intervals import AgreementIntervals, group_intervals
from measures.core.arrays import IntArray
from measures.core.rating_scale import Categories, category_indices, category_values
from measures.core.undefined import Undefined


@dataclass(frozen=True)
class PairKappa:
    """Agreement of one pair of raters.

    Attributes
    ----------
    rater_a, rater_b : int
        The raters, ``rater_a < rater_b``: columns of the matrix, or ids from `raters`.
    items : int
        Number of items that both rated.
    agreement : float
        Share of these items on which they agree, 0 to 1.
    kappa : float or Undefined
        Cohen's kappa on these items.
    intervals : AgreementIntervals
        Intervals of agreement and kappa over the sources, for these two raters.
    """

    rater_a: int
    rater_b: int
    items: int
    agreement: float
    kappa: float | Undefined
    intervals: AgreementIntervals


def pairwise_kappa(
    matrix: npt.ArrayLike,
    *,
    raters: npt.ArrayLike | None = None,
    categories: Categories,
    weights: Weights = "quadratic",
    min_items: int = 2,
    sources: npt.ArrayLike | None = None,
) -> list[PairKappa]:
    """Compute kappa of every pair of raters.

    Time and memory are linear in the ratings and in the pairs of ratings within items, not quadratic in the raters.

    Source: Cohen 1968, "Weighted kappa".

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing.
    raters : array_like of int, of shape (n, r), optional
        The rater of each rating, 0 or above; ratings with a negative id are ignored. By default each column
        is a rater. With ids, a large crowd needs only as many columns as an item has ratings.
    categories : int or sequence of float
        The scale.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.
    min_items : int, default 2
        Pairs with fewer shared items are left out.
    sources : array_like of shape (n,), optional
        Source of each item, for the intervals. By default each item has a source of its own.

    Returns
    -------
    list of PairKappa
        Sorted by the raters.

    Raises
    ------
    ValueError
        If the matrix is not two-dimensional, `raters` has another shape or repeats a rater within an item,
        a rating is not one of the categories, or `min_items` < 1.

    Examples
    --------
    >>> (one,) = pairwise_kappa([[1, 1, np.nan], [2, 2, 2]], categories=2)
    >>> one.rater_a, one.rater_b, one.items, one.agreement, one.kappa
    (0, 1, 2, 1.0, 1.0)
    >>> (one,) = pairwise_kappa([[1, 1], [2, 2], [1, 2]], raters=[[5, 7], [7, 5], [5, 6]], categories=2)
    >>> one.rater_a, one.rater_b, one.items
    (5, 7, 2)
    """
    indices = category_indices(matrix, categories)
    if indices.ndim != 2 or min_items < 1:
        raise ValueError("pairwise kappa wants a matrix of items by raters, and min_items of at least 1")
    rater_ids = np.broadcast_to(np.arange(indices.shape[1]), indices.shape) if raters is None else np.asarray(raters)
    if rater_ids.shape != indices.shape:
        raise ValueError(f"a rater for each rating: {indices.shape} is not {rater_ids.shape}")
    k = len(category_values(categories))
    labels = np.arange(len(indices)) if sources is None else np.asarray(sources)
    if labels.shape != indices.shape[:1]:
        raise ValueError(f"a source for each item: {indices.shape[:1]} is not {labels.shape}")
    people, pair, item, cell = _pair_cells(indices, rater_ids, k)
    shared = np.bincount(pair, minlength=len(people))
    # Only pairs with enough items get a table: in a large crowd, most share one item.
    enough = shared >= min_items
    place, chosen = enough.cumsum() - 1, enough[pair]
    pair, item, cell, people = place[pair[chosen]], item[chosen], cell[chosen], people[enough]
    tables = np.bincount(pair * k * k + cell, minlength=len(people) * k * k).reshape(-1, k, k)
    intervals = group_intervals(pair, labels[item], cell, groups=len(people), k=k, weights=weights)
    items, agreed = tables.sum(axis=(1, 2)), tables.trace(axis1=1, axis2=2)
    kappas = kappa_of_table(tables, weights)
    return [
        PairKappa(
            rater_a=int(people[row, 0]),
            rater_b=int(people[row, 1]),
            items=int(items[row]),
            agreement=float(agreed[row] / items[row]),
            kappa=kappa_or_undefined(float(kappas[row])),
            intervals=intervals[row],
        )
        for row in range(len(people))
    ]


def _pair_cells(indices: IntArray, rater_ids: IntArray, k: int) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return the sorted pairs of raters who share an item (p, 2); and of each shared item the pair, item and cell."""
    item, column = np.nonzero((indices >= 0) & (rater_ids >= 0))
    distinct_ids, rater = np.unique(rater_ids[item, column], return_inverse=True)
    category = indices[item, column]
    order = np.lexsort((rater, item))
    item, rater, category = item[order], rater[order], category[order]
    first, second = _same_item_pairs(item)
    if (rater[first] == rater[second]).any():
        raise ValueError("a rater stands twice at one item")
    number = max(1, len(distinct_ids))
    codes, pair = np.unique(rater[first] * number + rater[second], return_inverse=True)
    people = distinct_ids[np.stack(np.divmod(codes, number), axis=1)]
    return people, pair, item[first], category[first] * k + category[second]


def _same_item_pairs(item: IntArray) -> tuple[IntArray, IntArray]:
    """Return the indices of every two ratings of the same item; `item` must be sorted."""
    max_ratings = int(np.bincount(item).max(initial=1))
    firsts, seconds = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for distance in range(1, max_ratings):
        first = np.flatnonzero(item[:-distance] == item[distance:])
        firsts.append(first)
        seconds.append(first + distance)
    return np.concatenate(firsts), np.concatenate(seconds)
