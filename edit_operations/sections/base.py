"""What a section of the report is, and what it is computed from."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from crowd.scales import Scale
from edit_operations.aligned import AlignedSource, AlignedText
from edit_operations.parameters import OperationsParameters
from measures.core.arrays import IntArray

Row = dict[str, Any]
RELEASE = "release"


@dataclass(frozen=True)
class Line:
    """A text with its source."""

    source: AlignedSource
    text: AlignedText


@dataclass(frozen=True, eq=False)
class ReleaseTexts:
    """The aligned texts of a release, the scales on which they were rated, and what the report was asked for."""

    sources: Sequence[AlignedSource]
    scales: Sequence[Scale]
    parameters: OperationsParameters

    @cached_property
    def people(self) -> list[Line]:
        """People's distinct texts, in the order of the release."""
        return [Line(source, text) for source in self.sources for text in source.by_people]

    @cached_property
    def outputs(self) -> list[Line]:
        return [Line(source, text) for source in self.sources for text in source.outputs]

    @cached_property
    def _family_numbers(self) -> dict[str, int]:
        return {family: number for number, family in enumerate(sorted({each.family for each in self.sources}))}

    def families(self, lines: Sequence[Line]) -> IntArray:
        """Return a number for each line's source; a paragraph and its own sentences have the same."""
        return np.array([self._family_numbers[line.source.family] for line in lines], dtype=np.int64)

    @property
    def rated_scales(self) -> Iterator[Scale]:
        """The scales of single texts; preferences between two are no quality of one."""
        return (scale for scale in self.scales if not scale.is_preference)


@dataclass(frozen=True)
class ReportSection:
    """Rows of a report. Sections are computed by rank, and every row is in the files."""

    rank: int
    rows: Callable[[ReleaseTexts], list[Row]]


def row(table: str, figure: str, *, part: str = RELEASE, group: str = "", **values: Any) -> Row:
    """Return a row with the columns that every row has, and those that its table needs beside."""
    known = dict.fromkeys(("value", "low", "high", "n", "p", "p_holm"))
    return {"table": table, "part": part, "group": group, "figure": figure, **known, "reason": "", **values}
