"""Plots of a report in percent of the frame that a template draws: metrics by their correlation, and systems."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from common.charts import SECOND, Chart, Mark, line_of
from common.plots import linear_axis
from common.row_plots import Line, Place, PlotRow, RowPlot
from common.templatetags.formatting import decimal
from common.templatetags.formatting import figure as figure_words
from evaluation.answer import best_sentinel, estimate
from evaluation.page_rows import INPUT_LEVEL, ReportRows, Row
from evaluation.page_words import interval_words, pool_label, score_label, sentinel_label
from evaluation.parameters import EvaluationParameters
from evaluation.sections.annotator_test import EPSILON_CURVE
from evaluation.sections.heterogeneity import CURVE as CORROBORATION
from reports.figures import Figure

MOST_DRAWN = 8
MARGIN = 0.05


def place_of(values: Sequence[float], *, margin: float = MARGIN) -> Place:
    """Return the places on an axis on which all values have room."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = (high - low) * margin or margin
    return Place(low - room, high + room)


def metric_figure(
    rows: ReportRows, figures: Mapping[str, Any], judgement: str, name: str, linked: Callable[[str], Any]
) -> Figure | None:
    """Draw the best metrics by their correlation at input level; None if the report has none."""
    levels = rows.metric_levels(judgement)[:MOST_DRAWN]
    values = [row[name] for row in levels for name in ("value", "low", "high") if row.get(name) is not None]
    if not values:
        return None
    lines = _lines(rows, judgement)
    place = place_of([0.0, *values, *(value for value, _words, _style in lines)])
    compared = compared_metrics(figures, judgement)
    plot = RowPlot(
        [_row(row, place, linked, is_compared=compared is None or row["metric"] in compared) for row in levels],
        linear_axis(_("Correlation with ratings (r, differences between systems)"), place.low, place.high),
        lines=[
            Line(place(0), _("0: no correlation"), "zero"),
            *(Line(place(value), words, style) for value, words, style in lines),
        ],
    )
    caption = _(
        "A dot is a metric’s correlation r with people on the differences between two systems’ outputs for the same "
        "text, over all pairs of systems. Its line is the 95% interval."
    )
    words = f"{caption} {interval_words(levels)} {_top_words(plot)}"
    title = _("Metrics by how well they follow ratings: %(name)s") % {"name": name}
    return Figure("metrics", title, words, plot)


def _top_words(plot: RowPlot) -> str:
    if any(not dot.is_hollow for row in plot.rows for dot in row.dots):
        return _("Full dots are metrics that no other is shown to be better than.")
    return _("No two metrics could be tested against each other.")


def _lines(rows: ReportRows, judgement: str) -> list[tuple[float, str, str]]:
    lines = []
    sentinel = best_sentinel(rows, judgement)
    if sentinel:
        values = {"name": sentinel_label(sentinel["metric"]), "r": decimal(sentinel["value"])}
        lines.append((sentinel["value"], _("Best sentinel: %(name)s, %(r)s") % values, "sentinel"))
    ceiling = ceiling_of(rows, judgement)
    if ceiling is not None:
        words = _("Ceiling: about what a perfect metric would have with these ratings (estimated): %(r)s") % {
            "r": decimal(ceiling)
        }
        lines.append((ceiling, words, "ceiling"))
    return lines


def ceiling_of(rows: ReportRows, judgement: str) -> float | None:
    """Return the mean ceiling over the pairs of systems."""
    found = rows.of("ceiling", judgement, "mean over pairs")
    return found[0]["value"] if found else None


def compared_metrics(figures: Mapping[str, Any], judgement: str) -> set[str] | None:
    """Return the metrics that could be tested against another on any pair of systems; None if the report is silent."""
    stored = figures.get(INPUT_LEVEL, {}).get(judgement)
    if stored is None:
        return None
    lines = zip(stored["metrics"], stored["won"], strict=True)
    return {name for name, won in lines if any(share is not None for share in won)}


def _row(row: Row, place: Place, linked: Callable[[str], Any], *, is_compared: bool) -> PlotRow:
    metric = linked(row["metric"])
    html = getattr(metric, "html", "")
    if row["value"] is None:
        return PlotRow(str(metric), reason=row.get("reason") or _("undefined"), html=html)
    is_top = is_compared and bool(row.get("is_top"))
    dot = place.dot(row["value"], estimate(row), row.get("low"), row.get("high"), is_hollow=not is_top)
    return PlotRow(str(metric), dots=[dot], html=html)


