"""The matrix of dominance: on which share of the pairs of systems each metric is better than each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from common.grids import Grid
from evaluation.page_rows import ReportRows
from reports.figures import Figure

MOST = 200
"""Larger matrices show the best so many metrics: a cell has to be seen."""


@dataclass(frozen=True)
class Comparison:
    """What the reader asked of two metrics, in words."""

    first: str
    second: str
    words: str


@dataclass(frozen=True)
class Matrix:
    """Metrics ordered by r, and the shares of pairs that each (row) wins against each other (column)."""

    figure: Figure
    metrics: list[str]
    won: list[list[int | None]]
    comparison: Comparison

    @property
    def data(self) -> dict[str, Any]:
        """What the script reads."""
        return {"metrics": self.metrics, "won": self.won}


def matrix_of(
    rows: ReportRows, figures: Mapping[str, Any], judgement: str, name: str, asked: Sequence[str]
) -> Matrix | None:
    """Return the matrix of a judgement with its name; None with fewer than two metrics. `asked` are compared."""
    stored = figures.get("input level", {}).get(judgement)
    levels = [row for row in rows.metric_levels(judgement) if row["value"] is not None]
    if not stored or len(levels) < 2:
        return None
    place = {name: number for number, name in enumerate(stored["metrics"])}
    ordered = [row["metric"] for row in levels if row["metric"] in place]
    names = ordered[:MOST]
    at = [place[name] for name in names]
    won = [[_percent(stored["won"][a][b]) if a != b else None for b in at] for a in at]
    figure = _figure(name, names, won, len(ordered) - len(names))
    return Matrix(figure, names, won, _compared(names, won, asked))


def _figure(judgement: str, names: list[str], won: list[list[int | None]], hidden: int) -> Figure:
    caption = _(
        "%(n)s metrics, ordered by r from the top and from the left. The stronger the colour of a square, the more "
        "pairs of systems there are on which the metric of its row is significantly better than that of its column "
        "(Williams’ test, without correction)."
    )
    measured = _("Pairs of systems, in percent")
    grid = Grid(names, won, _("than this metric"), _("better is this metric"), _("on no pair"), measured)
    title = _("%(scale)s: which metric is better than which") % {"scale": judgement}
    return Figure("matrix", title, caption % {"n": len(names)}, grid, hidden)


def _percent(share: float | None) -> int | None:
    return None if share is None else round(100 * share)


def _compared(names: Sequence[str], won: Sequence[Sequence[int | None]], asked: Sequence[str]) -> Comparison:
    """Say how the two metrics compare that the reader asked for, by default the first two."""
    first, second = (name if name in names else names[number] for number, name in enumerate(asked))
    a, b = names.index(first), names.index(second)
    return Comparison(first, second, comparison_words(first, second, won[a][b], won[b][a]))


def comparison_words(first: str, second: str, forth: int | None, back: int | None) -> str:
    if first == second:
        return _("Choose two different metrics.")
    values = {"first": first, "second": second, "forth": forth, "back": back}
    if forth is None or back is None:
        return _("%(first)s and %(second)s cannot be compared on any pair of systems.") % values
    if forth + back >= 100:
        words = _(
            "%(first)s is shown to be better than %(second)s on %(forth)s%% of the pairs of systems, and to be "
            "worse on %(back)s%%."
        )
    else:
        words = _(
            "%(first)s is shown to be better than %(second)s on %(forth)s%% of the pairs of systems, and to be "
            "worse on %(back)s%%. On the others neither is shown to be better."
        )
    return words % values
