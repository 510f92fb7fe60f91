"""The matrix of dominance: on which share of the pairs of systems each metric is better than each other."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from evaluation.page_rows import ReportRows

STEPS = 5
MOST = 200
"""Larger matrices show the best so many metrics: a cell has to be seen."""


@dataclass(frozen=True)
class Shade:
    """All cells of one shade as one path, so that 6,400 cells are a few kilobytes."""

    step: int
    path: str


@dataclass(frozen=True)
class Comparison:
    """What the reader asked of two metrics, in words."""

    first: str
    second: str
    words: str


@dataclass(frozen=True)
class Matrix:
    """Metrics ordered by r, and the shares of pairs that each (row) wins against each other (column).

    `won` holds whole percentages by row, empty where two metrics cannot be compared.
    """

    metrics: list[Any]
    won: list[list[int | None]]
    shades: list[Shade]
    hidden: int
    comparison: Comparison

    @property
    def size(self) -> int:
        return len(self.metrics)

    @property
    def data(self) -> dict[str, Any]:
        """What the script reads."""
        return {"metrics": [str(each) for each in self.metrics], "won": self.won}


def matrix_of(
    rows: ReportRows, figures: Mapping[str, Any], judgement: str, linked: Callable[[str], Any], asked: Sequence[str]
) -> Matrix | None:
    """Return the matrix of a judgement; None with fewer than two metrics. `asked` are the metrics to compare."""
    stored = figures.get("input level", {}).get(judgement)
    levels = [row for row in rows.metric_levels(judgement) if row["value"] is not None]
    if not stored or len(levels) < 2:
        return None
    place = {name: number for number, name in enumerate(stored["metrics"])}
    ordered = [row for row in levels if row["metric"] in place]
    shown = ordered[:MOST]
    at = [place[row["metric"]] for row in shown]
    won = [[_percent(stored["won"][a][b]) if a != b else None for b in at] for a in at]
    names = [row["metric"] for row in shown]
    return Matrix(
        [linked(name) for name in names],
        won,
        _shades(won),
        len(ordered) - len(shown),
        _compared(names, won, asked),
    )


def _percent(share: float | None) -> int | None:
    return None if share is None else round(100 * share)


def _shades(won: Sequence[Sequence[int | None]]) -> list[Shade]:
    """Return a path for each step, with equal neighbours in a row as one rectangle; step 0 is drawn as the ground."""
    paths: dict[int, list[str]] = {step: [] for step in range(1, STEPS + 1)}
    for y, line in enumerate(won):
        steps = [_step(each) for each in line]
        begin = 0
        for x in range(1, len(steps) + 1):
            if x == len(steps) or steps[x] != steps[begin]:
                if steps[begin]:
                    paths[steps[begin]].append(f"M{begin} {y}h{x - begin}v1h{begin - x}z")
                begin = x
    return [Shade(step, "".join(path)) for step, path in paths.items() if path]


def _step(percent: int | None) -> int:
    """Map a percentage to a step from 0 (none) to 5 (all, or nearly)."""
    return 0 if not percent else min(STEPS, 1 + (percent - 1) * STEPS // 100)


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
