"""Sections of a report as tables: for a terminal, with the same rows as the page, and for LaTeX, as in the paper."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from common.console import Cell, Section, with_interval
from corpus.latex import latex_table
from edit_operations.page_tables import shown_rows
from edit_operations.page_words import deletion_group_label
from edit_operations.published import (
    CORPUS,
    SECTION,
    SHARES_OF,
    PublishedCell,
    published_comparison,
    published_joint,
    published_share,
)
from edit_operations.sections.aligner import ALIGNER
from edit_operations.sections.base import RELEASE, Row
from edit_operations.sections.costs import COSTS, ORDERED, TOGETHER
from edit_operations.sections.deletions import BY_GRAMMAR, DELETIONS
from edit_operations.sections.order import ORDER, ORDER_PAIRS
from edit_operations.sections.quality import TABLE_5 as QUALITY_TABLE
from edit_operations.sections.quality import TABLE_6 as JOINT_TABLE
from edit_operations.sections.quality import WITHIN_EDITORS
from edit_operations.sections.shares import COMPRESSIONS, TOKEN_SHARES
from edit_operations.sections.shares import SENTENCES as SENTENCE_TABLE
from edit_operations.sections.systems import SYSTEMS
from reports.models import Report

DIFFERENCE = ("Difference [95%]", "Shown with 80% from")
NUMBERS = frozenset(
    {"Share [95%]", "Value", "Paper", "Texts", "Sources", "With", "Without", *DIFFERENCE, "p (Holm)", "Editors"}
)
SHARE_TABLES = (TOKEN_SHARES, COMPRESSIONS, SENTENCE_TABLE)
FIRST = ("shares", "table-5", "table-6", "aligner")
QUANTILES = ("p10", "p25", "p50", "p75", "p90")
COST_NOTE = "An association: editors choose what they do, so no cause is shown."
ORDERED_NOTE = "A cumulative logit model of the single ratings, with random effects of sources, texts and raters."
PAIR_COLUMNS = ("First", "Then", "Share [95%]", "Texts")
NOTHING = "Nothing: the release has no texts for this."


def _rows_of(report: Report, *tables: str) -> list[Row]:
    return [row for row in shown_rows(report) if row["table"] in tables]


def _shares(report: Report) -> Section:
    found = _rows_of(report, *SHARE_TABLES)
    rows: list[Sequence[Cell]] = [
        (row["figure"], _estimate(row), row["n"], _published(row["figure"])) for row in found if row["part"] == RELEASE
    ]
    note = f"Paper: Toutanova et al. 2016, §{SECTION}, on another corpus."
    return Section("What people did", ("Share of", "Share [95%]", "Texts", "Paper"), rows, [note], NUMBERS)


def _parts(heading: str, part: str) -> Callable[[Report], Section]:
    def section(report: Report) -> Section:
        rows: list[Sequence[Cell]] = [
            (row["group"] or "unknown", row["figure"], _estimate(row), row["n"])
            for row in _rows_of(report, TOKEN_SHARES, COMPRESSIONS)
            if row["part"] == part and "," not in row["figure"]
        ]
        return Section(heading, ("Part", "Share of", "Share [95%]", "Texts"), rows, _notes(rows), NUMBERS)

    return section


def _table_5(report: Report) -> Section:
    rows = [
        _comparison(
            row, (row["group"], row["figure"]), "present", "absent", published_comparison(row["group"], row["figure"])
        )
        for row in _rows_of(report, QUALITY_TABLE)
    ]
    columns = ("Operation", "Scale", "With", "Without", *DIFFERENCE, "p (Holm)", "Sources", "Paper")
    return Section(
        "Quality with and without an operation", columns, rows, _reasons(_rows_of(report, QUALITY_TABLE)), NUMBERS
    )


def _table_6(report: Report) -> Section:
    rows = [
        _comparison(row, (row["figure"],), "joint", "apart", published_joint(row["figure"]))
        for row in _rows_of(report, JOINT_TABLE)
    ]
    columns = ("Scale", "Jointly", "Apart", *DIFFERENCE, "p (Holm)", "Sources", "Paper")
    notes = _reasons(_rows_of(report, JOINT_TABLE))
    heading = "Paragraphs shortened as a whole or by sentence"
    return Section(heading, columns, rows, notes, NUMBERS | {"Jointly", "Apart"})


def _within_editors(report: Report) -> Section:
    found = _rows_of(report, WITHIN_EDITORS)
    rows: list[Sequence[Cell]] = [
        (row["group"], row["figure"], row["present"], row["absent"], _estimate(row), row["p_holm"], row["editors"])
        for row in found
    ]
    columns = ("Operation", "Scale", "With", "Without", "Difference [95%]", "p (Holm)", "Editors")
    return Section("Quality with and without an operation, within editors", columns, rows, _reasons(found), NUMBERS)


def _costs(report: Report) -> Section:
    found = _rows_of(report, COSTS)
    rows: list[Sequence[Cell]] = [
        (
            row["figure"],
            row["group"],
            _cost(row),
            *map(row.get, ("standard_error", "t")),
            df_of(row),
            row["p"],
            row["n"],
        )
        for row in found
    ]
    columns = ("Scale", "Term", "Estimate [95%]", "Standard error", "t", "df", "p", "Texts")
    methods = dict.fromkeys(f"Degrees of freedom: {row['method']}." for row in found if row.get("method"))
    return Section(
        "Operations, length and quality",
        columns,
        rows,
        [COST_NOTE, *methods, *_without_intervals(found), *_reasons(found)],
        NUMBERS | {"Estimate [95%]", "Standard error", "t", "df", "p"},
    )


def _ordered(report: Report) -> Section:
    found = _rows_of(report, ORDERED)
    rows: list[Sequence[Cell]] = [
        (row["figure"], row["group"], _estimate(row), row.get("standard_error"), row.get("z"), row["p"], row["n"])
        for row in found
    ]
    columns = ("Scale", "Term", "Log odds [95%]", "Standard error", "z", "p", "Texts")
    return Section(
        "Operations, length and quality, with ratings as ordered categories",
        columns,
        rows,
        _notes(rows) or [ORDERED_NOTE, COST_NOTE, *_without_intervals(found), *_reasons(found)],
        NUMBERS | {"Log odds [95%]", "Standard error", "z", "p"},
    )


def _cost(row: Row) -> str:
    return f"F = {row['value']:.3f}" if row["group"] == TOGETHER else _estimate(row)


def df_of(row: Row) -> str:
    """Return the degrees of freedom; both of an F."""
    if row.get("df") is None:
        return ""
    of_numerator = f"{row['numerator_df']}, " if row.get("numerator_df") else ""
    return f"{of_numerator}{row['df']:.1f}"


def _without_intervals(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(f"No interval and no p: {row['no_interval']}." for row in rows if row.get("no_interval")))


def _order(report: Report) -> Section:
    found = _rows_of(report, ORDER)
    rows: list[Sequence[Cell]] = [
        (row["group"], *(row.get(name) for name in QUANTILES), row.get("time_p50"), row.get("words"), row["n"])
        for row in found
    ]
    columns = ("Words", "10%", "25%", "Median", "75%", "90%", "Median by time", "Changed", "Texts")
    notes = ["Places are shares of the edits of a text, from 0 to 1.", *_reasons(found)]
    return Section("When words are changed", columns, rows, notes, frozenset(columns[1:]))


def _order_pairs(report: Report) -> Section:
    found = _rows_of(report, ORDER_PAIRS)
    rows: list[Sequence[Cell]] = [(row["group"], row["figure"], _estimate(row), row["n"]) for row in found]
    return Section("Which operation is begun first", PAIR_COLUMNS, rows, _notes(rows) or _reasons(found), NUMBERS)


def _comparison(row: Row, named: Sequence[str], one: str, other: str, paper: PublishedCell | None) -> Sequence[Cell]:
    published = f"{paper.first.printed} / {paper.second.printed}" if paper else None
    return (
        *named,
        row[one],
        row[other],
        _estimate(row),
        row.get("detectable"),
        row["p_holm"],
        row["sources"],
        published,
    )


def _aligner(report: Report) -> Section:
    found = _rows_of(report, ALIGNER)
    rows: list[Sequence[Cell]] = [(row["figure"], row["value"], row["n"]) for row in found]
    return Section(
        "The aligner compared with corrections", ("Figure", "Value", "Texts"), rows, _reasons(found), NUMBERS
    )


def _systems(report: Report) -> Section:
    rows: list[Sequence[Cell]] = [
        (row["group"], row["figure"], _estimate(row), row.get("sources"))
        for row in _rows_of(report, SYSTEMS)
        if "," not in row["figure"]
    ]
    columns = ("System", "Share of", "Difference [95%]", "Sources")
    return Section("Systems minus people, on the same sources", columns, rows, _notes(rows), NUMBERS)


def _deletions(report: Report) -> Section:
    found = _rows_of(report, DELETIONS)
    rows: list[Sequence[Cell]] = [
        (deletion_group_label(row["part"], row["group"]), row["figure"], _estimate(row), row["n"]) for row in found
    ]
    return Section(
        "What is deleted",
        ("Texts of", "Figure", "Value [95%]", "Texts"),
        rows,
        _reasons(found),
        NUMBERS | {"Value [95%]"},
    )


def _deleted_grammar(report: Report) -> Section:
    found = _rows_of(report, *BY_GRAMMAR)
    rows: list[Sequence[Cell]] = [
        (
            deletion_group_label(row["part"], row["group"]),
            row["table"].removeprefix("deleted "),
            row["figure"],
            _estimate(row),
            row["n"],
        )
        for row in found
    ]
    columns = ("Texts of", "Of", "Name", "Share deleted [95%]", "Texts")
    return Section("Deletions by grammar", columns, rows, _reasons(found), NUMBERS | {"Share deleted [95%]"})


def _published(figure: str) -> float | None:
    return published_share(figure).value if figure in SHARES_OF else None


def _estimate(row: Row) -> str:
    return with_interval(row["value"], row["low"], row["high"])


def _reasons(rows: Sequence[Row]) -> list[str]:
    """Say why values are undefined, each reason once."""
    return list(dict.fromkeys(f"Undefined: {row['reason']}." for row in rows if row["reason"]))


def _notes(rows: Sequence[object]) -> list[str]:
    return [] if rows else [NOTHING]


SECTIONS: dict[str, Callable[[Report], Section]] = {
    "shares": _shares,
    "table-5": _table_5,
    "table-6": _table_6,
    "aligner": _aligner,
    "genres": _parts("By genre", "genre"),
    "splits": _parts("By split", "split"),
    "sentences": _parts("By number of sentences", "sentences"),
    "editors": _parts("By editor", "editor"),
    "outputs": _parts("By system", "system"),
    "systems": _systems,
    "deletions": _deletions,
    "deleted-grammar": _deleted_grammar,
    "costs": _costs,
    "ordered-ratings": _ordered,
    "within-editors": _within_editors,
    "order": _order,
    "order-pairs": _order_pairs,
}


def operations_tables(report: Report) -> list[str]:
    """Return the shares and Tables 5 and 6 as booktabs tables, with the paper's values, and the mixed model."""
    rows = shown_rows(report)
    names = {scale.key: scale.name for scale in report.of_release.rating_scales}
    return [
        _share_table(rows),
        _quality_table(rows, "table 5", names, _means_words(report)),
        _quality_table(rows, "table 6", names),
        _cost_table(rows, names),
    ]


