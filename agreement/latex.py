"""The tables of an agreement report in LaTeX."""

from collections.abc import Mapping
from typing import Any

from agreement.table_lines import coefficient_lines, table_lines
from corpus.latex import latex_table
from reports.models import Report


def agreement_tables(report: Report) -> list[str]:
    """Return the paper's Table 4 and the coefficients of all raters, with intervals, as booktabs tables."""
    scales = report.release.campaign.rating_scales
    header = ["Comparison", *(f"{name} ({scale.name})" for scale in scales for name in ("Agreement", "Kappa"))]
    comparisons = [[line.comparison, *map(_estimate, line.cells)] for line in table_lines(report)]
    coefficients = [[line.judges, line.measure, *map(_estimate, line.cells)] for line in coefficient_lines(report)]
    head = ["Judges", "Coefficient", *(scale.name for scale in scales)]
    return [
        latex_table(header, comparisons, "Agreement between judges, with 95\\% intervals."),
        latex_table(head, coefficients, "All judges at once, with 95\\% intervals.", texts=2),
    ]


def _estimate(row: Mapping[str, Any]) -> str:
    if row["value"] is None:
        return "--"
    interval = f" [{row['low']:.3f}, {row['high']:.3f}]" if row["low"] is not None else ""
    return f"{row['value']:.3f}{interval}"
