"""What the page of one metric shows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from common.errors import Refused
from common.listing import Filter, Listing
from compressions.genres import genre_words
from corpus.selectors import release_or_404
from crowd.access import campaign_staff
from crowd.models import Campaign
from evaluation.judged_release import JudgedRelease
from evaluation.kind import KIND
from evaluation.loading import judged_release
from evaluation.metric_links import MetricLinks, metrics_of_report
from evaluation.metric_outputs import (
    MAX_DRAWN,
    Disagreements,
    RatedOutput,
    disagreements,
    rated_outputs,
    typical_output,
)
from evaluation.metric_plots import difference_plot, output_plot
from evaluation.page_rows import ReportRows, Row
from evaluation.page_words import figure_label, judgement_label, other_label, part_label
from evaluation.plots import system_figure
from evaluation.report_page import chosen_judgement, scale_names
from evaluation.scored_outputs import MetricInfo
from evaluation.selectors import report_rows, rows_by_pair
from reports.figures import Figure
from reports.models import Report
from reports.views import figure_as, finished_report

MAX_NUMBERS = 120
TABLES = {
    "input level": gettext_lazy("Differences between systems (r)"),
    "input level by pair": gettext_lazy("Differences between two systems (r)"),
    "corpus level": gettext_lazy("Means of systems"),
    "table 8": gettext_lazy("Mean score of a system"),
    "systems": gettext_lazy("Two systems compared"),
    "metric differences": gettext_lazy("The best metric against another"),
    "significance": gettext_lazy("Agreement about significance"),
    "shown difference": gettext_lazy("Smallest difference to be trusted"),
    "heterogeneity": gettext_lazy("Single outputs"),
    "system order": gettext_lazy("Order of systems"),
    "ties": gettext_lazy("Pairs of outputs"),
    "summary level": gettext_lazy("As for summaries"),
    "people and systems": gettext_lazy("People as systems"),
    "variants": gettext_lazy("Translations"),
}


@dataclass(frozen=True)
class NumberLine:
    """A number of the metric in the report, and what it is about."""

    table: str
    about: str
    figure: str
    row: Row


def metric_context(report: Report, metric: MetricInfo, links: MetricLinks, query: QueryDict) -> dict[str, Any]:
    """Return all that the template shows of a metric, for the judgement, genre and system that the address names."""
    found = _numbers_context(report, metric, links, query)
    judgement = found["judgement"]
    outputs = _outputs_context(report, metric, judgement, found["judgement_name"], query) if judgement else {}
    return found | outputs


def _figures(report: Report, metric: MetricInfo, links: MetricLinks, query: QueryDict) -> Iterator[Figure | None]:
    """Yield the figures of the page; the outputs are not read before the last one, which draws them."""
    found = _numbers_context(report, metric, links, query)
    yield found["figure"]
    judgement, differences = found["judgement"], found["difference_plot"]
    yield differences and differences.figure
    if judgement:
        plot = _outputs_context(report, metric, judgement, found["judgement_name"], query).get("plot")
        yield plot and plot.figure


def _numbers_context(report: Report, metric: MetricInfo, links: MetricLinks, query: QueryDict) -> dict[str, Any]:
    """Return what the report itself has on a metric, without the outputs."""
    rows = ReportRows([*report_rows(report), *rows_by_pair(report, metric.name)])
    scales = scale_names(report)
    judgements = rows.judgements()
    judgement = chosen_judgement(judgements, query)
    name = judgement_label(judgement, scales)
    link = links.of_judgement(report, judgement)(metric.name)
    return {
        "judgements": [(key, judgement_label(key, scales)) for key in judgements],
        "judgement": judgement,
        "judgement_name": name,
        "words": link.words,
        "link": link,
        "is_negated": metric.name in report.parameters["smaller_is_better"],
        "numbers": _numbers(rows, judgement, metric.name),
        "figure": system_figure(rows, judgement, name, link),
        "difference_plot": difference_plot(report.figures, rows.everything(), judgement, name, metric.name),
    }


def _numbers(rows: ReportRows, judgement: str, metric: str) -> list[NumberLine]:
    """Return the numbers of the metric in the report's order."""
    lines = [
        NumberLine(str(TABLES[row["table"]]), _about(row), figure_label(row["figure"]), row)
        for row in rows.everything()
        if row["metric"] == metric and row["table"] in TABLES and row["judgement"] in {"", judgement}
    ]
    return lines[:MAX_NUMBERS]


