"""What more raters or more texts would buy, from the ratings that a campaign has so far."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from crowd.models import Campaign
from crowd.scales import Scale
from measures.arrays import IntArray
from measures.bootstrap import Interval
from measures.pairs import Patterns, simulated_pair_agreement
from measures.planning import Plan, plan_ratings
from measures.undefined import Undefined
from ratings.selectors.judgements import crowd_ratings

DEFAULT_RATERS = (3, 4, 5, 7, 10)
SEED = 2016


@dataclass(frozen=True)
class ScalePlans:
    """The plans of one scale, or why there are none; `texts` have two ratings or more so far, and this `kappa`."""

    scale: Scale
    texts: int
    ratings: int
    kappa: Interval | None
    plans: list[Plan]
    undefined: str = ""


def campaign_plans(
    campaign: Campaign,
    raters: Sequence[int] = DEFAULT_RATERS,
    texts: Sequence[int] | None = None,
    seed: int = SEED,
) -> list[ScalePlans]:
    """Plans for every scale; without numbers of texts as many as there are, twice and four times that."""
    table = crowd_ratings(campaign)
    found = []
    for column, scale in enumerate(campaign.rating_scales):
        patterns = _patterns(table.target, table.scores[:, column], scale)
        found.append(_plans_of(scale, patterns, raters, texts, seed))
    return found


def _plans_of(
    scale: Scale, patterns: Patterns, raters: Sequence[int], texts: Sequence[int] | None, seed: int
) -> ScalePlans:
    number, ratings = int(patterns.items.sum()), int(patterns.items @ patterns.counts.sum(axis=1))
    sizes = list(texts) if texts else [max(1, number) * factor for factor in (1, 2, 4)]
    plans = plan_ratings(patterns, categories=scale.values, raters=raters, items=sizes, seed=seed)
    if isinstance(plans, Undefined):
        return ScalePlans(scale, number, ratings, None, [], plans.reason)
    now = simulated_pair_agreement(patterns, categories=scale.values, seed=seed, resample_items=True)
    return ScalePlans(scale, number, ratings, None if isinstance(now, Undefined) else now.kappa, plans)


def _patterns(target: IntArray, points: IntArray, scale: Scale) -> Patterns:
    """Texts counted by their ratings."""
    values = sorted(scale.values)
    _, text = np.unique(target, return_inverse=True)
    cells = text * len(values) + np.searchsorted(values, points)
    number = int(text.max(initial=-1)) + 1
    counts = np.bincount(cells, minlength=number * len(values)).reshape(number, len(values))
    enough = counts[counts.sum(axis=1) >= 2]
    patterns, items = np.unique(enough, axis=0, return_counts=True)
    return Patterns(patterns, items, left_out=number - len(enough))
