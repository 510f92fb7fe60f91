"""What the pages of a finished report show, tab by tab, for the judgement that the address names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from crowd.scales import Scale
from evaluation.answer import Answer, answer_of, few_systems_sentence, number_of_systems, planned_sentences
from evaluation.matrix import matrix_of
from evaluation.metric_grid import metric_grid
from evaluation.metric_links import MetricLink, MetricLinks, metrics_of_report
from evaluation.page_rows import INPUT_LEVEL, ReportRows, Row
from evaluation.page_tables import (
    TableSpec,
    has_table,
    means_table,
    metric_lines,
    metric_table,
    part_columns,
    shown_table,
)
from evaluation.page_words import interval_words, judgement_label
from evaluation.planned_analysis import PlannedAnalysis
from evaluation.plots import compared_metrics, corroboration_figure, epsilon_figures, metric_figure, system_figure
from evaluation.published import CORPUS, published_best, published_tables
from evaluation.selectors import report_rows
from evaluation.table_specs import GROUPS
from reports.figures import Figure
from reports.kinds import Tab
from reports.models import Report
from reports.published import PublishedValue

BEST_SHOWN, LINES_SHOWN = 5, 12


@dataclass(frozen=True)
class JudgementAnswer:
    """A judgement with its name and what the report says for it."""

    key: str
    name: str
    answer: Answer


@dataclass(frozen=True)
class GroupLine:
    """A line of Table 9: the best metric of a unit, a measure or a use of references, beside the paper's."""

    by: str
    label: str
    metric: MetricLink | None
    row: Row
    published: PublishedValue | None


class _Shown:
    """What all tabs begin with: the rows of a report, and the judgement that the address names."""

    def __init__(self, report: Report, query: QueryDict) -> None:
        self.rows = ReportRows(report_rows(report))
        self.scales = scale_names(report)
        self.judgements = self.rows.judgements()
        self.judgement = chosen_judgement(self.judgements, query)
        self.name = judgement_label(self.judgement, self.scales)
        self.links = MetricLinks(report, self.judgement, metrics_of_report(report))

    @property
    def base(self) -> dict[str, Any]:
        return {
            "judgements": [(key, judgement_label(key, self.scales)) for key in self.judgements],
            "judgement": self.judgement,
            "judgement_name": self.name,
            "paper": {"corpus": CORPUS},
        }

    @property
    def best(self) -> MetricLink | None:
        levels = self.rows.metric_levels(self.judgement)
        return self.links(levels[0]["metric"]) if levels and levels[0]["value"] is not None else None


def answer_context(report: Report, query: QueryDict) -> dict[str, Any]:
    """Return the answer for each judgement, and the best metrics for the one that the address names."""
    shown = _Shown(report, query)
    rows, chosen, links = shown.rows, shown.judgement, shown.links
    lines = metric_lines(rows, chosen, links)
    return shown.base | {
        "answers": [_answer(report, rows, key, shown.scales, links) for key in shown.judgements],
        "drawn": list(filter(None, [metric_figure(rows, report.figures, chosen, shown.name, links)])),
        "lines": lines[:BEST_SHOWN],
        "all_metrics": len(lines),
        "share": report.parameters.get("share"),
        "few_systems": few_systems_sentence(number_of_systems(rows)),
        "shared_ratings": _shared_ratings(rows, chosen),
        "planned": _planned(report, rows, shown.scales),
    }


def _metrics(report: Report, query: QueryDict) -> Mapping[str, Any]:
    shown = _Shown(report, query)
    lines = metric_lines(shown.rows, shown.judgement, shown.links)
    return shown.base | {
        "grid": metric_grid(lines, query.get("measure", "")),
        "table": metric_table(lines, query),
        "share": report.parameters.get("share"),
    }


def _dominance(report: Report, query: QueryDict) -> Mapping[str, Any]:
    shown = _Shown(report, query)
    asked = [query.get("first", ""), query.get("second", "")]
    matrix = matrix_of(shown.rows, report.figures, shown.judgement, shown.name, asked)
    return shown.base | {"matrix": matrix, "drawn": [matrix.figure] if matrix else []}


def _kinds(report: Report, query: QueryDict) -> Mapping[str, Any]:
    shown = _Shown(report, query)
    return shown.base | {
        "group_lines": _group_lines(shown.rows, shown.judgement, shown.links),
        "published_tops": published_tables()["table 9"],
    }


def _systems(report: Report, query: QueryDict) -> Mapping[str, Any]:
    shown = _Shown(report, query)
    rows, scales, links, best = shown.rows, shown.scales, shown.links, shown.best
    means = means_table(rows, lambda row: links(row["metric"]).html, of_metrics=True)
    return shown.base | {
        "drawn": list(filter(None, [best and system_figure(rows, shown.judgement, shown.name, best)])),
        "rating_means": means_table(rows, lambda row: judgement_label(row["judgement"], scales), of_metrics=False),
        "metric_means": replace(means, lines=_page(means.lines, query, "means")),
        "tests": _page(_tests(rows, shown.judgement), query, "tests"),
        "published_means": published_tables()["table 8"],
    }


def _parts(report: Report, query: QueryDict) -> Mapping[str, Any]:
    shown = _Shown(report, query)
    lines = metric_lines(shown.rows, shown.judgement, shown.links)
    return shown.base | {"parts": part_columns(shown.rows, shown.judgement), "page": _page(lines, query, "page")}


