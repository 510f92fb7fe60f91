"""What the pages of a finished report show: the number to cite first, and tab by tab what it rests on."""

from collections.abc import Mapping
from typing import Any

from django.core.paginator import Paginator
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from agreement import sections
from agreement.plots import kappa_figure, plots_of, rater_figures
from agreement.report_rows import FEW_TEXTS
from agreement.sections.by_rater import ONE_RATER, PAIR
from agreement.sections.over_time import OVER_TIME
from agreement.sections.subgroups import GROUPINGS
from agreement.table_lines import (
    coefficient_lines,
    few_expert_texts,
    few_point_scales,
    group_lines,
    headlines,
    label_of,
    number_tables,
    part_lines,
    spread_lines,
    table_lines,
    too_few_to_cite,
    why_no_kappa,
)
from reports.kinds import Tab, sections_in
from reports.models import Report

# Earlier reports have intervals over texts drawn one by one.
FIRST_WITH_SOURCES = 3
RATERS_SHOWN, PAIRS_SHOWN = 12, 8


def base_context(report: Report) -> dict[str, Any]:
    """Return what all tabs show."""
    return {
        "scales": few_point_scales(report),
        "number_tables": number_tables(report),
        "is_current": report.report_version >= FIRST_WITH_SOURCES,
        "few_below": FEW_TEXTS,
    }


def answer_context(report: Report) -> dict[str, Any]:
    return base_context(report) | {
        "headlines": headlines(report),
        "too_few_to_cite": too_few_to_cite(report),
        "why_no_kappa": why_no_kappa(report),
        "few_expert_texts": few_expert_texts(report),
        "lines": table_lines(report),
        "drawn": list(filter(None, [kappa_figure(report)])),
    }


def _parts(report: Report, _query: QueryDict) -> Mapping[str, Any]:
    more = [section for section in sections_in(sections) if section.heading]
    return base_context(report) | {
        "groups": [(label_of(grouping), part_lines(report, grouping)) for grouping in GROUPINGS],
        "periods": group_lines(report, OVER_TIME),
        "more_sections": [(section.heading, group_lines(report, section.comparison)) for section in more],
    }


def _raters(report: Report, query: QueryDict) -> Mapping[str, Any]:
    raters, pairs = group_lines(report, ONE_RATER), group_lines(report, PAIR)
    return base_context(report) | {
        "drawn": rater_figures(report),
        "raters": Paginator(raters, RATERS_SHOWN).get_page(query.get("raters")),
        "pairs": Paginator(pairs, PAIRS_SHOWN).get_page(query.get("pairs")),
        "all_pairs": max(report.pinned.get("pairs", 0), len(pairs)),
    }


def _coefficients(report: Report, _query: QueryDict) -> Mapping[str, Any]:
    plots = plots_of(report)
    return base_context(report) | {
        "coefficients": coefficient_lines(report),
        "spread": spread_lines(report),
        "plots": plots,
        "drawn": [each.figure for each in plots],
    }


TABS = (
    Tab("parts", gettext_lazy("By genre and length"), "agreement/parts.html", _parts),
    Tab("raters", gettext_lazy("By rater"), "agreement/raters.html", _raters),
    Tab("coefficients", gettext_lazy("Coefficients"), "agreement/coefficients.html", _coefficients),
)
