"""Krippendorff's alpha: agreement of any number of raters, allowing missing ratings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from measures.agreement.rating_patterns import count_patterns
from measures.agreement.sampled_ratings import sampled_ratings
from measures.agreement.two_way import two_way_interval
from measures.core.arrays import FloatArray, IntArray
from measures.core.confidence import ConfidenceInterval
from measures.core.rating_scale import Categories, category_values
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY, Undefined

Level: TypeAlias = Literal["nominal", "ordinal", "interval"]
"""Level of measurement, which defines the distance between two categories."""

# Sums of fractions may leave a trace in a category that has no rating.
_NOTHING = 1e-12


@dataclass(frozen=True)
class AlphaResult:
    """Krippendorff's alpha with its confidence interval.

    Attributes
    ----------
    alpha : float
        Krippendorff's alpha, at most 1.
    interval : ConfidenceInterval or Undefined
        Its interval over the sources and, where they are known, the raters.
    items, left_out : int
        Numbers of items with at least two ratings, and with fewer.
    """

    alpha: float
    interval: ConfidenceInterval | Undefined
    items: int
    left_out: int


def krippendorff_alpha(
    matrix: npt.ArrayLike,
    *,
    level: Level,
    categories: Categories,
    sources: npt.ArrayLike | None = None,
    raters: npt.ArrayLike | None = None,
) -> AlphaResult | Undefined:
    """Compute Krippendorff's alpha with its confidence interval.

    Source: Krippendorff 2011, "Computing Krippendorff's alpha-reliability"; `two_way_interval` for the interval.

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing.
    level : {"nominal", "ordinal", "interval"}
        Level of measurement, which defines the distance between two categories.
    categories : int or sequence of float
        The scale, k categories.
    sources : array_like of shape (n,), optional
        Source of each item. By default each item has a source of its own.
    raters : array_like of int, of shape (n, r), optional
        The rater of each rating, negative if unknown. By default, or if one is unknown, the interval takes the raters
        as given.

    Returns
    -------
    AlphaResult or Undefined
        The estimate; undefined if no item has two ratings, or all of these are in one category.

    Raises
    ------
    ValueError
        If the level is unknown, a rating is not one of the categories, or `sources` or `raters` has a wrong shape.

    Examples
    --------
    >>> matrix = [[1, 1], [2, 2], [3, 3], [3, 2], [1, np.nan]]
    >>> result = krippendorff_alpha(matrix, level="interval", categories=3)
    >>> round(result.alpha, 3), result.items, result.left_out, round(result.interval.standard_error, 2)
    (0.821, 4, 1, 0.37)
    """
    if level not in ("nominal", "ordinal", "interval"):
        raise ValueError(f"level {level!r} is not possible")
    ratings = sampled_ratings(matrix, categories=categories, sources=sources, raters=raters, min_ratings=2)
    patterns = count_patterns(matrix, categories)
    if not len(patterns.items):
        return NO_PAIRS
    if np.count_nonzero(patterns.counts.sum(axis=0)) == 1:
        return ONE_CATEGORY
    values = category_values(categories)
    statistic = partial(alphas, values=values, level=level)
    alpha = float(statistic(patterns.items @ coincidences(patterns.counts))[0])
    interval = two_way_interval(ratings, coincidences, statistic, value=alpha, bounds=(-1, 1))
    return AlphaResult(alpha, interval, int(patterns.items.sum()), patterns.left_out)


def alphas(sums: FloatArray, values: FloatArray, level: Level) -> FloatArray:
    """Compute alpha from sums of coincidences.

    Parameters
    ----------
    sums : FloatArray of shape (d, k * k)
        Coincidences, summed over the items of each of d samples.
    values : FloatArray of shape (k,)
        The categories.
    level : {"nominal", "ordinal", "interval"}
        Level of measurement.

    Returns
    -------
    FloatArray of shape (d,)
        Alpha, NaN where all ratings are in one category.

    Examples
    --------
    >>> alphas(coincidences(np.array([[2, 0], [1, 1], [0, 2]])).sum(axis=0, keepdims=True), np.arange(2), "nominal")
    array([0.44444444])
    """
    k = len(values)
    paired = sums.reshape(-1, k, k)
    marginals = paired.sum(axis=2)
    totals = marginals.sum(axis=1)
    distances = _distances(marginals, values, level)
    observed = (paired * distances).sum(axis=(1, 2)) * (totals - 1)
    expected = (marginals[:, :, None] * marginals[:, None, :] * distances).sum(axis=(1, 2))
    ratio = np.full(len(sums), np.nan)
    np.divide(observed, expected, out=ratio, where=expected > _NOTHING * totals**2)
    return np.asarray(1 - ratio)


def coincidences(counts: IntArray) -> FloatArray:
    """Count the weighted pairs of ratings within each item, by category.

    Parameters
    ----------
    counts : IntArray of shape (p, k)
        Numbers of ratings of each item by category.

    Returns
    -------
    FloatArray of shape (p, k * k)
        The pairs, none of an item with one rating: their sums over items are all that alpha depends on.

    Examples
    --------
    >>> coincidences(np.array([[2, 1], [1, 0]])).tolist()
    [[1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    """
    number = counts.sum(axis=1)
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(counts.shape[1])
    return np.asarray((pairs / np.maximum(number - 1, 1)[:, None, None]).reshape(len(counts), counts.shape[1] ** 2))


def _distances(marginals: FloatArray, values: FloatArray, level: Level) -> FloatArray:
    """Return the squared distances of the categories for each row of marginals (d or 1, k, k)."""
    if level == "nominal":
        return 1 - np.eye(len(values))[None]
    # Ordinal distances are between mid-ranks, which depend on the ratings.
    positions = marginals.cumsum(axis=1) - marginals / 2 if level == "ordinal" else values[None]
    return np.asarray((positions[:, :, None] - positions[:, None, :]) ** 2)
