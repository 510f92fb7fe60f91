"""Plots of a report in percent of the frame that a template draws: metrics by their correlation, and systems."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from common.plots import Axis, linear_axis
from common.templatetags.formatting import decimal
from evaluation.answer import best_sentinel, estimate
from evaluation.page_rows import ReportRows, Row
from evaluation.page_words import sentinel_label

SHOWN_AT_FIRST = 20
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
    """Metrics, best first, and the lines that say what their correlations are worth."""

    dots: list[MetricDot]
    lines: list[Line]
    axis: Axis

    @property
    def first(self) -> list[MetricDot]:
        return self.dots[:SHOWN_AT_FIRST]

    @property
    def others(self) -> list[MetricDot]:
        return self.dots[SHOWN_AT_FIRST:]


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


def metric_plot(rows: ReportRows, judgement: str, linked: Callable[[str], Any]) -> MetricPlot | None:
    """Draw the metrics by their correlation at input level; None if the report has none."""
    levels = rows.metric_levels(judgement)
    values = [row[name] for row in levels for name in ("value", "low", "high") if row.get(name) is not None]
    if not values:
        return None
    lines = _lines(rows, judgement)
    place = Place([0.0, *values, *(value for value, _words, _style in lines)])
    return MetricPlot(
        [_dot(row, place, linked) for row in levels],
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
        words = _("Ceiling, the most that a metric can reach with these ratings (estimated): %(r)s") % {
            "r": decimal(ceiling)
        }
        lines.append((ceiling, words, "ceiling"))
    return lines


def ceiling_of(rows: ReportRows, judgement: str) -> float | None:
    """Return the mean ceiling over the pairs of systems."""
    found = rows.of("ceiling", judgement, "mean over pairs")
    return found[0]["value"] if found else None


def _dot(row: Row, place: Place, linked: Callable[[str], Any]) -> MetricDot:
    metric = linked(row["metric"])
    if row["value"] is None:
        return MetricDot(metric, row.get("reason") or _("undefined"))
    words = f"{metric}: {estimate(row)}"
    low, high = (None if row.get(name) is None else place(row[name]) for name in ("low", "high"))
    return MetricDot(metric, words, place(row["value"]), low, high, bool(row.get("is_top")))


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
