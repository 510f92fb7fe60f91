"""The tables of a report in LaTeX."""

from collections.abc import Callable, Iterable, Sequence

from corpus.latex import latex_escaped, latex_table
from evaluation.sections.base import Row
from evaluation.selectors import report_rows
from reports.models import Report

NONE = "--"
SYSTEM_LEVEL = ("spearman", "kendall", "pearson")


def evaluation_tables(report: Report) -> list[str]:
    """Return what the paper has as Tables 8 and 9, and each metric's correlations, as booktabs tables."""
    rows = report_rows(report)
    judgements = list(dict.fromkeys(row["judgement"] for row in rows if row["table"] == "input level"))
    tables = [_means_table(rows), *(_levels_table(rows, judgement) for judgement in judgements)]
    return [*tables, _best_table(rows, judgements)]


def _means_table(rows: Iterable[Row]) -> str:
    """Return the mean of each judgement and metric for each system."""
    found = [row for row in rows if row["table"] == "table 8"]
    systems = list(dict.fromkeys(row["other"] for row in found))
    cells = _wide(found, lambda row: row["metric"] or row["judgement"], lambda row: row["other"], systems)
    return latex_table(["", *systems], cells, "Mean ratings and scores of the outputs of each system.")


def _levels_table(rows: Iterable[Row], judgement: str) -> str:
    """Return the correlations of each metric with one judgement, best first."""
    whole = [row for row in rows if row["judgement"] == judgement and not row["part_kind"]]
    over_systems = (row for row in whole if row["table"] == "corpus level" and row["of"] == "judged")
    systems = {(row["metric"], row["figure"]): row for row in over_systems}
    inputs = sorted((row for row in whole if row["table"] == "input level"), key=_falling)
    cells = [
        [row["metric"], *(_number(systems.get((row["metric"], name))) for name in SYSTEM_LEVEL), _number(row)]
        for row in inputs
    ]
    head = ["Metric", "Spearman", "Kendall", "Pearson", "Differences"]
    said = "Correlation with people's ratings over systems, and of differences between systems"
    return latex_table(head, cells, f"{said}, with 95\\% intervals: {latex_escaped(judgement)}.")


def _best_table(rows: Iterable[Row], judgements: Sequence[str]) -> str:
    """Return the best correlation by unit, measure and references."""
    found = [row for row in rows if row["table"] == "table 9"]
    cells = _wide(found, lambda row: str(row["label"]), lambda row: row["judgement"], judgements)
    said = "Best correlation of each group; * dominates another, - is dominated"
    return latex_table(["", *judgements], cells, f"{said}.")


def _wide(
    rows: Iterable[Row], line: Callable[[Row], str], column: Callable[[Row], str], columns: Sequence[str]
) -> list[list[str]]:
    """Return a line for each name, with a cell for each column."""
    cells = {(line(row), column(row)): row for row in rows}
    names = dict.fromkeys(name for name, _ in cells)
    return [[name, *(_marked(cells.get((name, each))) for each in columns)] for name in names]


def _marked(row: Row | None) -> str:
    if row is None or row["value"] is None:
        return NONE
    return f"{row['value']:.3f}{row.get('mark') or ''}"


def _number(row: Row | None) -> str:
    if row is None or row["value"] is None:
        return NONE
    interval = f" [{row['low']:.3f}, {row['high']:.3f}]" if row["low"] is not None else ""
    return f"{row['value']:.3f}{interval}"


def _falling(row: Row) -> tuple[bool, float]:
    """Sort key: the highest value first, undefined ones last."""
    return row["value"] is None, -(row["value"] or 0)
