"""Sections of an agreement report as tables for a terminal, with the same rows as the page."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from agreement.report_rows import FEW_TEXTS
from agreement.sections.by_rater import ONE_RATER
from agreement.sections.cleaning import CLEANING
from agreement.sections.over_time import OVER_TIME
from agreement.sections.subgroups import BY_GENRE, BY_LENGTH, BY_SENTENCES
from agreement.table_lines import (
    NumberTable,
    TableLine,
    coefficient_lines,
    few_point_scales,
    group_lines,
    headlines,
    label_of,
    number_tables,
    pair_lines,
    part_lines,
    spread_lines,
    table_lines,
    too_few_to_cite,
)
from common.console import Cell, Section, with_interval
from reports.models import Report

NUMBERS = frozenset({"Agreement [95%]", "Kappa [95%]", "Value [95%]", "Texts", "Sources", "Raters"})
LINE_COLUMNS = ("Scale", "Agreement [95%]", "Kappa [95%]", "Texts")
FIRST = ("cite", "table")
NOTHING = "Nothing: the release has no ratings for this."


def _cite(report: Report) -> Section:
    rows = [
        (each.scale, _estimate(each.row), each.row["items"], each.row["sources"], each.row["raters"])
        for each in headlines(report)
    ]
    columns = ("Scale", "Kappa [95%]", "Texts", "Sources", "Raters")
    notes = []
    if not rows:
        few = too_few_to_cite(report)
        notes = [
            "No kappa of rater versus rater has an interval; the table below says what is known."
            if few is None
            else f"Nothing: no scale has more than {few} rated texts, and {FEW_TEXTS} are wanted to cite a kappa."
        ]
    if many := number_tables(report):
        notes = [*(notes if few_point_scales(report) else ()), *_why(many)]
    return Section("The kappa to cite: rater versus rater", columns, rows, notes, NUMBERS)


def _coefficients(report: Report) -> Section:
    scales = [scale.name for scale in few_point_scales(report)]
    rows: list[Sequence[Cell]] = [
        (line.judges_label, line.measure_label, scale, _estimate(cell), cell["items"])
        for line in coefficient_lines(report)
        for scale, cell in zip(scales, line.cells, strict=True)
    ]
    many = number_tables(report)
    rows += [
        (line.judges_label, line.measure_label, table.scale.name, _estimate(line.cells[0]), line.cells[0]["items"])
        for table in many
        for line in table.lines
    ]
    columns = ("Who", "Measure", "Scale", "Value [95%]", "Texts")
    return Section("All raters at once", columns, rows, [*_notes(rows, []), *_why(many)], NUMBERS)


def _why(many: Sequence[NumberTable]) -> list[str]:
    return [f"{table.scale.name}, {table.scale.lowest} to {table.scale.highest}: {table.why}." for table in many]


def _lines(heading: str, of: str, lines: Callable[[Report], Sequence[TableLine]]) -> Callable[[Report], Section]:
    def section(report: Report) -> Section:
        found = lines(report)
        rows = list(_rows(report, found))
        return Section(heading, (of, *LINE_COLUMNS), rows, _notes(rows, found), NUMBERS)

    return section


def _rows(report: Report, lines: Sequence[TableLine]) -> Iterator[Sequence[Cell]]:
    scales = [scale.name for scale in few_point_scales(report)]
    for line in lines:
        for number, scale in enumerate(scales):
            agreement, kappa = line.cells[2 * number : 2 * number + 2]
            label = line.label if number == 0 else ""
            yield label, scale, _estimate(agreement), _estimate(kappa), kappa["items"]


def _notes(rows: Sequence[object], lines: Sequence[TableLine]) -> list[str]:
    if not rows:
        return [NOTHING]
    reasons = dict.fromkeys(
        f"Undefined for {line.label}: {cell['undefined']}."
        for line in lines
        for cell in line.cells
        if cell["undefined"]
    )
    return list(reasons)


def _estimate(row: Mapping[str, Any]) -> str:
    return with_interval(row["value"], row["low"], row["high"])


def _groups(comparison: str) -> Callable[[Report], Sequence[TableLine]]:
    return lambda report: group_lines(report, comparison)


def _parts(grouping: str) -> Callable[[Report], Sequence[TableLine]]:
    return lambda report: part_lines(report, grouping)


SECTIONS: dict[str, Callable[[Report], Section]] = {
    "cite": _cite,
    "table": _lines("Agreement and kappa", "Who", table_lines),
    "coefficients": _coefficients,
    "choices": _lines("What difference the paper’s choices make", "Computed", spread_lines),
    "cleaning": _lines("Before and after participants were left out", "When", _groups(CLEANING)),
    "genres": _lines(label_of(BY_GENRE), "Genre", _parts(BY_GENRE)),
    "sentences": _lines(label_of(BY_SENTENCES), "Sentences", _parts(BY_SENTENCES)),
    "lengths": _lines(label_of(BY_LENGTH), "Length", _parts(BY_LENGTH)),
    "weeks": _lines("Over time", "Week", _groups(OVER_TIME)),
    "raters": _lines("Each rater versus the others", "Rater", _groups(ONE_RATER)),
    "pairs": _lines("Pairs of raters", "Pair", pair_lines),
}
