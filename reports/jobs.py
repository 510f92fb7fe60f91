"""The background jobs that compute reports: one kind of job for each kind of report."""

from common.jobs import Progress, job_handler
from common.models import Job
from reports.kinds import ReportKind, report_kinds
from reports.models import Report
from reports.services import report_complete


def _register(kind: ReportKind) -> None:
    @job_handler(kind.job, label=kind.job_label)
    def run_report(job: Job, progress: Progress) -> str:
        report = Report.objects.select_related("release__campaign", "campaign").get(pk=job.parameters["report"])
        report_complete(report=report, progress=progress, job=job)
        return str(kind.job_done) % {"release": report.basis_name}


for each in report_kinds().values():
    _register(each)
