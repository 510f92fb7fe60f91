"""The reports on facts, on units looked for in texts, and on units marked in them."""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.console import Cell, Section, with_interval
from common.jobs import Progress
from corpus.latex import latex_escaped, latex_table
from crowd.models import Campaign
from protocols.campaign_report import CampaignReport
from protocols.content_units import figures as of
from protocols.content_units import pyramids as marked
from protocols.content_units.figures import units_rows
from protocols.content_units.judged import JudgedTexts
from protocols.content_units.others import OtherReports, OthersForm, add_options, kept_values, others_in
from protocols.content_units.page import (
    EVALUATION,
    FACTOID_FIGURES,
    PAPER,
    PEER_FIGURES,
    TABLE_3,
    answer_of,
    published_tables,
    system_lines,
    units_context,
)
from protocols.content_units.parameters import FactoidsParameters, UnitsParameters
from protocols.content_units.pyramids import Pyramids, pyramid_rows
from protocols.parameters import CampaignParameters
from protocols.report_rows import ALL, COLUMNS, Row, found, rows_of
from reports.kinds import Found, Tab
from reports.models import Report
from reports.parameters import Attachment
from reports.published import published_rows


def _estimate(row: Row | None) -> str:
    return with_interval(row["value"], row["low"], row["high"]) if row else "--"


def _systems(report: Report) -> Section:
    figures = FACTOID_FIGURES if report.kind == "factoids" else PEER_FIGURES
    rows = [(system, pyramid, *map(_estimate, rows)) for pyramid, system, rows in system_lines(report, figures)]
    heads = [each.capitalize() for each in figures]
    return Section("Systems, the best first", ("System", "Pyramid", *heads), rows, answer_of(report), frozenset(heads))


def _section(heading: str, table: str, names: tuple[str, str] = ("Of", "And")) -> Callable[[Report], Section]:
    """Return the section of a table with one value in a line; `names` are the heads of its part and group."""

    def section(report: Report) -> Section:
        shown = rows_of(report, table)
        rows: list[Sequence[Cell]] = [
            (row["part"], row["group"], row["figure"], _estimate(row), row["n"] or "", row["sources"] or "")
            for row in shown
        ]
        notes = list(dict.fromkeys(f"Undefined: {row['reason']}." for row in shown if row["reason"]))
        numbers = ("Value [95%]", "n", "Sources")
        return Section(heading, (*names, "Figure", *numbers), rows, notes, frozenset(numbers))

    return section


UNITS_TAB = Tab("units", gettext_lazy("Units and texts"), "protocols/content_units/units.html")
AGREEMENT_TAB = Tab("agreement", gettext_lazy("Agreement"), "protocols/content_units/agreement.html")
SUBSETS_TAB = Tab("references", gettext_lazy("Fewer references"), "protocols/content_units/subsets.html")
WAYS_TAB = Tab("ways", gettext_lazy("Who would win"), "protocols/content_units/ways.html")


def _answers_address(report: Report, form: str) -> str:
    return reverse("protocols:answers-file", args=[report.of_campaign.slug, form])


class PeerReport(CampaignReport):
    key, job = "peer", "peer_report"
    job_label = gettext_lazy("Scoring pyramids")
    help = "Pyramid scores of systems, how their order depends on the references, and how far people agree."
    version = 1
    parameters: ClassVar[type[UnitsParameters]] = UnitsParameters
    template, button = "protocols/content_units/report.html", gettext_lazy("Compute the report")
    tabs: ClassVar[Sequence[Tab]] = (UNITS_TAB, AGREEMENT_TAB, SUBSETS_TAB, WAYS_TAB)
    title = gettext_lazy("Pyramids in %(name)s")
    own_fields = "protocols/content_units/own_fields.html"
    accepts_file = True
    first_columns, has_fixed_columns = COLUMNS, True
    sections = {
        "systems": _systems,
        "kappa": _section("Agreement of texts", of.KAPPA, ("First", "Second")),
        "people": _section("Agreement of people", of.JUDGES, ("First", "Second")),
        "subsets": _section("Ranks by subsets of references", of.SUBSETS, ("References", "System")),
        "ways": _section("Systems by each way of judging", of.PROTOCOLS, ("Way", "System")),
        "orders": _section("Orders by each two ways of judging", of.ORDERS, ("First", "Second")),
    }
    first_sections = ("systems", "people")

    def form_for(self, on: Campaign, *sent: Any, **options: Any) -> OthersForm:
        del on
        return OthersForm(*sent, known=self.parameters, **options)

    def pins(self, on: Campaign, parameters: Any, attached: Attachment) -> dict[str, Any]:
        return super().pins(on, parameters, attached) | {"other_reports": kept_values(attached.text)}

    def compute(self, report: Report, progress: Progress) -> Found:
        texts = JudgedTexts.of(self.answers(report))
        parameters = self.parameters.of(report.parameters)
        rows = [row.as_dict for row in units_rows(texts, parameters, kept_values(report.attached))]
        progress(1, 1)
        units = {source.label: {each["id"]: each["text"] for each in source.body["units"]} for source in texts.sources}
        return Found(rows, figures={"units": units})

    def page(self, report: Report, query: QueryDict) -> dict[str, Any]:
        return super().page(report, query) | units_context(report, query)

    def more_files(self, report: Report) -> list[tuple[str, str]]:
        return [(_("All answers so far (CSV)"), _answers_address(report, "units"))]

    def about(self, report: Report) -> dict[str, Any]:
        return super().about(report) | {"other_reports": ", ".join(sorted(report.pinned["other_reports"])) or None}

    def json_content(self, report: Report, rows: Sequence[Row]) -> dict[str, Any]:
        published = published_rows(lambda each: each.paper == PAPER and each.section in (EVALUATION, TABLE_3))
        return {**super().json_content(report, rows), "published": published if self.key == "factoids" else []}

    def latex_tables(self, report: Report) -> list[str]:
        systems, people = _systems(report), self.sections["people"](report)
        return [
            latex_table(systems.columns, systems.rows, latex_escaped("Systems, with 95% intervals over sources.")),
            latex_table(people.columns, people.rows, latex_escaped("Agreement of people.")),
        ]

    def attached_of(self, report: Report) -> Attachment:
        return OtherReports.of(kept_values(report.attached))

    def add_options(self, parser: ArgumentParser) -> None:
        add_options(parser)

    def attached_in(self, given: Mapping[str, Any]) -> Attachment:
        return others_in(given)


