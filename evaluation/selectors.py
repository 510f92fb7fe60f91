"""The rows of a report, and the scores that a new one stands on."""

from collections.abc import Iterator
from itertools import chain

from corpus.models import Release
from evaluation.sections.base import Row
from reports.models import Report
from reports.selectors import row_blocks, rows_by_key
from scoring.models import ScoreRun
from scoring.selectors import most_complete_run, runs_of_release


def report_rows(report: Report, *tables: str) -> list[Row]:
    """Return the rows of a report, or of some of its tables; none before it is computed.

    Those of a metric and two systems are not among them: `rows_by_pair`.
    """
    return [row for row in report.rows or [] if not tables or row["table"] in tables]


def rows_by_pair(report: Report, *metrics: str) -> Iterator[Row]:
    """Yield what a report says of metrics and every two systems, metric by metric; of all metrics if none is named."""
    return chain.from_iterable(rows_by_key(report, *metrics))


def every_row(report: Report) -> Iterator[Row]:
    """Yield all rows of a report, those of two systems last."""
    return chain.from_iterable(row_blocks(report))


def runs_to_evaluate(release: Release) -> list[ScoreRun]:
    """Return the finished scores that a new report stands on: the fullest computed here, then all imported ones."""
    finished = runs_of_release(release).filter(summary__isnull=False)
    computed = most_complete_run(finished.filter(kind=ScoreRun.Kind.COMPUTED))
    imported = finished.filter(kind=ScoreRun.Kind.IMPORTED).defer("summary").order_by("pk")
    return [*([computed] if computed else []), *imported]
