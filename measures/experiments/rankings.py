"""Texts of a set ranked by several judges: ranks, their means, and whether the place of a text matters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.core.drawn_sources import Ratio, drawn_ratios
from measures.core.undefined import Undefined

DRAWS = 10_000

NO_RANK = "no judge ranked it"
NO_PLACE = "no answer has two texts at different places"


def midranks(given: npt.ArrayLike) -> FloatArray:
    """Return the midranks of the numbers that judges gave: texts that tie share the mean of their ranks.

    Source: Kendall 1945, "The treatment of ties in ranking problems".

    Parameters
    ----------
    given : array_like of shape (..., h)
        The number of each text in each answer, 1 for the best; only their order counts. NaN for a text that is not in
        the set.

    Returns
    -------
    FloatArray of shape (..., h)
        1 to the number of texts in the set; NaN where `given` is.

    Examples
    --------
    >>> midranks([[1, 1, 3, np.nan], [2, 5, 5, 1]]).tolist()
    [[1.5, 1.5, 3.0, nan], [2.0, 3.5, 3.5, 1.0]]
    """
    values = np.asarray(given, dtype=np.float64)
    below = (values[..., None, :] < values[..., :, None]).sum(axis=-1)
    equal = (values[..., None, :] == values[..., :, None]).sum(axis=-1)
    return np.where(np.isnan(values), np.nan, below + (equal + 1) / 2)


def dense_ranks(given: npt.ArrayLike) -> FloatArray:
    """Return ranks without gaps: 1, 1, 3 and 1, 1, 2 are the same answer.

    Parameters
    ----------
    given : array_like of shape (..., h)
        As for `midranks`.

    Returns
    -------
    FloatArray of shape (..., h)
        1 to the number of different numbers in the answer; NaN where `given` is.

    Examples
    --------
    >>> dense_ranks([[1, 1, 3, np.nan], [2, 5, 5, 1]]).tolist()
    [[1.0, 1.0, 2.0, nan], [2.0, 3.0, 3.0, 1.0]]
    """
    values = np.asarray(given, dtype=np.float64)
    equal = (values[..., None, :] == values[..., :, None]).sum(axis=-1)
    # Each group of ties below counts once.
    below = (values[..., None, :] < values[..., :, None]) / np.maximum(equal, 1)[..., None, :]
    return np.where(np.isnan(values), np.nan, 1 + below.sum(axis=-1).round())


def answered(given: npt.ArrayLike) -> FloatArray:
    """Check rankings of many items.

    Parameters
    ----------
    given : array_like of shape (items, answers, systems)
        The number of each text of a system in each answer to an item. NaN for a system without a text in the item, and
        in the whole row of an answer that does not exist, since items may have fewer answers than others.

    Returns
    -------
    FloatArray of shape (items, answers, systems)
        The same numbers.

    Raises
    ------
    ValueError
        If the shape is another, a number is infinite, or an answer ranks some texts of its item only.

    Examples
    --------
    >>> answered([[[1, 2], [np.nan, np.nan]]]).shape
    (1, 2, 2)
    """
    values = np.asarray(given, dtype=np.float64)
    if values.ndim != 3 or np.isinf(values).any():
        raise ValueError(f"rankings must be finite, of shape (items, answers, systems), not {values.shape}")
    there = ~np.isnan(values)
    partly = there.any(axis=2, keepdims=True) & (there != there.any(axis=1, keepdims=True))
    if partly.any():
        item, answer, system = (int(each[0]) for each in np.nonzero(partly))
        raise ValueError(f"answer {answer} to item {item} has no rank for the text of system {system}")
    return values


@dataclass(frozen=True)
class MeanRank:
    """Where the texts of a system stand.

    Attributes
    ----------
    midrank, given : Ratio or Undefined
        Mean over answers of the midranks, and of the numbers as given, each with an interval that draws items;
        undefined if nobody ranked a text of the system.
    """

    midrank: Ratio | Undefined
    given: Ratio | Undefined


def mean_ranks(given: npt.ArrayLike, *, draws: int = DRAWS, seed: int) -> tuple[MeanRank, ...]:
    """Compute the mean rank of each system, with percentile intervals that draw the items with all their answers.

    Source: Daumé and Marcu 2004, "Generic sentence fusion is an ill-defined summarization task", ranked evaluation and
    Table 4, which has the numbers as given; midranks do not depend on how a judge writes ties.

    Parameters
    ----------
    given : array_like of shape (items, answers, systems)
        As for `answered`.
    draws : int, default 10_000
        Number of draws.
    seed : int
        Seed of the draws.

    Returns
    -------
    tuple of MeanRank
        One for each system. Intervals are undefined for fewer than 10 items.

    Raises
    ------
    ValueError
        As `answered`; if `draws` < 1.

    Examples
    --------
    >>> first, second = mean_ranks([[[1, 2], [1, 1]], [[1, 3], [2, 1]]], seed=1)
    >>> first.midrank.value, second.midrank.value, second.given.value
    (1.375, 1.625, 1.75)
    """
    values = answered(given)
    ranks, items = midranks(values), np.arange(len(values))
    columns = np.concatenate([ranks, values], axis=2)
    means = drawn_ratios(
        np.nansum(columns, axis=1), (~np.isnan(columns)).sum(axis=1), items, draws=draws, seed=seed, nothing=NO_RANK
    )
    systems = values.shape[2]
    return tuple(MeanRank(*both) for both in zip(means[:systems], means[systems:], strict=True))


def item_midranks(given: npt.ArrayLike) -> FloatArray:
    """Return the mean midrank of each system in each item: what a test over items, such as Friedman's, is made of.

    Parameters
    ----------
    given : array_like of shape (items, answers, systems)
        As for `answered`.

    Returns
    -------
    FloatArray of shape (items, systems)
        Means over the answers; NaN for a system without a text in the item, and for an item without an answer.

    Raises
    ------
    ValueError
        As `answered`.

    Examples
    --------
    >>> item_midranks([[[1, 2, np.nan], [1, 1, np.nan]]]).tolist()
    [[1.25, 1.75, nan]]
    """
    ranks = midranks(answered(given))
    count = (~np.isnan(ranks)).sum(axis=1)
    return np.where(count > 0, np.nansum(ranks, axis=1) / np.maximum(count, 1), np.nan)


def place_slope(given: npt.ArrayLike, places: npt.ArrayLike, *, draws: int = DRAWS, seed: int) -> Ratio | Undefined:
    """Regress the midrank of a text on the place at which it was shown: a check that the order does not matter.

    Ranks and places are taken as differences from their means in the answer. As the order is drawn anew for each
    answer, the slope is 0 if judges do not heed it; above 0, texts shown first are ranked better.

    Parameters
    ----------
    given : array_like of shape (items, answers, systems)
        As for `answered`.
    places : array_like of int, of the same shape
        The place of each text in the answer, from the top; anything where there is no text.
    draws : int, default 10_000
        Number of draws of items.
    seed : int
        Seed of the draws.

    Returns
    -------
    Ratio or Undefined
        Ranks per place, with a percentile interval over items; `units` is the sum of squared places. Undefined if no
        answer has two texts.

    Raises
    ------
    ValueError
        As `answered`; if the shapes differ, a place is missing, or `draws` < 1.

    Examples
    --------
    >>> place_slope([[[1, 2, 3], [3, 2, 1]]], [[[1, 2, 3], [1, 2, 3]]], seed=1).value
    0.0
    >>> place_slope([[[1, 2, 3], [3, 2, 1]]], [[[1, 2, 3], [3, 2, 1]]], seed=1).value
    1.0
    """
    ranks = midranks(answered(given))
    shown = np.where(np.isnan(ranks), np.nan, np.asarray(places, dtype=np.float64))
    if shown.shape != ranks.shape or (np.isnan(shown) != np.isnan(ranks)).any():
        raise ValueError("every text that was ranked needs the place at which it was shown")
    y, x = _centred(ranks), _centred(shown)
    above, below = (x * y).sum(axis=(1, 2))[:, None], (x * x).sum(axis=(1, 2))[:, None]
    (slope,) = drawn_ratios(above, below, np.arange(len(ranks)), draws=draws, seed=seed, nothing=NO_PLACE)
    return slope


def _centred(values: FloatArray) -> FloatArray:
    """Return differences from the mean of each answer, 0 where there is no text."""
    count: IntArray = (~np.isnan(values)).sum(axis=2, keepdims=True)
    mean = np.nansum(values, axis=2, keepdims=True) / np.maximum(count, 1)
    return np.where(np.isnan(values), 0.0, values - mean)
