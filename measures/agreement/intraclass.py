"""Intraclass correlation: what share of the variance of ratings lies between items, for one rating and for a panel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf

import numpy as np
import numpy.typing as npt

from measures.agreement.sampled_ratings import sampled_ratings
from measures.agreement.two_way import two_way_interval
from measures.core.arrays import FloatArray, IntArray
from measures.core.confidence import ConfidenceInterval
from measures.core.rating_scale import category_values
from measures.core.undefined import NO_PAIRS, Undefined

ONE_ITEM = Undefined("fewer than two items have a rating")
NOTHING_VARIES = Undefined("all ratings are the same")
EQUAL_MEANS = Undefined("all items have the same mean rating")
GAPS = Undefined("not every rater has rated every item")

_NOTHING = 1e-12


@dataclass(frozen=True)
class IntraclassResult:
    """ICC(1) of one rating, and of the mean of as many as items have.

    Attributes
    ----------
    single : float
        ICC(1): the correlation of two ratings of an item by raters drawn at random. May be negative.
    single_interval : ConfidenceInterval or Undefined
        Its interval over sources and raters.
    panel : float or Undefined
        ICC(1,k): the same for the means of two panels, each as large as `ratings`.
    panel_interval : ConfidenceInterval or Undefined
        Its interval over sources and raters.
    ratings : float
        Ratings of an item, averaged so that unequal numbers do not bias the variance between items.
    items : int
        Items with at least one rating.
    """

    single: float
    single_interval: ConfidenceInterval | Undefined
    panel: float | Undefined
    panel_interval: ConfidenceInterval | Undefined
    ratings: float
    items: int


@dataclass(frozen=True)
class TwoWayIntraclass:
    """ICC of raters who have all rated all items.

    Attributes
    ----------
    agreement, agreement_panel : float
        ICC(2,1) and ICC(2,k): raters drawn at random, whose severity counts as disagreement.
    consistency, consistency_panel : float
        ICC(3,1) and ICC(3,k): severity does not count.
    """

    agreement: float
    agreement_panel: float
    consistency: float
    consistency_panel: float


def intraclass(
    matrix: npt.ArrayLike,
    *,
    categories: int | Sequence[float],
    sources: npt.ArrayLike | None = None,
    raters: npt.ArrayLike | None = None,
) -> IntraclassResult | Undefined:
    """Compute ICC(1) and ICC(1,k), which do not ask who rated what.

    Source: Shrout and Fleiss 1979, "Intraclass correlations: uses in assessing rater reliability", case 1; with unequal
    numbers of ratings as in the analysis of variance of one random factor (Donner 1986, "A review of inference
    procedures for the intraclass correlation coefficient in the one-way random effects model"). `two_way_interval` for
    the intervals.

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing.
    categories : int or sequence of float
        The scale.
    sources : array_like of shape (n,), optional
        Source of each item. By default each item has a source of its own.
    raters : array_like of int, of shape (n, r), optional
        The rater of each rating, negative if unknown.

    Returns
    -------
    IntraclassResult or Undefined
        Undefined with fewer than two items, without an item that has two ratings, or if nothing varies.

    Raises
    ------
    ValueError
        If a rating is not one of the categories, or `sources` or `raters` has a wrong shape.

    Examples
    --------
    >>> found = intraclass([[1, 1], [2, 3], [3, 3], [1, 2]], categories=3)
    >>> round(found.single, 3), round(found.panel, 3), found.ratings
    (0.739, 0.85, 2.0)
    """
    ratings = sampled_ratings(matrix, categories=categories, sources=sources, raters=raters)
    values = np.asarray(category_values(categories), dtype=np.float64)
    terms = partial(_terms, values=values)
    return of_sums(ratings.terms(terms)[0].sum(axis=0)[None], partial(two_way_interval, ratings, terms))


def of_sums(sums: FloatArray, interval: Callable[..., ConfidenceInterval | Undefined]) -> IntraclassResult | Undefined:
    """Return ICC(1) and ICC(1,k) of the sums of their terms.

    Parameters
    ----------
    sums : FloatArray of shape (1, 6)
        Items, ratings, their squares, sum, squared sums by ratings, and sum of squares.
    interval : callable
        The interval of a statistic of such sums, within `bounds`.

    Returns
    -------
    IntraclassResult or Undefined
        As `intraclass` returns it.

    Examples
    --------
    >>> of_sums(np.array([[1.0, 2.0, 4.0, 3.0, 4.5, 5.0]]), lambda statistic, bounds: ONE_ITEM).reason
    'fewer than two items have a rating'
    """
    items, number = int(sums[0, 0]), int(sums[0, 1])
    if items < 2:
        return ONE_ITEM
    if number == items:
        return NO_PAIRS
    single = float(_single(sums)[0])
    if np.isnan(single):
        return NOTHING_VARIES
    of_panel = float(_panel(sums)[0])
    return IntraclassResult(
        single,
        interval(_single, bounds=(-1, 1)),
        EQUAL_MEANS if np.isnan(of_panel) else of_panel,
        EQUAL_MEANS if np.isnan(of_panel) else interval(_panel, bounds=(-inf, 1)),
        float(_mean_number(sums)[0]),
        items,
    )


def two_way_intraclass(matrix: npt.ArrayLike) -> TwoWayIntraclass | Undefined:
    """Compute the ICC of raters who have all rated all items.

    Source: Shrout and Fleiss 1979, cases 2 and 3; McGraw and Wong 1996, "Forming inferences about some intraclass
    correlation coefficients".

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, n and r at least 2.

    Returns
    -------
    TwoWayIntraclass or Undefined
        Undefined if a rating is missing, there are fewer than two items or raters, or nothing varies.

    Examples
    --------
    >>> found = two_way_intraclass([[1, 2], [2, 3], [1, 2], [2, 3]])
    >>> round(found.agreement, 3), found.consistency
    (0.4, 1.0)
    """
    table = np.asarray(matrix, dtype=np.float64)
    if table.ndim != 2 or np.isnan(table).any() or table.shape[1] < 2:
        return GAPS
    n, k = table.shape
    if n < 2:
        return ONE_ITEM
    rows, columns, mean = table.mean(axis=1), table.mean(axis=0), table.mean()
    of_items = k * float(((rows - mean) ** 2).sum()) / (n - 1)
    of_raters = n * float(((columns - mean) ** 2).sum()) / (k - 1)
    left = table - rows[:, None] - columns + mean
    of_error = float((left**2).sum()) / ((n - 1) * (k - 1))
    if of_items + of_error == 0:
        return NOTHING_VARIES
    severity = (of_raters - of_error) / n
    return TwoWayIntraclass(
        (of_items - of_error) / (of_items + (k - 1) * of_error + k * severity),
        (of_items - of_error) / (of_items + severity),
        (of_items - of_error) / (of_items + (k - 1) * of_error),
        (of_items - of_error) / of_items,
    )


def spearman_brown(reliability: float, times: float) -> float:
    """Return the reliability of the mean of more, or fewer, ratings.

    Source: Spearman 1910, "Correlation calculated from faulty data"; Brown 1910, "Some experimental results in the
    correlation of mental abilities".

    Parameters
    ----------
    reliability : float
        That of the mean of some number of ratings.
    times : float
        How many times as many there are to be.

    Returns
    -------
    float
        The reliability.

    Examples
    --------
    >>> spearman_brown(0.5, 3)
    0.75
    """
    return times * reliability / (1 + (times - 1) * reliability)


def ratings_needed(single: float, wanted: float) -> float | Undefined:
    """Return how many ratings of an item make their mean as reliable as wanted.

    Parameters
    ----------
    single : float
        Reliability of one rating, such as ICC(1).
    wanted : float
        Between 0 and 1.

    Returns
    -------
    float or Undefined
        The number, not rounded; undefined if one rating says nothing.

    Raises
    ------
    ValueError
        If `wanted` is not between 0 and 1.

    Examples
    --------
    >>> round(ratings_needed(0.4, 0.8), 1)
    6.0
    """
    if not 0 < wanted < 1:
        raise ValueError(f"the reliability that is wanted must be between 0 and 1, not {wanted}")
    if single <= 0:
        return Undefined("one rating tells nothing about an item, so no number of them does")
    return wanted * (1 - single) / (single * (1 - wanted)) if single < 1 else 1.0


def _terms(counts: IntArray, values: FloatArray) -> FloatArray:
    """Return what items add: 1 if rated, ratings, their square, sum, squared sum by ratings, and sum of squares."""
    number = counts.sum(axis=1)
    total = counts @ values
    rated = np.maximum(number, 1)
    return np.column_stack([number > 0, number, number**2, total, total**2 / rated, counts @ values**2])


def _mean_number(sums: FloatArray) -> FloatArray:
    items, number, squared = sums[:, 0], sums[:, 1], sums[:, 2]
    return _ratio(number - squared / np.maximum(number, 1), items - 1)


def _mean_squares(sums: FloatArray) -> tuple[FloatArray, FloatArray]:
    items, number, _, total, between, squares = sums.T
    of_items = _ratio(between - total**2 / np.maximum(number, 1), items - 1)
    return of_items, _ratio(squares - between, number - items)


def _single(sums: FloatArray) -> FloatArray:
    of_items, within = _mean_squares(sums)
    return _ratio(of_items - within, of_items + (_mean_number(sums) - 1) * within)


def _panel(sums: FloatArray) -> FloatArray:
    of_items, within = _mean_squares(sums)
    return _ratio(of_items - within, np.where(of_items > _NOTHING * within, of_items, 0.0))


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Return the ratio, NaN unless the divisor is above 0."""
    above = whole > _NOTHING
    return np.asarray(np.where(above, part / np.where(above, whole, 1.0), np.nan))
