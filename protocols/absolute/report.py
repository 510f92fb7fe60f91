"""The report on points from 1 to 5: means of systems, what reading the reference first does, and pairs of systems."""

from collections.abc import Sequence
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy

from common.console import Section
from common.jobs import Progress
from corpus.latex import latex_escaped, latex_table
from protocols.absolute import figures as of
from protocols.absolute.figures import absolute_rows
from protocols.absolute.page import PAPER, SECTION, answer_of, report_context, system_lines
from protocols.campaign_report import CampaignReport
from protocols.parameters import CampaignParameters
from protocols.report_rows import COLUMNS, Row, estimate_cell, value_section
from reports.kinds import Found, Tab
from reports.models import Report
from reports.published import published_rows, published_table

HEAD = ("System", "With reference [95%]", "Without reference [95%]", "Texts")
OF = ("Of", "And")
DIRECTION = "Points from 1, the best, to 5, the worst."


def _systems(report: Report) -> Section:
    rows = [
        (
            line.name,
            *map(estimate_cell, (line.with_reference, line.without)),
            (line.with_reference or {}).get("sources") or 0,
        )
        for line in system_lines(report)
    ]
    return Section("Systems, the best first", HEAD, rows, [DIRECTION, *answer_of(report)], frozenset(HEAD[1:]))


class AbsoluteReport(CampaignReport):
    key, job = "absolute", "absolute_report"
    job_label = gettext_lazy("Comparing points")
    help = "How many points from 1 to 5 people gave the texts of each system, with and without a reference."
    version = 1
    parameters = CampaignParameters
    tabs = (Tab("agreement", gettext_lazy("Agreement and model"), "protocols/absolute/agreement.html"),)
    title = gettext_lazy("Points in %(name)s")
    template, button = "protocols/absolute/report.html", gettext_lazy("Compute the report")
    first_columns, has_fixed_columns = COLUMNS, True
    sections = {
        "systems": _systems,
        "agreement": value_section("Agreement", of.AGREEMENT, of=OF, note=DIRECTION),
        "model": value_section("Mixed model", of.MODEL, of=OF, note=DIRECTION),
        "pairs": value_section("Pairs of systems, second less first", of.PAIRS, of=OF, note=DIRECTION),
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
