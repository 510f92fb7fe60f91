"""The report on rankings: where the texts of each system stand, and how far people agree on the order."""

from collections.abc import Sequence
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.console import Section
from common.jobs import Progress
from corpus.latex import latex_escaped, latex_table
from protocols.campaign_report import CampaignReport
from protocols.ranking import figures as of
from protocols.ranking.figures import RankingParameters, ranking_rows
from protocols.ranking.page import PAPER, SECTION, answer_of, report_context, system_lines
from protocols.ranking.rankings import Rankings
from protocols.report_rows import COLUMNS, Row, estimate_cell, value_section
from reports.kinds import Found, Tab
from reports.models import Report
from reports.published import published_rows, published_table

HEAD = ("System", "Kind", "Mean rank [95%]", "As given [95%]", "Log strength [95%]", "Answers")


def _systems(report: Report) -> Section:
    rows = [
        (line.name, str(line.kind), *map(estimate_cell, line.rows), line.midrank["n"] or 0)
        for line in system_lines(report)
    ]
    return Section("Systems, the best first", HEAD, rows, answer_of(report), frozenset(HEAD[2:]))


class RankingReport(CampaignReport):
    key, job = "ranking", "ranking_report"
    job_label = gettext_lazy("Comparing rankings")
    help = "Where the texts of each system stand in people's rankings, and how far people agree."
    version = 1
    parameters = RankingParameters
    tabs = (Tab("agreement", gettext_lazy("Agreement"), "protocols/ranking/agreement.html"),)
    title = gettext_lazy("Rankings in %(name)s")
    template, button = "protocols/ranking/report.html", gettext_lazy("Compute the report")
    first_columns, has_fixed_columns = COLUMNS, True
    sections = {
        "systems": _systems,
        "agreement": value_section("Agreement within sets, means over them", of.AGREEMENT, sources="Sets"),
        "together": value_section("All systems at once", of.TOGETHER, sources="Sets"),
        "pairs": value_section("Pairs of systems", of.PAIRS, of=("First", "Second"), sources="Sets"),
    }
    first_sections = ("systems", "agreement")

    def compute(self, report: Report, progress: Progress) -> Found:
        found = Rankings.of(self.answers(report))
        rows = [row.as_dict for row in ranking_rows(found, RankingParameters.of(report.parameters))]
        progress(1, 1)
        return Found(rows, figures={})

    def page(self, report: Report, query: QueryDict) -> dict[str, Any]:
        return super().page(report, query) | report_context(report)

    def more_files(self, report: Report) -> list[tuple[str, str]]:
        address = reverse("protocols:answers-file", args=[report.of_campaign.slug, "ranks"])
        return [(_("All ranks so far (CSV)"), address)]

    def method(self, report: Report) -> dict[str, Any]:
        del report
        return {"published": [published_table(PAPER, "text", section=SECTION)]}

    def json_content(self, report: Report, rows: Sequence[Row]) -> dict[str, Any]:
        published = published_rows(lambda each: (each.paper, each.section) == (PAPER, SECTION))
        return {**super().json_content(report, rows), "published": published}

    def latex_tables(self, report: Report) -> list[str]:
        systems, agreement = _systems(report), self.sections["agreement"](report)
        caption = latex_escaped("Ranks of texts, 1 for the best, with 95% intervals over sets.")
        return [
            latex_table(systems.columns, systems.rows, caption),
            latex_table(agreement.columns, agreement.rows, latex_escaped("Agreement within sets.")),
        ]


KIND = RankingReport()
