"""Gwet's AC1 and AC2: agreement beyond chance that does not fall where nearly all ratings are alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from measures.agreement.cohen import Weights, penalties
from measures.agreement.rating_patterns import Patterns, count_patterns
from measures.core.arrays import FloatArray
from measures.core.intervals import ALL_DRAWS_UNDEFINED, Interval, resampled
from measures.core.rating_scale import Categories, category_values
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY, Undefined

T = TypeVar("T", float, FloatArray)
NO_PAIRS_DRAWN = Undefined("no replication drew an item with two ratings")
ONE_POINT = Undefined("the scale has one category")


@dataclass(frozen=True)
class GwetResult:
    """Gwet's coefficient with bootstrap intervals over the items.

    Attributes
    ----------
    coefficient : float or Undefined
        AC1 (weights "none") or AC2, at most 1; undefined if all ratings are in one category.
    coefficient_interval : Interval or None
        The coefficient in the replications in which it is defined; None where it is undefined itself.
    agreement : float
        Share of the pairs of ratings of an item that agree, weighted, mean over the items; 0 to 1.
    agreement_interval : Interval
        The agreement in the replications.
    chance : float
        The agreement that chance would give.
    items, left_out : int
        Items with two ratings or more, and the others.
    replications, undefined_replications : int
        Replications in which an item with two ratings was drawn, and of those the ones with one category only.
    """

    coefficient: float | Undefined
    coefficient_interval: Interval | None
    agreement: float
    agreement_interval: Interval
    chance: float
    items: int
    left_out: int
    replications: int
    undefined_replications: int


def gwet_agreement(
    matrix: npt.ArrayLike,
    *,
    categories: Categories,
    weights: Weights = "none",
    replications: int = 1000,
    seed: int,
) -> GwetResult | Undefined:
    """Compute Gwet's AC1, or with weights AC2, and the percent agreement under it.

    Kappa takes for chance what two judges would agree on who use the categories as often as the real ones
    do: where nearly all ratings are in one category that is nearly everything, and kappa is low however
    well the judges agree. Gwet takes for chance only what falls on items that are hard to tell, the more
    the more evenly the categories are used. Where one category alone is used nothing was hard to tell, and
    nothing shows whether the judges would have told it: there is no coefficient.

    Source: Gwet 2008, "Computing inter-rater reliability and its variance in the presence of high
    agreement", for AC1; Gwet 2014, *Handbook of Inter-Rater Reliability*, ch. 4, for weights and missing
    ratings. The intervals are percentiles of a bootstrap over the items, not Gwet's standard errors.

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing. An item with one rating says how often categories are used.
    categories : int or sequence of float
        The scale, k categories.
    weights : {"none", "linear", "quadratic"}
        How disagreement grows with distance; "none" gives AC1.
    replications : int, default 1000
        Number of bootstrap replications.
    seed : int
        Seed of the random numbers.

    Returns
    -------
    GwetResult or Undefined
        The values; undefined if no item, or no item drawn, has two ratings, or the scale has one category.

    Raises
    ------
    ValueError
        If a rating is not one of the categories, the weights are unknown, or `replications` < 1.

    Examples
    --------
    >>> matrix = [[3, 3], [3, 3], [3, 3], [3, 2], [3, np.nan]]
    >>> result = gwet_agreement(matrix, categories=3, seed=1)
    >>> result.agreement, round(result.coefficient, 3), result.left_out
    (0.75, 0.725, 1)
    """
    if replications < 1:
        raise ValueError(f"replications must be at least 1, not {replications}")
    patterns, k = count_patterns(matrix, categories, least=1), len(category_values(categories))
    distance = penalties(k, weights)
    counted = _Counted.of(patterns, alike=1 - distance / max(1, distance.max()))
    require_pairs = int(patterns.items[counted.has_pairs].sum())
    if not require_pairs:
        return NO_PAIRS
    if k == 1:
        return ONE_POINT
    (agreement,), (chance,) = counted.agreement_and_chance(patterns.items[None])
    blocks = resampled(patterns.items, replications, np.random.default_rng(seed))
    agreements, chances = np.concatenate([np.stack(counted.agreement_and_chance(drawn)) for drawn in blocks], axis=1)
    if not len(agreements):
        return NO_PAIRS_DRAWN
    several = chances > 0  # chance is nothing where one category alone is used
    coefficient = _coefficient(float(agreement), float(chance), int(several.sum()))
    is_undefined = isinstance(coefficient, Undefined)
    return GwetResult(
        coefficient=coefficient,
        coefficient_interval=None if is_undefined else Interval.of(_beyond(agreements, chances)[several]),
        agreement=float(agreement),
        agreement_interval=Interval.of(agreements),
        chance=float(chance),
        items=require_pairs,
        left_out=int(patterns.left_out + patterns.items.sum() - require_pairs),
        replications=len(agreements),
        undefined_replications=int(len(agreements) - several.sum()),
    )


def _coefficient(agreement: float, chance: float, defined_replications: int) -> float | Undefined:
    if chance == 0:
        return ONE_CATEGORY
    return _beyond(agreement, chance) if defined_replications else ALL_DRAWS_UNDEFINED


@dataclass(frozen=True, eq=False)
class _Counted:
    """What each of p patterns adds: its agreement, its shares of the categories, and whether it has pairs."""

    agreement: FloatArray
    shares: FloatArray
    has_pairs: npt.NDArray[np.bool_]
    alike: FloatArray

    @classmethod
    def of(cls, patterns: Patterns, alike: FloatArray) -> _Counted:
        counts = patterns.counts.astype(np.float64)
        number = counts.sum(axis=1)
        has_pairs = number >= 2
        pairs = np.where(has_pairs, number * (number - 1), 1)
        # A rating is no pair with itself: of the weighted pairs of an item, its own are taken off.
        agreement = ((counts @ alike) * counts).sum(axis=1) - number
        return cls(np.where(has_pairs, agreement / pairs, 0), counts / number[:, None], has_pairs, alike)

    def agreement_and_chance(self, items: npt.NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
        """Agreement and chance of those campaigns (d, p), each so many items of every pattern, that have pairs."""
        items = items[items[:, self.has_pairs].any(axis=1)]
        agreement = items @ self.agreement / items[:, self.has_pairs].sum(axis=1)
        used = items @ self.shares / items.sum(axis=1)[:, None]
        k = len(self.alike)
        return np.asarray(agreement), np.asarray(self.alike.sum() / (k * (k - 1)) * (used * (1 - used)).sum(axis=1))


def _beyond(agreement: T, chance: T) -> T:
    return (agreement - chance) / (1 - chance)
