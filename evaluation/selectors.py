"""Queries for reports on metrics against ratings."""

from collections.abc import Iterator

from django.db.models import QuerySet

from common.clock import database_now
from common.models import Job
from corpus.models import Release
from crowd.models import Campaign
from evaluation.models import EvaluationPart, EvaluationReport
from evaluation.sections.base import Row
from scoring.models import ScoreRun
from scoring.selectors import most_complete_run, runs_of_release


def reports_of_release(release: Release) -> QuerySet[EvaluationReport]:
    """Return all requested reports, newest first."""
    return EvaluationReport.objects.filter(release=release).select_related("release__campaign", "job").order_by("-pk")


def reports_without_rows(release: Release) -> QuerySet[EvaluationReport]:
    """Return all requested reports, newest first, without loading their numbers."""
    return reports_of_release(release).defer("rows", "figures")


def report_by_digest(release: Release, prefix: str) -> EvaluationReport | None:
    """Return the report whose digest begins with `prefix`."""
    return reports_of_release(release).filter(digest__startswith=prefix).first()


def latest_report(release: Release) -> EvaluationReport | None:
    """Return the report requested last; one left unfinished by an interrupted command only if there is no other."""
    states = list(
        EvaluationReport.objects.filter(release=release).order_by("-pk").values_list("pk", "finished_at", "job")
    )
    chosen = next((pk for pk, finished_at, job in states if finished_at or job), states[0][0] if states else None)
    return None if chosen is None else reports_of_release(release).get(pk=chosen)


def latest_evaluation(campaign: Campaign) -> EvaluationReport | None:
    """Return the newest finished report of the newest release that has one, without its numbers."""
    finished = EvaluationReport.objects.filter(release__campaign=campaign, finished_at__isnull=False)
    without = finished.defer("rows", "figures").select_related("release__campaign")
    return without.order_by("-release__version", "-pk").first()


def report_rows(report: EvaluationReport, *tables: str) -> list[Row]:
    """Return the rows of a report, or of some of its tables; none before it is computed.

    Those of a metric and two systems are not among them: `rows_by_pair`.
    """
    return [row for row in report.rows or [] if not tables or row["table"] in tables]


def rows_by_pair(report: EvaluationReport, *metrics: str) -> Iterator[Row]:
    """Yield what a report says of metrics and every two systems, metric by metric; of all metrics if none is named."""
    for rows in _blocks_by_pair(report, *metrics):
        yield from rows


def _blocks_by_pair(report: EvaluationReport, *metrics: str) -> Iterator[list[Row]]:
    parts = EvaluationPart.objects.filter(report=report).order_by("pk")
    wanted = parts.filter(metric__in=metrics) if metrics else parts
    return wanted.values_list("rows", flat=True).iterator(chunk_size=1)


def row_blocks(report: EvaluationReport) -> Iterator[list[Row]]:
    """Yield all rows of a report in blocks, those of two systems last, a block for each metric."""
    yield report_rows(report)
    yield from _blocks_by_pair(report)


def every_row(report: EvaluationReport) -> Iterator[Row]:
    """Yield all rows of a report, those of two systems last."""
    for rows in row_blocks(report):
        yield from rows


def running_job(report: EvaluationReport) -> Job | None:
    """Return the job that is computing the report now."""
    running = Job.objects.filter(state=Job.State.RUNNING, lease_ends_at__gt=database_now())
    return running.filter(evaluation_report=report).first()


def runs_to_evaluate(release: Release) -> list[ScoreRun]:
    """Return the finished scores that a new report stands on: the fullest computed here, then all imported ones."""
    finished = runs_of_release(release).filter(summary__isnull=False)
    computed = most_complete_run(finished.filter(kind=ScoreRun.Kind.COMPUTED))
    imported = finished.filter(kind=ScoreRun.Kind.IMPORTED).defer("summary").order_by("pk")
    return [*([computed] if computed else []), *imported]
