"""Plots with two axes, of dots, bars and curves, in percent of the frame that a template draws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

from common.plots import Axis, HistogramBar, Key
from common.row_plots import Ends

Points = Sequence[Sequence[float | None]]
MOST_NAMES, LEFT_FROM = 12, 65
CURVE, SECOND, THIN, DOTS = "fitted-steps", "fitted-steps second", "person-lines", "outputs-drawn"


@dataclass(frozen=True)
class Mark:
    """A dot: where it is, and the numbers behind that; its interval goes upwards, if it has one."""

    x: float
    y: float
    words: str
    name: str
    across: float | str
    upwards: float
    ends: Ends = (None, None)
    low: float | None = None
    high: float | None = None

    @property
    def is_left(self) -> bool:
        """Whether its name stands to the left of it, for want of room."""
        return self.x > LEFT_FROM


@dataclass(frozen=True)
class Curve:
    """A line, or many dots at once: its path in a square of 100, the numbers of its points, and what they are about."""

    path: str
    points: Sequence[tuple[float | str | None, float | None]]
    name: str = ""
    style: str = CURVE
    about: Sequence[Mapping[str, Any]] = ()
    is_stepped: bool = False


@dataclass(frozen=True)
class Chart:
    """What is drawn over two axes; `across_at` and `up_at` are where straight lines cross it."""

    across: Axis
    upwards: Axis
    marks: Sequence[Mark] = ()
    bars: Sequence[HistogramBar] = ()
    curves: Sequence[Curve] = ()
    keys: Sequence[Key] = ()
    height: int = 200
    size: int = 5
    has_names: bool = False
    up_at: float | None = None
    across_at: float | None = None

    @property
    def names_dots(self) -> bool:
        return self.has_names and len(self.marks) <= MOST_NAMES

    @property
    def paths(self) -> list[tuple[str, str]]:
        """The paths of all curves of a style as one."""
        styles = dict.fromkeys(each.style for each in self.curves)
        return [(style, "".join(each.path for each in self.curves if each.style == style)) for style in styles]

    @property
    def cells(self) -> list[dict[str, Any]]:
        """The numbers that are drawn: of each dot, bar, and point of a curve."""
        dots = [
            {"name": each.name, "x": each.across, "y": each.upwards, "low": each.ends[0], "high": each.ends[1]}
            for each in self.marks
        ]
        bars = [{"from": each.low, "to": each.high, "y": each.count} for each in self.bars]
        points = [
            {"name": each.name, "x": x, "y": y, **about}
            for each in self.curves
            for (x, y), about in zip(each.points, each.about or repeat({}), strict=False)
        ]
        return [*dots, *bars, *points]


def line_of(points: Points, low: float, high: float, name: str = "", style: str = CURVE) -> Curve:
    """Return a line through the points that are defined; upwards they are from 0 to 1."""
    known = [(x or 0, y) for x, y in points if y is not None]
    places = [(100 * (x - low) / (high - low), 100 - 100 * y) for x, y in known]
    path = "".join(f"{'L' if number else 'M'}{x:g} {y:g}" for number, (x, y) in enumerate(places))
    return Curve(path, known, name, style)
