"""Coordinates for the plot of a plan: how wide the interval of kappa is, against cost. Percent of the frame."""

from collections import defaultdict
from dataclasses import dataclass
from math import log

from django.utils.translation import gettext as _

from agreement.planning.plans import PricedPlan, ScalePlans
from common.plots import Axis, linear_axis, logarithmic_axis
from measures.agreement.sample_size import Plan, Prediction


@dataclass(frozen=True)
class PlanDot:
    """A plan: x grows with the logarithm of the cost, y (from the top) falls with the width."""

    x: float
    y: float
    plan: Plan
    width: float
    cost: float


@dataclass(frozen=True)
class PlanLine:
    """Plans with the same number of ratings per text; `style` numbers the lines from 1."""

    ratings_per_text: int
    style: int
    dots: list[PlanDot]

    @property
    def segments(self) -> list[tuple[PlanDot, PlanDot]]:
        return list(zip(self.dots, self.dots[1:], strict=False))


@dataclass(frozen=True)
class PlanPlot:
    """The lines of one scale; costs are ratings in all where no price is given."""

    lines: list[PlanLine]
    widest: float
    cheapest: float
    dearest: float
    has_prices: bool

    @property
    def axes(self) -> tuple[Axis, Axis]:
        cost = _("Cost (logarithmic)") if self.has_prices else _("Ratings in total (logarithmic)")
        width = linear_axis(_("Width of kappa’s 95% interval"), 0, self.widest).upwards
        return logarithmic_axis(cost, self.cheapest, self.dearest), width


def plan_plot(plans: ScalePlans) -> PlanPlot | None:
    """Return the plot, or None if there is nothing to draw."""
    drawn = [(each, _width(each.plan), _cost(each)) for each in plans.plotted if _width(each.plan) > 0]
    if not drawn:
        return None
    widest = max(width for _, width, _ in drawn)
    cheapest, dearest = (choose(cost for _, _, cost in drawn) for choose in (min, max))
    span = log(dearest / cheapest) or 1.0
    lines: dict[int, list[PlanDot]] = defaultdict(list)
    for each, width, cost in drawn:
        dot = PlanDot(100 * log(cost / cheapest) / span, 100 - 100 * width / widest, each.plan, width, cost)
        lines[each.plan.ratings_per_item].append(dot)
    return PlanPlot(
        [PlanLine(number, style, dots) for style, (number, dots) in enumerate(sorted(lines.items()), start=1)],
        widest,
        cheapest,
        dearest,
        has_prices=drawn[0][0].cost is not None,
    )


def _width(plan: Plan) -> float:
    return 2 * plan.kappa.reach if isinstance(plan.kappa, Prediction) else 0.0


def _cost(each: PricedPlan) -> float:
    return float(each.plan.ratings if each.cost is None else each.cost)
