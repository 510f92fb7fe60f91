"""Agreement of two raters beyond chance: Cohen's kappa, plain and weighted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from measures.arrays import FloatArray, IntArray
from measures.scale import Categories, category_indices, category_values

Weights: TypeAlias = Literal["quadratic", "linear", "none"]
"""How disagreement grows with the distance of two categories."""


@dataclass(frozen=True)
class Undefined:
    """A result that does not exist, so that nobody takes it for 0 or 1.

    Attributes
    ----------
    reason : str
        Why there is no value.
    """

    reason: str


NO_PAIRS = Undefined("no item has two ratings")
ONE_CATEGORY = Undefined("all ratings are in one category")


@dataclass(frozen=True)
class PairKappa:
    """How far two named raters agree.

    Attributes
    ----------
    rater_a, rater_b : int
        Columns of the matrix, ``rater_a < rater_b``.
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


def kappa_of_table(tables: npt.ArrayLike, weights: Weights = "quadratic") -> FloatArray:
    """Compute kappa from tables of counts, many at once.

    Source: Cohen 1968, "Weighted kappa"; used in Toutanova et al. 2016, §3.2. Weights go by the rank of
    a category, not by its value.

    Parameters
    ----------
    tables : array_like of shape (..., k, k)
        How many items the first rater put into the row's and the second into the column's category.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.

    Returns
    -------
    FloatArray of shape (...)
        Kappa, at most 1; NaN where it is undefined, because the table is empty or has one category.

    Raises
    ------
    ValueError
        If the tables are not square or the weights are unknown.

    Examples
    --------
    >>> kappa_of_table([[[5, 0], [0, 5]], [[4, 1], [1, 4]], [[9, 0], [0, 0]]])
    array([1. , 0.6, nan])
    """
    counts = np.asarray(tables, dtype=np.float64)
    if counts.ndim < 2 or counts.shape[-1] != counts.shape[-2]:
        raise ValueError(f"tables must be square, not of shape {counts.shape}")
    penalty = _penalties(counts.shape[-1], weights)
    rows, columns = counts.sum(axis=-1), counts.sum(axis=-2)
    observed = (counts * penalty).sum(axis=(-2, -1)) * rows.sum(axis=-1)
    by_chance = ((rows @ penalty) * columns).sum(axis=-1)
    ratio = np.full(by_chance.shape, np.nan)
    np.divide(observed, by_chance, out=ratio, where=by_chance > 0)
    return np.asarray(1 - ratio)


def weighted_kappa(
    a: npt.ArrayLike, b: npt.ArrayLike, *, categories: Categories, weights: Weights = "quadratic"
) -> float | Undefined:
    """Compute Cohen's kappa of two raters.

    Source: Cohen 1968, "Weighted kappa"; used in Toutanova et al. 2016, §3.2. Equal to
    ``sklearn.metrics.cohen_kappa_score`` with all categories passed as labels.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        The ratings of the same items by two raters, none missing.
    categories : int or sequence of float
        The scale. Categories that nobody used count for the weights.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.

    Returns
    -------
    float or Undefined
        Kappa; undefined without items, or if all ratings are in one category.

    Raises
    ------
    ValueError
        If the lengths differ, or a rating is missing or not one of the categories.

    Examples
    --------
    >>> a, b = [3, 3, 2, 1, 3, 2, 3, 1, 2, 3], [3, 2, 2, 1, 3, 3, 3, 2, 2, 3]
    >>> round(weighted_kappa(a, b, categories=3), 7)
    0.7169811
    >>> weighted_kappa([2, 2], [2, 2], categories=3)
    Undefined(reason='all ratings are in one category')
    """
    table = pair_table(a, b, categories)
    return defined_kappa(float(kappa_of_table(table, weights)), int(table.sum()))


def pair_table(a: npt.ArrayLike, b: npt.ArrayLike, categories: Categories) -> IntArray:
    """Count the pairs of ratings.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        The ratings of the same items by two raters, none missing.
    categories : int or sequence of float
        The scale, k categories.

    Returns
    -------
    IntArray of shape (k, k)
        Items by category of `a` (rows) and `b` (columns).

    Raises
    ------
    ValueError
        If the lengths differ, or a rating is missing or not one of the categories.

    Examples
    --------
    >>> pair_table([1, 1, 2], [1, 2, 2], 2)
    array([[1, 1],
           [0, 1]])
    """
    first, second = category_indices(a, categories), category_indices(b, categories)
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(f"two lists of ratings of the same items, not of shape {first.shape}, {second.shape}")
    if (first < 0).any() or (second < 0).any():
        raise ValueError("a rating is missing")
    k = len(category_values(categories))
    return np.bincount(first * k + second, minlength=k * k).reshape(k, k)


def pairwise_kappa(
    matrix: npt.ArrayLike, *, categories: Categories, weights: Weights = "quadratic", min_items: int = 2
) -> list[PairKappa]:
    """Compute kappa for every pair of raters.

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing.
    categories : int or sequence of float
        The scale.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.
    min_items : int, default 2
        Pairs with fewer common items are left out.

    Returns
    -------
    list of PairKappa
        In the order of the columns.

    Raises
    ------
    ValueError
        If the matrix is not two-dimensional, a rating is not one of the categories, or `min_items` < 1.

    Examples
    --------
    >>> pairwise_kappa([[1, 1, np.nan], [2, 2, 2]], categories=2)
    [PairKappa(rater_a=0, rater_b=1, items=2, agreement=1.0, kappa=1.0)]
    """
    indices = category_indices(matrix, categories)
    if indices.ndim != 2 or min_items < 1:
        raise ValueError("pairwise kappa wants a matrix of items by raters, and min_items of at least 1")
    (n, r), k = indices.shape, len(category_values(categories))
    chosen = (indices[:, :, None] == np.arange(k)).reshape(n, r * k).astype(np.float64)
    tables = (chosen.T @ chosen).reshape(r, k, r, k).swapaxes(1, 2)
    items, agreed = tables.sum(axis=(2, 3)), tables.trace(axis1=2, axis2=3)
    kappas = kappa_of_table(tables, weights)
    return [
        PairKappa(int(a), int(b), int(items[a, b]), float(agreed[a, b] / items[a, b]), defined_kappa(kappas[a, b]))
        for a, b in zip(*np.nonzero(np.triu(items >= min_items, 1)), strict=True)
    ]


def defined_kappa(kappa: float, items: int = 1) -> float | Undefined:
    """Return a kappa that may be NaN as a float or as undefined.

    Parameters
    ----------
    kappa : float
        As computed by `kappa_of_table`.
    items : int, default 1
        Number of items it rests on.

    Returns
    -------
    float or Undefined
        The value, or why there is none.

    Examples
    --------
    >>> defined_kappa(0.5), defined_kappa(float("nan"), items=0)
    (0.5, Undefined(reason='no item has two ratings'))
    """
    if items == 0:
        return NO_PAIRS
    return ONE_CATEGORY if np.isnan(kappa) else float(kappa)


def _penalties(k: int, weights: Weights) -> FloatArray:
    distance = np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(np.float64)
    if weights == "quadratic":
        return distance**2
    if weights == "linear":
        return distance
    if weights == "none":
        return np.sign(distance)
    raise ValueError(f"weights must be quadratic, linear or none, not {weights!r}")
