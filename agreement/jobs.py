"""The background job that plans ratings."""

from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.planning.kept_plans import plan_compute
from common.errors import Refused
from common.job_attempts import Attempt
from common.jobs import Progress, ResultLink, job_handler
from common.models import Job
from ratings.models import KeptResult


def plan_address(job: Job) -> str:
    asked = {name: ",".join(map(str, job.parameters["parameters"][name])) for name in ("raters", "texts")}
    return f"{reverse('agreement:plan', args=[job.campaign.slug])}?{urlencode(asked)}"


@job_handler(
    KeptResult.Kind.PLAN,
    label=gettext_lazy("Planning ratings"),
    result=ResultLink(plan_address, done=gettext_lazy("See the plan"), failed=gettext_lazy("Back to the plan")),
)
def run_plan(job: Job, progress: Progress) -> str:
    kept = KeptResult.objects.select_related("campaign").filter(pk=job.parameters["kept"]).first()
    if kept is None:
        raise Refused(_("Ratings were deleted in the meantime. Ask for the plan again."))
    plan_compute(kept=kept, progress=progress, attempt=Attempt.of(job))
    return _("The plan is ready.")
