"""All that a report says of a release, scale by scale."""

from typing import Any

from agreement import sections
from agreement.parameters import AgreementParameters
from agreement.report_rows import ReportRow
from agreement.scale_ratings import NO_CONTEXT, ReleaseContext, scale_ratings
from agreement.sections.base import ReportSection
from agreement.sections.figure_data import figures_of
from common.jobs import Progress
from corpus.release.records import ReleasedSource
from crowd.scales import Scale
from reports.kinds import Found, sections_in

# Raised when a report says more or other things than before: then the same question has a new answer.
REPORT_VERSION = 3
SECTIONS: list[ReportSection] = sections_in(sections)
# Earlier reports have intervals over texts drawn one by one.
FIRST_WITH_SOURCES = 3


def agreement_report(
    sources: list[ReleasedSource],
    scales: tuple[Scale, ...],
    parameters: AgreementParameters,
    progress: Progress,
    context: ReleaseContext = NO_CONTEXT,
) -> Found:
    """Compute all sections of all scales."""
    rows: list[ReportRow] = []
    figures: dict[str, Any] = {}
    by_scale = scale_ratings(sources, scales, parameters, context)
    steps, done = len(by_scale) * (len(SECTIONS) + 1), 0
    for ratings in by_scale:
        for section in SECTIONS:
            rows += section.rows(ratings)
            done += 1
            progress(done, steps)
        figures[ratings.scale.key] = figures_of(ratings)
        done += 1
        progress(done, steps)
    return Found([dict(vars(row)) for row in rows], figures, counted={"first_ratings": context.first_ratings})
