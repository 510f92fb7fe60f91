"""A report as CSV, JSON and LaTeX: the same numbers that the page shows."""

import csv
import json
from collections.abc import Iterable, Mapping
from io import StringIO
from typing import Any

from agreement.models import AgreementResult
from agreement.selectors import coefficient_lines, table_lines
from common.spreadsheets import defused
from corpus.latex import latex_escaped, latex_table

COLUMNS = (
    "scale",
    "comparison",
    "group",
    "measure",
    "value",
    "variance",
    "low",
    "high",
    "items",
    "draws",
    "undefined",
)
GROUP = COLUMNS.index("group")  # the one column with words of people, such as genres
FORMATS = ("csv", "json", "latex")


def report_as(form: str, result: AgreementResult) -> str:
    return {"csv": agreement_csv, "json": agreement_json, "latex": agreement_latex}[form](result)


def agreement_csv(result: AgreementResult) -> str:
    """One line per number; each names the release, its checksum and the parameters it was computed with."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    parameters = dict(sorted(result.parameters.items()))
    # The draws that have a value, beside the parameter, the draws that were asked for.
    head = ["draws_defined" if column == "draws" else column for column in COLUMNS]
    writer.writerow([*head, *parameters, "release", "release_sha256"])
    rows: Iterable[Mapping[str, object]] = result.rows or []
    for row in rows:
        cells = ["" if row.get(column) is None else row[column] for column in COLUMNS]
        cells[GROUP] = defused(cells[GROUP])
        writer.writerow([*cells, *parameters.values(), result.release.name, result.release_checksum])
    return stream.getvalue()


def agreement_json(result: AgreementResult) -> str:
    """Everything, with what the plots are drawn from."""
    report: dict[str, Any] = {
        "release": result.release.name,
        "release_sha256": result.release_checksum,
        "parameters": result.parameters,
        "rows": result.rows,
        "figures": result.figures,
    }
    return json.dumps(report, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def agreement_latex(result: AgreementResult) -> str:
    """The table of the paper, with intervals, and all raters' coefficients; booktabs."""
    scales = result.release.campaign.rating_scales
    head = ["", *(f"{name} ({scale.name})" for scale in scales for name in ("Agreement", "Kappa"))]
    lines = [[line.comparison, *map(_estimate, line.cells)] for line in table_lines(result)]
    whole = [[line.judges, line.measure, *map(_estimate, line.cells)] for line in coefficient_lines(result)]
    return "\n\n".join(
        [
            f"% {latex_escaped(result.release.name)}, SHA-256 of its manifest {result.release_checksum}",
            f"% {latex_escaped(json.dumps(result.parameters, sort_keys=True))}",
            latex_table(head, lines, "Agreement between judges, with 95\\% intervals."),
            latex_table(
                ["Judges", "Coefficient", *(scale.name for scale in scales)],
                whole,
                "All judges at once, with 95\\% intervals.",
                texts=2,
            ),
            "",
        ]
    )


def _estimate(row: Mapping[str, Any]) -> str:
    if row["value"] is None:
        return "--"
    interval = f" [{row['low']:.3f}, {row['high']:.3f}]" if row["low"] is not None else ""
    return f"{row['value']:.3f}{interval}"
