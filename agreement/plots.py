"""What the plots of a report are drawn from, and their coordinates in percent of the frame, for the templates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.scale_ratings import ScaleRatings
from agreement.sections.by_rater import ONE_RATER
from agreement.sections.paper_table import simulated
from agreement.table_lines import few_point_scales, rows_of, table_lines
from common import row_plots
from common.plots import Axis, HistogramBar, histogram_axes, histogram_bars, linear_axis
from common.row_plots import Place, PlotRow, RowPlot
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
class RaterPlot:
    """The raters of one scale, those with the most ratings of a `number`."""

    name: str
    raters: list[Dot]
    number: int

    @property
    def axes(self) -> tuple[Axis, Axis]:
        most = max((dot.items for dot in self.raters), default=1)
        agreement = linear_axis(_("Agreement with the mean of the others (% of ratings)"), 0, 1, percent=True)
        return agreement, linear_axis(_("Ratings given"), 0, most, whole=True).upwards


@dataclass(frozen=True)
class ScalePlot:
    """How kappa of the draws of one scale is distributed, and its table of points."""

    name: str
    kappas: list[HistogramBar]
    points: list[int]
    confusion: list[tuple[int, list[float]]]

    @property
    def axes(self) -> tuple[Axis, Axis]:
        return histogram_axes(self.kappas, _("Kappa of one rater against the others"), _("Simulations"))


def kappa_plot(report: Report) -> RowPlot:
    """Draw kappa of each comparison of Table 4 with its interval, scale by scale."""
    lines = table_lines(report)
    named = [
        (scale.name, line.label, line.cells[2 * number + 1])
        for number, scale in enumerate(few_point_scales(report))
        for line in lines
    ]
    low = min((row[key] for *_names, row in named for key in ("value", "low") if row.get(key) is not None), default=0.0)
    low = min(low, 0.0)
    place = Place(low, 1.0)
    rows = [
        PlotRow(scale, label[:1].upper() + label[1:], [], _kappa_dots(row, place), row.get("undefined", ""))
        for scale, label, row in named
    ]
    return RowPlot(rows, linear_axis(_("Kappa κ"), low, 1.0), zero=place(0.0))


def _kappa_dots(row: dict[str, Any], place: Place) -> list[row_plots.Dot]:
    if row["value"] is None:
        return []
    if row.get("low") is None:
        return [row_plots.Dot(place(row["value"]), f"{row['value']:.3f}")]
    words = _("%(value)s, %(low)s to %(high)s") % {key: f"{row[key]:.3f}" for key in ("value", "low", "high")}
    return [row_plots.Dot(place(row["value"]), words, place(row["low"]), place(min(row["high"], 1.0)))]


def plots_of(report: Report) -> list[ScalePlot]:
    """Return the plots of the scales that anything was drawn for."""
    plots = []
    for scale in few_point_scales(report):
        if figures := report.figures.get(scale.key):
            confusion = figures["confusion"]
            by_point = list(zip(confusion["points"], confusion["shares"], strict=True))
            bars = histogram_bars(figures["kappas"]["edges"], figures["kappas"]["counts"])
            plots.append(ScalePlot(scale.name, bars, confusion["points"], by_point[::-1]))
    return plots


def rater_plots(report: Report) -> list[RaterPlot]:
    plots = []
    for scale in few_point_scales(report):
        if found := _agreements(report, scale.key):
            shown = sorted(found, key=lambda row: -row["items"])[:MOST_DOTS]
            plots.append(RaterPlot(scale.name, _dots(shown), len(found)))
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
