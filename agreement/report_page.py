"""What the page of a finished report shows."""

from typing import Any

from agreement.page_words import label_of
from agreement.plots import plots_of
from agreement.report import FIRST_WITH_SOURCES, SECTIONS
from agreement.report_rows import FEW_TEXTS
from agreement.sections.by_rater import ONE_RATER, PAIR
from agreement.sections.over_time import OVER_TIME
from agreement.sections.subgroups import GROUPINGS
from agreement.selectors import (
    Shortened,
    coefficient_lines,
    few_expert_texts,
    group_lines,
    headlines,
    part_lines,
    spread_lines,
    table_lines,
)
from reports.models import Report

MAX_PEOPLE = 200


def report_context(report: Report) -> dict[str, Any]:
    return {
        "scales": report.release.campaign.rating_scales,
        "is_current": report.report_version >= FIRST_WITH_SOURCES,
        "headlines": headlines(report),
        "few_below": FEW_TEXTS,
        "few_expert_texts": few_expert_texts(report),
        "lines": table_lines(report),
        "spread": spread_lines(report),
        "coefficients": coefficient_lines(report),
        "periods": group_lines(report, OVER_TIME),
        "groups": [(label_of(grouping), part_lines(report, grouping)) for grouping in GROUPINGS],
        "more_sections": [
            (section.heading, group_lines(report, section.comparison)) for section in SECTIONS if section.heading
        ],
        "raters": Shortened.of(group_lines(report, ONE_RATER), MAX_PEOPLE),
        "pairs": Shortened.of(group_lines(report, PAIR), MAX_PEOPLE),
        "plots": plots_of(report),
    }
