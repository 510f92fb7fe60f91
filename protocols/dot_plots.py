"""Plots of the rows of a report as dots with their intervals."""

from collections.abc import Sequence

from common.plots import linear_axis
from common.row_plots import Dot, Place, PlotRow, RowPlot
from protocols.report_rows import Row, estimate_words

Named = tuple[str, str, Row]
"""What a row is of, a note, and the row."""


def dot_plot(named: Sequence[Named], axis_name: str, *, low: float, least_high: float) -> RowPlot:
    """Draw a dot for each row that has a value, on an axis that is long enough for all intervals."""
    ends = [row[name] for _label, _note, row in named for name in ("value", "high") if row[name] is not None]
    place = Place(low, max([least_high, *ends]) * 1.02)
    rows = [PlotRow(label, note, dots=_dots(row, place), reason=row["reason"]) for label, note, row in named]
    return RowPlot(rows, linear_axis(axis_name, place.low, place.high))


def _dots(row: Row, place: Place) -> list[Dot]:
    if row["value"] is None:
        return []
    return [place.dot(row["value"], estimate_words(row), row["low"], row["high"])]
