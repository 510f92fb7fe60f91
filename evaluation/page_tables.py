"""The tables of a report as the page shows them, each with what its numbers are."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.listing import Filter, Listing, ListingState
from common.templatetags.formatting import p_value
from common.words import Words
from evaluation.metric_links import MetricLinks
from evaluation.page_rows import INPUT_LEVEL, ReportRows, Row
from evaluation.page_words import figure_label, other_label, part_label, pool_label, score_label
from evaluation.published import published_tables
from reports.published import PublishedTable

PAGE_SIZE, PAGE = 10, "m-page"
COEFFICIENTS = ("spearman", "kendall", "pearson")


@dataclass(frozen=True)
class MetricLine:
    """A metric with its correlation at input level and over systems."""

    link: Any
    row: Row
    systems: list[Row | None]

    @property
    def value(self) -> float | None:
        found: float | None = self.row["value"]
        return found

    def system_value(self, number: int) -> float | None:
        found = self.systems[number]
        return found["value"] if found else None


@dataclass(frozen=True)
class MetricTable:
    """All metrics as the reader has sorted and narrowed them."""

    page: Page[MetricLine]
    listing: ListingState
    all_metrics: int


def metric_lines(rows: ReportRows, judgement: str, links: MetricLinks) -> list[MetricLine]:
    """Return a line for each metric, the highest correlation first."""
    systems = rows.system_levels(judgement)
    return [
        MetricLine(links(row["metric"]), row, [systems.get(row["metric"], {}).get(name) for name in COEFFICIENTS])
        for row in rows.metric_levels(judgement)
    ]


def metric_table(lines: Sequence[MetricLine], query: QueryDict) -> MetricTable:
    listing = _metric_listing(lines).read(query)
    shown = [line for line in listing.of_rows(lines) if _is_wanted(line, listing.values)]
    return MetricTable(Paginator(shown, PAGE_SIZE).get_page(query.get(PAGE)), listing, len(lines))


def _metric_listing(lines: Sequence[MetricLine]) -> Listing:
    return Listing(
        sorts={
            "metric": lambda line: line.link.name.casefold(),
            "r": lambda line: line.value,
            "rank": lambda line: line.row.get("rank"),
            "dominates": lambda line: line.row.get("dominates"),
            "dominated": lambda line: line.row.get("dominated_by"),
            "partial": lambda line: line.row.get("partial_r"),
            **{name: _system_value(number) for number, name in enumerate(COEFFICIENTS)},
        },
        default="-r",
        search_rows=lambda line: line.link.name,
        filters=[
            Filter("unit", gettext_lazy("Units"), _choices(lines, "units")),
            Filter("measure", gettext_lazy("Measure"), _choices(lines, "measure")),
            Filter("references", gettext_lazy("References"), _choices(lines, "references")),
        ],
        prefix="m-",
        page=PAGE,
    )


def _system_value(number: int) -> Callable[[MetricLine], float | None]:
    return lambda line: line.system_value(number)


def _choices(lines: Iterable[MetricLine], part: str) -> list[tuple[str, str]]:
    return [(name, name) for name in dict.fromkeys(getattr(line.link.words, part) for line in lines) if name]


def _is_wanted(line: MetricLine, wanted: Mapping[str, str]) -> bool:
    words = line.link.words
    parts = {"unit": words.units, "measure": words.measure, "references": words.references}
    return all(not value or parts[name] == value for name, value in wanted.items())


@dataclass(frozen=True)
class WideTable:
    """Means of systems: a line for each scale, or for each metric."""

    systems: list[str]
    lines: Sequence[tuple[Any, list[Row | None]]]


def means_table(rows: ReportRows, name_of: Callable[[Row], Any], *, of_metrics: bool) -> WideTable:
    """Return Table 8: the mean of each scale or metric for each system."""
    found = [row for row in rows.of("table 8") if bool(row["metric"]) == of_metrics]
    systems = list(dict.fromkeys(row["other"] for row in found))
    cells = {(row["judgement"], row["metric"], row["other"]): row for row in found}
    firsts = {(row["judgement"], row["metric"]): row for row in reversed(found)}
    keys = dict.fromkeys((row["judgement"], row["metric"]) for row in found)
    return WideTable(systems, [(name_of(firsts[key]), [cells.get((*key, each)) for each in systems]) for key in keys])


@dataclass(frozen=True)
class PartColumn:
    label: str
    by_metric: Mapping[str, Row]


def part_columns(rows: ReportRows, judgement: str) -> list[PartColumn]:
    """Return the correlations of metrics on each genre and each third of lengths."""
    found: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows.parts(INPUT_LEVEL, judgement, "r"):
        found.setdefault((row["part_kind"], row["part"]), {})[row["metric"]] = row
    return [PartColumn(part_label(*key), cells) for key, cells in found.items()]


@dataclass(frozen=True)
class TableSpec:
    """How a table of the report is shown: its figures, or the `figures` named, become columns."""

    table: str
    heading: Words
    caption: Words
    lines: tuple[str, ...] = ("metric",)
    heads: tuple[Words, ...] = (gettext_lazy("Metric"),)
    columns: tuple[tuple[str, Words], ...] = ()
    figures: tuple[str, ...] = ()
    sort_by: str = ""

    @property
    def anchor(self) -> str:
        return self.table.replace(" ", "-")


@dataclass(frozen=True)
class TableLine:
    """A line of a table: what it is about, a cell for each figure, and what all figures share."""

    names: list[Any]
    cells: list[Row | None]
    shared: list[str]


@dataclass(frozen=True)
class ShownTable:
    """A table with its lines: names, a cell for each figure, and further columns; and what others published of it."""

    spec: TableSpec
    figures: list[str]
    lines: list[TableLine]
    published: Sequence[PublishedTable] = ()
    note: str = ""


def has_table(spec: TableSpec, rows: ReportRows, judgement: str) -> bool:
    return bool(_rows_of(spec, rows, judgement))


def _rows_of(spec: TableSpec, rows: ReportRows, judgement: str) -> list[Row]:
    return [
        row
        for row in rows.of(spec.table)
        if row["judgement"] in {"", judgement} and (not spec.figures or row["figure"] in spec.figures)
    ]


def shown_table(spec: TableSpec, rows: ReportRows, judgement: str, links: MetricLinks) -> ShownTable:
    """Return a table that the report has."""
    found = _rows_of(spec, rows, judgement)
    by_line = "figure" in spec.lines
    grouped: dict[tuple[str, ...], dict[str, Row]] = {}
    for row in found:
        key = tuple(str(row.get(name) or "") for name in spec.lines)
        grouped.setdefault(key, {})["" if by_line else row["figure"]] = row
    figures = [""] if by_line else list(dict.fromkeys(row["figure"] for row in found))
    ordered = _ordered(list(grouped.items()), spec.sort_by)
    lines = [
        TableLine(
            [_name(name, value, links) for name, value in zip(spec.lines, key, strict=True)],
            [cells.get(figure) for figure in figures],
            [_shared(cells, column) for column, _label in spec.columns],
        )
        for key, cells in ordered
    ]
    beside = published_tables().get(spec.table, ())
    return ShownTable(spec, [figure_label(each) for each in figures], lines, beside, drawn_words(found))


def drawn_words(rows: Sequence[Row]) -> str:
    """Say how many pairs of outputs heterogeneity was taken from, unless from all."""
    drawn = next((row for row in rows if row.get("drawn_pairs")), None)
    if drawn is None:
        return ""
    words = _("HBR is from %(drawn)s pairs of outputs, drawn from %(all)s.")
    return words % {"drawn": f"{drawn['drawn_pairs']:,}", "all": f"{drawn['all_pairs']:,}"}


LABELS: Mapping[str, Callable[[str], str]] = {
    "figure": figure_label,
    "pool": pool_label,
    "score": score_label,
}
Grouped = tuple[tuple[str, ...], dict[str, Row]]


def _ordered(lines: Sequence[Grouped], figure: str) -> list[Grouped]:
    def key(line: Grouped) -> tuple[bool, float]:
        row = line[1].get(figure)
        value = row["value"] if row else None
        return value is None, -(value or 0)

    return sorted(lines, key=key) if figure else list(lines)


def _name(column: str, value: str, links: MetricLinks) -> Any:
    if column in {"metric", "other"} and links.has(value):
        return links(value).html
    if column in LABELS:
        return LABELS[column](value)
    if column == "metric" and not value:
        return _("people")
    return other_label(value) if value else _("all")


def _shared(cells: Mapping[str, Row], column: str) -> str:
    """Return what the figures of a line have in common, such as n, in words."""
    value = next((row[column] for row in cells.values() if row.get(column) is not None), None)
    if value is None:
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return f"{value:,}"
    if column.startswith("p") and isinstance(value, float):
        return p_value(value)
    return f"{value:.3f}" if isinstance(value, float) else str(value)
