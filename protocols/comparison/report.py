"""The report that compares systems by what people said of their outputs for the same sources."""

from collections.abc import Callable, Sequence
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.console import Section
from common.jobs import Progress
from corpus.latex import latex_escaped, latex_table
from corpus.selectors import release_sources
from protocols.campaign_report import ReleaseReport
from protocols.comparison import figures as of
from protocols.comparison.figures import COLUMNS, difference_rows, scale_rows
from protocols.comparison.judged import judged_scales
from protocols.comparison.page import (
    PAGE_HEADINGS,
    Heading,
    ScalePart,
    answer_of,
    cell_text,
    difference_lists,
    p_text,
    scale_parts,
)
from protocols.comparison.parameters import ComparisonParameters
from protocols.comparison.plots import direction_plot
from reports.figures import Figure
from reports.kinds import Found, Row, Tab
from reports.models import Report
from reports.published import PublishedTable, published_rows, published_table
from reports.selectors import rows_by_key

PAPER = "B12"
HEAD = ("Figure", "Value", "n", "p", "p (Holm)")


def published_tables() -> list[PublishedTable]:
    """Return Tables 1 to 12 of the paper, and what its text says."""
    return [published_table(PAPER, f"Table {number}") for number in range(1, 13)] + [published_table(PAPER, "text")]


def _parts(report: Report) -> list[ScalePart]:
    return scale_parts(report.rows or [], report.of_release.rating_scales)


def _lines(part: ScalePart, heading: Heading) -> list[tuple[str, ...]]:
    tables = [each for each in (*part.tables, part.judges) if each is not None and each.heading is heading]
    return [
        (line.label, cell_text(line.row), str(line.row["n"] or ""), p_text(line.row["p"]), p_text(line.row["p_holm"]))
        for table in tables
        for line in table.lines
    ]


def _section(heading: Heading) -> Callable[[Report], Section]:
    def section(report: Report) -> Section:
        rows = [(part.name, *line) for part in _parts(report) for line in _lines(part, heading)]
        numbers = frozenset(HEAD[1:])
        return Section(str(heading.title), ("Scale", *HEAD), rows, [str(heading.words)], numbers)

    return section


def _shares(report: Report) -> Section:
    rows = [
        (part.name, table.first, table.second, *line)
        for part in _parts(report)
        for table in part.shares
        for line in table.lines
    ]
    head = ("Scale", "First", "Second", "Category", "Share of the first", "Share of the second", "Difference")
    notes = answer_of(report.rows or [], report.of_release.rating_scales)
    return Section("Shares by category", head, rows, notes, frozenset(head[4:]))


def _of_scales(report: Report, _query: QueryDict) -> dict[str, Any]:
    parts = _parts(report)
    return {"parts": parts, "drawn": [each.figure for each in parts]}


def _of_sources(report: Report, _query: QueryDict) -> dict[str, Any]:
    names = {scale.key: scale.name for scale in report.of_release.rating_scales}
    lists = difference_lists(list(rows_by_key(report)))
    return {"differences": [(names[each.lines[0]["scale"]], each) for each in lists]}


class SystemComparison(ReleaseReport):
    key, namespace, job = "comparison", "protocols:comparison", "comparison_report"
    job_label = gettext_lazy("Comparing outputs by ratings")
    job_done = gettext_lazy("The outputs in %(release)s are compared.")
    help = "Which of two systems or more people rated higher, source by source."
    version = 2
    parameters = ComparisonParameters
    tabs = (
        Tab("scales", gettext_lazy("Scale by scale"), "protocols/comparison/scales.html", _of_scales),
        Tab("sources", gettext_lazy("Source by source"), "protocols/comparison/sources.html", _of_sources),
    )
    title = gettext_lazy("Better, equal, worse in %(name)s")
    template, button = "protocols/comparison/report.html", gettext_lazy("Compare the systems")
    first_columns, has_fixed_columns = COLUMNS, True
    sections = {"shares": _shares, **{each.table: _section(each) for each in PAGE_HEADINGS}}
    first_sections = ("shares", of.DIRECTION, of.TESTS, of.EFFECTS)

    def compute(self, report: Report, progress: Progress) -> Found:
        release, parameters = report.of_release, ComparisonParameters.of(report.parameters)
        judged = judged_scales(release_sources(release), release.rating_scales, parameters)
        rows: list[Row] = []
        by_key: dict[str, Sequence[Row]] = {}
        for done, each in enumerate(judged, start=1):
            rows += scale_rows(each, parameters)
            for system, differences in difference_rows(each, parameters).items():
                by_key[f"{done:02} {each.systems.index(system):02}"] = differences
            progress(done, len(judged))
        return Found(rows, figures={}, by_key=by_key)

    def page(self, report: Report, query: QueryDict) -> dict[str, Any]:
        rows, scales = report.rows or [], report.of_release.rating_scales
        caption = _("Shares of the sources. The dot is better less worse, with its interval over sources.")
        figure = Figure("directions", _("Better, equal, worse"), caption, direction_plot(rows, scales))
        shown = {"answer": answer_of(rows, scales), "drawn": list(filter(None, [figure]))}
        return super().page(report, query) | shown | {"parts": scale_parts(rows, scales)}

    def csv_about(self, report: Report) -> dict[str, Any]:
        """Return the same, with the names of systems as they are written."""
        about = super().csv_about(report)
        return {name: "; ".join(each) if isinstance(each, list) else each for name, each in about.items()}

    def method(self, report: Report) -> dict[str, Any]:
        del report
        return {"published": published_tables()}

    def json_content(self, report: Report, rows: Sequence[Row]) -> dict[str, Any]:
        return {**super().json_content(report, rows), "published": published_rows(lambda each: each.paper == PAPER)}

    def latex_tables(self, report: Report) -> list[str]:
        return [table for part in _parts(report) for table in (*_share_tables(part), *_other_tables(part))]


def _share_tables(part: ScalePart) -> list[str]:
    caption = latex_escaped(f"{part.name}: shares of outputs by category, in percent.")
    return [
        latex_table(
            ["Category", each.first, each.second, "Difference"],
            [[label, *map(_plain, cells)] for label, *cells in each.lines],
            caption,
        )
        for each in part.shares
    ]


def _plain(cell: str) -> str:
    return cell.removesuffix("%").replace("\N{MINUS SIGN}", "-")


def _other_tables(part: ScalePart) -> list[str]:
    return [
        latex_table(
            HEAD, _lines(part, table.heading), latex_escaped(f"{part.name}: {table.heading.title}."), is_wide=True
        )
        for table in part.tables
    ]


KIND = SystemComparison()
