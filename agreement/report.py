"""All that a report says of a release, scale by scale."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from agreement.all_raters import coefficient_rows
from agreement.figures import figures_of
from agreement.groups import group_rows
from agreement.over_time import time_rows
from agreement.parameters import ReportParameters
from agreement.people import pair_of_raters_rows, rater_rows
from agreement.question import Question, questions
from agreement.rows import ReportRow
from agreement.table_four import expert_rows, worker_rows
from corpus.content import ReleasedSource
from crowd.scales import Scale
from crowd.services.jobs import Progress

# Raised when a report says more or other things than before: then the same question has a new answer.
REPORT_VERSION = 2
SECTIONS: tuple[Callable[[Question], list[ReportRow]], ...] = (
    worker_rows,
    expert_rows,
    coefficient_rows,
    group_rows,
    time_rows,
    rater_rows,
    pair_of_raters_rows,
)


@dataclass(frozen=True)
class Report:
    """The numbers, and what the plots are drawn from."""

    rows: list[dict[str, Any]]
    figures: dict[str, Any]


def agreement_report(
    sources: list[ReleasedSource], scales: tuple[Scale, ...], parameters: ReportParameters, progress: Progress
) -> Report:
    """Compute all sections of all scales."""
    rows: list[ReportRow] = []
    figures: dict[str, Any] = {}
    asked = questions(sources, scales, parameters)
    steps, done = len(asked) * (len(SECTIONS) + 1), 0
    for question in asked:
        for section in SECTIONS:
            rows += section(question)
            done += 1
            progress(done, steps)
        figures[question.scale.key] = figures_of(question)
        done += 1
        progress(done, steps)
    return Report([asdict(row) for row in rows], figures)
