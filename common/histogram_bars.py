"""Histograms as bars, in percent of the plot that a template draws."""

from collections.abc import Sequence
from dataclasses import dataclass

from common.axes import Axis, linear_axis


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
