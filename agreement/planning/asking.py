"""Have plans computed by a job, keep them, and find those that are kept."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from agreement.planning.kept_plans import plan_question, plans_dump, plans_load
from agreement.planning.plans import (
    QUICK_RATINGS,
    RATERS,
    TEXTS,
    Prices,
    ScalePlans,
    campaign_plans,
    plan_numbers_check,
)
from common.errors import Refused
from common.job_attempts import Attempt
from common.jobs import Progress
from crowd.models import Campaign
from ratings.models import KeptResult
from ratings.selectors.kept import Basis, Changes, changes_since, has_at_most, kept_result
from ratings.services.kept import result_keep, result_request


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
    return FoundPlans(True, plans_load(kept.result, campaign, prices), kept, changes_since(campaign, kept.basis))
