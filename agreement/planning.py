"""What more raters or more texts would buy, from the ratings that a campaign has so far."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agreement.planning_ratings import kept_ratings
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


def plan_numbers(text: str, possible: range) -> list[int]:
    """Numbers parted by commas, none of them where the text is empty; ValueError for what makes no sense."""
    try:
        numbers = [int(part) for part in text.replace(";", ",").split(",") if part.strip()]
    except ValueError as error:
        raise ValueError("Please give whole numbers parted by commas, such as 3, 4, 5.") from error
    if len(numbers) > MAX_NUMBERS or any(number not in possible for number in numbers):
        most = possible[-1]
        raise ValueError(f"Please give at most {MAX_NUMBERS} numbers from {possible[0]} to {most:,}.")
    return numbers


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
    """Plans for every scale; without numbers of texts as many as there are, twice and four times that.

    Of each text the first three ratings count where others have only these: more may have been asked for because they
    differed.
    """
    table = kept_ratings(campaign)
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
    """Texts counted by their ratings, which stand in the order in which they were given."""
    values = sorted(scale.values)
    _, text, number = np.unique(target, return_inverse=True, return_counts=True)
    if (number == FIRST).any() and (number > FIRST).any():
        first = _before(text) < FIRST
        text, points = text[first], points[first]
    cells = text * len(values) + np.searchsorted(values, points)
    counts = np.bincount(cells, minlength=len(number) * len(values)).reshape(len(number), len(values))
    enough = counts[counts.sum(axis=1) >= 2]
    patterns, items = np.unique(enough, axis=0, return_counts=True)
    return Patterns(patterns, items, left_out=len(counts) - len(enough))


def _before(text: IntArray) -> IntArray:
    """How many ratings of the same text stand before each."""
    order = np.argsort(text, kind="stable")
    _, starts, numbers = np.unique(text[order], return_index=True, return_counts=True)
    before = np.empty(len(text), np.int64)
    before[order] = np.arange(len(text)) - np.repeat(starts, numbers)
    return before
