"""Reports as CSV, JSON and LaTeX, with the same numbers as the page."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agreement.models import AgreementResult
from agreement.selectors import coefficient_lines, table_lines
from common.spreadsheets import written_lines
from corpus.latex import latex_escaped, latex_table

COLUMNS = (
    "scale",
    "comparison",
    "group",
    "measure",
    "value",
    "low",
    "high",
    "standard_error",
    "sources",
    "raters",
    "no_interval",
    "items",
    "variance",
    "paper_low",
    "paper_high",
    "draws",
    "undefined",
)


def report_as(form: str, result: AgreementResult) -> str:
    return {"csv": agreement_csv, "json": agreement_json, "latex": agreement_latex}[form](result)


def agreement_csv(result: AgreementResult) -> str:
    """Return one line per number, each with the release, its checksum and all parameters."""
    return "".join(written_lines(_csv_rows(result), lineterminator="\n"))


def _csv_rows(result: AgreementResult) -> Iterator[Sequence[object]]:
    parameters = dict(sorted(result.parameters.items()))
    # "draws" is also a parameter, the number requested; this column counts the draws with a value.
    header = ["draws_defined" if column == "draws" else column for column in COLUMNS]
    yield [*header, *parameters, "release", "release_sha256"]
    rows: Iterable[Mapping[str, object]] = result.rows or []
    for row in rows:
        cells = ["" if row.get(column) is None else row[column] for column in COLUMNS]
        yield [*cells, *parameters.values(), result.release.name, result.release_checksum]


def agreement_json(result: AgreementResult) -> str:
    """Return the whole result, including the data of the plots."""
    report: dict[str, Any] = {
        "release": result.release.name,
        "release_sha256": result.release_checksum,
        "parameters": result.parameters,
        "rows": result.rows,
        "figures": result.figures,
    }
    return json.dumps(report, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def agreement_latex(result: AgreementResult) -> str:
    """Return the paper's Table 4 and the coefficients of all raters, with intervals, as booktabs tables."""
    scales = result.release.campaign.rating_scales
    header = ["Comparison", *(f"{name} ({scale.name})" for scale in scales for name in ("Agreement", "Kappa"))]
    comparisons = [[line.comparison, *map(_estimate, line.cells)] for line in table_lines(result)]
    coefficients = [[line.judges, line.measure, *map(_estimate, line.cells)] for line in coefficient_lines(result)]
    return "\n\n".join(
        [
            f"% {latex_escaped(result.release.name)}, SHA-256 of its manifest {result.release_checksum}",
            f"% {latex_escaped(json.dumps(result.parameters, sort_keys=True))}",
            latex_table(header, comparisons, "Agreement between judges, with 95\\% intervals."),
            latex_table(
                ["Judges", "Coefficient", *(scale.name for scale in scales)],
                coefficients,
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
