"""Plots of rows of bars, or of dots with their intervals, in percent of the frame that a template draws."""

from dataclasses import dataclass, field

from common.plots import Axis


@dataclass(frozen=True)
class Bar:
    """A bar in a row; `style` is one of three, which differ by pattern as well as by colour."""

    x: float
    width: float
    style: int
    words: str

    @property
    def end(self) -> float:
        return round(self.x + self.width, 3)


@dataclass(frozen=True)
class Dot:
    """A value with its interval, if it has one; a hollow dot is the value that a full one is compared with."""

    x: float
    words: str
    low: float | None = None
    high: float | None = None
    is_hollow: bool = False

    @property
    def width(self) -> float:
        return 0.0 if self.low is None or self.high is None else round(self.high - self.low, 3)


@dataclass(frozen=True)
class PlotRow:
    """A row of a plot: what it is about, what is drawn, and the same in words."""

    label: str
    note: str = ""
    bars: list[Bar] = field(default_factory=list)
    dots: list[Dot] = field(default_factory=list)
    reason: str = ""

    @property
    def words(self) -> str:
        return "; ".join([each.words for each in self.bars] + [each.words for each in self.dots])


@dataclass(frozen=True)
class RowPlot:
    """A plot; `legend` names the styles of its bars, `zero` is where the axis has no difference."""

    rows: list[PlotRow]
    axis: Axis
    legend: list[str] = field(default_factory=list)
    zero: float | None = None
    has_hollow: bool = False

    def __bool__(self) -> bool:
        return any(row.bars or row.dots for row in self.rows)


class Place:
    """Where a value is on an axis, in percent of its length."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def __call__(self, value: float) -> float:
        return round(100 * (value - self.low) / ((self.high - self.low) or 1), 3)
