"""Gwet's AC1 and AC2: chance-corrected agreement that stays meaningful when most ratings are in one category."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from measures.agreement.cohen import Weights, disagreement_weights
from measures.agreement.sampled_ratings import sampled_ratings
from measures.agreement.two_way import Statistic, two_way_interval
from measures.core.arrays import FloatArray, IntArray
from measures.core.confidence import ConfidenceInterval
from measures.core.rating_scale import Categories, category_values
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY, Undefined

# Sums of fractions may leave a trace in a category that has no rating.
_NOTHING = 1e-12
ONE_POINT = Undefined("the scale has one category")


@dataclass(frozen=True)
class GwetResult:
    """Gwet's coefficient with its confidence interval.

    Attributes
    ----------
    coefficient : float or Undefined
        AC1 (weights "none") or AC2, at most 1; undefined if all ratings are in one category.
    coefficient_interval : ConfidenceInterval or Undefined
        Its interval over the sources and, where they are known, the raters.
    agreement : float
        Weighted share of an item's pairs of ratings that agree, averaged over the items; 0 to 1.
    agreement_interval : ConfidenceInterval or Undefined
        The interval of the agreement.
    chance : float
        Agreement expected by chance.
    items, left_out : int
        Numbers of items with at least two ratings, and with fewer.
    """

    coefficient: float | Undefined
    coefficient_interval: ConfidenceInterval | Undefined
    agreement: float
    agreement_interval: ConfidenceInterval | Undefined
    chance: float
    items: int
    left_out: int


def gwet_agreement(
    matrix: npt.ArrayLike,
    *,
    categories: Categories,
    weights: Weights = "none",
    sources: npt.ArrayLike | None = None,
    raters: npt.ArrayLike | None = None,
) -> GwetResult | Undefined:
    """Compute Gwet's AC1, or AC2 if weighted, and the percent agreement it corrects.

    Kappa estimates chance agreement from how often the raters use each category. When nearly all ratings are
    in one category, that estimate is close to 1, and kappa is low however well the raters agree. Gwet counts
    as chance only agreement on items that are hard to rate, whose share is estimated to be larger the more
    evenly the categories are used. When a single category is used, no item was hard to rate and the data do
    not show how well the raters would have told one: the coefficient is undefined.

    Source: Gwet 2008, "Computing inter-rater reliability and its variance in the presence of high
    agreement", for AC1; Gwet 2014, *Handbook of Inter-Rater Reliability*, ch. 4, for weights and missing
    ratings; `two_way_interval` for the intervals, in place of Gwet's standard errors.

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing. Items with one rating count only towards the use of the categories.
    categories : int or sequence of float
        The scale, k categories.
    weights : {"none", "linear", "quadratic"}
        How disagreement grows with distance; "none" gives AC1.
    sources : array_like of shape (n,), optional
        Source of each item. By default each item has a source of its own.
    raters : array_like of int, of shape (n, r), optional
        The rater of each rating, negative if unknown. By default, or if one is unknown, the intervals take the raters
        as given.

    Returns
    -------
    GwetResult or Undefined
        The estimates; undefined if no item has two ratings, or the scale has one category.

    Raises
    ------
    ValueError
        If a rating is not one of the categories, the weights are unknown, or `sources` or `raters` has a wrong shape.

    Examples
    --------
    >>> matrix = [[3, 3], [3, 3], [3, 3], [3, 2], [3, np.nan]]
    >>> result = gwet_agreement(matrix, categories=3)
    >>> result.agreement, round(result.coefficient, 3), result.left_out
    (0.75, 0.725, 1)
    """
    ratings, k = (
        sampled_ratings(matrix, categories=categories, sources=sources, raters=raters),
        len(category_values(categories)),
    )
    distance = disagreement_weights(k, weights)
    terms = partial(_terms, similarity=1 - distance / max(1, distance.max()))
    chance_of = partial(_chance, similarity_sum=float(k * k - distance.sum() / max(1, distance.max())))
    items = int((ratings.counts.sum(axis=1) >= 2).sum())
    if not items:
        return NO_PAIRS
    if k == 1:
        return ONE_POINT
    sums = ratings.terms(terms)[0].sum(axis=0)[None]
    agreement, chance = float(_agreement(sums)[0]), float(chance_of(sums)[0])
    is_one_category = np.count_nonzero(ratings.counts.sum(axis=0)) == 1
    coefficient = ONE_CATEGORY if is_one_category else (agreement - chance) / (1 - chance)
    return GwetResult(
        coefficient=coefficient,
        coefficient_interval=ONE_CATEGORY
        if is_one_category
        else two_way_interval(ratings, terms, _chance_corrected(chance_of), bounds=(-1, 1)),
        agreement=agreement,
        agreement_interval=two_way_interval(ratings.with_at_least(2), terms, _agreement, bounds=(0, 1)),
        chance=chance,
        items=items,
        left_out=len(np.asarray(matrix)) - items,
    )


def _terms(counts: IntArray, similarity: FloatArray) -> FloatArray:
    """Return what items add to the sums (p, k + 3): agreement, has pairs, share of each category, has ratings."""
    number = counts.sum(axis=1)
    # The product also pairs each rating with itself; subtract these.
    agreement = ((counts @ similarity) * counts).sum(axis=1) - number
    has_pairs = number >= 2
    return np.column_stack(
        [
            np.where(has_pairs, agreement / np.maximum(number * (number - 1), 1), 0),
            has_pairs,
            counts / np.maximum(number, 1)[:, None],
            number >= 1,
        ]
    ).astype(np.float64)


def _agreement(sums: FloatArray) -> FloatArray:
    """Return the mean agreement of the items with pairs, NaN where there are none."""
    agreement = np.full(len(sums), np.nan)
    np.divide(sums[:, 0], sums[:, 1], out=agreement, where=sums[:, 1] > 0)
    return agreement


def _chance(sums: FloatArray, similarity_sum: float) -> FloatArray:
    shares = np.full((len(sums), sums.shape[1] - 3), np.nan)
    np.divide(sums[:, 2:-1], sums[:, -1:], out=shares, where=sums[:, -1:] > 0)
    k = shares.shape[1]
    return np.asarray(similarity_sum / (k * (k - 1)) * (shares * (1 - shares)).sum(axis=1))


def _chance_corrected(chance_of: Statistic) -> Statistic:
    def corrected(sums: FloatArray) -> FloatArray:
        chance = chance_of(sums)
        # Chance agreement is 0 only where a single category is used.
        return np.where(chance > _NOTHING, (_agreement(sums) - chance) / (1 - chance), np.nan)

    return corrected
