"""All that a report says of a release."""

from collections.abc import Sequence

from crowd.scales import Scale
from edit_operations import sections
from edit_operations.aligned import AlignedSource
from edit_operations.parameters import OperationsParameters
from edit_operations.sections.base import ReleaseTexts, ReportSection
from reports.kinds import Found, sections_in

# Raise it whenever a report would say something new, so that the same request gives a new report.
REPORT_VERSION = 1
SECTIONS: list[ReportSection] = sections_in(sections)


def operations_report(
    sources: Sequence[AlignedSource], scales: Sequence[Scale], parameters: OperationsParameters
) -> Found:
    """Compute all sections."""
    texts = ReleaseTexts(sources, scales, parameters)
    rows = [row for section in SECTIONS for row in section.rows(texts)]
    return Found(rows, {}, counted={"texts": sum(len(source.texts) for source in sources)})
