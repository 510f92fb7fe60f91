"""The report on linked sentences: links, communities that algorithms find in them, and how far people agree."""

import hashlib
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy

from common.commands import file_content
from common.jobs import Progress
from crowd.models import Campaign
from protocols.campaign_report import CampaignReport
from protocols.links.communities import omega_rows, people_rows
from protocols.links.divided import divided_graphs, graphs_of, wanted_numbers, work_check
from protocols.links.documents import LinkedDocument, bodies_of, linked_documents, places_of
from protocols.links.kept import kept_graphs
from protocols.links.others import LinksForm, OthersLinks, others_check, others_links
from protocols.links.page import context_of, more_files, published_tables
from protocols.links.parameters import LinksParameters
from protocols.links.predicted import classifier_scores, link_rows, predicted_graphs, transfer_rows
from protocols.links.rows import COLUMNS
from protocols.links.tables import FIRST, SECTIONS, links_tables
from protocols.links.urls import urlpatterns
from reports.kinds import Found, Row, Tab
from reports.models import Report
from reports.parameters import Attachment
from reports.published import published_rows


def links_report(documents: Sequence[LinkedDocument], parameters: LinksParameters, progress: Progress) -> Found:
    """Compute all tables."""
    learnt = classifier_scores(documents, parameters.seed)
    predicted = predicted_graphs(documents, learnt, parameters.threshold)
    wanted = wanted_numbers(documents, parameters)
    graphs = graphs_of(documents, predicted, wanted)
    work_check(graphs, parameters)
    divided = list(divided_graphs(graphs, parameters, progress))
    rows = [
        *link_rows(documents, learnt, parameters),
        *people_rows(documents),
        *omega_rows(divided, parameters.seed),
        *transfer_rows(documents, parameters),
    ]
    counted = {"documents": len(documents), "wanted": sorted(set(wanted.values()))}
    return Found(rows, {"documents": kept_graphs(documents, divided)}, counted=counted)


class LinksReport(CampaignReport):
    key, job = "links", "links_report"
    place = "communities"  # the page of the links by which people join is called links
    job_label = gettext_lazy("Finding communities of sentences")
    help = "Which sentences people link, how links are predicted, and the communities that algorithms find in them."
    version = 1
    parameters = LinksParameters
    tabs = (
        Tab("tables", gettext_lazy("Links, people and tests"), "protocols/links/tables.html"),
        Tab("numbers", gettext_lazy("By number of communities"), "protocols/links/numbers.html"),
        Tab("transfer", gettext_lazy("Person to person"), "protocols/links/transfer.html"),
        Tab("of-documents", gettext_lazy("Documents"), "protocols/links/documents.html"),
    )
    title = gettext_lazy("Communities of sentences in %(name)s")
    template = "protocols/links/report.html"
    button = gettext_lazy("Compute the report")
    own_fields = "protocols/links/partials/own_fields.html"
    accepts_file = True
    sections, first_sections = SECTIONS, FIRST
    first_columns = COLUMNS
    has_fixed_columns = True
    pages = urlpatterns

    def form_for(self, on: Campaign, *sent: Any, **options: Any) -> LinksForm:
        del on
        return LinksForm(*sent, known=self.parameters, **options)

    def pins(self, on: Campaign, parameters: Any, attached: Attachment) -> dict[str, Any]:
        pinned = super().pins(on, parameters, attached)
        bodies = bodies_of(on)
        if isinstance(attached, OthersLinks) and attached.text:
            others_check(attached, {name: places_of(body) for name, body in bodies.items()})
        return pinned | {"others_sha256": hashlib.sha256(attached.text.encode()).hexdigest() if attached.text else ""}

    def compute(self, report: Report, progress: Progress) -> Found:
        campaign, others = report.of_campaign, others_links(report.attached.encode())
        documents = linked_documents(self.answers(report), others, bodies_of(campaign), campaign.language)
        return links_report(documents, LinksParameters.of(report.parameters), progress)

    def page(self, report: Report, query: QueryDict) -> dict[str, Any]:
        return super().page(report, query) | context_of(report)

    def about(self, report: Report) -> dict[str, Any]:
        return super().about(report) | {"links_made_elsewhere_sha256": report.pinned["others_sha256"]}

    def more_files(self, report: Report) -> list[tuple[str, str]]:
        return more_files(report)

    def method(self, report: Report) -> dict[str, Any]:
        del report
        return {"published": published_tables()}

    def json_content(self, report: Report, rows: Sequence[Row]) -> dict[str, Any]:
        published = published_rows(lambda each: each.paper == "MU12")
        return {**super().json_content(report, rows), "published": published}

    def latex_tables(self, report: Report) -> list[str]:
        return links_tables(report)

    def attached_of(self, report: Report) -> Attachment:
        return others_links(report.attached.encode())

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--links-file",
            type=Path,
            metavar="FILE",
            help="links made elsewhere: JSON lines of other people's, tab-separated predicted ones (default: none)",
        )

    def attached_in(self, given: Mapping[str, Any]) -> Attachment:
        path = given.get("links_file")
        return others_links(file_content(path)) if path else OthersLinks()


KIND = LinksReport()
