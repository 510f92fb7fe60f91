"""The report on two scales of a release, each of an arm of its own: on which do people judge better?"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.console import Section
from common.jobs import Progress
from corpus.latex import latex_escaped, latex_table
from corpus.models import Release
from corpus.selectors import release_sources
from crowd.models import Campaign
from protocols.campaign_report import ReleaseReport
from protocols.scale_against_scale.arms_of_release import compared_ratings
from protocols.scale_against_scale.effects import shared_scales
from protocols.scale_against_scale.figures import figures
from protocols.scale_against_scale.page import HEADINGS, PAPER, Table, answer_of, cell_text, context_of, tables_of
from protocols.scale_against_scale.parameters import ScaleForm, ScaleParameters, chosen_scales
from protocols.scale_against_scale.selectors import drawn_by_arm, hypothesis_of, minutes_by_arm
from reports.kinds import Found, Tab
from reports.models import Report
from reports.parameters import Attachment

COLUMNS = ("table", "figure", "scale", "value", "low", "high", "n", "p", "reason")


def _names(report: Report) -> tuple[str, str]:
    first, second = report.pinned["scales"]
    names = {scale.key: scale.name for scale in report.of_release.rating_scales}
    return names[first], names[second]


def _section(place: int) -> Callable[[Report], Section]:
    def section(report: Report) -> Section:
        one, other = _names(report)
        heading = HEADINGS[place]
        found = next((each for each in tables_of(report.rows or []) if each.heading is heading), None)
        rows = [(str(line.label), *map(cell_text, line.cells)) for line in (found.lines if found else [])]
        notes = answer_of(report.rows or [], (one, other)) if place == 0 else [str(heading.words)]
        return Section(str(heading.question), ("Figure", one, other, "Difference"), rows, notes, frozenset())

    return section


class ScaleComparison(ReleaseReport):
    key, namespace, job = "scale-comparison", "protocols:scale-comparison", "scale_comparison_report"
    job_label = gettext_lazy("Comparing scales")
    job_done = gettext_lazy("The scales of %(release)s are compared.")
    help = "On which of two scales, each of an arm of its own, people judge better."
    version = 2
    parameters = ScaleParameters
    tabs = (Tab("tables", gettext_lazy("Question by question"), "protocols/scale_against_scale/tables.html"),)
    title = gettext_lazy("Scale against scale in %(name)s")
    template, button = "protocols/scale_against_scale/report.html", gettext_lazy("Compare the scales")
    first_columns, has_fixed_columns = COLUMNS, True
    sections = {each.table.replace(" ", "-"): _section(place) for place, each in enumerate(HEADINGS)}
    first_sections = ("judging", "corpus", "arms")

    def form_for(self, on: Release | Campaign, *sent: Any, **options: Any) -> ScaleForm:
        return ScaleForm(*sent, known=self.parameters, on=on, **options)

    def resolved(self, on: Release | Campaign, parameters: ScaleParameters) -> ScaleParameters:
        return replace(parameters, scales=tuple(scale.key for scale in chosen_scales(on, parameters)))

    def pins(self, on: Release, parameters: Any, attached: Attachment) -> dict[str, Any]:
        return super().pins(on, parameters, attached) | {
            "scales": [scale.key for scale in chosen_scales(on, parameters)],
            "minutes": minutes_by_arm(on),
            "drawn": drawn_by_arm(on),
            "hypothesis": hypothesis_of(on),
        }

    def compute(self, report: Report, progress: Progress) -> Found:
        release, pinned = report.of_release, report.pinned
        by_key = {scale.key: scale for scale in release.rating_scales}
        first, second = (by_key[key] for key in pinned["scales"])
        sources = release_sources(release)
        ratings = compared_ratings(sources, (first, second))
        rows = figures(
            ratings,
            ScaleParameters.of(report.parameters),
            minutes=pinned["minutes"],
            drawn=pinned["drawn"],
            shared=shared_scales(sources, (first, second), release.rating_scales),
            progress=progress,
        )
        return Found(rows, figures={})

    def page(self, report: Report, query: QueryDict) -> dict[str, Any]:
        shown = context_of(report.rows or [], _names(report))
        return super().page(report, query) | shown

    def method(self, report: Report) -> dict[str, Any]:
        return {"paper": PAPER, "hypothesis": report.pinned["hypothesis"]}

    def about(self, report: Report) -> dict[str, Any]:
        hypothesis = report.pinned["hypothesis"] or {}
        about = {"scales": " ".join(report.pinned["scales"]), "hypothesis_sha256": hypothesis.get("sha256")}
        return {**super().about(report), **about}

    def latex_tables(self, report: Report) -> list[str]:
        head = ["", *_names(report), _("Difference")]
        return [_latex(table, head) for table in tables_of(report.rows or [])]


def _latex(table: Table, head: list[str]) -> str:
    rows = [[str(line.label), *map(cell_text, line.cells)] for line in table.lines]
    return latex_table(
        head, rows, latex_escaped(f"{table.heading.question} {table.heading.words}".strip()), is_wide=True
    )


KIND = ScaleComparison()
