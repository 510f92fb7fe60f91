"""Plots of how some things do against each other: a square for each two, in shades, in a frame of as many units."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from common.plots import Key

STEPS = 5


@dataclass(frozen=True)
class Shade:
    """All squares of one shade as one path, so that 6,400 squares are a few kilobytes."""

    step: int
    path: str


@dataclass(frozen=True)
class Grid:
    """Whole percentages by row and column, of which `names` are the same; None where there is none.

    `across` and `down` say what a column and a row is, `none` what 0% means, and `measured` what the percentages are.
    """

    names: Sequence[str]
    percentages: Sequence[Sequence[int | None]]
    across: str
    down: str
    none: str
    measured: str

    @property
    def size(self) -> int:
        return len(self.names)

    @property
    def keys(self) -> list[Key]:
        """What its shades mean."""
        width = 100 // STEPS
        ends = [(width * step + 1, width * (step + 1)) for step in range(STEPS)]
        words = [_("up to {high}%") if step == 0 else _("{low} to {high}%") for step in range(STEPS)]
        shades = [
            Key("bar", f"shade-{step}", each.format(low=low, high=high))
            for step, (each, (low, high)) in enumerate(zip(words, ends, strict=True), start=1)
        ]
        return [Key("bar", "ground", self.none), *shades]

    @cached_property
    def shades(self) -> list[Shade]:
        """A path for each step, with equal neighbours in a row as one rectangle; step 0 is drawn as the ground."""
        paths: dict[int, list[str]] = {step: [] for step in range(1, STEPS + 1)}
        for y, line in enumerate(self.percentages):
            steps = [_step(each) for each in line]
            begin = 0
            for x in range(1, len(steps) + 1):
                if x == len(steps) or steps[x] != steps[begin]:
                    if steps[begin]:
                        paths[steps[begin]].append(f"M{begin} {y}h{x - begin}v1h{begin - x}z")
                    begin = x
        return [Shade(step, "".join(path)) for step, path in paths.items() if path]

    @property
    def cells(self) -> list[dict[str, Any]]:
        """The numbers that are drawn: of each two different things."""
        return [
            {"row": row, "column": column, "percent": percent}
            for row, line in zip(self.names, self.percentages, strict=True)
            for column, percent in zip(self.names, line, strict=True)
            if row != column
        ]


def _step(percent: int | None) -> int:
    """Map a percentage to a step from 0 (none) to 5 (all, or nearly)."""
    return 0 if not percent else min(STEPS, 1 + (percent - 1) * STEPS // 100)
