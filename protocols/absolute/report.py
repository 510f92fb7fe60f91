"""The report on points from 1 to 5: means of systems, what reading the reference first does, and pairs of systems."""

from collections.abc import Callable, Sequence
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy

from common.console import Cell, Section, with_interval
from common.jobs import Progress
from corpus.latex import latex_escaped, latex_table
from protocols.absolute import figures as of
from protocols.absolute.figures import absolute_rows
from protocols.absolute.page import PAPER, SECTION, answer_of, report_context, system_lines
from protocols.absolute.parameters import AbsoluteParameters
from protocols.campaign_report import CampaignReport
from protocols.ranking.report import COLUMNS
from protocols.report_rows import Row, rows_of
from reports.kinds import Found, Tab
from reports.models import Report
from reports.published import published_rows, published_table

HEAD = ("System", "With reference [95%]", "Without reference [95%]", "Texts")
DIRECTION = "Points from 1, the best, to 5, the worst."


def _systems(report: Report) -> Section:
    rows = [
        (
            line.name,
            *map(_estimate, (line.with_reference, line.without)),
            (line.with_reference or {}).get("sources") or 0,
        )
        for line in system_lines(report)
    ]
    return Section("Systems, the best first", HEAD, rows, [DIRECTION, *answer_of(report)], frozenset(HEAD[1:]))


def _estimate(row: Row | None) -> str:
    return with_interval(row["value"], row["low"], row["high"]) if row else "--"


def _section(heading: str, *tables: str) -> Callable[[Report], Section]:
    def section(report: Report) -> Section:
        shown = [row for table in tables for row in rows_of(report, table)]
        rows: list[Sequence[Cell]] = [
            (row["part"], row["group"], row["figure"], _estimate(row), row["n"] or "", row["sources"] or "")
            for row in shown
        ]
        notes = list(dict.fromkeys(f"Undefined: {row['reason']}." for row in shown if row["reason"]))
        numbers = ("Value [95%]", "n", "Sources")
        return Section(heading, ("Of", "And", "Figure", *numbers), rows, [DIRECTION, *notes], frozenset(numbers))

    return section


class AbsoluteReport(CampaignReport):
    key, job = "absolute", "absolute_report"
    job_label = gettext_lazy("Comparing points")
    help = "How many points from 1 to 5 people gave the texts of each system, with and without a reference."
    version = 1
    parameters = AbsoluteParameters
    tabs = (Tab("agreement", gettext_lazy("Agreement and model"), "protocols/absolute/agreement.html"),)
    title = gettext_lazy("Points in %(name)s")
    template, button = "protocols/absolute/report.html", gettext_lazy("Compute the report")
    first_columns, has_fixed_columns = COLUMNS, True
    sections = {
        "systems": _systems,
        "agreement": _section("Agreement", of.AGREEMENT),
        "model": _section("Mixed model", of.MODEL),
        "pairs": _section("Pairs of systems, second less first", of.PAIRS),
    }
    first_sections = ("systems", "pairs")

    def compute(self, report: Report, progress: Progress) -> Found:
        rows = [row.as_dict for row in absolute_rows(self.answers(report))]
        progress(1, 1)
        return Found(rows, figures={})

    def page(self, report: Report, query: QueryDict) -> dict[str, Any]:
        return super().page(report, query) | report_context(report)

    def method(self, report: Report) -> dict[str, Any]:
        del report
        return {"published": [published_table(PAPER, "text", section=SECTION)]}

    def json_content(self, report: Report, rows: Sequence[Row]) -> dict[str, Any]:
        published = published_rows(lambda each: (each.paper, each.section) == (PAPER, SECTION))
        return {**super().json_content(report, rows), "published": published}

    def latex_tables(self, report: Report) -> list[str]:
        systems, pairs = _systems(report), self.sections["pairs"](report)
        return [
            latex_table(systems.columns, systems.rows, latex_escaped(f"Mean points of systems. {DIRECTION}")),
            latex_table(pairs.columns, pairs.rows, latex_escaped("Pairs of systems, second less first.")),
        ]


KIND = AbsoluteReport()
