"""The plots of a comparison: which share of outputs is where on the scale, and how often a system is better."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.plots import linear_axis
from common.row_plots import Bar, Dot, Place, PlotRow, RowPlot
from common.templatetags.formatting import percent
from common.words import Words
from crowd.scales import Scale
from protocols.comparison import figures as of
from protocols.comparison.figures import Row

_SIDES = (
    gettext_lazy("below the middle of the scale"),
    gettext_lazy("at the middle"),
    gettext_lazy("above the middle"),
)
_DIRECTIONS = (gettext_lazy("worse"), gettext_lazy("equal"), gettext_lazy("better"))


def rows_of(rows: Sequence[Row], table: str, *figures: str) -> list[Row]:
    return [row for row in rows if row["table"] == table and (not figures or row["figure"] in figures)]


def share_plot(rows: Sequence[Row], scale: Scale) -> RowPlot:
    """Draw for each system which share of its outputs is below, at and above the middle of the scale."""
    middle = sum(scale.values) / len(scale.values)
    first_pair: dict[str, list[Row]] = {}
    by_system = groupby(rows_of(rows, of.SHARES), key=lambda row: (row["first"], row["second"], row["group"]))
    for (_first, _second, system), of_system in by_system:
        first_pair.setdefault(system, list(of_system))
    drawn = []
    for system, group in first_pair.items():
        below, at, above = (
            sum(row["value"] for row in group if sign(float(row["figure"]) - middle) == wanted) for wanted in (-1, 0, 1)
        )
        drawn.append(PlotRow(system, bars=_diverging(below, at, above, _SIDES)))
    return RowPlot(drawn, _axis(_("Outputs")), _legend(_SIDES), zero=50.0)


def sign(number: float) -> int:
    return (number > 0) - (number < 0)


def direction_plot(rows: Sequence[Row], scales: Sequence[Scale]) -> RowPlot:
    """Draw for each scale and each system against the baseline how often it is worse, equal and better."""
    names, drawn = {scale.key: scale.name for scale in scales}, []
    for key, group in groupby(rows, key=lambda row: str(row["scale"])):
        found = by_pair(list(group))
        baseline = next(iter(found), ("", ""))[0]
        for (first, second), figures in found.items():
            if first == baseline and "superiority" in figures:
                worse, equal, better = (figures[each]["value"] for each in ("worse", "equal", "better"))
                bars = _diverging(worse, equal, better, _DIRECTIONS)
                note = pair_name({"first": first, "second": second})
                drawn.append(PlotRow(names[key], note, bars, _balance(figures["superiority"])))
    return RowPlot(drawn, _axis(_("Share of sources")), _legend(_DIRECTIONS), zero=50.0)


def _balance(row: Row) -> list[Dot]:
    """Return where better less worse lies on the axis: twice the superiority, less 1."""
    words = _("better less worse: %(value)s") % {"value": f"{100 * (2 * row['value'] - 1):.0f}%"}
    low, high = (None if row[name] is None else 2 * row[name] - 1 for name in ("low", "high"))
    return [Place(-1, 1).dot(2 * row["value"] - 1, words, low, high)]


def pair_name(row: Row) -> str:
    words = _("%(second)s against %(first)s")
    return words % {"first": row["first"], "second": row["second"]}


def by_pair(rows: Sequence[Row]) -> dict[tuple[str, str], dict[str, Row]]:
    """Return what is known of each pair of systems, by figure."""
    found: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        if row["table"] in {of.DIRECTION, of.TESTS, of.EFFECTS}:
            found.setdefault((row["first"], row["second"]), {})[row["figure"]] = row
    return found


def _axis(name: str) -> Any:
    return linear_axis(name, -1, 1, percent=True)


def _legend(names: Sequence[Words]) -> list[str]:
    """Return the names in the order of the styles, of which the first is for what is better."""
    return [str(each) for each in reversed(names)]


def _diverging(below: float, at: float, above: float, names: Sequence[Words]) -> list[Bar]:
    """Return three bars with the middle one around the middle of the axis."""
    start, bars = 50 - 50 * (below + at / 2), []
    for style, share, name in zip((3, 2, 1), (below, at, above), names, strict=True):
        words = _("%(figure)s: %(share)s") % {"figure": name, "share": percent(share)}
        bars.append(Bar(round(start, 3), round(50 * share, 3), style, words, share))
        start += 50 * share
    return bars
