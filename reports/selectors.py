"""Queries for reports, and how far those are that are not finished."""

from collections import Counter
from collections.abc import Iterator

from django.db.models import F, Q, QuerySet

from common.clock import database_now
from common.computed_results import JobsOf
from common.json_values import unpacked_json
from common.models import Job
from crowd.models import Campaign
from reports.kinds import ReportKind, Row, kind_of
from reports.models import Basis, Report, ReportRows

NUMBERS = ("rows", "figures", "attached")
DIGEST_SHOWN = 8


def campaign_of(on: Basis) -> Campaign:
    """Return the campaign that a report on this belongs to."""
    return on if isinstance(on, Campaign) else on.campaign


def reports_of(on: Basis, kind: ReportKind) -> QuerySet[Report]:
    """Return all requested reports, newest first."""
    found = on.reports.filter(kind=kind.key).select_related("release__campaign", "campaign")
    return found.order_by("-pk")


def reports_without_rows(on: Basis, kind: ReportKind) -> QuerySet[Report]:
    """Return all requested reports, newest first, without loading their numbers."""
    return reports_of(on, kind).defer(*NUMBERS)


def report_by_digest(on: Basis, kind: ReportKind, prefix: str) -> Report | None:
    """Return the report whose digest begins with `prefix`."""
    return reports_of(on, kind).defer("attached").filter(digest__startswith=prefix).first()


def latest_report(on: Basis, kind: ReportKind) -> Report | None:
    """Return the report requested last; one left unfinished by an interrupted command only if there is no other."""
    states = list(reports_of(on, kind).values_list("pk", "finished_at"))
    if not states:
        return None
    newest, finished_at = states[0]
    asked = {} if finished_at else jobs_of_reports(on, kind)
    chosen = next((pk for pk, finished_at in states if finished_at or pk in asked), newest)
    return reports_of(on, kind).defer("attached").get(pk=chosen)


def latest_of_campaign(campaign: Campaign) -> dict[str, Report]:
    """Return, by kind, the newest finished report of the newest release that has one, without its numbers."""
    of_campaign = Report.objects.filter(Q(release__campaign=campaign) | Q(campaign=campaign))
    without = of_campaign.filter(finished_at__isnull=False).defer(*NUMBERS).select_related("release__campaign")
    without = without.order_by(F("release__version").asc(nulls_first=True), "pk")
    return {report.kind: report for report in without}


def named_reports(on: Basis, kind: ReportKind) -> list[tuple[Report, str]]:
    """Return each report with a line that says how it differs from the default; equal lines get the digest."""
    reports = list(reports_without_rows(on, kind))
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
    for as_stored, packed in wanted.values_list("rows", "packed").iterator(chunk_size=1):
        yield (as_stored or []) if packed is None else unpacked_json(packed)


# Jobs


def jobs_for(kind: ReportKind) -> JobsOf:
    """Return how the jobs of a kind of report are found and made."""
    return JobsOf(kind.job, "report", kind.parts.jobs if kind.parts else 1)


def running_job(report: Report) -> Job | None:
    """Return a job that is computing the report now."""
    jobs = jobs_for(kind_of(report)).of(report.pk)
    return jobs.filter(state=Job.State.RUNNING, lease_ends_at__gt=database_now()).first()


def jobs_of_reports(on: Basis, kind: ReportKind) -> dict[int, Job]:
    """Return, for each unfinished report that has jobs, the one that best shows its state."""
    unfinished = list(reports_of(on, kind).filter(finished_at=None).values_list("pk", flat=True))
    return jobs_for(kind).telling_of_each(unfinished, campaign_id=campaign_of(on).pk)


def is_under_way(report: Report, job: Job | None) -> bool:
    """Return whether a job will compute the report, or a job or a command is computing a part of it."""
    if job is not None and not job.is_finished:
        return True
    return report.parts.filter(lease_ends_at__gt=database_now()).exists()
