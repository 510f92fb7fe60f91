"""Queries for reports, and how far those are that are not finished."""

from collections import Counter
from collections.abc import Iterable, Iterator

from django.db.models import QuerySet

from common.clock import database_now
from common.models import Job
from corpus.models import Release
from crowd.models import Campaign
from reports.kinds import ReportKind, Row, kind_of
from reports.models import Report, ReportRows

NUMBERS = ("rows", "figures", "attached")
DIGEST_SHOWN = 8
TELLING = {Job.State.RUNNING: 0, Job.State.QUEUED: 1, Job.State.FAILED: 2, Job.State.DONE: 3}


def reports_of(release: Release, kind: ReportKind) -> QuerySet[Report]:
    """Return all requested reports, newest first."""
    return Report.objects.filter(release=release, kind=kind.key).select_related("release__campaign").order_by("-pk")


def reports_without_rows(release: Release, kind: ReportKind) -> QuerySet[Report]:
    """Return all requested reports, newest first, without loading their numbers."""
    return reports_of(release, kind).defer(*NUMBERS)


def report_by_digest(release: Release, kind: ReportKind, prefix: str) -> Report | None:
    """Return the report whose digest begins with `prefix`."""
    return reports_of(release, kind).defer("attached").filter(digest__startswith=prefix).first()


def latest_report(release: Release, kind: ReportKind) -> Report | None:
    """Return the report requested last; one left unfinished by an interrupted command only if there is no other."""
    states = list(reports_of(release, kind).values_list("pk", "finished_at"))
    if not states:
        return None
    newest, finished_at = states[0]
    asked = {} if finished_at else jobs_of_reports(release, kind)
    chosen = next((pk for pk, finished_at in states if finished_at or pk in asked), newest)
    return reports_of(release, kind).defer("attached").get(pk=chosen)


def latest_of_campaign(campaign: Campaign) -> dict[str, Report]:
    """Return, by kind, the newest finished report of the newest release that has one, without its numbers."""
    finished = Report.objects.filter(release__campaign=campaign, finished_at__isnull=False)
    without = finished.defer(*NUMBERS).select_related("release__campaign").order_by("release__version", "pk")
    return {report.kind: report for report in without}


def named_reports(release: Release, kind: ReportKind) -> list[tuple[Report, str]]:
    """Return each report with a line that says how it differs from the default; equal lines get the digest."""
    reports = list(reports_without_rows(release, kind))
    words = kind.names_of(reports)
    number = Counter(words)
    return [
        (report, line if number[line] == 1 else f"{line} ({report.digest[:DIGEST_SHOWN]})")
        for report, line in zip(reports, words, strict=True)
    ]


# Rows


def row_blocks(report: Report) -> Iterator[list[Row]]:
    """Yield all rows of a report in blocks, those that are read by a key last, a block for each key."""
    yield report.rows or []
    yield from rows_by_key(report)


def rows_by_key(report: Report, *keys: str) -> Iterator[list[Row]]:
    """Yield the rows that are read by a key, key by key; of all keys if none is named."""
    rows = ReportRows.objects.filter(report=report).order_by("pk")
    wanted = rows.filter(key__in=keys) if keys else rows
    return wanted.values_list("rows", flat=True).iterator(chunk_size=1)


# Jobs


def jobs_of(report: Report) -> QuerySet[Job]:
    """Return the jobs that were queued to compute a report."""
    return Job.objects.filter(kind=kind_of(report).job, parameters__report=report.pk)


def running_job(report: Report) -> Job | None:
    """Return a job that is computing the report now."""
    return jobs_of(report).filter(state=Job.State.RUNNING, lease_ends_at__gt=database_now()).first()


def job_of_report(report: Report) -> Job | None:
    """Return the job that best shows the state of a report: a running one, or else queued, failed or done."""
    return _telling(jobs_of(report).order_by("-pk")[: _jobs_at_once(kind_of(report))])


def jobs_of_reports(release: Release, kind: ReportKind) -> dict[int, Job]:
    """Return, for each unfinished report of a release that has jobs, the one that best shows its state."""
    unfinished = list(reports_of(release, kind).filter(finished_at=None).values_list("pk", flat=True))
    jobs = Job.objects.filter(campaign=release.campaign_id, kind=kind.job, parameters__report__in=unfinished)
    by_report: dict[int, list[Job]] = {}
    for job in jobs.order_by("-pk") if unfinished else ():
        by_report.setdefault(job.parameters["report"], []).append(job)
    told = {report: _telling(of_report[: _jobs_at_once(kind)]) for report, of_report in by_report.items()}
    return {report: job for report, job in told.items() if job is not None}


def _jobs_at_once(kind: ReportKind) -> int:
    return kind.parts.jobs if kind.parts else 1


def _telling(latest: Iterable[Job]) -> Job | None:
    return min(latest, key=lambda job: TELLING[Job.State(job.state)], default=None)


def is_under_way(report: Report, job: Job | None) -> bool:
    """Return whether a job will compute the report, or a job or a command is computing a part of it."""
    if job is not None and not job.is_finished:
        return True
    return report.parts.filter(lease_ends_at__gt=database_now()).exists()