def _about(row: Row) -> str:
    parts = [other_label(row["other"])] if row.get("other") else []
    if row.get("part_kind"):
        parts.append(part_label(row["part_kind"], row["part"]))
    if row.get("of") == "all":
        parts.append(_("all outputs, rated or not"))
    return "; ".join(parts)


def _outputs_context(report: Report, metric: MetricInfo, judgement: str, name: str, query: QueryDict) -> dict[str, Any]:
    try:
        judged = judged_release(report, only={metric.name})
    except Refused as refusal:
        return {"refusal": str(refusal)}
    listing = _filters(judged).read(query)
    outputs = rated_outputs(judged, judgement, genre=listing.values["genre"], system=listing.values["system"])
    everything = outputs if not listing.is_narrowed else rated_outputs(judged, judgement)
    found = disagreements(outputs)
    return {
        "listing": listing,
        "example": typical_output(everything),
        "outputs": len(outputs),
        "max_drawn": MAX_DRAWN,
        "disagreements": _numbered(found),
        "plot": output_plot(outputs, found, report.parameters["seed"], metric.name, name) if outputs else None,
    }


def _filters(judged: JudgedRelease) -> Listing:
    genres = sorted({source.genre for source in judged.inputs if source.genre})
    return Listing(
        sorts={"place": lambda _output: 0},
        default="place",
        filters=[
            Filter("genre", gettext_lazy("Genre"), [(each, genre_words(each)) for each in genres]),
            Filter("system", gettext_lazy("System"), [(each, each) for each in judged.systems]),
        ],
    )


def _numbered(found: Disagreements) -> list[tuple[str, list[tuple[int, RatedOutput]]]]:
    """Return the outputs of both kinds with numbers that go on."""
    kinds = (
        (_("Ranked higher by the metric than by people, the furthest first"), found.above),
        (_("Ranked lower by the metric than by people, the furthest first"), found.below),
    )
    first = {0: 1, 1: 1 + len(found.above)}
    return [(words, list(enumerate(kind, first[at]))) for at, (words, kind) in enumerate(kinds) if kind]


@campaign_staff
@require_safe
def metric(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    release = release_or_404(campaign, version)
    report = finished_report(request, release, KIND)
    known, found = _asked_metric(report, request)
    context = metric_context(report, found, MetricLinks(report, "", known), request.GET)
    figures_at = f"{reverse('evaluation:metric', args=[campaign.slug, version])}figures/"
    about = {"campaign": campaign, "release": release, "report": report, "metric": found}
    files = {"figures_at": figures_at, "figure_query": request.GET.urlencode()}
    return render(request, "evaluation/metric.html", context | about | files)


@campaign_staff
@require_safe
def metric_figure(request: HttpRequest, campaign: Campaign, version: int, key: str, form: str) -> HttpResponse:
    """Return a figure of a metric's page as a file, or on a page that prints as large as it is."""
    report = finished_report(request, release_or_404(campaign, version), KIND)
    known, found = _asked_metric(report, request)
    figures = _figures(report, found, MetricLinks(report, "", known), request.GET)
    address = reverse("evaluation:metric", args=[campaign.slug, version])
    return figure_as(f"{key}.{form}", request, campaign, figures, report.file_name, address)


def _asked_metric(report: Report, request: HttpRequest) -> tuple[Mapping[str, MetricInfo], MetricInfo]:
    known = metrics_of_report(report)
    found = known.get(request.GET.get("metric", next(iter(known), "")))
    if found is None:
        raise Http404(_("This report has no such metric."))
    return known, found