def system_figure(rows: ReportRows, judgement: str, name: str, metric: Any) -> Figure | None:
    """Draw the systems by the mean score of the metric and the mean rating; None with fewer than two."""
    means = [row for row in rows.of("table 8") if row["value"] is not None]
    ratings = {row["other"]: row for row in means if row["judgement"] == judgement and not row["metric"]}
    scores = {row["other"]: row["value"] for row in means if row["metric"] == metric.name}
    known = [system for system in ratings if system in scores]
    if len(known) < 2:
        return None
    x, y = place_of([scores[each] for each in known]), place_of([ratings[each]["value"] for each in known])
    marks = []
    for each in known:
        score, rating = scores[each], ratings[each]["value"]
        about = {"system": each, "score": figure_words(score, 3), "rating": figure_words(rating, 2)}
        words = _("%(system)s: score %(score)s, rating %(rating)s") % about
        marks.append(Mark(x(score), round(100 - y(rating), 3), words, each, score, rating))
    across = linear_axis(_("Mean score by %(metric)s") % {"metric": metric.name}, x.low, x.high)
    upwards = linear_axis(_("Mean rating: %(name)s") % {"name": name}, y.low, y.high).upwards
    caption = _(
        "A dot for each of %(n)s systems. If the metric orders systems as people do, the dots rise from left to right."
    )
    title = _("%(metric)s against people") % {"metric": metric.name}
    return Figure("systems", title, caption % {"n": len(marks)}, Chart(across, upwards, marks, has_names=True))


HALF = 0.5
"""Of the raters, a model must win against so many."""


def corroboration_figure(figures: Mapping[str, Any], judgement: str, name: str) -> Figure | None:
    """Draw how often people agree with the metrics that prefer an output; None without at least two parts of pairs."""
    stored = figures.get(CORROBORATION, {}).get(judgement, {})
    x = stored.get("heterogeneity") or []
    if len(x) < 2 or x[0] == x[-1]:
        return None
    at_least, higher = _("at least as high"), _("higher")
    chart = Chart(
        linear_axis(_("How unlike the metrics are that score the output no lower"), x[0], x[-1]),
        linear_axis(_("Pairs of outputs"), 0, 1, percent=True).upwards,
        curves=[
            line_of([*zip(x, stored["not_worse"], strict=True)], x[0], x[-1], at_least),
            line_of([*zip(x, stored["better"], strict=True)], x[0], x[-1], higher, SECOND),
        ],
    )
    caption = _(
        "Pairs of outputs of the same text, placed by how unlike the metrics are that score the first no lower than "
        "the second (heterogeneity; Amigó et al. 2012, Figure 1). The solid line is the share of pairs whose first "
        "output people rate at least as high (%(name)s); the dashed line, those that they rate higher. Where the lines "
        "rise, people agree more often with metrics that are less alike."
    )
    return Figure("heterogeneity", _("Pairs that people rate as the metrics do"), caption % {"name": name}, chart)


def epsilon_figures(figures: Mapping[str, Any], judgement: str, parameters: dict[str, Any]) -> list[Figure]:
    """Draw the winning rate of each model against each pool, by equal points and by distance."""
    chosen = EvaluationParameters.of(parameters)
    curves = [each for each in figures.get(EPSILON_CURVE, []) if each["judgement"] == judgement]
    return [_epsilon_figure(n, each, chosen.epsilon_for(each["pool"])) for n, each in enumerate(curves, start=1)]


def _epsilon_figure(number: int, found: Mapping[str, Any], epsilon: float) -> Figure:
    curve = found["curve"]
    most = curve[-1][0] or 1.0
    chart = Chart(
        linear_axis(_("Head start of the model (epsilon)"), 0, most),
        linear_axis(_("Raters whom the model beats"), 0, 1, percent=True).upwards,
        curves=[line_of(curve, 0, most)],
        up_at=100 * (1 - HALF),
        across_at=100 * epsilon / most if epsilon <= most else None,
    )
    about = {"model": found["metric"], "pool": pool_label(found["pool"]), "score": score_label(found["score"])}
    title = _("%(model)s against %(pool)s, by %(score)s") % about
    caption = _(
        "The line shows the share of raters whom the model beats at each epsilon. The dashed lines mark the epsilon of "
        "this report, %(epsilon)s, and one half of the raters."
    )
    return Figure(f"epsilon-{number}", title, caption % {"epsilon": figure_words(epsilon, 2)}, chart)
