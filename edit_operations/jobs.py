"""Background jobs of the room."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.jobs import Progress, job_handler
from common.models import Job
from edit_operations.models import OPERATIONS_JOB, OperationsReport
from edit_operations.services.reports import report_complete


@job_handler(OPERATIONS_JOB, label=gettext_lazy("Finding editing operations"))
def run_report(job: Job, progress: Progress) -> str:
    report = OperationsReport.objects.select_related("release__campaign").get(pk=job.parameters["report"])
    report_complete(report=report, progress=progress, job=job)
    return _("The editing operations in %(release)s are known.") % {"release": report.release.name}
