"""Plots of rows of bars, or of dots with their intervals, in percent of the frame that a template draws."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from common.plots import Axis, Key

Ends = tuple[float | None, float | None]


@dataclass(frozen=True)
class Bar:
    """A bar in a row; `style` is one of three, which differ by pattern as well as by colour.

    `drawn` is the number that it is as long as, or where it begins and ends.
    """

    x: float
    width: float
    style: int
    words: str
    drawn: float | Ends

    @property
    def end(self) -> float:
        return round(self.x + self.width, 3)


@dataclass(frozen=True)
class Dot:
    """A value with its interval, if it has one; a hollow dot is the value that a full one is compared with."""

    x: float
    words: str
    value: float
    ends: Ends = (None, None)
    low: float | None = None
    high: float | None = None
    is_hollow: bool = False

    @property
    def width(self) -> float:
        return 0.0 if self.low is None or self.high is None else round(self.high - self.low, 3)


@dataclass(frozen=True)
class Line:
    """A line through all rows of a plot; `style` is the name of its class."""

    x: float
    words: str
    style: str


@dataclass(frozen=True)
class PlotRow:
    """A row of a plot: what it is about, what is drawn, and the same in words; `html` is its label with a link."""

    label: str
    note: str = ""
    bars: list[Bar] = field(default_factory=list)
    dots: list[Dot] = field(default_factory=list)
    reason: str = ""
    html: str = ""

    @property
    def words(self) -> str:
        return "; ".join([each.words for each in self.bars] + [each.words for each in self.dots])


@dataclass(frozen=True)
class RowPlot:
    """A plot; `legend` names the styles of its bars, `dots` full and hollow ones, `zero` is where nothing differs."""

    rows: list[PlotRow]
    axis: Axis
    legend: Sequence[str] = ()
    zero: float | None = None
    dots: Sequence[str] = ()
    lines: Sequence[Line] = ()

    def __bool__(self) -> bool:
        return any(row.bars or row.dots for row in self.rows)

    @property
    def keys(self) -> list[Key]:
        """What its styles mean."""
        bars = [Key("bar", f"bar-{number}", words) for number, words in enumerate(self.legend, start=1)]
        dots = [Key("dot", style, words) for style, words in zip(("fill", "hollow"), self.dots, strict=False)]
        return [*bars, *dots, *(Key("line", line.style, line.words) for line in self.lines)]

    @property
    def cells(self) -> list[dict[str, Any]]:
        """The numbers that are drawn, a bar or a dot each; a row without any says why."""
        return [cell for row in self.rows for cell in self._cells_of(row)]

    def _cells_of(self, row: PlotRow) -> list[dict[str, Any]]:
        about: dict[str, Any] = {"label": row.label, "note": row.note}
        cells: list[dict[str, Any]] = []
        for bar in row.bars:
            name = self.legend[bar.style - 1] if self.legend else ""
            value, low, high = (None, *bar.drawn) if isinstance(bar.drawn, tuple) else (bar.drawn, None, None)
            cells.append(about | {"mark": name, "value": value, "low": low, "high": high})
        for dot in row.dots:
            name = self.dots[int(dot.is_hollow)] if self.dots else ""
            cells.append(about | {"mark": name, "value": dot.value, "low": dot.ends[0], "high": dot.ends[1]})
        return cells or [about | {"value": None, "reason": row.reason}]


class Place:
    """Where a value is on an axis, in percent of its length."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def __call__(self, value: float) -> float:
        return round(100 * (value - self.low) / ((self.high - self.low) or 1), 3)

    def dot(
        self,
        value: float,
        words: str,
        low: float | None = None,
        high: float | None = None,
        *,
        is_hollow: bool = False,
    ) -> Dot:
        """Return the dot of a value; its interval, of which either both ends are known or none, stays on the axis."""
        if low is None or high is None:
            return Dot(self(value), words, value, is_hollow=is_hollow)
        ends = self(max(self.low, low)), self(min(self.high, high))
        return Dot(self(value), words, value, (low, high), *ends, is_hollow)
