"""The plot of a plan: how wide the interval of kappa is, against cost."""

from itertools import groupby
from math import log

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement.planning.plans import PricedPlan, ScalePlans
from common.charts import Chart, Curve, Mark
from common.plots import Key, linear_axis, logarithmic_axis
from common.templatetags.formatting import figure as figure_words
from measures.agreement.sample_size import Plan, Prediction
from reports.figures import Figure


def plan_figure(plans: ScalePlans) -> Figure | None:
    """Return the plot of a scale, or None if there is nothing to draw; costs are ratings where no price is given."""
    drawn = [each for each in plans.plotted if _width(each.plan) > 0]
    if not drawn:
        return None
    widest = max(_width(each.plan) for each in drawn)
    cheapest, dearest = (choose(map(_cost, drawn)) for choose in (min, max))
    span = log(dearest / cheapest) or 1.0
    lines, marks, keys = [], [], []
    drawn.sort(key=lambda each: each.plan.ratings_per_item)
    for style, (ratings, of_line) in enumerate(groupby(drawn, lambda each: each.plan.ratings_per_item), start=1):
        name = ngettext("%(n)s rating per text", "%(n)s ratings per text", ratings) % {"n": ratings}
        dots = [
            Mark(
                100 * log(_cost(each) / cheapest) / span,
                100 - 100 * _width(each.plan) / widest,
                _words(each.plan),
                name,
                _cost(each),
                _width(each.plan),
            )
            for each in of_line
        ]
        path = "".join(f"{'L' if number else 'M'}{dot.x:g} {dot.y:g}" for number, dot in enumerate(dots))
        marks += dots
        lines.append(Curve(path, [], name, f"plan-line plan-line-{style}"))
        keys.append(Key("line", f"plan-line plan-line-{style}", name))
    has_prices = drawn[0].cost is not None
    cost = _("Cost (logarithmic)") if has_prices else _("Ratings in total (logarithmic)")
    width = linear_axis(_("Width of kappa’s 95% interval"), 0, widest).upwards
    chart = Chart(logarithmic_axis(cost, cheapest, dearest), width, marks, (), lines, keys, height=220, size=3)
    title = (
        _("%(scale)s: width of the interval of kappa against cost")
        if has_prices
        else _("%(scale)s: width of the interval of kappa against the number of ratings")
    )
    caption = _("Each dot is a plan. Lines join plans with the same number of ratings per text.")
    return Figure(f"plan-{plans.scale.key}", title % {"scale": plans.scale.name}, caption, chart)


def _width(plan: Plan) -> float:
    return 2 * plan.kappa.reach if isinstance(plan.kappa, Prediction) else 0.0


def _cost(each: PricedPlan) -> float:
    return float(each.plan.ratings if each.cost is None else each.cost)


def _words(plan: Plan) -> str:
    values = {"ratings": plan.ratings_per_item, "texts": f"{plan.items:,}", "width": figure_words(_width(plan), 3)}
    return _("Ratings per text: %(ratings)s; texts: %(texts)s; width: %(width)s") % values
