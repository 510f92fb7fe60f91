"""Background jobs of the rater round."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.errors import Refused
from common.job_attempts import Attempt
from common.jobs import Progress, ResultLink, job_handler
from common.models import Job
from compressions.services.file_imports import import_go_on
from ratings.forms import preview_address
from ratings.models import KeptResult, QualityRun, RatingImport
from ratings.quality_notes import convergence_note, convergence_of
from ratings.selectors.quality import parameters_of
from ratings.services.quality import QUALITY_JOB, preview_compute, quality_apply
from ratings.services.rating_imports import RATINGS_JOB, rating_import_run


@job_handler(
    QUALITY_JOB,
    label=gettext_lazy("Applying the quality rule"),
    result=ResultLink(
        lambda job: reverse("ratings:quality", args=[job.campaign.slug]),
        done=gettext_lazy("See who is excluded"),
        failed=gettext_lazy("Back to quality"),
    ),
)
def run_quality(job: Job, progress: Progress) -> str:
    run = QualityRun.objects.filter(job=job).first()
    if run is None:
        parameters = parameters_of(job.parameters)
        run = quality_apply(campaign=job.campaign, parameters=parameters, job=job, user=job.requested_by)
    progress(1, 1)
    return describe(run)


@job_handler(
    KeptResult.Kind.PREVIEW,
    label=gettext_lazy("Previewing the quality rule"),
    result=ResultLink(
        lambda job: preview_address(job.campaign, parameters_of(job.parameters["parameters"])),
        done=gettext_lazy("See the preview"),
        failed=gettext_lazy("Back to the preview"),
    ),
)
def run_preview(job: Job, progress: Progress) -> str:
    kept = KeptResult.objects.select_related("campaign").filter(pk=job.parameters["kept"]).first()
    if kept is None:
        raise Refused(_("Ratings were deleted meanwhile. Compute the preview again."))
    preview_compute(kept=kept, progress=progress, attempt=Attempt.of(job))
    return "The preview is ready."


@job_handler(RATINGS_JOB, label=gettext_lazy("Importing ratings"))
def run_rating_import(job: Job, progress: Progress) -> str:
    return import_go_on(imports=RatingImport, run=rating_import_run, job=job, progress=progress)


def describe(run: QualityRun) -> str:
    raters, editors = run.summary["raters"], run.summary["editors"]
    counts = (
        f"{raters['removed']} of {raters['workers']} raters and {editors['removed']} of {editors['workers']} editors "
        f"excluded; {run.summary['ratings_kept']} of {run.summary['ratings']} ratings and "
        f"{run.summary['texts_kept']} of {run.summary['texts']} texts kept."
    )
    not_settled = convergence_note(convergence_of(run.summary))
    return f"{counts} {not_settled}".rstrip()
