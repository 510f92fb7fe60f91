"""Have a preview of the worker filter computed by a job."""

from django.contrib.auth.models import User

from common.job_attempts import Attempt
from common.jobs import Progress
from crowd.models import Campaign
from measures.quality_control.parameters import FilterParameters
from ratings.models import KeptResult
from ratings.selectors.kept import Basis
from ratings.selectors.preview import filter_preview
from ratings.selectors.quality import parameters_of
from ratings.selectors.shown_preview import preview_dump, preview_question
from ratings.services.kept import result_keep, result_request


def preview_request(*, campaign: Campaign, parameters: FilterParameters, user: User | None) -> KeptResult:
    """Ask for a preview; the same request again gets the same job while it runs."""
    question = preview_question(parameters)
    return result_request(campaign=campaign, kind=KeptResult.Kind.PREVIEW, parameters=question, user=user)


def preview_compute(*, kept: KeptResult, progress: Progress, attempt: Attempt) -> None:
    basis = Basis.now()
    preview = filter_preview(kept.campaign, parameters_of(kept.parameters), progress)
    result_keep(kept=kept, result=preview_dump(preview), basis=basis, attempt=attempt)