def _page(lines: Sequence[Any], query: QueryDict, name: str) -> Page[Any]:
    return Paginator(lines, LINES_SHOWN).get_page(query.get(name))


def _tables(specs: Sequence[TableSpec]) -> Callable[[Report, QueryDict], Mapping[str, Any]]:
    """Return what a tab shows that has one of several tables at a time."""

    def shown_of(report: Report, query: QueryDict) -> Mapping[str, Any]:
        shown = _Shown(report, query)
        there = [spec for spec in specs if has_table(spec, shown.rows, shown.judgement)]
        chosen = next((spec for spec in there if spec.anchor == query.get("table")), next(iter(there), None))
        table = shown_table(chosen, shown.rows, shown.judgement, shown.links) if chosen else None
        return shown.base | {
            "choices": there,
            "shown": table,
            "page": _page(table.lines, query, "page") if table else None,
            "drawn": _table_figures(report, chosen.table if chosen else "", shown),
        }

    return shown_of


def _table_figures(report: Report, table: str, shown: _Shown) -> list[Figure]:
    if table == "heterogeneity":
        return list(filter(None, [corroboration_figure(report.figures, shown.judgement, shown.name)]))
    if table == "alternative annotator test":
        return epsilon_figures(report.figures, shown.judgement, report.parameters)
    return []


def method_context(report: Report) -> dict[str, Any]:
    rows = ReportRows(report_rows(report))
    judgements = rows.judgements()
    return {
        "reasons": rows.reasons(*judgements),
        "interval_words": interval_words(rows.metric_levels(judgements[0])) if judgements else "",
    }


TABS = (
    Tab("metrics", gettext_lazy("Metrics"), "evaluation/tabs/metrics.html", _metrics),
    Tab("dominance", gettext_lazy("Which is better"), "evaluation/tabs/dominance.html", _dominance),
    Tab("kinds", gettext_lazy("Kinds"), "evaluation/tabs/kinds.html", _kinds),
    Tab("of-systems", gettext_lazy("Systems"), "evaluation/tabs/systems.html", _systems),
    Tab("parts", gettext_lazy("Parts"), "evaluation/tabs/parts.html", _parts),
    *(Tab(key, heading, "evaluation/tabs/tables.html", _tables(specs)) for key, heading, specs in GROUPS),
)


def _planned(report: Report, rows: ReportRows, scales: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the metric that was named beforehand, with its correlations; None if none was."""
    plan = PlannedAnalysis.of(report.pinned)
    if plan is None:
        return None
    levels = [row for row in rows.of(INPUT_LEVEL, figure="r") if row["metric"] == plan.metric]
    return {
        "plan": plan,
        "sentences": planned_sentences(plan, rows),
        "levels": [(judgement_label(row["judgement"], scales), row) for row in levels],
    }


def _shared_ratings(rows: ReportRows, judgement: str) -> str:
    """Return a sentence where raters judged a text of several systems once; reports of earlier versions have none."""
    shared = sum(row.get("shared") or 0 for row in rows.of("ceiling", judgement, "mean over pairs"))
    words = ngettext(
        "%(n)s output is the same text as another system’s, and raters judged the text once: both have the same "
        "ratings.",
        "%(n)s outputs are the same texts as other systems’, and raters judged each text once: these outputs have the "
        "same ratings.",
        shared,
    )
    return words % {"n": f"{shared:,}"} if shared else ""


def _answer(
    report: Report, rows: ReportRows, key: str, scales: Mapping[str, str], links: MetricLinks
) -> JudgementAnswer:
    own = links.of_judgement(report, key)
    are_tested = compared_metrics(report.figures, key) != set()
    answer = answer_of(rows, key, own, are_tested=are_tested)
    return JudgementAnswer(key, judgement_label(key, scales), answer)


def _group_lines(rows: ReportRows, judgement: str, links: MetricLinks) -> list[GroupLine]:
    return [
        GroupLine(
            _by_label(row.get("by") or ""),
            row.get("label") or "",
            links(row["metric"]) if row["metric"] else None,
            row,
            published_best(row.get("by") or "", row.get("label") or "", judgement),
        )
        for row in rows.of("table 9", judgement, "r")
    ]


def _by_label(by: str) -> str:
    known = {"unit": _("Units"), "measure": _("Measure"), "references": _("References"), "other": _("Other metrics")}
    return known.get(by, by)


def _tests(rows: ReportRows, judgement: str) -> list[tuple[str, Row | None, Row | None]]:
    """Return the tests of people's ratings for every two systems: paired t, and Wilcoxon's."""
    found: dict[str, dict[str, Row]] = {}
    for row in rows.of("systems", judgement):
        if not row["metric"]:
            found.setdefault(row["other"], {})[row["figure"]] = row
    return [(pair, tests.get("t"), tests.get("wilcoxon")) for pair, tests in found.items()]


def scale_names(report: Report) -> dict[str, str]:
    return {scale.key: _name_of(scale) for scale in report.of_release.rating_scales}


def _name_of(scale: Scale) -> str:
    if scale.numbers and scale.numbers.less_is_better:
        return _("%(scale)s, with the sign turned (less is better)") % {"scale": scale.name}
    return scale.name


def chosen_judgement(judgements: list[str], query: QueryDict) -> str:
    """Return the judgement that the address names, or else the first; "" if the report has none."""
    asked = query.get("judgement", "")
    return asked if asked in judgements else next(iter(judgements), "")
