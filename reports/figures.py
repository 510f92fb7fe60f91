"""The figures of a report: a plot with its words, on the page and in files: SVG, CSV and Vega-Lite."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from django.template.loader import render_to_string
from django.utils.text import Truncator

from common.charts import DOTS, THIN, Chart
from common.grids import Grid
from common.plots import Key
from common.row_plots import PlotRow, RowPlot
from common.spreadsheets import written_lines
from common.words import Words

WIDTH, LEFT_OF_ROWS, LEFT_OF_CHART, RIGHT = 720, 230, 70, 24
LEAST_SQUARE, GREATEST_SQUARE = 14, 32
LABEL_LETTERS, NOTE_LETTERS, LETTER = 30, 34, 7.2
LABEL_LINE, NOTE_LINE, LEAST_ROW, LEGEND_LINE, SWATCH, AXIS = 16, 14, 24, 20, 40, 46
MARK_HEIGHT = 20
"""Of a row, as `common/partials/row_marks.html` draws it."""


@dataclass(frozen=True)
class Figure:
    """A plot with its words; `key` is its name in addresses, `hidden` says how many rows are not drawn."""

    key: str
    title: Words
    caption: Words
    plot: RowPlot | Chart | Grid
    hidden: int = 0

    def __bool__(self) -> bool:
        return bool(self.plot)

    @property
    def is_chart(self) -> bool:
        return isinstance(self.plot, Chart)

    @property
    def is_grid(self) -> bool:
        return isinstance(self.plot, Grid)

    @property
    def table(self) -> tuple[list[str], list[list[Any]]]:
        """The columns that anything stands in, and the numbers that are drawn."""
        cells = self.plot.cells
        columns = list(dict.fromkeys(name for cell in cells for name, value in cell.items() if value not in (None, "")))
        return columns, [[cell.get(name) for name in columns] for cell in cells]


# CSV


def as_csv(figure: Figure) -> str:
    columns, lines = figure.table
    shown = [["" if cell is None else cell for cell in line] for line in lines]
    return "".join(written_lines([columns, *shown], lineterminator="\n"))


# SVG


@dataclass(frozen=True)
class PlacedKey:
    """A line of the legend and where it begins."""

    x: float
    y: float
    key: Key


@dataclass(frozen=True)
class PlacedRow:
    """A row of a plot: the lines of its label and its note with their places, and the top of what is drawn."""

    row: PlotRow
    label: list[tuple[int, str]]
    note: list[tuple[int, str]]
    top: int
    bottom: int


def as_svg(figure: Figure, *, is_inline: bool = False) -> str:
    """Return the figure as a file that needs no other; `is_inline`, as a part of a page with our stylesheets."""
    return render_to_string("reports/figure.svg", {"figure": figure, "is_inline": is_inline, **_layout(figure)})


def size_of(figure: Figure) -> tuple[int, int]:
    layout = _layout(figure)
    return layout["width"], layout["height"]


def _layout(figure: Figure) -> dict[str, Any]:
    keys, top = _placed_keys(figure.plot.keys)
    if isinstance(figure.plot, Grid):
        return {"keys": keys, "top": top, **_grid_layout(figure.plot, top)}
    layout: dict[str, Any]
    if isinstance(figure.plot, Chart):
        top += 28
        layout = {"left": LEFT_OF_CHART, "bottom": top + figure.plot.height}
    else:
        rows = list(_placed_rows(figure.plot.rows, top))
        layout = {"left": LEFT_OF_ROWS, "bottom": rows[-1].bottom if rows else top, "rows": rows}
    placed = {"keys": keys, "top": top, "width": WIDTH, "frame": WIDTH - RIGHT - layout["left"]}
    placed["rows_height"] = layout["bottom"] - top
    height, middle = layout["bottom"] + AXIS + 4, layout["left"] + placed["frame"] / 2
    axis = figure.plot.across if isinstance(figure.plot, Chart) else figure.plot.axis
    return layout | placed | {"height": height, "middle": middle, "mark_height": MARK_HEIGHT, "axis": axis}


def _grid_layout(grid: Grid, top: int) -> dict[str, Any]:
    """Place the names of rows and columns; squares are as large as fit, but the names need some room."""
    square = min(GREATEST_SQUARE, max(LEAST_SQUARE, (WIDTH - LEFT_OF_ROWS - RIGHT) // grid.size))
    frame, left = square * grid.size, LEFT_OF_ROWS
    names = [
        (top + square * place + square / 2, left + square * place + square / 2, Truncator(name).chars(LABEL_LETTERS))
        for place, name in enumerate(grid.names)
    ]
    width, bottom = max(WIDTH, left + frame + RIGHT), top + frame
    return {"names": names, "left": left, "frame": frame, "bottom": bottom, "width": width, "height": bottom + left}


def _placed_keys(keys: Sequence[Key]) -> tuple[list[PlacedKey], int]:
    """Place the legend in lines, and return where the plot begins."""
    x, y, placed = 0.0, 4, []
    for key in keys:
        width = SWATCH + LETTER * len(key.words) + 20
        if x and x + width > WIDTH:
            x, y = 0.0, y + LEGEND_LINE
        placed.append(PlacedKey(x, y, key))
        x += width
    return placed, y + LEGEND_LINE + 4 if keys else 8


def _placed_rows(rows: Sequence[PlotRow], top: int) -> Iterator[PlacedRow]:
    for row in rows:
        label, note = wrap(row.label, LABEL_LETTERS) or [""], wrap(row.note, NOTE_LETTERS)
        needed = LABEL_LINE * len(label) + NOTE_LINE * len(note)
        height = max(LEAST_ROW, needed + 6)
        first = top + (height - needed) // 2 + 12
        after = first + LABEL_LINE * len(label) - 2
        yield PlacedRow(
            row,
            [(first + LABEL_LINE * number, words) for number, words in enumerate(label)],
            [(after + NOTE_LINE * number, words) for number, words in enumerate(note)],
            top + (height - MARK_HEIGHT) // 2,
            top + height,
        )
        top += height


# Vega-Lite


def as_vega_lite(figure: Figure) -> dict[str, Any]:
    """Return the same numbers as a specification that Vega-Lite draws, and that others can style."""
    columns, lines = figure.table
    values = [dict(zip(columns, line, strict=True)) for line in lines]
    drawn: Mapping[str, Any]
    match figure.plot:
        case Chart():
            drawn = _chart_layers(figure.plot)
        case Grid():
            drawn = _grid_layers(figure.plot)
        case _:
            drawn = _row_layers(figure.plot)
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": str(figure.title),
        "description": str(figure.caption),
        "data": {"values": values},
        **drawn,
    }


def _row_layers(plot: RowPlot) -> Mapping[str, Any]:
    name: dict[str, Any] = {"field": "row", "type": "nominal", "title": None, "sort": None}
    value = {"field": "value", "type": "quantitative", "title": plot.axis.name}
    colour = {"color": {"field": "mark", "type": "nominal"}} if plot.legend or plot.dots else {}
    has_dots = any(row.dots for row in plot.rows)
    bars = {"mark": "bar", "encoding": {"x": value, **colour}}
    dots = [
        {"mark": "rule", "encoding": {"x": {**value, "field": "low"}, "x2": {"field": "high"}}},
        {"mark": {"type": "point", "filled": True}, "encoding": {"x": value, **colour}},
    ]
    return {
        "transform": [{"calculate": "trim(datum.label + ' ' + (datum.note || ''))", "as": "row"}],
        "encoding": {"y": name},
        "layer": dots if has_dots else [bars],
    }


def _chart_layers(chart: Chart) -> Mapping[str, Any]:
    kind = "nominal" if any(isinstance(each.across, str) for each in chart.marks) else "quantitative"
    y = {"field": "y", "type": "quantitative", "title": chart.upwards.name}
    if chart.bars:
        x = {"field": "from", "type": "quantitative", "bin": "binned", "title": chart.across.name}
        return {"mark": "bar", "encoding": {"x": x, "x2": {"field": "to"}, "y": y}}
    by: dict[str, Any] = {"field": "x", "type": kind, "title": chart.across.name, "sort": None}
    if chart.across.is_logarithmic:
        by["scale"] = {"type": "log"}
    of_name = {"field": "name", "type": "nominal"}
    point = {"type": "point", "filled": True}
    if chart.curves and all(each.style == DOTS for each in chart.curves):
        return {"mark": point, "encoding": {"x": by, "y": y, "color": of_name}}
    dots = [
        {"mark": "rule", "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}}},
        {"mark": point, "encoding": {"y": y, "tooltip": {"field": "name"}}},
    ]
    steps = {"interpolate": "step-after"} if any(each.is_stepped for each in chart.curves) else {}
    told_apart = "color" if any(each.name and each.style != THIN for each in chart.curves) else "detail"
    lines = {"mark": {"type": "line", **steps}, "encoding": {"y": y, told_apart: of_name}}
    return {"encoding": {"x": by}, "layer": [*([lines] if chart.curves else []), *(dots if chart.marks else [])]}


def _grid_layers(grid: Grid) -> Mapping[str, Any]:
    name: dict[str, Any] = {"type": "nominal", "sort": list(grid.names)}
    encoding = {
        "x": {**name, "field": "column", "title": grid.across},
        "y": {**name, "field": "row", "title": grid.down},
        "color": {"field": "percent", "type": "quantitative", "title": grid.measured},
    }
    return {"mark": "rect", "encoding": encoding}
