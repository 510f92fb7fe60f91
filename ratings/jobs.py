"""Background jobs of the rater round."""

from django.urls import reverse

from common.jobs import Progress, ResultLink, job_handler
from common.models import Job
from ratings.models import QualityRun
from ratings.quality_notes import convergence_note, convergence_of
from ratings.selectors.quality import parameters_of
from ratings.services.quality import QUALITY_JOB, quality_apply


@job_handler(
    QUALITY_JOB,
    label="Applying the quality rule",
    result=ResultLink(
        lambda job: reverse("ratings:quality", args=[job.campaign.slug]),
        done="See who is left out",
        failed="Back to quality",
    ),
)
def run_quality(job: Job, progress: Progress) -> str:
    run = QualityRun.objects.filter(job=job).first()
    if run is None:
        parameters = parameters_of(job.parameters)
        run = quality_apply(campaign=job.campaign, parameters=parameters, job=job, user=job.requested_by)
    progress(1, 1)
    return describe(run)


def describe(run: QualityRun) -> str:
    raters, editors = run.summary["raters"], run.summary["editors"]
    counts = (
        f"{raters['removed']} of {raters['workers']} raters and {editors['removed']} of {editors['workers']} editors "
        f"left out; {run.summary['ratings_kept']} of {run.summary['ratings']} ratings and "
        f"{run.summary['texts_kept']} of {run.summary['texts']} texts remain."
    )
    not_settled = convergence_note(convergence_of(run.summary))
    return f"{counts} {not_settled}".rstrip()
