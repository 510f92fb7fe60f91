"""Rating plans: how more raters or more texts would narrow the intervals, given a campaign's ratings so far."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agreement.planning_ratings import releasable_ratings
from agreement.sections.paper_table import FIRST
from crowd.models import Campaign
from crowd.scales import Scale
from measures.agreement.rating_patterns import Patterns
from measures.agreement.sample_size import Plan, plan_ratings
from measures.agreement.simulated_pairs import simulated_pair_agreement
from measures.core.arrays import IntArray
from measures.core.intervals import Interval
from measures.core.undefined import Undefined

DEFAULT_RATERS = (3, 4, 5, 7, 10)
RATERS, TEXTS = range(2, 21), range(1, 10_000_001)
MAX_NUMBERS = 8
SEED = 2016


def plan_numbers(text: str, allowed: range) -> list[int]:
    """Parse comma-separated numbers; raise ValueError for anything else, too many, or numbers out of range."""
    try:
        numbers = [int(part) for part in text.replace(";", ",").split(",") if part.strip()]
    except ValueError as error:
        raise ValueError("Please give whole numbers parted by commas, such as 3, 4, 5.") from error
    if len(numbers) > MAX_NUMBERS or any(number not in allowed for number in numbers):
        raise ValueError(f"Please give at most {MAX_NUMBERS} numbers from {allowed[0]} to {allowed[-1]:,}.")
    return numbers


@dataclass(frozen=True)
class ScalePlans:
    """The plans for one scale, or the reason why there are none.

    `texts`, `ratings` and `kappa` describe the texts that have two ratings or more so far.
    """

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
    """Return plans for each scale; `texts` default to the current number of texts, twice and four times that.

    If only some texts have more than three ratings, only the first three of each text count: the others may have been
    requested because the first ones disagreed.
    """
    table = releasable_ratings(campaign)
    return [
        _scale_plans(scale, _patterns(table.target, table.scores[:, column], scale), raters, texts, seed)
        for column, scale in enumerate(campaign.rating_scales)
    ]


def _scale_plans(
    scale: Scale, patterns: Patterns, raters: Sequence[int], texts: Sequence[int] | None, seed: int
) -> ScalePlans:
    rated_texts, ratings = int(patterns.items.sum()), int(patterns.items @ patterns.counts.sum(axis=1))
    sizes = list(texts) if texts else [max(1, rated_texts) * factor for factor in (1, 2, 4)]
    plans = plan_ratings(patterns, categories=scale.values, raters=raters, items=sizes, seed=seed)
    if isinstance(plans, Undefined):
        return ScalePlans(scale, rated_texts, ratings, None, [], plans.reason)
    current = simulated_pair_agreement(patterns, categories=scale.values, seed=seed, resample_items=True)
    kappa = None if isinstance(current, Undefined) else current.kappa
    return ScalePlans(scale, rated_texts, ratings, kappa, plans)


def _patterns(target: IntArray, points: IntArray, scale: Scale) -> Patterns:
    """Group texts by their ratings, which must be in the order in which they were given."""
    values = sorted(scale.values)
    _, text, ratings_per_text = np.unique(target, return_inverse=True, return_counts=True)
    number = len(ratings_per_text)
    if (ratings_per_text == FIRST).any() and (ratings_per_text > FIRST).any():
        is_first = _rank_within_text(text) < FIRST
        text, points = text[is_first], points[is_first]
    cells = text * len(values) + np.searchsorted(values, points)
    counts = np.bincount(cells, minlength=number * len(values)).reshape(number, len(values))
    enough = counts[counts.sum(axis=1) >= 2]
    patterns, items = np.unique(enough, axis=0, return_counts=True)
    return Patterns(patterns, items, left_out=len(counts) - len(enough))


def _rank_within_text(text: IntArray) -> IntArray:
    """Return how many earlier ratings of the same text precede each rating."""
    order = np.argsort(text, kind="stable")
    _, starts, numbers = np.unique(text[order], return_index=True, return_counts=True)
    rank = np.empty(len(text), np.int64)
    rank[order] = np.arange(len(text)) - np.repeat(starts, numbers)
    return rank
