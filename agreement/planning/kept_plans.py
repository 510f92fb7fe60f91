"""Plans are asked for, and kept as plain JSON without prices, which cost nothing to apply."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.contrib.auth.models import User

from agreement.extra_raters import settings_with_extra_raters
from agreement.planning.plans import (
    QUICK_RATINGS,
    RATERS,
    TEXTS,
    PricedPlan,
    Prices,
    ScalePlans,
    campaign_plans,
    plan_numbers_check,
)
from common.errors import Refused
from common.job_attempts import Attempt
from common.jobs import Progress
from crowd.models import Campaign
from measures.agreement.rating_model import RatingModel
from measures.agreement.sample_size import Plan, Prediction
from measures.core.confidence import ConfidenceInterval
from measures.core.undefined import Undefined
from ratings.models import KeptResult
from ratings.selectors.kept import Basis, Changes, changes_since, has_at_most, kept_result
from ratings.services.kept import result_keep, result_request

PLAN_VERSION = 1
"""Of what is kept of a plan; raise it with any change of its form or figures."""


def plan_question(campaign: Campaign, raters: Sequence[int], texts: Sequence[int] | None) -> dict[str, Any]:
    """Return what identifies plans. Which ratings count depends on the settings that asked for extra raters."""
    extra = settings_with_extra_raters(campaign)
    return {"version": PLAN_VERSION, "raters": list(raters), "texts": list(texts or ()), "extra_raters_in": extra}


def plans_dump(plans: Sequence[ScalePlans]) -> list[dict[str, Any]]:
    return [_dumped(each) for each in plans]


def plans_load(stored: Sequence[dict[str, Any]], campaign: Campaign, prices: Prices) -> list[ScalePlans]:
    """Return kept plans with their costs."""
    scales = {scale.key: scale for scale in campaign.rating_scales}
    return [
        ScalePlans(
            scale=scales[each["scale"]],
            texts=each["texts"],
            ratings=each["ratings"],
            kappa=each["kappa"],
            interval=_defined(ConfidenceInterval, each["interval"]),
            model=_model(each["model"]),
            plans=[_priced(plan, prices) for plan in each["plans"]],
            plotted=[_priced(plan, prices) for plan in each["plotted"]],
            undefined=each["undefined"],
        )
        for each in stored
        if each["scale"] in scales
    ]


def _dumped(plans: ScalePlans) -> dict[str, Any]:
    return {
        "scale": plans.scale.key,
        "texts": plans.texts,
        "ratings": plans.ratings,
        "kappa": plans.kappa,
        "interval": asdict(plans.interval) if plans.interval else None,
        "model": _dumped_model(plans.model),
        "plans": [asdict(each.plan) for each in plans.plans],
        "plotted": [asdict(each.plan) for each in plans.plotted],
        "undefined": plans.undefined,
    }


def _dumped_model(model: RatingModel | None) -> dict[str, Any] | None:
    # Thresholds are infinite where a point is never given, and JSON has no infinite numbers.
    return asdict(model) | {"thresholds": [str(each) for each in model.thresholds]} if model else None


def _defined(kind: Any, stored: Any) -> Any:
    """Rebuild a value of some kind, or the reason why there is none."""
    if isinstance(stored, dict):
        return Undefined(**stored) if "reason" in stored else kind(**stored)
    return stored


def _model(stored: dict[str, Any] | None) -> RatingModel | None:
    if stored is None:
        return None
    source, rater = (_defined(float, stored[name]) for name in ("source", "rater"))
    return RatingModel(tuple(map(float, stored["thresholds"])), source, stored["item"], rater)


def _priced(stored: dict[str, Any], prices: Prices) -> PricedPlan:
    predicted = {name: _defined(Prediction, stored[name]) for name in ("mean", "kappa")}
    plan = Plan(**(stored | predicted))
    return PricedPlan(plan, prices.cost(plan) if prices else None)


def plan_request(*, campaign: Campaign, raters: Sequence[int], texts: Sequence[int], user: User | None) -> KeptResult:
    """Ask for plans; the same request again gets the same job while it runs."""
    try:
        plan_numbers_check(raters, RATERS)
        plan_numbers_check(texts, TEXTS)
    except ValueError as error:
        raise Refused(str(error)) from error
    question = plan_question(campaign, raters, texts)
    return result_request(campaign=campaign, kind=KeptResult.Kind.PLAN, parameters=question, user=user)


def plan_compute(*, kept: KeptResult, progress: Progress, attempt: Attempt) -> None:
    basis = Basis.now()
    plans = campaign_plans(kept.campaign, kept.parameters["raters"], kept.parameters["texts"], progress=progress)
    result_keep(kept=kept, result=plans_dump(plans), basis=basis, attempt=attempt)


@dataclass(frozen=True)
class FoundPlans:
    """Plans, if there are any; for those that take long also what is kept of them, and what has come since."""

    is_slow: bool
    plans: list[ScalePlans] | None
    kept: KeptResult | None = None
    since: Changes | None = None


def plans_found(campaign: Campaign, raters: Sequence[int], texts: Sequence[int], prices: Prices) -> FoundPlans:
    """Compute quick plans; of others return what is kept, and what has come since."""
    if has_at_most(campaign, QUICK_RATINGS):
        return FoundPlans(is_slow=False, plans=campaign_plans(campaign, raters, texts, prices))
    kept = kept_result(campaign, KeptResult.Kind.PLAN, plan_question(campaign, raters, texts))
    if kept is None or kept.result is None or kept.basis is None:
        return FoundPlans(is_slow=True, plans=None, kept=kept)
    since = changes_since(campaign, Basis(**kept.basis))
    return FoundPlans(True, plans_load(kept.result, campaign, prices), kept, since)
