"""Geometry of plots: axes with round numbers, and histograms as bars, at places in percent of the frame."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, log, log10

ROUND_STEPS = (1, 2, 2.5, 5, 10)
ROUND_ON_LOGARITHM = (1, 2, 5)
WANTED = 5  # ticks, about


@dataclass(frozen=True)
class Tick:
    """A number on an axis; `at` counts from the left, or from the top."""

    at: float
    label: str


@dataclass(frozen=True)
class Key:
    """A line of a legend: what a bar, dot or line of this style means."""

    shape: str
    style: str
    words: str


@dataclass(frozen=True)
class Axis:
    """What an axis shows, with its unit, and its ticks."""

    name: str
    ticks: list[Tick]
    is_logarithmic: bool = False

    @property
    def upwards(self) -> "Axis":
        """The same axis from the bottom to the top."""
        return replace(self, ticks=[Tick(round(100 - tick.at, 3), tick.label) for tick in self.ticks])


def linear_axis(name: str, low: float, high: float, *, whole: bool = False, percent: bool = False) -> Axis:
    """Return an axis from `low` to `high`, with ticks at whole numbers only, or as percentages of 1.

    >>> [tick.label for tick in linear_axis("Ratings", 0, 7, whole=True).ticks]
    ['0', '2', '4', '6']
    >>> linear_axis("Agreement", 0, 1, percent=True).ticks[1]
    Tick(at=20.0, label='20%')
    """
    if not high > low:
        return Axis(name, [Tick(0.0, _decimal(low, 0 if whole else 2))])
    step = _round_step((high - low) / WANTED, whole=whole)
    numbers = [step * place for place in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]
    digits = _digits(100 * step if percent else step)
    return Axis(name, [Tick(_place(each, low, high), _label(each, digits, percent=percent)) for each in numbers])


def logarithmic_axis(name: str, low: float, high: float) -> Axis:
    """Return an axis from `low`, above 0, to `high`, each factor as long as any other; at least both ends are ticks.

    >>> [tick.label for tick in logarithmic_axis("Ratings", 80, 1500).ticks]
    ['100', '200', '500', '1,000']
    """
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    numbers = [first * 10.0**power for power in powers for first in ROUND_ON_LOGARITHM]
    shown = [each for each in numbers if low <= each <= high]
    if len(shown) < 2:
        shown = sorted({low, high})
    span = log(high / low) or 1.0
    ticks = [Tick(round(100 * log(each / low) / span, 3), _decimal(each, _digits(each))) for each in shown]
    return Axis(name, ticks, is_logarithmic=True)


def _round_step(least: float, *, whole: bool) -> float:
    """Return the smallest round number that is at least `least`; a whole one, if asked for."""
    least = max(1.0, least) if whole else least
    size = 10.0 ** floor(log10(least))
    steps = (each * size for each in ROUND_STEPS if each * size >= least * (1 - 1e-9))
    return next(step for step in steps if not whole or step == round(step))


def _place(number: float, low: float, high: float) -> float:
    return round(100 * (number - low) / (high - low), 3)


def _label(number: float, digits: int, *, percent: bool) -> str:
    return f"{_decimal(100 * number, digits)}%" if percent else _decimal(number, digits)


def _digits(number: float) -> int:
    """Return the decimals that multiples of a round number need."""
    return next((digits for digits in range(8) if abs(round(number, digits) - number) < 1e-9 * abs(number)), 8)


def _decimal(number: float, digits: int) -> str:
    return f"{number + 0.0:,.{digits}f}".replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True)
class HistogramBar:
    """A bar from `low` to `high`; what is `marked` stands on top of the rest."""

    x: float
    width: float
    low: float
    high: float
    count: int
    marked: int
    plain_height: float
    marked_height: float

    @property
    def height(self) -> float:
        return self.plain_height + self.marked_height

    @property
    def plain(self) -> int:
        return self.count - self.marked


def histogram_axes(bars: Sequence[HistogramBar], measured: str, counted: str) -> tuple[Axis, Axis]:
    """Return the axes of a histogram: of what is measured, and of how many there are of it, from the top."""
    if not bars:
        return Axis(measured, []), Axis(counted, [])
    heights = linear_axis(counted, 0, max(bar.count for bar in bars), whole=True)
    return linear_axis(measured, bars[0].low, bars[-1].high), heights.upwards


def histogram_bars(
    edges: Sequence[float], counts: Sequence[int], marked: Sequence[int] | None = None
) -> list[HistogramBar]:
    """Return a bar for each count, the highest as high as the plot; `marked` says how many of each are marked."""
    highest, width = max(counts, default=1) or 1, 100 / max(len(counts), 1)
    bars = []
    for index, (count, mark) in enumerate(zip(counts, marked or [0] * len(counts), strict=True)):
        bars.append(
            HistogramBar(
                x=round(index * width, 3),
                width=round(width * 0.9, 3),
                low=edges[index],
                high=edges[index + 1],
                count=count,
                marked=mark,
                plain_height=100 * (count - mark) / highest,
                marked_height=100 * mark / highest,
            )
        )
    return bars
