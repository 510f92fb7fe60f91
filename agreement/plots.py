"""What the plots of a report are drawn from, and their coordinates in percent of the frame, for the templates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement.scale_ratings import ScaleRatings
from agreement.sections.by_rater import ONE_RATER
from agreement.sections.paper_table import simulated
from agreement.table_lines import few_point_scales, rows_of, table_lines
from common.charts import Chart, Mark
from common.plots import HistogramBar, histogram_axes, histogram_bars, linear_axis
from common.row_plots import Dot, Place, PlotRow, RowPlot
from common.templatetags.formatting import percent
from crowd.scales import Scale
from measures.agreement.rating_patterns import count_patterns
from measures.agreement.simulated_pairs import expected_table
from measures.core.histogram import histogram
from measures.core.undefined import Undefined
from reports.figures import Figure
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
class ScalePlot:
    """How kappa of the draws of one scale is distributed, and its table of points."""

    name: str
    figure: Figure
    points: list[int]
    confusion: list[tuple[int, list[float]]]


def kappa_figure(report: Report) -> Figure:
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
    caption = _("κ of each comparison, with its 95% interval where there is one. The dashed line is what chance gives.")
    return Figure("kappa", _("Kappa"), caption, RowPlot(rows, linear_axis(_("Kappa κ"), low, 1.0), zero=place(0.0)))


def _kappa_dots(row: dict[str, Any], place: Place) -> list[Dot]:
    if row["value"] is None:
        return []
    if row.get("low") is None:
        return [place.dot(row["value"], f"{row['value']:.3f}")]
    words = _("%(value)s, %(low)s to %(high)s") % {key: f"{row[key]:.3f}" for key in ("value", "low", "high")}
    return [place.dot(row["value"], words, row["low"], row["high"])]


def plots_of(report: Report) -> list[ScalePlot]:
    """Return the plots of the scales that anything was drawn for."""
    plots = []
    for scale in few_point_scales(report):
        if figures := report.figures.get(scale.key):
            confusion = figures["confusion"]
            by_point = list(zip(confusion["points"], confusion["shares"], strict=True))
            bars = histogram_bars(figures["kappas"]["edges"], figures["kappas"]["counts"])
            plots.append(ScalePlot(scale.name, _draws_figure(scale, bars), confusion["points"], by_point[::-1]))
    return plots


def _draws_figure(scale: Scale, bars: list[HistogramBar]) -> Figure:
    axes = histogram_axes(bars, _("Kappa of one rater against the others"), _("Simulations"))
    caption = _(
        "Kappa of one rater against the mean of the others, over the simulated choices of that rater. The spread "
        "reflects that choice alone. It is not a confidence interval."
    )
    title = _("%(scale)s: distribution of the simulated kappa") % {"scale": scale.name}
    return Figure(f"draws-{scale.key}", title, caption, Chart(*axes, bars=bars, height=100))


def rater_figures(report: Report) -> list[Figure]:
    """Draw the raters of each scale: to the right by their agreement, upwards by their ratings."""
    figures = []
    for scale in few_point_scales(report):
        if found := _agreements(report, scale.key):
            shown = sorted(found, key=lambda row: -row["items"])[:MOST_DOTS]
            title = _("%(scale)s: raters by agreement and number of ratings") % {"scale": scale.name}
            figures.append(Figure(f"raters-{scale.key}", title, _rater_caption(len(shown), len(found)), _raters(shown)))
    return figures


def _rater_caption(shown: int, number: int) -> str:
    caption = _(
        "Each dot is a rater. Further right means more agreement with the others, and higher up more ratings. Point at "
        "a dot to see which rater it is."
    )
    if shown == number:
        return caption
    more = _(
        "Showing %(shown)s of %(all)s raters: those with the most ratings. The CSV file of the report has all of them."
    )
    return f"{caption} {more % {'shown': shown, 'all': f'{number:,}'}}"


def _agreements(report: Report, scale: str) -> list[dict[str, Any]]:
    rows = (row for row in rows_of(report, ONE_RATER) if row["scale"] == scale and row["measure"] == "agreement")
    return [row for row in rows if row["value"] is not None]


def _raters(rows: Sequence[dict[str, Any]]) -> Chart:
    most = max(row["items"] for row in rows)
    agreement = linear_axis(_("Agreement with the mean of the others (% of ratings)"), 0, 1, percent=True)
    marks = [
        Mark(
            100 * row["value"],
            100 - 100 * row["items"] / most,
            _rater_words(row),
            row["group"],
            row["value"],
            row["items"],
        )
        for row in rows
    ]
    upwards = linear_axis(_("Ratings given"), 0, most, whole=True).upwards
    return Chart(agreement, upwards, marks, height=140, size=4)


def _rater_words(row: dict[str, Any]) -> str:
    words = ngettext(
        "Rater %(name)s: agrees in %(share)s of %(n)s rating",
        "Rater %(name)s: agrees in %(share)s of %(n)s ratings",
        row["items"],
    )
    return words % {"name": row["group"], "share": percent(row["value"]), "n": f"{row['items']:,}"}
