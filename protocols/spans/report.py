"""The report on marks of errors: points and scores of systems, what the marks are, and how far people agree."""

from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy

from common.jobs import Progress
from measures.spans import Annotation, Preset
from protocols.campaign_report import CampaignReport
from protocols.report_rows import ReportRow
from protocols.spans.agreement import agreement_rows
from protocols.spans.exports import export_losses
from protocols.spans.premarked import premark_rows
from protocols.spans.report_page import report_context
from protocols.spans.scores import count_rows, score_rows
from protocols.spans.settings import SpansParameters
from protocols.spans.tables import FIRST, SECTIONS, spans_tables
from protocols.spans.task import TASK, preset_of
from protocols.spans.text_marks import MarkedText, language_of, marked_texts
from protocols.spans.views import PAGES
from reports.kinds import Found, Tab
from reports.models import Report

COLUMNS = ("table", "part", "group", "figure", "value", "low", "high", "n", "sources", "reason", "no_interval")


def spans_report(
    texts: list[MarkedText], preset: Preset, parameters: SpansParameters, language: str, progress: Progress
) -> Found:
    """Compute all tables."""
    annotations: list[Annotation] = [each.annotation for each in texts]
    of_texts = language_of(annotations, language)
    parts = (
        score_rows(annotations, preset, parameters),
        count_rows(annotations, preset, parameters, of_texts),
        agreement_rows(annotations, preset, parameters, of_texts),
        premark_rows(texts, parameters, of_texts),
    )
    rows: list[ReportRow] = []
    for done, part in enumerate(parts, start=1):
        rows += part
        progress(done, len(parts))
    figures = {"formats": export_losses(texts, preset)}
    return Found([each.as_dict for each in rows], figures, counted={"language_of_texts": of_texts})


class SpansReport(CampaignReport):
    key, job = "spans", "spans_report"
    job_label = gettext_lazy("Counting marks of errors")
    help = "What people marked as errors: points and scores of systems, and how far people agree."
    version = 1
    parameters = SpansParameters
    tabs = (
        Tab("agreement", gettext_lazy("Agreement"), "protocols/spans/agreement.html"),
        Tab("marks", gettext_lazy("Marks"), "protocols/spans/marks.html"),
        Tab("files", gettext_lazy("Answers as files"), "protocols/spans/files.html"),
    )
    title = gettext_lazy("Marks of errors in %(name)s")
    template = "protocols/spans/report.html"
    button = gettext_lazy("Compute the report")
    sections, first_sections = SECTIONS, FIRST
    first_columns = COLUMNS
    has_fixed_columns = True
    pages = PAGES

    def compute(self, report: Report, progress: Progress) -> Found:
        texts = marked_texts(self.answers(report))
        preset = preset_of(TASK.settings_read(report.pinned["task_settings"]))
        parameters = SpansParameters.of(report.parameters)
        return spans_report(texts, preset, parameters, report.of_campaign.language, progress)

    def page(self, report: Report, query: QueryDict) -> dict[str, Any]:
        return super().page(report, query) | report_context(report)

    def latex_tables(self, report: Report) -> list[str]:
        return spans_tables(report)


KIND = SpansReport()
