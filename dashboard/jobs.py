"""Background jobs of the project itself."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from common.job_attempts import Attempt
from common.jobs import Progress, ResultLink, job_handler
from common.models import Job
from crowd.selectors.campaigns import DELETE_JOB
from dashboard.services.deletion import campaign_delete
from dashboard.services.labelled_sessions import CALIBRATION_JOB, calibration_run
from dashboard.simulation.crowd import SIMULATE_JOB, crowd_simulate


@job_handler(DELETE_JOB, label=_("Deleting the campaign"))
def run_campaign_deletion(job: Job, progress: Progress) -> str:
    deleted = campaign_delete(campaign=job.campaign, user=job.requested_by, progress=progress, attempt=Attempt.of(job))
    return f"{deleted.name} is deleted with {deleted.rows} rows."


@job_handler(
    SIMULATE_JOB,
    label=_("Simulating a crowd"),
    result=ResultLink(
        lambda job: reverse("dashboard", args=[job.campaign.slug]),
        done=_("See the dashboard"),
        failed=_("Back to the dashboard"),
    ),
)
def run_simulation(job: Job, progress: Progress) -> str:
    report = crowd_simulate(
        campaign=job.campaign, **job.parameters, progress=progress, as_tests=True, attempt=Attempt.of(job)
    )
    given = "answers" if job.campaign.task.has_material else "ratings"
    return f"{report.compressions} compressions and {report.ratings} {given} by simulated test participants."


@job_handler(
    CALIBRATION_JOB,
    label=_("Learning from labelled sessions"),
    result=ResultLink(
        lambda job: reverse("labelled-sessions", args=[job.campaign.slug]),
        done=_("See what they show"),
        failed=_("Back to the labelled sessions"),
    ),
)
def run_calibration(job: Job, progress: Progress) -> str:  # noqa: ARG001 - it has no parts
    return calibration_run(campaign=job.campaign, attempt=Attempt.of(job))
