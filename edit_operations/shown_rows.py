"""The rows of a report as people read them. The CSV and JSON files and the API keep the names of the report."""

from edit_operations.sections.base import Row
from edit_operations.sections.costs import COSTS
from edit_operations.sections.quality import SUBSTITUTE, TABLE_5, WITHIN_EDITORS
from reports.models import Report

SUBSTITUTE_OR_INSERT = "substitute or insert"
WITH_OPERATIONS = frozenset({TABLE_5, WITHIN_EDITORS, COSTS})
"""The tables whose groups are the operations of Table 5."""


def shown_rows(report: Report) -> list[Row]:
    """Return the rows; a substitution that may be an inserted word is named so."""
    rows = report.rows or []
    if report.parameters.get("substitute") != "paraphrased or inserted":
        return rows
    return [
        {**row, "group": SUBSTITUTE_OR_INSERT}
        if row["table"] in WITH_OPERATIONS and row["group"] == SUBSTITUTE
        else row
        for row in rows
    ]