class FactoidsReport(PeerReport):
    """The same of facts, which have a text to be held against, and people whose facts make a pyramid."""

    key, job = "factoids", "factoids_report"
    job_label = gettext_lazy("Comparing facts")
    help = "Which facts of a source texts have, against a reference and as a pyramid, and how far people agree."
    parameters = FactoidsParameters
    tabs = (UNITS_TAB, AGREEMENT_TAB, WAYS_TAB)
    title = gettext_lazy("Facts of texts in %(name)s")

    def method(self, report: Report) -> dict[str, Any]:
        del report
        return {"published": published_tables()}


class PyramidReport(CampaignReport):
    key, job = "scu", "scu_report"
    job_label = gettext_lazy("Weighing units of content")
    help = "The units that people marked, their weights, and how far people put the same words together."
    version = 1
    parameters = CampaignParameters
    template, button = "protocols/content_units/pyramids.html", gettext_lazy("Compute the report")
    tabs = (Tab("agreement", gettext_lazy("Agreement"), "protocols/content_units/pyramid_agreement.html"),)
    title = gettext_lazy("Marked units in %(name)s")
    first_columns, has_fixed_columns = COLUMNS, True
    sections = {
        "agreement": _section("Agreement, source by source", marked.AGREEMENT, ("Source", "")),
        "weights": _section("Units by weight", marked.WEIGHTS, ("Person", "Weight")),
        "units": _section("Units of the pyramids", marked.UNITS, ("Source", "Unit")),
    }
    first_sections = ("agreement", "weights")

    def compute(self, report: Report, progress: Progress) -> Found:
        sources = Pyramids.of(self.answers(report))
        rows = [row.as_dict for row in pyramid_rows(sources)]
        progress(1, 1)
        units = {source.name: [source.quote_of(unit) for unit in source.first] for source in sources}
        return Found(rows, figures={"units": units, "people": {each.name: next(iter(each.units)) for each in sources}})

    def page(self, report: Report, query: QueryDict) -> dict[str, Any]:
        agreement, figures = rows_of(report, marked.AGREEMENT), report.figures or {}
        units = rows_of(report, marked.UNITS)
        sources = list(figures["units"])
        source = query.get("source") if query.get("source") in sources else sources[0]
        weights = [row for row in units if row["part"] == source]
        lines = sorted(zip(weights, figures["units"][source], strict=True), key=lambda line: -line[0]["value"])
        return super().page(report, query) | {
            "overall": [row for row in agreement if row["part"] == ALL],
            "alpha": found(agreement, part=ALL, figure=marked.ALPHA),
            "agreement": [row for row in agreement if row["part"] != ALL],
            "weights": rows_of(report, marked.WEIGHTS),
            "sources": sources,
            "source": source,
            "person": figures["people"][source],
            "units": lines,
        }

    def more_files(self, report: Report) -> list[tuple[str, str]]:
        return [
            (_("All units so far (CSV)"), _answers_address(report, "units")),
            (_("Peers with these units (JSONL)"), _answers_address(report, "peers")),
        ]

    def latex_tables(self, report: Report) -> list[str]:
        tables = [self.sections[each](report) for each in ("agreement", "weights")]
        return [latex_table(each.columns, each.rows, latex_escaped(f"{each.heading}.")) for each in tables]


KINDS = (FactoidsReport(), PeerReport(), PyramidReport())
