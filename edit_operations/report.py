"""All that a report says of a release."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from crowd.scales import Scale
from edit_operations.aligned import AlignedSource
from edit_operations.parameters import OperationsParameters
from edit_operations.sections.base import ReleaseTexts, Row
from edit_operations.sections.registry import SECTIONS

# Raise it whenever a report would say something new, so that the same request gives a new report.
REPORT_VERSION = 1


@dataclass(frozen=True)
class Report:
    """The rows of all tables, what the plots are drawn from, and the number of texts."""

    rows: list[Row]
    figures: dict[str, Any]
    texts: int


def operations_report(
    sources: Sequence[AlignedSource], scales: Sequence[Scale], parameters: OperationsParameters
) -> Report:
    """Compute all sections."""
    texts = ReleaseTexts(sources, scales, parameters)
    rows = [row for section in SECTIONS for row in section.rows(texts)]
    return Report(rows, {}, sum(len(source.texts) for source in sources))
