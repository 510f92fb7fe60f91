"""Plans as tables for a terminal, and as rows for programs."""

from collections.abc import Sequence

from agreement.planning.plans import ScalePlans
from common.console import Cell, Section, with_interval
from measures.agreement.sample_size import Prediction
from measures.core.confidence import ConfidenceInterval
from measures.core.undefined import Undefined

COLUMNS = (
    *("scale", "ratings_per_text", "texts", "ratings", "raters", "cost"),
    *("mean", "mean_half_width", "kappa", "kappa_half_width", "undefined"),
)
HEADS = ("Ratings per text", "Texts", "Ratings", "Raters", "Cost", "Mean", "Kappa")


def plan_sections(plans: Sequence[ScalePlans]) -> list[Section]:
    return [_section(each) for each in plans]


def _section(of: ScalePlans) -> Section:
    heading = f"{of.scale.name}: {of.texts:,} texts with two ratings or more, {of.ratings:,} ratings"
    if of.undefined:
        return Section(heading, notes=[f"No plan: {of.undefined}."])
    has_cost = of.plans[0].cost is not None
    rows: list[Sequence[Cell]] = []
    for each in of.plans:
        plan = each.plan
        counts: list[Cell] = [plan.ratings_per_item, plan.items, plan.ratings, plan.raters or "unknown"]
        cost: list[Cell] = [f"{each.cost:,.2f}"] if each.cost is not None else []
        rows.append([*counts, *cost, _estimate(plan.mean), _estimate(plan.kappa)])
    heads = [head for head in HEADS if has_cost or head != "Cost"]
    return Section(heading, heads, rows, [*so_far(of), *unknown_parts(of)], frozenset(heads))


def so_far(of: ScalePlans) -> list[str]:
    if of.kappa is None:
        return []
    bounds = (of.interval.low, of.interval.high) if isinstance(of.interval, ConfidenceInterval) else (None, None)
    return [f"So far: kappa {with_interval(of.kappa, *bounds)}."]


def unknown_parts(of: ScalePlans) -> list[str]:
    """Say which differences the plan takes as none, and why."""
    if not of.model:
        return []
    parts = (("sources", of.model.source), ("raters", of.model.rater))
    return [
        f"Differences of {part} unknown, assumed none: {share.reason}."
        for part, share in parts
        if isinstance(share, Undefined)
    ]


def plan_rows(plans: Sequence[ScalePlans]) -> list[dict[str, object]]:
    """Return a row for each plan, and one for each scale that has none, with the reason."""
    return [row for each in plans for row in _scale_rows(each)]


def _scale_rows(of: ScalePlans) -> list[dict[str, object]]:
    if of.undefined:
        return [dict.fromkeys(COLUMNS) | {"scale": of.scale.key, "undefined": of.undefined}]
    return [
        {
            "scale": of.scale.key,
            "ratings_per_text": each.plan.ratings_per_item,
            "texts": each.plan.items,
            "ratings": each.plan.ratings,
            "raters": each.plan.raters or None,
            "cost": None if each.cost is None else str(each.cost),
            **_predicted("mean", each.plan.mean),
            **_predicted("kappa", each.plan.kappa),
            "undefined": "; ".join(part.reason for part in each.plan.predictions if isinstance(part, Undefined))
            or None,
        }
        for each in of.plans
    ]


def _predicted(name: str, predicted: Prediction | Undefined) -> dict[str, object]:
    if isinstance(predicted, Undefined):
        return {name: None, f"{name}_half_width": None}
    return {name: predicted.value, f"{name}_half_width": predicted.reach}


def _estimate(predicted: Prediction | Undefined) -> str:
    if isinstance(predicted, Undefined):
        return "undefined"
    return f"{predicted.value:.3f} ± {predicted.reach:.3f}"
