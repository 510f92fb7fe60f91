"""Cohen's kappa of two raters, unweighted and weighted."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.core.rating_scale import Categories, category_indices, category_values
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY, Undefined

Weights: TypeAlias = Literal["quadratic", "linear", "none"]
"""How disagreement grows with the distance between two categories."""


def kappa_of_table(tables: npt.ArrayLike, weights: Weights = "quadratic") -> FloatArray:
    """Compute kappa of each of a stack of contingency tables.

    Weights depend on the ranks of the categories, not on their values.

    Source: Cohen 1968, "Weighted kappa"; used in Toutanova et al. 2016, §3.2.

    Parameters
    ----------
    tables : array_like of shape (..., k, k)
        Numbers of items by the category of the first rater (rows) and of the second (columns).
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.

    Returns
    -------
    FloatArray of shape (...)
        Kappa, at most 1; NaN where it is undefined because the table is empty or uses a single category.

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
    penalty = disagreement_weights(counts.shape[-1], weights)
    rows, columns = counts.sum(axis=-1), counts.sum(axis=-2)
    # Scaled by the number of items instead of dividing by it, so that whole numbers stay exact.
    observed = (counts * penalty).sum(axis=(-2, -1)) * rows.sum(axis=-1)
    expected = ((rows @ penalty) * columns).sum(axis=-1)
    ratio = np.full(expected.shape, np.nan)
    np.divide(observed, expected, out=ratio, where=expected > 0)
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
        Ratings of the same items by two raters, none missing.
    categories : int or sequence of float
        The scale. Unused categories still count towards the distances.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.

    Returns
    -------
    float or Undefined
        Kappa; undefined if there are no items or all ratings are in one category.

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
    return kappa_or_undefined(float(kappa_of_table(table, weights)), int(table.sum()))


def pair_table(a: npt.ArrayLike, b: npt.ArrayLike, categories: Categories) -> IntArray:
    """Build the contingency table of two raters.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        Ratings of the same items by two raters, none missing.
    categories : int or sequence of float
        The scale, k categories.

    Returns
    -------
    IntArray of shape (k, k)
        Numbers of items by the category in `a` (rows) and in `b` (columns).

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


def kappa_or_undefined(kappa: float, items: int = 1) -> float | Undefined:
    """Replace a NaN kappa by `Undefined` with the reason.

    Parameters
    ----------
    kappa : float
        A value from `kappa_of_table`.
    items : int, default 1
        Number of items behind it.

    Returns
    -------
    float or Undefined
        The value, or the reason why there is none.

    Examples
    --------
    >>> kappa_or_undefined(0.5), kappa_or_undefined(float("nan"), items=0)
    (0.5, Undefined(reason='no item has two ratings'))
    """
    if items == 0:
        return NO_PAIRS
    return ONE_CATEGORY if np.isnan(kappa) else float(kappa)


def disagreement_weights(k: int, weights: Weights) -> FloatArray:
    """Return the disagreement weight of every two categories.

    Parameters
    ----------
    k : int
        Number of categories.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.

    Returns
    -------
    FloatArray of shape (k, k)
        0 on the diagonal, 1 for adjacent categories.

    Raises
    ------
    ValueError
        If the weights are unknown.

    Examples
    --------
    >>> disagreement_weights(3, "quadratic")
    array([[0., 1., 4.],
           [1., 0., 1.],
           [4., 1., 0.]])
    """
    distance = np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(np.float64)
    if weights == "quadratic":
        return distance**2
    if weights == "linear":
        return distance
    if weights == "none":
        return np.sign(distance)
    raise ValueError(f"weights must be quadratic, linear or none, not {weights!r}")
