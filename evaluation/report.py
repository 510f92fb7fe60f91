"""All that a report says of a release."""

from common.jobs import Progress
from evaluation import sections
from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import Figures, ReportSection, Row, SectionResult
from reports.kinds import sections_in

# Raise it whenever a report would say something new, so that the same request gives a new report.
REPORT_VERSION = 1
SECTIONS: list[ReportSection] = sections_in(sections)


def evaluation_report(judged: JudgedRelease, progress: Progress) -> SectionResult:
    """Compute all sections."""
    rows: list[Row] = []
    by_pair: list[Row] = []
    figures: Figures = {}
    done, steps = 0, sum(section.cost for section in SECTIONS)
    for section in SECTIONS:
        found = section.compute(judged)
        rows += found.rows
        by_pair += found.by_pair
        figures |= found.figures
        done += section.cost
        progress(done, steps)
    return SectionResult(rows, figures, by_pair)
