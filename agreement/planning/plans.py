"""Rating plans: how more ratings or more texts would narrow the intervals, and what they would cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from django.utils.translation import gettext as _

from agreement.extra_raters import first_ratings_of_campaign
from common.jobs import Progress
from compressions.models import Compression, Pair, SystemOutput, Target
from compressions.selectors.sources import first_versions, left_out_sources
from crowd.models import Campaign, Round
from crowd.scales import Scale
from measures.agreement.rating_model import RatingModel
from measures.agreement.rating_patterns import Patterns
from measures.agreement.sample_size import Plan, plan_ratings
from measures.agreement.sampled_ratings import SampledRatings, sampled_rows
from measures.agreement.simulated_pairs import simulated_pair_agreement
from measures.agreement.table_intervals import crowd_intervals
from measures.core.arrays import IntArray
from measures.core.confidence import ConfidenceInterval
from measures.core.undefined import Undefined
from ratings.selectors.judgements import RatingTable, crowd_comparisons, crowd_ratings
from ratings.selectors.quality import latest_quality_run, people_left_out


@dataclass(frozen=True)
class PlanningRatings:
    """Ratings of single texts or of pairs side by side, in the order in which they were given.

    `texts` are the distinct targets or pairs of the table, and `families` the paragraph or source that each belongs to.
    """

    table: RatingTable
    texts: IntArray
    families: list[int]


def releasable_ratings(campaign: Campaign) -> PlanningRatings:
    """Return the ratings, each text with its source: a paragraph and its own sentences count as one."""
    left_out = people_left_out(campaign, latest_quality_run(campaign))
    raters = frozenset(each.worker.pk for each in left_out if each.round == Round.RATE)
    editors = [each.worker.pk for each in left_out if each.round == Round.EDIT]
    gone = left_out_sources(campaign)
    written = Compression.objects.filter(source__campaign=campaign).exclude(worker__in=editors)
    written = written.exclude(source__in=gone)
    texts = set(written.values_list("target_id", flat=True))
    family_of = _families(campaign)
    if campaign.task.judges_single_texts:
        return _of_targets(crowd_ratings(campaign, but_of=raters), {text: family_of[text] for text in texts})
    texts |= set(
        SystemOutput.objects.filter(source__campaign=campaign)
        .exclude(source__in=gone)
        .values_list("target_id", flat=True)
    )
    pairs = Pair.objects.filter(first__source__campaign=campaign).values_list("pk", "first_id", "second_id")
    kept = {pk: family_of[first] for pk, first, second in pairs if first in texts and second in texts}
    return _of_targets(crowd_comparisons(campaign, but_of=raters), kept)


def _families(campaign: Campaign) -> dict[int, int]:
    """Return the paragraph, or else the source, that each text belongs to; a correction goes back to the first."""
    firsts = {pk: each.paragraph_id or each.pk for pk, each in first_versions(campaign).items()}
    rows = Target.objects.filter(source__campaign=campaign).values_list("pk", "source_id", "source__paragraph_id")
    return {text: firsts.get(source, paragraph or source) for text, source, paragraph in rows}


def _of_targets(table: RatingTable, family_of: dict[int, int]) -> PlanningRatings:
    chosen = np.isin(table.target, list(family_of))
    kept = RatingTable(table.rating[chosen], table.target[chosen], table.rater[chosen], table.scores[chosen])
    texts = np.unique(kept.target)
    return PlanningRatings(kept, texts, [family_of[int(text)] for text in texts])


QUICK_RATINGS = 20_000
"""Up to here plans take about 0.7 s on one core, and a page need not ask a job for them."""

DEFAULT_RATERS = (3, 4, 5, 7, 10)
RATERS, TEXTS = range(2, 21), range(1, 10_000_001)
MAX_NUMBERS = 8
MAX_PRICE = 10_000
SEED = 2016
# The plot has so many numbers of texts, evenly spaced on a scale of factors from a half to eight.
PLOT_STEPS, PLOT_FACTORS = 17, (0.5, 8.0)


def plan_numbers(text: str, allowed: range) -> list[int]:
    """Parse comma-separated numbers; raise ValueError for anything else, too many, or numbers out of range."""
    try:
        numbers = [int(part) for part in text.replace(";", ",").split(",") if part.strip()]
    except ValueError as error:
        raise ValueError(_("Give whole numbers separated by commas, such as 3, 4, 5.")) from error
    plan_numbers_check(numbers, allowed)
    return numbers


def plan_numbers_check(numbers: Sequence[int], allowed: range) -> None:
    """Raise ValueError for too many numbers, or numbers out of range."""
    if len(numbers) > MAX_NUMBERS or any(number not in allowed for number in numbers):
        words = _("Give at most %(most)s numbers from %(low)s to %(high)s.")
        raise ValueError(words % {"most": MAX_NUMBERS, "low": allowed[0], "high": f"{allowed[-1]:,}"})


@dataclass(frozen=True)
class Prices:
    """What a rating and a compression cost, in a currency that staff have in mind."""

    rating: Decimal = Decimal(0)
    compression: Decimal = Decimal(0)

    def __bool__(self) -> bool:
        return bool(self.rating or self.compression)

    def cost(self, plan: Plan) -> Decimal:
        return self.rating * plan.ratings + self.compression * plan.items


@dataclass(frozen=True)
class PricedPlan:
    """A plan with its cost; None without prices."""

    plan: Plan
    cost: Decimal | None


@dataclass(frozen=True)
class ScalePlans:
    """The plans for one scale, or the reason why there are none.

    `texts` and `ratings` count the texts that have two ratings or more so far; `kappa` and its interval describe them.
    `plotted` are plans with more numbers of texts.
    """

    scale: Scale
    texts: int
    ratings: int
    kappa: float | None
    interval: ConfidenceInterval | Undefined | None
    model: RatingModel | None
    plans: list[PricedPlan]
    plotted: list[PricedPlan]
    undefined: str = ""


def campaign_plans(
    campaign: Campaign,
    raters: Sequence[int] = DEFAULT_RATERS,
    texts: Sequence[int] | None = None,
    prices: Prices | None = None,
    progress: Progress = lambda _done, _total: None,
) -> list[ScalePlans]:
    """Return plans for each scale; `texts` default to the current number of texts, twice and four times that.

    If raters were asked for more ratings where the first ones disagreed, only the first ones of each text count.
    """
    scales = campaign.rating_scales
    found = releasable_ratings(campaign)
    first = first_ratings_of_campaign(campaign)
    plans = []
    for column, scale in enumerate(scales):
        progress(1 + column, 1 + len(scales))
        plans.append(_scale_plans(scale, _sampled(found, column, scale, first), raters, texts, prices or Prices()))
    progress(1 + len(scales), 1 + len(scales))
    return plans


def _scale_plans(
    scale: Scale, ratings: SampledRatings, raters: Sequence[int], texts: Sequence[int] | None, prices: Prices
) -> ScalePlans:
    counted = int((ratings.counts.sum(axis=1) >= 2).sum())
    given = int(ratings.counts[ratings.counts.sum(axis=1) >= 2].sum())
    sizes = list(texts) if texts else [max(1, counted) * factor for factor in (1, 2, 4)]
    found = plan_ratings(ratings, categories=scale.values, ratings_per_item=raters, items=sizes)
    if isinstance(found, Undefined):
        return ScalePlans(scale, counted, given, None, None, None, [], [], found.reason)
    plotted = plan_ratings(ratings, categories=scale.values, ratings_per_item=raters, items=_plot_sizes(counted))
    assert not isinstance(plotted, Undefined)
    kappa, interval = _so_far(ratings, scale)
    priced, on_plot = (
        [PricedPlan(plan, prices.cost(plan) if prices else None) for plan in each.plans] for each in (found, plotted)
    )
    return ScalePlans(scale, counted, given, kappa, interval, found.model, priced, on_plot)


def _plot_sizes(texts: int) -> list[int]:
    low, high = PLOT_FACTORS
    return sorted({max(2, round(texts * factor)) for factor in np.geomspace(low, high, PLOT_STEPS)})


def _so_far(ratings: SampledRatings, scale: Scale) -> tuple[float | None, ConfidenceInterval | Undefined | None]:
    """Return kappa of the ratings so far, as a report would have it, with its interval."""
    enough = ratings.with_at_least(2)
    patterns, items = np.unique(enough.counts, axis=0, return_counts=True)
    counted = Patterns(patterns, items, left_out=len(ratings.counts) - len(enough.counts))
    current = simulated_pair_agreement(counted, categories=scale.values, seed=SEED)
    if isinstance(current, Undefined) or isinstance(current.kappa, Undefined):
        return None, None
    kappa = current.kappa.mean
    return kappa, crowd_intervals(enough, categories=scale.values, kappa=kappa).kappa


def _sampled(found: PlanningRatings, column: int, scale: Scale, first: int | None) -> SampledRatings:
    text = np.searchsorted(found.texts, found.table.target)
    chosen = found.table.scores[:, column] > 0  # raters of another arm have other scales
    if first is not None:
        chosen &= _rank_within_text(text) < first
    return sampled_rows(
        text[chosen],
        found.table.scores[chosen, column],
        found.table.rater[chosen],
        categories=scale.values,
        sources=np.array(found.families, dtype=np.int64),
    )


def _rank_within_text(text: IntArray) -> IntArray:
    """Return how many earlier ratings of the same text precede each rating."""
    order = np.argsort(text, kind="stable")
    _, starts, numbers = np.unique(text[order], return_index=True, return_counts=True)
    rank = np.empty(len(text), np.int64)
    rank[order] = np.arange(len(text)) - np.repeat(starts, numbers)
    return rank
