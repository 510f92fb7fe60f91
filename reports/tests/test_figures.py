"""What the files of a figure say of a plot, whatever is drawn."""

import csv
from io import StringIO
from xml.etree import ElementTree

from common.charts import Chart, Curve, Mark
from common.plots import Axis, linear_axis
from common.row_plots import Bar, Line, Place, PlotRow, RowPlot
from reports.figures import Figure, as_csv, as_svg, as_vega_lite, size_of

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = 'A & B <b>"c"</b> =1+1'


def rows_of(figure: Figure) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(as_csv(figure))))


def texts_of(figure: Figure) -> str:
    return " ".join("".join(each.itertext()) for each in ElementTree.fromstring(as_svg(figure)).iter(f"{SVG}text"))


def test_the_rows_of_a_plot_are_its_numbers_and_not_its_places() -> None:
    place = Place(0, 2)
    plot = RowPlot(
        [
            PlotRow(
                HOSTILE, "texts", dots=[place.dot(0.5, "words", 0.25, 3.5), place.dot(1.0, "words", is_hollow=True)]
            ),
            PlotRow("unknown", reason="nobody rated it"),
        ],
        linear_axis("Mean", 0, 2),
        dots=("with", "without"),
        lines=[Line(50, "the middle", "ceiling")],
    )
    figure = Figure("means", "Means", "What people gave", plot)

    assert rows_of(figure) == [
        {"label": HOSTILE, "note": "texts", "mark": "with", "value": "0.5", "low": "0.25", "high": "3.5", "reason": ""},
        {"label": HOSTILE, "note": "texts", "mark": "without", "value": "1.0", "low": "", "high": "", "reason": ""},
        dict.fromkeys(["note", "mark", "value", "low", "high"], "") | {"label": "unknown", "reason": "nobody rated it"},
    ]
    assert plot.rows[0].dots[0].high == 100  # what reaches beyond the axis ends there
    said = texts_of(figure)
    assert all(words in said for words in ("A & B", "with", "without", "the middle", "nobody rated it", "Mean"))


def test_bars_have_their_length_or_both_ends() -> None:
    bars = [Bar(0, 40, 1, "40%", 0.4), Bar(40, 20, 2, "to 60%", (0.4, 0.6))]
    figure = Figure("bars", "Bars", "", RowPlot([PlotRow("all", bars=bars)], linear_axis("Share", 0, 1), ["a", "b"]))

    assert rows_of(figure) == [
        {"label": "all", "mark": "a", "value": "0.4", "low": "", "high": ""},
        {"label": "all", "mark": "b", "value": "", "low": "0.4", "high": "0.6"},
    ]


def test_a_chart_has_dots_and_points_of_curves() -> None:
    axes = linear_axis("Across", 0, 1), Axis("Upwards", [])
    chart = Chart(*axes, [Mark(10, 20, "words", HOSTILE, 0.1, 0.8)], curves=[Curve("M0 0L1 1", [(0, 0.5)], "all")])
    figure = Figure("chart", "Chart", "Words", chart)

    assert rows_of(figure) == [{"name": HOSTILE, "x": "0.1", "y": "0.8"}, {"name": "all", "x": "0", "y": "0.5"}]
    line = as_vega_lite(figure)["layer"][0]
    assert (line["mark"], line["encoding"]["color"]["field"]) == ({"type": "line"}, "name")
    steps = Chart(*axes, [], curves=[Curve("M0 0H1", [(0, 0.5), (1, 0.5)], is_stepped=True)])
    (line,) = as_vega_lite(Figure("steps", "", "", steps))["layer"]
    assert line["mark"] == {"type": "line", "interpolate": "step-after"}
    root = ElementTree.fromstring(as_svg(figure))
    assert (int(root.attrib["width"]), int(root.attrib["height"])) == size_of(figure)
    assert root.findtext(f"{SVG}title") == "Chart"
