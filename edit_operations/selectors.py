"""Queries for reports on editing operations."""

from collections.abc import Iterable

from django.db.models import QuerySet

from common.clock import database_now
from common.models import Job
from compressions.models import AlignmentCorrection
from corpus.models import Release
from crowd.models import Campaign
from edit_operations.models import MAX_PARALLEL_JOBS, OPERATIONS_JOB, OperationsReport
from edit_operations.sections.base import Row


def reports_of_release(release: Release) -> QuerySet[OperationsReport]:
    """Return all requested reports, newest first."""
    reports = OperationsReport.objects.filter(release=release).select_related("release__campaign")
    return reports.order_by("-pk")


def reports_without_rows(release: Release) -> QuerySet[OperationsReport]:
    """Return all requested reports, newest first, without loading their numbers."""
    return reports_of_release(release).defer("rows", "figures", "word_pairs")


def report_by_digest(release: Release, prefix: str) -> OperationsReport | None:
    """Return the report whose digest begins with `prefix`."""
    return reports_of_release(release).defer("word_pairs").filter(digest__startswith=prefix).first()


def latest_report(release: Release) -> OperationsReport | None:
    """Return the report requested last; one left unfinished by an interrupted command only if there is no other."""
    states = list(OperationsReport.objects.filter(release=release).order_by("-pk").values_list("pk", "finished_at"))
    asked = jobs_of_reports(release)
    chosen = next((pk for pk, finished_at in states if finished_at or pk in asked), states[0][0] if states else None)
    return None if chosen is None else reports_of_release(release).defer("word_pairs").get(pk=chosen)


def latest_operations(campaign: Campaign) -> OperationsReport | None:
    """Return the newest finished report of the newest release that has one, without its numbers."""
    finished = OperationsReport.objects.filter(release__campaign=campaign, finished_at__isnull=False)
    without = finished.defer("rows", "figures", "word_pairs").select_related("release__campaign")
    return without.order_by("-release__version", "-pk").first()


def correction_ids(campaign: Campaign) -> list[int]:
    """Return the ids of all corrections of alignments, in order; a report knows the last one that it used."""
    made = AlignmentCorrection.objects.filter(target__source__campaign=campaign)
    return list(made.order_by("pk").values_list("pk", flat=True))


def report_rows(report: OperationsReport) -> list[Row]:
    """Return the rows of a report; none before it is computed."""
    return report.rows or []


def is_being_computed(report: OperationsReport) -> bool:
    """Return whether a job or a command holds the lease of a part."""
    return report.parts.filter(lease_ends_at__gt=database_now()).exists()


def job_of_report(report: OperationsReport) -> Job | None:
    """Return the job that best shows the state of a report: a running one, or else queued, failed or done."""
    return _telling(report.jobs.order_by("-pk")[:MAX_PARALLEL_JOBS])


def jobs_of_reports(release: Release) -> dict[int, Job]:
    """Return, for each unfinished report of a release that has jobs, the one that best shows its state."""
    unfinished = list(OperationsReport.objects.filter(release=release, finished_at=None).values_list("pk", flat=True))
    jobs = Job.objects.filter(campaign=release.campaign_id, kind=OPERATIONS_JOB, parameters__report__in=unfinished)
    by_report: dict[int, list[Job]] = {}
    for job in jobs.order_by("-pk") if unfinished else ():
        by_report.setdefault(job.parameters["report"], []).append(job)
    told = {report: _telling(of_report[:MAX_PARALLEL_JOBS]) for report, of_report in by_report.items()}
    return {report: job for report, job in told.items() if job is not None}


def _telling(latest: Iterable[Job]) -> Job | None:
    order = {Job.State.RUNNING: 0, Job.State.QUEUED: 1, Job.State.FAILED: 2, Job.State.DONE: 3}
    return min(latest, key=lambda job: order[Job.State(job.state)], default=None)
