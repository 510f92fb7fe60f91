"""Gwet's AC1 and AC2: chance-corrected agreement that stays meaningful when most ratings are in one category."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from measures.agreement.cohen import Weights, disagreement_weights
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
        The coefficient over the replications in which it is defined; None if `coefficient` is undefined.
    agreement : float
        Weighted share of an item's pairs of ratings that agree, averaged over the items; 0 to 1.
    agreement_interval : Interval
        Agreement over the replications.
    chance : float
        Agreement expected by chance.
    items, left_out : int
        Numbers of items with at least two ratings, and with fewer.
    replications, undefined_replications : int
        Number of replications that drew an item with two ratings, and how many of these contain one category only.
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
    """Compute Gwet's AC1, or AC2 if weighted, and the percent agreement it corrects.

    Kappa estimates chance agreement from how often the raters use each category. When nearly all ratings are
    in one category, that estimate is close to 1, and kappa is low however well the raters agree. Gwet counts
    as chance only agreement on items that are hard to rate, whose share is estimated to be larger the more
    evenly the categories are used. When a single category is used, no item was hard to rate and the data do
    not show how well the raters would have told one: the coefficient is undefined.

    The intervals are percentiles of a bootstrap over the items, not based on Gwet's standard errors.

    Source: Gwet 2008, "Computing inter-rater reliability and its variance in the presence of high
    agreement", for AC1; Gwet 2014, *Handbook of Inter-Rater Reliability*, ch. 4, for weights and missing
    ratings.

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing. Items with one rating count only towards the use of the categories.
    categories : int or sequence of float
        The scale, k categories.
    weights : {"none", "linear", "quadratic"}
        How disagreement grows with distance; "none" gives AC1.
    replications : int, default 1000
        Number of bootstrap replications.
    seed : int
        Seed of the random number generator.

    Returns
    -------
    GwetResult or Undefined
        The estimates; undefined if no item has two ratings, no replication draws one that has, or the scale has
        one category.

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
    patterns, k = count_patterns(matrix, categories, min_ratings=1), len(category_values(categories))
    distance = disagreement_weights(k, weights)
    terms = _PatternTerms.of(patterns, similarity=1 - distance / max(1, distance.max()))
    items = int(patterns.items[terms.has_pairs].sum())
    if not items:
        return NO_PAIRS
    if k == 1:
        return ONE_POINT
    (agreement,), (chance,) = terms.agreement_and_chance(patterns.items[None])
    blocks = resampled(patterns.items, replications, np.random.default_rng(seed))
    agreements, chances = np.concatenate([np.stack(terms.agreement_and_chance(drawn)) for drawn in blocks], axis=1)
    if not len(agreements):
        return NO_PAIRS_DRAWN
    defined = chances > 0  # chance agreement is 0 only where a single category is used
    coefficient = _coefficient(float(agreement), float(chance), int(defined.sum()))
    is_undefined = isinstance(coefficient, Undefined)
    return GwetResult(
        coefficient=coefficient,
        coefficient_interval=None if is_undefined else Interval.of(_chance_corrected(agreements, chances)[defined]),
        agreement=float(agreement),
        agreement_interval=Interval.of(agreements),
        chance=float(chance),
        items=items,
        left_out=int(patterns.left_out + patterns.items.sum() - items),
        replications=len(agreements),
        undefined_replications=int(len(agreements) - defined.sum()),
    )


def _coefficient(agreement: float, chance: float, defined_replications: int) -> float | Undefined:
    if chance == 0:
        return ONE_CATEGORY
    return _chance_corrected(agreement, chance) if defined_replications else ALL_DRAWS_UNDEFINED


@dataclass(frozen=True, eq=False)
class _PatternTerms:
    """What an item of each of p patterns contributes: agreement, category shares, and whether it has pairs.

    `similarity` (k, k) holds the agreement weights of the categories, 1 on the diagonal.
    """

    agreement: FloatArray
    shares: FloatArray
    has_pairs: npt.NDArray[np.bool_]
    similarity: FloatArray

    @classmethod
    def of(cls, patterns: Patterns, similarity: FloatArray) -> _PatternTerms:
        counts = patterns.counts.astype(np.float64)
        number = counts.sum(axis=1)
        has_pairs = number >= 2
        pairs = np.where(has_pairs, number * (number - 1), 1)
        # The product also pairs each rating with itself; subtract these.
        agreement = ((counts @ similarity) * counts).sum(axis=1) - number
        return cls(np.where(has_pairs, agreement / pairs, 0), counts / number[:, None], has_pairs, similarity)

    def agreement_and_chance(self, items: npt.NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
        """Return agreement and chance agreement of each replication that has pairs.

        `items` (d, p) are the numbers of items of each pattern in each replication.
        """
        items = items[items[:, self.has_pairs].any(axis=1)]
        agreement = items @ self.agreement / items[:, self.has_pairs].sum(axis=1)
        used = items @ self.shares / items.sum(axis=1)[:, None]
        k = len(self.similarity)
        chance = self.similarity.sum() / (k * (k - 1)) * (used * (1 - used)).sum(axis=1)
        return np.asarray(agreement), np.asarray(chance)


def _chance_corrected(agreement: T, chance: T) -> T:
    return (agreement - chance) / (1 - chance)
