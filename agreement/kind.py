"""The report on how far the raters of a release agree: how it is asked for, computed scale by scale, and shown."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement import sections
from agreement.extra_raters import first_ratings_of_release
from agreement.parameters import AgreementParameters
from agreement.plots import figures_of
from agreement.report_page import FIRST_WITH_SOURCES, TABS, answer_context, base_context
from agreement.report_rows import ReportRow
from agreement.scale_ratings import NO_CONTEXT, ReleaseContext, scale_ratings
from agreement.sections.base import ReportSection
from agreement.sections.by_rater import PAIR
from agreement.table_lines import coefficient_lines, few_point_scales, number_tables, table_lines
from agreement.tables import FIRST
from agreement.tables import SECTIONS as TABLES
from common.errors import Refused
from common.jobs import Progress
from corpus.latex import latex_escaped, latex_table
from corpus.models import Release
from corpus.release.records import ReleasedSource
from corpus.selectors import release_sources
from crowd.scales import Scale
from reports.kinds import Found, ReportKind, Row, sections_in
from reports.models import Report
from reports.parameters import Attachment

# Raised when a report says more or other things than before: then the same question has a new answer.
REPORT_VERSION = 5
SECTIONS: list[ReportSection] = sections_in(sections)
# Pairs of raters grow with the square of the raters: those that no page shows are stored apart, in blocks of rows.
MAX_PEOPLE, BLOCK = 200, 1000


def agreement_report(
    sources: list[ReleasedSource],
    scales: tuple[Scale, ...],
    parameters: AgreementParameters,
    progress: Progress,
    context: ReleaseContext = NO_CONTEXT,
) -> Found:
    """Compute all sections of all scales."""
    rows: list[ReportRow] = []
    figures: dict[str, Any] = {}
    by_scale = scale_ratings(sources, scales, parameters, context)
    steps, done = len(by_scale) * (len(SECTIONS) + 1), 0
    for ratings in by_scale:
        for section in SECTIONS:
            if section.many_points != ratings.scale.has_few_points:
                rows += section.rows(ratings)
            done += 1
            progress(done, steps)
        if ratings.scale.has_few_points:
            figures[ratings.scale.key] = figures_of(ratings)
        done += 1
        progress(done, steps)
    texts_of_pairs = {row.group: row.items or 0 for row in reversed(rows) if row.comparison == PAIR}
    shown = set(sorted(texts_of_pairs, key=lambda pair: -texts_of_pairs[pair])[:MAX_PEOPLE])
    others = [dict(vars(row)) for row in rows if row.comparison == PAIR and row.group not in shown]
    return Found(
        [dict(vars(row)) for row in rows if row.comparison != PAIR or row.group in shown],
        figures,
        by_key={f"pairs {start:08}": others[start : start + BLOCK] for start in range(0, len(others), BLOCK)},
        counted={
            "first_ratings": context.first_ratings,
            "pairs": len(texts_of_pairs),
        },
    )


class Agreement(ReportKind):
    key, namespace, job = "agreement", "agreement", "agreement_report"
    job_label = gettext_lazy("Computing agreement")
    job_done = gettext_lazy("Agreement in %(release)s is computed.")
    help = "How far the raters of a release agree."
    version = REPORT_VERSION
    parameters = AgreementParameters
    title = gettext_lazy("Agreement in %(name)s")
    template = "agreement/report.html"
    tabs = TABS
    button = gettext_lazy("Compute agreement")
    asked_by = "question"
    refused_to = "corpus:release"
    shows_latest_behind_errors = False
    computes_earlier = True
    sections, first_sections = TABLES, FIRST
    first_columns = (
        *("scale", "comparison", "group", "measure", "value", "low", "high", "standard_error", "sources", "raters"),
        *("no_interval", "items", "variance", "paper_low", "paper_high", "draws", "undefined"),
    )
    has_fixed_columns = True
    # "draws" is also a parameter, the number requested; this column counts the draws with a value.
    renamed_columns = {"draws": "draws_defined"}

    def pins(self, release: Release, parameters: Any, attached: Attachment) -> dict[str, Any]:
        if release.state != Release.State.READY:
            raise Refused(_("%(release)s is not ready, so it has no agreement yet.") % {"release": release.name})
        if release.summary.get("ratings") == 0 and release.scales is None:
            words = _(
                "%(release)s has no ratings of compressions by editors, whose agreement could be reported. Ratings of "
                "outputs of systems are not in this report."
            )
            raise Refused(words % {"release": release.name})
        return {}

    def identity(self, release: Release, stored: Mapping[str, Any], pinned: Mapping[str, Any]) -> Any:
        versioned = {"report": self.version, **stored}
        if extensions := [section.comparison for section in SECTIONS if section.heading]:
            versioned["sections"] = extensions
        return versioned

    def compute(self, report: Report, progress: Progress) -> Found:
        release = report.of_release
        sources, scales = release_sources(release), release.rating_scales
        context = ReleaseContext(first_ratings_of_release(release), release.summary.get("before_cleaning"))
        return agreement_report(sources, scales, AgreementParameters.of(report.parameters), progress, context)

    def news(self, report: Report) -> list[str]:
        news = super().news(report)
        if report.report_version < FIRST_WITH_SOURCES:
            news.append(
                _(
                    "Its intervals draw the texts one by one, as if no two came from one source, and take the raters "
                    "as given, so they may be too narrow. Compute it again to get intervals over sources and raters."
                )
            )
        return news

    def page(self, report: Report, query: QueryDict) -> dict[str, Any]:
        return answer_context(report)

    def method(self, report: Report) -> dict[str, Any]:
        return base_context(report)

    def about(self, report: Report) -> dict[str, Any]:
        return {"release": report.of_release.name, "release_sha256": report.checksum}

    def csv_about(self, report: Report) -> dict[str, Any]:
        return {**dict(sorted(report.parameters.items())), **self.about(report)}

    def json_content(self, report: Report, rows: Sequence[Row]) -> dict[str, Any]:
        known = {"parameters": report.parameters, "first_ratings": report.pinned.get("first_ratings")}
        return {**super().json_content(report, rows), **known}

    def latex_about(self, report: Report) -> dict[str, Any]:
        return dict(report.parameters)

    def latex_tables(self, report: Report) -> list[str]:
        return _tables(report)


def _tables(report: Report) -> list[str]:
    """Return the paper's Table 4 and the coefficients of all raters, with intervals, as booktabs tables."""
    scales = few_point_scales(report)
    header = ["Comparison", *(f"{name} ({scale.name})" for scale in scales for name in ("Agreement", "Kappa"))]
    comparisons = [[line.comparison, *map(_cell, line.cells)] for line in table_lines(report)]
    coefficients = [[line.judges, line.measure, *map(_cell, line.cells)] for line in coefficient_lines(report)]
    head = ["Judges", "Coefficient", *(scale.name for scale in scales)]
    of_few = [
        latex_table(header, comparisons, "Agreement between judges, with 95\\% intervals."),
        latex_table(head, coefficients, "All judges at once, with 95\\% intervals.", texts=2),
    ]
    of_many = [
        latex_table(
            ["Judges", "Coefficient", table.scale.name],
            [[line.judges, line.measure, _cell(line.cells[0])] for line in table.lines],
            latex_escaped(f"{table.scale.name}, {table.scale.lowest} to {table.scale.highest}: {table.why}."),
            texts=2,
        )
        for table in number_tables(report)
    ]
    return (of_few if scales else []) + of_many


def _cell(row: Mapping[str, Any]) -> str:
    if row["value"] is None:
        return "--"
    interval = f" [{row['low']:.3f}, {row['high']:.3f}]" if row["low"] is not None else ""
    return f"{row['value']:.3f}{interval}"


KIND = Agreement()
