"""Sections of a report as tables: for a terminal, with the same rows as the page, and for LaTeX."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from common.console import Cell, Section, with_interval
from corpus.latex import latex_escaped, latex_table
from evaluation.answer import planned_sentences
from evaluation.page_rows import INPUT_LEVEL, ReportRows
from evaluation.page_tables import drawn_words
from evaluation.planned_analysis import PlannedAnalysis
from evaluation.published import published_metrics
from evaluation.sections.base import Row
from evaluation.selectors import every_row, report_rows
from reports.models import Report

FIRST = ("table-8", "input-level", "table-9")
NOTHING = "Nothing: the release has no outputs with ratings and scores for this."
MOST = 20
"""Longer tables show the best so many of each judgement; the files have all."""


def _table(heading: str, table: str, *, only_whole: bool = True, limit: int = 0) -> Callable[[Report], Section]:
    """Return how to make a section of a table: the columns that any of its rows fills."""

    def section(report: Report) -> Section:
        rows = [row for row in every_row(report) if row["table"] == table and not (only_whole and row["part_kind"])]
        shown = _best(rows, limit) if limit else rows
        named = [name for name in NAMES if any(row.get(name) for row in shown)]
        counted = [name for name in COUNTS if any(row.get(name) is not None for row in shown)]
        columns = (*(NAMES[name] for name in named), "Value [95%]", *(COUNTS[name] for name in counted))
        cells: list[Sequence[Cell]] = [
            (*(row.get(name, "") for name in named), _estimate(row), *(row.get(name) for name in counted))
            for row in shown
        ]
        return Section(heading, columns, cells, _notes(rows, shown), NUMBERS)

    return section


def _best(rows: Sequence[Row], limit: int) -> list[Row]:
    """Return the rows with the highest values of each judgement and figure."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["judgement"], row["figure"]), []).append(row)
    return [row for group in groups.values() for row in sorted(group, key=_falling)[:limit]]


def _falling(row: Row) -> tuple[bool, float]:
    """Sort key: the highest value first, undefined ones last."""
    return row["value"] is None, -(row["value"] or 0)


def _estimate(row: Mapping[str, Any]) -> str:
    return with_interval(row["value"], row["low"], row["high"])


def _notes(rows: Sequence[Row], shown: Sequence[Row]) -> list[str]:
    if not rows:
        return [NOTHING]
    left = [f"{len(rows) - len(shown)} more in the files."] if len(shown) < len(rows) else []
    return [
        *left,
        *filter(None, [drawn_words(shown)]),
        *dict.fromkeys(f"Undefined: {row['reason']}." for row in shown if row["reason"]),
    ]


def _published(report: Report) -> Section:
    """Return what other studies found, whatever the report found."""
    del report
    columns = ("Paper", "Section", "Table", "Row", "Column", "Printed", "Note")
    cells: list[Sequence[Cell]] = [[each[name.lower()] for name in columns] for each in published_metrics()]
    notes = ["Other texts, systems and raters; as printed, also where a paper contradicts itself."]
    return Section("Published by others", columns, cells, notes, frozenset())


NAMES = {
    "judgement": "Judgement",
    "metric": "Metric",
    "label": "Group",
    "other": "With",
    "figure": "Figure",
    "mark": "Mark",
    "order": "Order",
    "pool": "Pool",
    "score": "By",
}
COUNTS = {"n": "n", "p": "p", "p_holm": "p (Holm)"}
NUMBERS = frozenset({"Value [95%]", *COUNTS.values()})


def _planned(report: Report) -> Section:
    """The metric that staff named beforehand, apart from all that was explored."""
    heading, columns = "The metric that was named beforehand", ("Judgement", "Metric", "r [95%]")
    plan = PlannedAnalysis.of(report.pinned)
    if plan is None:
        return Section(heading, columns, [], ["Nothing: the settings named no primary metric."])
    rows = ReportRows(report_rows(report))
    levels = [row for row in rows.of(INPUT_LEVEL, figure="r") if row["metric"] == plan.metric]
    cells = [(row["judgement"], row["metric"], _estimate(row)) for row in levels]
    said = [*planned_sentences(plan, rows), *([f"Hypothesis: {plan.hypothesis}"] if plan.hypothesis else [])]
    return Section(heading, columns, cells, [*said, f"SHA-256 of metric and hypothesis: {plan.checksum}"])


def _beside_people(report: Report) -> Section:
    heading = "Metrics beside people"
    if not report.pinned.get("compares_answers"):
        return Section(heading, (), [], ["Nothing: the raters of this release did not judge answers to questions."])
    return _table(heading, "metric beside people", limit=MOST)(report)


SECTIONS: dict[str, Callable[[Report], Section]] = {
    "planned": _planned,
    "table-8": _table("Mean ratings and scores of systems (Table 8)", "table 8", limit=MOST),
    "systems": _table("Differences between systems", "systems", limit=MOST),
    "corpus-level": _table("Correlation over systems", "corpus level", limit=MOST),
    "input-level": _table("Correlation of differences between systems", "input level", limit=MOST),
    "table-9": _table("The best of each group (Table 9)", "table 9"),
    "best-of-many": _table("What the best metric owes to luck, and which are not worse", "best of many", limit=MOST),
    "metric-differences": _table("The best metric and the others", "metric differences", limit=MOST),
    "sentinels": _table("Scores that no metric should lose to", "sentinels"),
    "ceiling": _table("What a perfect metric would reach", "ceiling"),
    "power": _table("Differences that this many inputs show", "power"),
    "beside-people": _beside_people,
    "significance": _table("Agreement about significance", "significance", limit=MOST),
    "trusted-difference": _table("The smallest difference that can be trusted", "shown difference", limit=MOST),
    "heterogeneity": _table("Metrics combined without ratings", "heterogeneity", limit=MOST),
    "system-order": _table("The order of systems", "system order", limit=MOST),
    "ties": _table("Accuracy with calibrated ties", "ties", limit=MOST),
    "people": _table("People as systems", "people and systems", limit=MOST),
    "translations": _table("Translated references and outputs", "variants", limit=MOST),
    "models": _table("Models as raters", "model judges"),
    "model-bias": _table("Bias of models", "model judge bias"),
    "annotator-test": _table("May a model replace a rater?", "alternative annotator test"),
    "published": _published,
}


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
