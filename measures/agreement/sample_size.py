"""Sample size planning: how the intervals of a mean and of kappa narrow with more ratings or more items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np

from measures.agreement.cohen import Weights
from measures.agreement.mean_rounding import Rounding, whole_values
from measures.agreement.plan_components import CampaignModel, Components
from measures.agreement.rating_model import RatingModel, fit_rating_model
from measures.agreement.sampled_ratings import SampledRatings
from measures.agreement.two_way import ONE_SOURCE
from measures.core.confidence import CONFIDENCE, degrees_of_freedom, student_t_quantile
from measures.core.rating_scale import Categories
from measures.core.undefined import ONE_CATEGORY, Undefined


@dataclass(frozen=True)
class Prediction:
    """What an estimate would be, and how far its 95% interval would reach to either side.

    Attributes
    ----------
    value : float
        The estimate.
    reach : float
        Half the width of the interval, at most half the range of possible values.
    """

    value: float
    reach: float


@dataclass(frozen=True)
class Plan:
    """Expected precision of a campaign with a given number of items and of ratings per item.

    Attributes
    ----------
    ratings_per_item, items : int
        Ratings of each item, and number of items.
    sources, raters : int
        Numbers of sources and of raters that these take, if a source has as many items and a rater gives as many
        ratings as so far. `raters` is 0 where nobody knows who gave the ratings so far.
    mean : Prediction or Undefined
        The mean rating, in points; undefined for a single source, which has no interval.
    kappa : Prediction or Undefined
        Kappa of one rater and the rounded mean of the others; also undefined if all ratings are in one category.
    """

    ratings_per_item: int
    items: int
    sources: int
    raters: int
    mean: Prediction | Undefined
    kappa: Prediction | Undefined

    @property
    def ratings(self) -> int:
        """Ratings in all."""
        return self.ratings_per_item * self.items

    @property
    def predictions(self) -> tuple[Prediction | Undefined, Prediction | Undefined]:
        """The mean and kappa."""
        return self.mean, self.kappa


@dataclass(frozen=True)
class Plans:
    """Plans, and the model that they rest on.

    Attributes
    ----------
    model : RatingModel
        The model of the ratings so far.
    plans : list of Plan
        By ratings per item, then by items.
    """

    model: RatingModel
    plans: list[Plan]


def plan_ratings(
    ratings: SampledRatings,
    *,
    categories: Categories,
    ratings_per_item: Sequence[int],
    items: Sequence[int],
    rounding: Rounding = Rounding.HALF_UP,
    weights: Weights = "quadratic",
) -> Plans | Undefined:
    """Predict how the intervals of the mean and of kappa narrow with more ratings per item and more items.

    The predicted statistics are those of an agreement report: kappa of one rater and the rounded mean of the others,
    averaged over which rater is drawn, with an interval over sources and raters. Their variances follow from the model
    of `fit_rating_model`, to first order in the numbers of items and raters. More of anything never gives a wider
    interval: kappa of an even number of others can be a little less certain than that of one fewer, because of how
    halves are rounded, and such steps are averaged.

    The widths show what more ratings and items gain. The values are only as certain as the ratings so far. If some
    items were given more ratings because the first ones disagreed, leave out these extra ratings: they make raters look
    more alike than they are. The model is fitted to squared distances, so it describes other weights less well.

    Source: this project's own.

    Parameters
    ----------
    ratings : SampledRatings
        The ratings so far.
    categories : int or sequence of int
        The scale, k consecutive whole numbers.
    ratings_per_item, items : sequence of int
        Ratings per item, at least 2, and numbers of items, at least 1. Each combination is a plan.
    rounding : Rounding, default Rounding.HALF_UP
        How the mean of the others is rounded.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.

    Returns
    -------
    Plans or Undefined
        The plans; undefined if `fit_rating_model` is.

    Raises
    ------
    ValueError
        If a number of ratings per item is below 2, a number of items is below 1, or the categories are not consecutive
        or do not fit the ratings.

    Examples
    --------
    >>> from measures.agreement.sampled_ratings import sampled_ratings
    >>> matrix = [[3, 3, 2], [1, 1, 2], [2, 2, 2], [3, 3, 3], [1, 2, 1], [3, 2, 3]]
    >>> ratings = sampled_ratings(matrix, categories=3)
    >>> found = plan_ratings(ratings, categories=3, ratings_per_item=[3], items=[50, 5000])
    >>> [(plan.ratings, round(plan.kappa.reach, 3)) for plan in found.plans]
    [(150, 0.153), (15000, 0.015)]
    """
    if min(items, default=1) < 1 or min(ratings_per_item, default=2) < 2:
        raise ValueError("a plan wants two ratings of an item and one item at least")
    values = whole_values(categories)
    if ratings.counts.shape[1] != len(values):
        raise ValueError(f"ratings in {ratings.counts.shape[1]} categories do not fit {categories!r}")
    model = fit_rating_model(ratings)
    if isinstance(model, Undefined):
        return model
    plans: dict[tuple[int, int], Plan] = {}
    for number in ratings_per_item:
        campaign = CampaignModel(model, number, values, rounding)
        mean, kappa = campaign.mean(), campaign.kappa(weights)
        plans |= {(number, size): _plan(ratings, number, size, mean, kappa) for size in items}
    return Plans(model, _narrowing(plans))


def _plan(ratings: SampledRatings, number: int, items: int, mean: Components, kappa: Components) -> Plan:
    items_per_source = len(ratings.counts) / ratings.sources
    sources = min(items, ceil(items / items_per_source))
    raters = 0
    if ratings.raters:
        raters = max(number, ceil(items * number / (len(ratings.item) / ratings.raters)))
    quantile = student_t_quantile((1 + CONFIDENCE) / 2, degrees_of_freedom(sources, raters))

    def predicted(each: Components, span: float) -> Prediction | Undefined:
        if np.isnan(each.value):
            return ONE_CATEGORY
        if sources < 2:
            return ONE_SOURCE
        variance = each.variance(items, items / sources, raters, number)
        return Prediction(each.value, min(span / 2, quantile * sqrt(max(0.0, variance))))

    points = ratings.counts.shape[1]
    return Plan(number, items, sources, raters, predicted(mean, points - 1), predicted(kappa, 2))


def _narrowing(plans: dict[tuple[int, int], Plan]) -> list[Plan]:
    """Average the reaches of kappa where more ratings of each item would give a wider interval."""
    smoothed = dict(plans)
    for items in {size for _, size in plans}:
        column = sorted(key for key in plans if key[1] == items and isinstance(plans[key].kappa, Prediction))
        predictions = [plan for key in column if isinstance(plan := plans[key].kappa, Prediction)]
        for key, before, reach in zip(column, predictions, _falling([each.reach for each in predictions]), strict=True):
            old = plans[key]
            kappa = Prediction(before.value, reach)
            smoothed[key] = Plan(old.ratings_per_item, old.items, old.sources, old.raters, old.mean, kappa)
    return list(smoothed.values())


def _falling(values: Sequence[float]) -> list[float]:
    """Return the closest values that never rise, by pooling neighbours that do."""
    pools: list[tuple[float, int]] = []
    for value in values:
        mean, number = value, 1
        while pools and pools[-1][0] < mean:
            before, others = pools.pop()
            mean, number = (before * others + mean * number) / (others + number), others + number
        pools.append((mean, number))
    return [mean for mean, number in pools for _ in range(number)]
