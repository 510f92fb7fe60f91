"""Background jobs of the room."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.job_attempts import Attempt
from common.jobs import Progress, job_handler
from common.models import Job
from evaluation.models import EVALUATION_JOB, EvaluationReport
from evaluation.services.reports import report_compute


@job_handler(EVALUATION_JOB, label=gettext_lazy("Holding metrics against ratings"))
def run_report(job: Job, progress: Progress) -> str:
    report = EvaluationReport.objects.select_related("release__campaign").get(pk=job.parameters["report"])
    report_compute(report=report, progress=progress, attempt=Attempt.of(job))
    return _("The metrics of %(release)s are evaluated.") % {"release": report.release.name}