def _share_table(rows: Iterable[Row]) -> str:
    cells = [
        [row["table"], row["figure"], _number(row), _plain(_published(row["figure"])), row["n"]]
        for row in rows
        if row["part"] == RELEASE and row["table"] in SHARE_TABLES
    ]
    head = ["Table", "Share of", "Here", "Paper", "Texts"]
    return latex_table(head, cells, f"Editing operations, with 95\\% intervals; paper: {CORPUS}, §{SECTION}.", texts=2)


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
    said = f"Hodges-Lehmann difference with 95\\% interval{also}; paper: {CORPUS}, §{SECTION}"
    return latex_table(head, cells, f"Table {number} of the paper on this release: {said}.", texts=len(first))


def _cost_table(rows: Iterable[Row], names: Mapping[str, str]) -> str:
    found = [row for row in rows if row["table"] == COSTS]
    cells = [
        [
            names.get(row["figure"], row["figure"]),
            row["group"],
            f"F = {row['value']:.3f}" if row["group"] == TOGETHER else _number(row),
            _plain(row.get("t")),
            df_of(row) or "--",
            _p(row["p"]),
        ]
        for row in found
    ]
    methods = dict.fromkeys(row["method"] for row in found if row.get("method"))
    said = f"; degrees of freedom: {', '.join(methods)}" if methods else ""
    caption = f"Mean rating by operations and length: linear mixed model, 95\\% intervals{said}."
    return latex_table(["Scale", "Term", "Estimate", "t", "df", "p"], cells, caption, texts=2)


def _paper_cells(row: Row) -> list[str]:
    is_table_5 = row["table"] == "table 5"
    cell = published_comparison(row["group"], row["figure"]) if is_table_5 else published_joint(row["figure"])
    if cell is None:
        return ["--"] * 3
    return [_plain(cell.first.value), _plain(cell.second.value), cell.p.removeprefix("p ").removeprefix("= ") or "--"]


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
