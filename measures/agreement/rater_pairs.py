"""Kappa of every two raters who have items in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.agreement.cohen import Weights, defined_kappa, kappa_of_table
from measures.core.arrays import IntArray
from measures.core.rating_scale import Categories, category_indices, category_values
from measures.core.undefined import Undefined


@dataclass(frozen=True)
class PairKappa:
    """How far two named raters agree.

    Attributes
    ----------
    rater_a, rater_b : int
        Who they are, ``rater_a < rater_b``: columns of the matrix, or numbers in `raters`.
    items : int
        Number of items that both rated.
    agreement : float
        Share of these items on which they agree, 0 to 1.
    kappa : float or Undefined
        Their kappa.
    """

    rater_a: int
    rater_b: int
    items: int
    agreement: float
    kappa: float | Undefined


def pairwise_kappa(
    matrix: npt.ArrayLike,
    *,
    raters: npt.ArrayLike | None = None,
    categories: Categories,
    weights: Weights = "quadratic",
    min_items: int = 2,
) -> list[PairKappa]:
    """Compute kappa for every pair of raters.

    Time and memory go by the ratings and by the pairs of ratings that items have, not by the square of the raters.

    Source: Cohen 1968, "Weighted kappa".

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing.
    raters : array_like of int, of shape (n, r), optional
        Whose each rating is, 0 and above; below 0 where nobody knows, which is left out. By default each
        column is a rater. So a large crowd needs no more columns than one item has ratings.
    categories : int or sequence of float
        The scale.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.
    min_items : int, default 2
        Pairs with fewer common items are left out.

    Returns
    -------
    list of PairKappa
        In the order of the raters.

    Raises
    ------
    ValueError
        If the matrix is not two-dimensional, `raters` has another shape or names somebody twice at one
        item, a rating is not one of the categories, or `min_items` < 1.

    Examples
    --------
    >>> pairwise_kappa([[1, 1, np.nan], [2, 2, 2]], categories=2)
    [PairKappa(rater_a=0, rater_b=1, items=2, agreement=1.0, kappa=1.0)]
    >>> pairwise_kappa([[1, 1], [2, 2], [1, 2]], raters=[[5, 7], [7, 5], [5, 6]], categories=2)
    [PairKappa(rater_a=5, rater_b=7, items=2, agreement=1.0, kappa=1.0)]
    """
    indices = category_indices(matrix, categories)
    if indices.ndim != 2 or min_items < 1:
        raise ValueError("pairwise kappa wants a matrix of items by raters, and min_items of at least 1")
    whose = np.broadcast_to(np.arange(indices.shape[1]), indices.shape) if raters is None else np.asarray(raters)
    if whose.shape != indices.shape:
        raise ValueError(f"a rater for each rating: {indices.shape} is not {whose.shape}")
    pairs, tables = _pair_tables(indices, whose, len(category_values(categories)))
    items, agreed = tables.sum(axis=(1, 2)), tables.trace(axis1=1, axis2=2)
    kappas = kappa_of_table(tables, weights)
    return [
        PairKappa(
            rater_a=int(pairs[each, 0]),
            rater_b=int(pairs[each, 1]),
            items=int(items[each]),
            agreement=float(agreed[each] / items[each]),
            kappa=defined_kappa(float(kappas[each])),
        )
        for each in np.flatnonzero(items >= min_items)
    ]


def _pair_tables(indices: IntArray, whose: IntArray, k: int) -> tuple[IntArray, IntArray]:
    """Return the pairs of raters who share an item (p, 2), in order, and what they said together (p, k, k)."""
    item, column = np.nonzero((indices >= 0) & (whose >= 0))
    people, rater = np.unique(whose[item, column], return_inverse=True)
    point = indices[item, column]
    order = np.lexsort((rater, item))
    item, rater, point = item[order], rater[order], point[order]
    first, second = _neighbours(item)
    if (rater[first] == rater[second]).any():
        raise ValueError("a rater stands twice at one item")
    number = max(1, len(people))
    codes, pair = np.unique(rater[first] * number + rater[second], return_inverse=True)
    cells = (pair * k + point[first]) * k + point[second]
    tables = np.bincount(cells, minlength=len(codes) * k * k).reshape(-1, k, k)
    return people[np.stack(np.divmod(codes, number), axis=1)], tables


def _neighbours(item: IntArray) -> tuple[IntArray, IntArray]:
    """Return the places of every two ratings of one item; items stand together."""
    most = int(np.bincount(item).max(initial=1))
    firsts, seconds = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for distance in range(1, most):
        first = np.flatnonzero(item[:-distance] == item[distance:])
        firsts.append(first)
        seconds.append(first + distance)
    return np.concatenate(firsts), np.concatenate(seconds)
