"""Tables of a report on marks of errors: for a terminal, with the same rows as the page, and for LaTeX."""

from collections.abc import Callable, Sequence

from common.console import Cell, Section, with_interval
from corpus.latex import latex_escaped, latex_table
from protocols.report_rows import ALL, Row, found, rows_of, system_name
from protocols.spans.agreement import AGREEMENT, OF_SCORES
from protocols.spans.premarked import FATES, PREMARKS
from protocols.spans.scores import DENSITY, DIFFERENCES, EDITS, MARKS, POINTS, SCORES, SHARES, TAU
from reports.models import Report

FIRST = ("systems", "agreement")
NUMBERS = frozenset(
    {"Points [95%]", "Value [95%]", "Score [95%]", "Marks per 100 words [95%]", "Texts", "n", "Sources"}
)
SIGN = "Points have the sign that WMT prints: 0 is best."
NOTHING = "Nothing: the answers have nothing for this."


def _systems(report: Report) -> Section:
    scores, densities = rows_of(report, SCORES), rows_of(report, DENSITY)
    rows: list[Sequence[Cell]] = [
        (
            system_name(row["group"]),
            estimate(row),
            estimate(found(scores, group=row["group"], figure="score")),
            estimate(found(densities, group=row["group"])),
            row["n"],
        )
        for row in rows_of(report, POINTS)
    ]
    columns = ("System", "Points [95%]", "Score [95%]", "Marks per 100 words [95%]", "Texts")
    return Section("Systems", columns, rows, [SIGN, *_reasons(rows_of(report, POINTS))], NUMBERS)


def _section(heading: str, columns: Sequence[str], *tables: str) -> Callable[[Report], Section]:
    """Return the section of tables with one value in a line; the columns name part, group and figure."""

    def section(report: Report) -> Section:
        shown = [row for table in tables for row in rows_of(report, table)]
        rows: list[Sequence[Cell]] = [
            (*(row[name] for name in ("part", "group", "figure")), estimate(row), row["n"], row["sources"])
            for row in shown
        ]
        notes = _reasons(shown) if rows else [NOTHING]
        return Section(heading, (*columns, "Value [95%]", "n", "Sources"), rows, notes, NUMBERS)

    return section


def _reasons(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(f"Undefined: {row['reason']}." for row in rows if row["reason"]))


def estimate(row: Row | None) -> str:
    return with_interval(row["value"], row["low"], row["high"]) if row else "--"


SECTIONS: dict[str, Callable[[Report], Section]] = {
    "systems": _systems,
    "agreement": _section("Agreement", ("Of", "Name", "Measure"), AGREEMENT, OF_SCORES),
    "differences": _section("Differences of points, first less second", ("First", "Second", "Of"), DIFFERENCES),
    "scores": _section("Scores from 0 to 100", ("Of", "System", "Figure"), SCORES, TAU),
    "marks": _section("Marks by kind and severity", ("Kind", "System", "Severity"), MARKS),
    "edits": _section("Edits", ("Kind", "System", "Judged or side"), EDITS, SHARES),
    "pre-marks": _section("With and without pre-marks", ("Answers", "Origin", "Figure"), PREMARKS, FATES),
}


def spans_tables(report: Report) -> list[str]:
    """Return the systems and the agreement on all marks as booktabs tables."""
    systems = _systems(report)
    agreement = [
        (row["figure"], estimate(row), row["n"], row["sources"])
        for row in [*rows_of(report, AGREEMENT, ALL), *rows_of(report, OF_SCORES)]
    ]
    caption = latex_escaped("Marks of errors, with 95% intervals over sources. ")
    return [
        latex_table(systems.columns, systems.rows, caption + SIGN, is_wide=True),
        latex_table(("Measure", "Value [95%]", "n", "Sources"), agreement, "Agreement on marks."),
    ]
