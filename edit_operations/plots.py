"""Plots of a report: rows of bars, or of dots with their intervals, in percent of the frame that a template draws."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.plots import linear_axis
from common.row_plots import Bar, Dot, Place, PlotRow, RowPlot
from edit_operations.page_tables import CLASSES, Comparison, PartLine, ReportRows
from edit_operations.page_words import group_label, label_of, operation_label
from edit_operations.sections.base import Row

TARGET_WORDS = ("copied", "paraphrased", "inserted")
QUANTILES = (("p10", "p25", "p50", "p75", "p90"), ("q10", "q25", "q50", "q75", "q90"))
SIGN_DIGITS = 2


def percent(value: float) -> str:
    return f"{100 * value:.0f}%"


def signed(value: float, digits: int = SIGN_DIGITS) -> str:
    rounded = round(value, digits) + 0.0
    return (f"{rounded:+.{digits}f}" if rounded else f"{0:.{digits}f}").replace("-", "\N{MINUS SIGN}")


def word_plot(lines: Sequence[PartLine]) -> RowPlot:
    """Draw which share of the words of compressions is copied, paraphrased and inserted, part by part."""
    return _stacked(lines, TARGET_WORDS, _("Words of the compressions"))


def class_plot(lines: Sequence[PartLine]) -> RowPlot:
    """Draw which share of compressions changes words, only deletes and reorders, or only deletes, part by part."""
    return _stacked(lines, CLASSES, _("Compressions"))


def _stacked(lines: Sequence[PartLine], figures: Sequence[str], name: str) -> RowPlot:
    rows = [PlotRow(line.label, _number_of_texts(line.texts), _bars(line, figures)) for line in lines]
    axis = linear_axis(name, 0, 1, percent=True)
    return RowPlot(rows, axis, [label_of(figure) for figure in figures])


def _number_of_texts(number: int | None) -> str:
    if number is None:
        return ""
    return ngettext("%(n)s compression", "%(n)s compressions", number) % {"n": f"{number:,}"}


def _bars(line: PartLine, figures: Sequence[str]) -> list[Bar]:
    bars: list[Bar] = []
    start = 0.0
    for style, figure in enumerate(figures, start=1):
        value = line.value(figure)
        if value is None:
            return []
        words = _("%(figure)s: %(share)s") % {"figure": label_of(figure), "share": percent(value)}
        bars.append(Bar(round(100 * start, 3), round(100 * value, 3), style, words, value))
        start += value
    return bars


def difference_plot(cells: Sequence[Comparison]) -> RowPlot:
    """Draw Table 5's differences in quality with their intervals."""
    return _differences(
        [(each.label, each.scale, each.row) for each in cells],
        _("Difference in the mean rating, with the operation minus without it"),
        share=False,
    )


def system_plot(rows: Iterable[Row], figures: Sequence[str]) -> RowPlot:
    """Draw how much more of each operation systems have than people on the same sources."""
    shown = [row for row in rows if row.get("figure") in figures]
    named = [
        (group_label("system", row.get("group") or ""), label_of(row["figure"]), _as_difference(row)) for row in shown
    ]
    return _differences(named, _("Systems’ share minus people’s share"), share=True)


def _as_difference(row: Row) -> Row:
    return {**row, "difference": row["difference"] if row.get("difference") is not None else row.get("value")}


def _differences(named: Sequence[tuple[str, str, Row]], axis_name: str, *, share: bool) -> RowPlot:
    ends = [
        row[key] for _label, _note, row in named for key in ("difference", "low", "high") if row.get(key) is not None
    ]
    reach = max((abs(each) for each in ends), default=0.0) * 1.05 or 1.0
    axis, place = linear_axis(axis_name, -reach, reach, percent=share), Place(-reach, reach)
    rows = [PlotRow(label, note, [], *_dot_or_reason(row, place, share=share)) for label, note, row in named]
    return RowPlot(rows, axis, zero=50.0)


def _dot_or_reason(row: Row, place: Place, *, share: bool) -> tuple[list[Dot], str]:
    value, low, high = (row.get(key) for key in ("difference", "low", "high"))
    if value is None:
        return [], row.get("reason") or _("undefined")
    if low is None or high is None:
        return [place.dot(value, _shown(value, share=share))], ""
    values = {"value": _shown(value, share=share), "low": _shown(low, share=share), "high": _shown(high, share=share)}
    return [place.dot(value, _("%(value)s, %(low)s to %(high)s") % values, low, high)], ""


def _shown(value: float, *, share: bool) -> str:
    return signed(100 * value, 1) + "%" if share else signed(value)


def mean_plot(cells: Sequence[Comparison], first: str = "present", second: str = "absent") -> RowPlot:
    """Draw the two means of each cell: a full dot with the operation, a hollow one without it."""
    values = [value for each in cells for key in (first, second) if (value := each.row.get(key)) is not None]
    low, high = min(values, default=0.0), max(values, default=1.0)
    margin = (high - low) * 0.05 or 0.05
    place = Place(low - margin, high + margin)
    names = {"present": _("present"), "absent": _("absent"), "joint": label_of("joint"), "apart": label_of("apart")}
    rows = [PlotRow(each.label, each.scale, [], _two_dots(each.row, (first, second), names, place)) for each in cells]
    axis = linear_axis(_("Mean rating"), place.low, place.high)
    return RowPlot(rows, axis, dots=(names[first], names[second]))


def _two_dots(row: Row, keys: tuple[str, str], names: dict[str, str], place: Place) -> list[Dot]:
    return [
        place.dot(
            row[key],
            _("%(name)s: %(mean)s") % {"name": names[key], "mean": f"{row[key]:.2f}"},
            is_hollow=key == keys[1],
        )
        for key in keys
        if row.get(key) is not None
    ]


def order_plot(report: ReportRows) -> RowPlot:
    """Draw when in the writing each operation happens: its middle half as a bar, its median as a dot."""
    rows = [_order_row(row) for row in report.of("order")]
    return RowPlot(rows, linear_axis(_("Position among the edits, from the first to the last"), 0, 1, percent=True))


def _order_row(row: Row) -> PlotRow:
    label = operation_label(row.get("group") or row.get("figure") or "")
    quantiles = quantiles_of(row)
    if quantiles is None:
        return PlotRow(label, reason=row.get("reason") or _("undefined"))
    low, first, middle, third, high = quantiles
    words = _("middle half from %(first)s to %(third)s") % {"first": percent(first), "third": percent(third)}
    dot = Place(0, 1).dot(middle, _("median %(value)s") % {"value": percent(middle)}, low, high)
    bar = Bar(round(100 * first, 3), round(100 * (third - first), 3), 1, words, (first, third))
    return PlotRow(label, "", [bar], [dot])


def quantiles_of(row: Row) -> tuple[float, float, float, float, float] | None:
    """Return the 10th, 25th, 50th, 75th and 90th percentile of a row, unless one is undefined."""
    for names in QUANTILES:
        values = [row.get(name) for name in names]
        if all(value is not None for value in values):
            low, first, middle, third, high = (float(value) for value in values if value is not None)
            return low, first, middle, third, high
    return None
