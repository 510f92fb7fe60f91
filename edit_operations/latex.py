"""The tables of a report in LaTeX, with the paper's values."""

from collections.abc import Iterable, Mapping
from typing import Any

from corpus.latex import latex_table
from edit_operations.page_tables import shown_rows
from edit_operations.published import CORPUS, PUBLISHED_SHARES, TABLE_6, published_comparison
from edit_operations.sections.base import RELEASE, Row
from reports.models import Report


def operations_tables(report: Report) -> list[str]:
    """Return the shares and Tables 5 and 6 as booktabs tables, with the paper's values."""
    rows = shown_rows(report)
    names = {scale.key: scale.name for scale in report.release.campaign.rating_scales}
    return [
        _share_table(rows),
        _quality_table(rows, "table 5", names, _means_words(report)),
        _quality_table(rows, "table 6", names),
    ]


def _share_table(rows: Iterable[Row]) -> str:
    cells = [
        [row["table"], row["figure"], _number(row), _plain(published.get(row["figure"])), row["n"]]
        for row in rows
        if row["part"] == RELEASE and (published := PUBLISHED_SHARES.get(row["table"])) is not None
    ]
    head = ["Table", "Share of", "Here", "Paper", "Texts"]
    return latex_table(head, cells, f"Editing operations, with 95\\% intervals; paper: {CORPUS}.", texts=2)


def _quality_table(rows: Iterable[Row], table: str, names: Mapping[str, str], also: str = "") -> str:
    one, other = ("present", "absent") if table == "table 5" else ("joint", "apart")
    first = ["Operation", "Scale"] if table == "table 5" else ["Scale"]
    cells = []
    for row in (row for row in rows if row["table"] == table):
        named = [row["group"], names.get(row["figure"], row["figure"])][-len(first) :]
        sides = [_plain(row[one]), _plain(row[other])]
        tests = [_number({**row, "value": row["difference"]}), _p(row["p"]), _p(row["p_holm"]), row["sources"] or 0]
        cells.append([*named, *sides, *tests, *_paper_cells(row)])
    ours = [one, other, "Difference", "p", "p (Holm)", "Sources"]
    head = [*first, *ours, f"Paper: {one}", f"Paper: {other}", "Paper: p"]
    number = table.removeprefix("table ")
    said = f"Hodges-Lehmann difference with 95\\% interval{also}; paper: {CORPUS}"
    return latex_table(head, cells, f"Table {number} of the paper on this release: {said}.", texts=len(first))


def _paper_cells(row: Row) -> list[str]:
    is_table_5 = row["table"] == "table 5"
    cell = published_comparison(row["group"], row["figure"]) if is_table_5 else TABLE_6.get(row["figure"])
    if cell is None:
        return ["--"] * 3
    return [_plain(cell.first), _plain(cell.second), cell.p.removeprefix("p ").removeprefix("= ") or "--"]


def _means_words(report: Report) -> str:
    over = "all compressions" if report.parameters["means"] == "compressions" else "sources that have both"
    return f", means over {over}"


def _number(row: Mapping[str, Any]) -> str:
    if row["value"] is None:
        return "--"
    interval = f" [{row['low']:.3f}, {row['high']:.3f}]" if row["low"] is not None else ""
    return f"{row['value']:.3f}{interval}"


def _plain(value: float | None) -> str:
    return "--" if value is None else f"{value:.3f}"


def _p(value: float | None) -> str:
    if value is None:
        return "--"
    return "< .0001" if value < 0.0001 else f"{value:.4f}"
