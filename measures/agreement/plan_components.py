"""The variance of a mean rating and of kappa under a rating model, split by what is drawn: items, sources, raters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from measures.agreement.cohen import Weights, kappa_of_table
from measures.agreement.mean_rounding import Rounding, rounded
from measures.agreement.rating_model import RatingModel, category_probabilities, normal_nodes
from measures.core.arrays import FloatArray, IntArray

# Equally likely qualities of items, and severities of raters or qualities of sources.
_QUALITIES, _EFFECTS = 401, 61
_STEP = 1e-5


@dataclass(frozen=True)
class Components:
    """A statistic's value, and the components of its variance.

    Attributes
    ----------
    value : float
        The statistic of infinitely many items, sources and raters; NaN where it is undefined.
    item : float
        Variance of what an item contributes.
    source : float
        Covariance of what two items of a source contribute.
    rater : float
        Covariance of what two items of different sources contribute that have one rater in common.
    """

    value: float
    item: float
    source: float
    rater: float

    def variance(self, items: int, items_per_source: float, raters: int, ratings_per_item: int) -> float:
        """Return the variance of the statistic of a campaign.

        Parameters
        ----------
        items : int
            Number of items.
        items_per_source : float
            Number of items of each source.
        raters : int
            Number of raters, each with as many ratings; 0 leaves their differences out.
        ratings_per_item : int
            Number of ratings of each item.

        Returns
        -------
        float
            The variance.

        Examples
        --------
        >>> Components(2.0, item=1.0, source=0.5, rater=0.1).variance(100, 3, 30, 3)
        0.047
        """
        of_items = (self.item + (items_per_source - 1) * self.source) / items
        if not raters:
            return of_items
        per_rater = items * ratings_per_item / raters
        return of_items + self.rater * raters * max(0.0, per_rater * (per_rater - 1)) / items**2


class CampaignModel:
    """A rating model with a number of ratings of each item, from which both statistics have their components."""

    def __init__(self, model: RatingModel, ratings: int, values: IntArray, rounding: Rounding) -> None:
        self._model, self._number, self._values = model, ratings, values
        source, item, rater = model.shares
        self._between = source + item
        qualities = normal_nodes(_QUALITIES) * np.sqrt(self._between)
        self._qualities = qualities
        self._chances = category_probabilities(model.thresholds, qualities, 1 - self._between)
        severities = normal_nodes(_EFFECTS) * np.sqrt(rater)
        perceived = qualities[:, None] + severities
        # (qualities, severities, k): the ratings of one rater of given severity.
        self._of_rater = category_probabilities(model.thresholds, perceived, 1 - self._between - rater)
        totals = np.arange((ratings - 1) * (len(values) - 1) + 1) + (ratings - 1) * values[0]
        self._others_mean = rounded(totals, np.full(len(totals), ratings - 1), rounding) - values[0]

    def mean(self) -> Components:
        """Return the components of the mean rating, in points."""
        points, number = self._values.astype(np.float64), self._number
        expected = self._chances @ points
        noise = self._chances @ points**2 - expected**2
        severity = (self._of_rater @ points).mean(axis=0) / number
        return Components(
            value=float(expected.mean()),
            item=float(expected.var() + noise.mean() / number),
            source=self._source_covariance(expected),
            rater=float(severity.var()),
        )

    def kappa(self, weights: Weights) -> Components:
        """Return the components of kappa of one rater and the rounded mean of the others.

        The statistic is linearised around its value: what an item contributes is the gradient of kappa times the cells
        that the item falls into.
        """
        k = len(self._values)
        table = (self._chances[:, :, None] * self._others[:, None, :]).mean(axis=0)
        value = float(kappa_of_table(table, weights))
        if np.isnan(value):
            return Components(value, 0.0, 0.0, 0.0)
        steps = _STEP * np.eye(k * k).reshape(-1, k, k)
        gradient = (kappa_of_table(table + steps, weights) - kappa_of_table(table - steps, weights)) / (2 * _STEP)
        # (k, sums): what an item adds for the drawn rater's category and the sum of the others.
        added = gradient.reshape(k, k)[:, self._others_mean]
        alone = self._sums(self._number - 1) @ added.T
        beside = self._as_one_of_the_others(added)
        expected = (self._chances * alone).sum(axis=1)
        of_category = (alone + (self._number - 1) * beside) / self._number
        severity = (self._of_rater * of_category[:, None, :]).sum(axis=2).mean(axis=0)
        return Components(
            value=value,
            item=self._mean_square(added),
            source=self._source_covariance(expected),
            rater=float(severity.var()),
        )

    @cached_property
    def _others(self) -> FloatArray:
        """Distribution of the rounded mean of the others, by quality (m, k)."""
        return np.asarray(self._sums(self._number - 1) @ (self._others_mean[:, None] == np.arange(len(self._values))))

    def _sums(self, number: int) -> FloatArray:
        """Return the distribution of the sum of some raters' ranks, by quality (m, number * (k - 1) + 1)."""
        sums, k = np.ones((len(self._chances), 1)), len(self._values)
        for _ in range(number):
            longer = np.zeros((len(sums), sums.shape[1] + k - 1))
            for rank in range(k):
                longer[:, rank : rank + sums.shape[1]] += sums * self._chances[:, rank, None]
            sums = longer
        return sums

    def _as_one_of_the_others(self, added: FloatArray) -> FloatArray:
        """Return what an item adds on average if one of the others gives each category, by quality (m, k)."""
        rest = self._sums(self._number - 2)
        width = rest.shape[1]
        by_category = [rest @ added[:, rank : rank + width].T for rank in range(len(self._values))]
        return np.stack([(self._chances * each).sum(axis=1) for each in by_category], axis=1)

    def _mean_square(self, added: FloatArray) -> float:
        """Return the mean square of what an item adds on average over which of its raters is drawn."""
        rest, k, number = self._sums(self._number - 2), len(self._values), self._number
        width = rest.shape[1]
        same = (self._chances * (self._sums(number - 1) @ (added**2).T)).sum(axis=1)
        different = np.zeros(len(self._chances))
        for one in range(k):
            for other in range(k):
                product = added[one, other : other + width] * added[other, one : one + width]
                different += self._chances[:, one] * self._chances[:, other] * (rest @ product)
        return float((same + (number - 1) * different).mean() / number)

    def _source_covariance(self, expected: FloatArray) -> float:
        """Return the variance over sources of what their items contribute on average, given it by quality."""
        source, item, _ = self._model.shares
        if not source:
            return 0.0
        of_source = normal_nodes(_EFFECTS) * np.sqrt(source)
        within = normal_nodes(_EFFECTS) * np.sqrt(item)
        contributed = np.interp(of_source[:, None] + within, self._qualities, expected)
        return float(contributed.mean(axis=1).var())
