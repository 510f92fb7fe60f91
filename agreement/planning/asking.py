"""Have plans computed by a job, and keep them."""

from collections.abc import Sequence

from django.contrib.auth.models import User

from agreement.planning.kept_plans import plan_question, plans_dump
from agreement.planning.plans import RATERS, TEXTS, campaign_plans, plan_numbers_check
from common.errors import Refused
from common.job_attempts import Attempt
from common.jobs import Progress
from crowd.models import Campaign
from ratings.models import KeptResult
from ratings.selectors.kept import Basis
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
