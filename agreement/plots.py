"""What the plots of a report are drawn from, and their coordinates in percent of the frame, for the templates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.scale_ratings import ScaleRatings
from agreement.sections.by_rater import ONE_RATER
from agreement.sections.paper_table import simulated
from agreement.table_lines import rows_of
from common.plots import Axis, HistogramBar, histogram_axes, histogram_bars, linear_axis
from measures.agreement.rating_patterns import count_patterns
from measures.agreement.simulated_pairs import expected_table
from measures.core.histogram import histogram
from measures.core.undefined import Undefined
from reports.models import Report

BINS = 30
MOST_DOTS = 500


def figures_of(ratings: ScaleRatings) -> dict[str, Any]:
    """The distribution of the draws, and the mean table of a rater (rows) and the others (columns)."""
    drawn = simulated(ratings)
    if isinstance(drawn, Undefined) or not len(drawn.kappas):
        return {}
    # The bins of equal values reach half a point to either side, where kappa cannot be above 1.
    are_equal = np.ptp(drawn.kappas) == 0
    counted = histogram(drawn.kappas, BINS, high=1.0 if are_equal and drawn.kappas[0] > 0.5 else None)
    patterns = count_patterns(ratings.crowd, ratings.scale.values)
    table = expected_table(patterns, categories=ratings.scale.values, rounding=ratings.parameters.rounding)
    return {
        "kappas": {"edges": counted.edges.tolist(), "counts": counted.counts.tolist()},
        "confusion": {"points": list(ratings.scale.values), "shares": (table / table.sum()).tolist()},
    }


@dataclass(frozen=True)
class Dot:
    """A rater: x is the agreement, y (from the top) falls with the number of items."""

    name: str
    x: float
    y: float
    value: float
    items: int


@dataclass(frozen=True)
class ScalePlots:
    """The plots of one scale; a plot without data is empty. `raters` are those with the most ratings, of `number`."""

    name: str
    kappas: list[HistogramBar]
    points: list[int]
    confusion: list[tuple[int, list[float]]]
    raters: list[Dot]
    number: int

    @property
    def kappa_axes(self) -> tuple[Axis, Axis]:
        return histogram_axes(self.kappas, _("Kappa of one rater against the others"), _("Simulations"))

    @property
    def rater_axes(self) -> tuple[Axis, Axis]:
        most = max((dot.items for dot in self.raters), default=1)
        agreement = linear_axis(_("Agreement with the mean of the others (% of ratings)"), 0, 1, percent=True)
        return agreement, linear_axis(_("Ratings given"), 0, most, whole=True).upwards


def plots_of(report: Report) -> list[ScalePlots]:
    plots = []
    for scale in (each for each in report.of_release.rating_scales if each.has_few_points):
        figures: dict[str, Any] = report.figures.get(scale.key, {})
        confusion = figures.get("confusion", {"points": [], "shares": []})
        agreements = _agreements(report, scale.key)
        by_point = list(zip(confusion["points"], confusion["shares"], strict=True))
        plots.append(
            ScalePlots(
                name=scale.name,
                kappas=histogram_bars(figures["kappas"]["edges"], figures["kappas"]["counts"])
                if "kappas" in figures
                else [],
                points=confusion["points"],
                confusion=by_point[::-1],
                raters=_dots(sorted(agreements, key=lambda row: -row["items"])[:MOST_DOTS]),
                number=len(agreements),
            )
        )
    return plots


def _agreements(report: Report, scale: str) -> list[dict[str, Any]]:
    rows = (row for row in rows_of(report, ONE_RATER) if row["scale"] == scale and row["measure"] == "agreement")
    return [row for row in rows if row["value"] is not None]


def _dots(rows: Sequence[dict[str, Any]]) -> list[Dot]:
    max_items = max((row["items"] for row in rows), default=1)
    return [
        Dot(row["group"], 100 * row["value"], 100 - 100 * row["items"] / max_items, row["value"], row["items"])
        for row in rows
    ]
