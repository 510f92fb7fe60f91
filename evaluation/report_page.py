"""What the page of a finished report shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crowd.scales import Scale
from evaluation.answer import Answer, answer_of, few_systems_sentence, number_of_systems, planned_sentences
from evaluation.matrix import matrix_of
from evaluation.metric_links import MetricLink, MetricLinks, metrics_of_report
from evaluation.page_rows import INPUT_LEVEL, ReportRows, Row
from evaluation.page_tables import means_table, metric_table, part_columns, shown_table
from evaluation.page_words import interval_words, judgement_label
from evaluation.planned_analysis import PlannedAnalysis
from evaluation.plots import compared_metrics, corroboration_plot, epsilon_plots, metric_plot, system_plot
from evaluation.published import CORPUS, published_best, published_tables
from evaluation.selectors import report_rows
from evaluation.table_specs import GROUPS
from reports.models import Report
from reports.published import PublishedValue


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


def report_context(report: Report, query: QueryDict) -> dict[str, Any]:
    """Return all that the template shows of a report that is computed, for the judgement that the address names."""
    rows = ReportRows(report_rows(report))
    scales = scale_names(report)
    judgements = rows.judgements()
    chosen = chosen_judgement(judgements, query)
    name = judgement_label(chosen, scales)
    known = metrics_of_report(report)
    links = MetricLinks(report, chosen, known)
    levels = rows.metric_levels(chosen)
    best = links(levels[0]["metric"]) if levels and levels[0]["value"] is not None else None
    asked = [query.get("first", ""), query.get("second", "")]
    return {
        "answers": [_answer(report, rows, key, scales, links) for key in judgements],
        "judgement": chosen,
        "judgement_name": name,
        "interval_words": interval_words(levels),
        "metric_plot": metric_plot(rows, report.figures, chosen, links),
        "matrix": matrix_of(rows, report.figures, chosen, links, asked),
        "system_plot": system_plot(rows, chosen, name, best) if best else None,
        "table": metric_table(rows, chosen, links, query),
        "share": report.parameters.get("share"),
        "parts": part_columns(rows, chosen),
        "rating_means": means_table(rows, lambda row: judgement_label(row["judgement"], scales), of_metrics=False),
        "metric_means": means_table(rows, lambda row: links(row["metric"]).html, of_metrics=True),
        "paper": {"corpus": CORPUS},
        "published_means": published_tables()["table 8"],
        "published_tops": published_tables()["table 9"],
        "group_lines": _group_lines(rows, chosen, links),
        "tests": _tests(rows, chosen),
        "table_groups": _table_groups(rows, chosen, links),
        "corroboration": corroboration_plot(report.figures, chosen),
        "epsilons": epsilon_plots(report.figures, chosen, report.parameters),
        "reasons": rows.reasons(chosen),
        "few_systems": few_systems_sentence(number_of_systems(rows)),
        "shared_ratings": _shared_ratings(rows, chosen),
        "planned": _planned(report, rows, scales),
    }


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


def _table_groups(rows: ReportRows, judgement: str, links: MetricLinks) -> list[tuple[str, Any, list[Any]]]:
    groups = [
        (anchor, heading, [table for spec in specs if (table := shown_table(spec, rows, judgement, links))])
        for anchor, heading, specs in GROUPS
    ]
    return [group for group in groups if group[2]]


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
