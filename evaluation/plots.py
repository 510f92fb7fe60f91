"""Plots of a report in percent of the frame that a template draws: metrics by their correlation, and systems."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from common.plots import Axis, CurvePlot, Points, line_path, linear_axis
from common.templatetags.formatting import decimal
from evaluation.answer import best_sentinel, estimate
from evaluation.page_rows import INPUT_LEVEL, ReportRows, Row
from evaluation.page_words import pool_label, score_label, sentinel_label
from evaluation.parameters import EvaluationParameters
from evaluation.sections.annotator_test import EPSILON_CURVE
from evaluation.sections.heterogeneity import CURVE as CORROBORATION

MOST_DRAWN = 8
MARGIN, LEFT_FROM = 0.05, 65


@dataclass(frozen=True)
class MetricDot:
    """A metric's correlation with its interval, or the reason why there is none."""

    metric: Any
    words: str
    x: float | None = None
    low: float | None = None
    high: float | None = None
    is_top: bool = False


@dataclass(frozen=True)
class Line:
    """A line through all rows of a plot; `style` is the name of its class."""

    x: float
    words: str
    style: str


@dataclass(frozen=True)
class MetricPlot:
    """The best metrics, and the lines that say what their correlations are worth."""

    dots: list[MetricDot]
    lines: list[Line]
    axis: Axis

    @property
    def has_top(self) -> bool:
        return any(dot.is_top for dot in self.dots)


class Place:
    """Where a value is on an axis, in percent of its length."""

    def __init__(self, values: Sequence[float], *, margin: float = MARGIN) -> None:
        low, high = min(values, default=0.0), max(values, default=1.0)
        room = (high - low) * margin or margin
        self.low, self.high = low - room, high + room

    def __call__(self, value: float) -> float:
        return round(100 * (value - self.low) / (self.high - self.low), 2)

    def up(self, value: float) -> float:
        return round(100 - self(value), 2)


def metric_plot(
    rows: ReportRows, figures: Mapping[str, Any], judgement: str, linked: Callable[[str], Any]
) -> MetricPlot | None:
    """Draw the best metrics by their correlation at input level; None if the report has none."""
    levels = rows.metric_levels(judgement)[:MOST_DRAWN]
    values = [row[name] for row in levels for name in ("value", "low", "high") if row.get(name) is not None]
    if not values:
        return None
    lines = _lines(rows, judgement)
    place = Place([0.0, *values, *(value for value, _words, _style in lines)])
    compared = compared_metrics(figures, judgement)
    return MetricPlot(
        [_dot(row, place, linked, is_compared=compared is None or row["metric"] in compared) for row in levels],
        [
            Line(place(0), _("0: no correlation"), "zero"),
            *(Line(place(value), words, style) for value, words, style in lines),
        ],
        linear_axis(_("Correlation with ratings (r, differences between systems)"), place.low, place.high),
    )


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


def _dot(row: Row, place: Place, linked: Callable[[str], Any], *, is_compared: bool) -> MetricDot:
    metric = linked(row["metric"])
    if row["value"] is None:
        return MetricDot(metric, row.get("reason") or _("undefined"))
    words = f"{metric}: {estimate(row)}"
    low, high = (None if row.get(name) is None else place(row[name]) for name in ("low", "high"))
    return MetricDot(metric, words, place(row["value"]), low, high, is_compared and bool(row.get("is_top")))


@dataclass(frozen=True)
class SystemDot:
    """A system with its mean score and its mean rating."""

    system: str
    score: float
    rating: float
    number: int
    x: float
    y: float

    @property
    def is_left(self) -> bool:
        """Whether its name stands to the left of it, for want of room."""
        return self.x > LEFT_FROM


@dataclass(frozen=True)
class SystemPlot:
    """A metric against people, a dot for each system."""

    metric: Any
    dots: list[SystemDot]
    across: Axis
    upwards: Axis


def system_plot(rows: ReportRows, judgement: str, name: str, metric: Any) -> SystemPlot | None:
    """Draw the systems by the mean score of the metric and the mean rating; None with fewer than two."""
    means = [row for row in rows.of("table 8") if row["value"] is not None]
    ratings = {row["other"]: row for row in means if row["judgement"] == judgement and not row["metric"]}
    scores = {row["other"]: row["value"] for row in means if row["metric"] == metric.name}
    known = [system for system in ratings if system in scores]
    if len(known) < 2:
        return None
    x, y = Place([scores[each] for each in known]), Place([ratings[each]["value"] for each in known])
    dots = [
        SystemDot(each, scores[each], rating["value"], rating["n"], x(scores[each]), y.up(rating["value"]))
        for each in known
        for rating in [ratings[each]]
    ]
    across = linear_axis(_("Mean score by %(metric)s") % {"metric": metric.name}, x.low, x.high)
    upwards = linear_axis(_("Mean rating: %(name)s") % {"name": name}, y.low, y.high).upwards
    return SystemPlot(metric, dots, across, upwards)


HALF = 0.5
"""Of the raters, a model must win against so many."""


@dataclass(frozen=True)
class EpsilonPlot:
    """The winning rate of a model against a pool, by epsilon."""

    model: str
    pool: str
    score: str
    epsilon: float
    plot: CurvePlot


def corroboration_plot(figures: Mapping[str, Any], judgement: str) -> CurvePlot | None:
    """Draw how often people agree with the metrics that prefer an output; None without at least two parts of pairs."""
    stored = figures.get(CORROBORATION, {}).get(judgement, {})
    x = stored.get("heterogeneity") or []
    if len(x) < 2 or x[0] == x[-1]:
        return None
    return CurvePlot(
        line_path([*zip(x, stored["not_worse"], strict=True)], x[0], x[-1]),
        line_path([*zip(x, stored["better"], strict=True)], x[0], x[-1]),
        linear_axis(_("How unlike the metrics are that score the output no lower"), x[0], x[-1]),
        linear_axis(_("Pairs of outputs"), 0, 1, percent=True).upwards,
    )


def epsilon_plots(figures: Mapping[str, Any], judgement: str, parameters: dict[str, Any]) -> list[EpsilonPlot]:
    """Draw the winning rate of each model against each pool, by equal points and by distance."""
    chosen = EvaluationParameters.of(parameters)
    curves = [each for each in figures.get(EPSILON_CURVE, []) if each["judgement"] == judgement]
    return [
        EpsilonPlot(
            each["metric"],
            pool_label(each["pool"]),
            score_label(each["score"]),
            chosen.epsilon_for(each["pool"]),
            _epsilon_plot(each["curve"], chosen.epsilon_for(each["pool"])),
        )
        for each in curves
    ]


def _epsilon_plot(curve: Points, epsilon: float) -> CurvePlot:
    most = curve[-1][0] or 1.0
    return CurvePlot(
        line_path(curve, 0, most),
        "",
        linear_axis(_("Head start of the model (epsilon)"), 0, most),
        linear_axis(_("Raters whom the model beats"), 0, 1, percent=True).upwards,
        up_at=100 * (1 - HALF),
        across_at=100 * epsilon / most if epsilon <= most else None,
    )
