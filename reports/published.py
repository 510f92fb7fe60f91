"""Values that other studies published, from `published.tsv`: beside a report, as printed, never mixed with its own."""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

PAPERS = {
    "T16": "Toutanova et al. 2016",
    "O12": "Owczarzak et al. 2012",
    "A12": "Amigó et al. 2012",
    "S12": "Steinberger and Turchi 2012",
    "B12": "Mithun et al. 2012",
    "NA15": "Ng and Abrecht 2015",
    "M12": "McCallum et al. 2012",
    "D04": "Daumé and Marcu 2004",
    "MU12": "Murray et al. 2012",
}
WORDS = {
    **{"fifty three": 53.0, "two": 2.0, "three": 3.0, "four": 4.0, "twelve": 12.0, "forty": 40.0},
    "one million": 1e6,
}
MARKS = ("**", "*", "-")
Place = tuple[str, str, str, str]


@dataclass(frozen=True)
class PublishedValue:
    """A value as printed, with its place in its paper. `note` says what its mark means, or what contradicts it."""

    paper: str
    section: str
    table: str
    row: str
    column: str
    printed: str
    note: str

    @property
    def mark(self) -> str:
        """The paper's mark behind the number: stars, or a minus."""
        return next((mark for mark in MARKS if self.printed.endswith(mark)), "")

    @property
    def value(self) -> float | None:
        """The number; a percentage as a share. A range has none."""
        number = self.printed.removesuffix(self.mark).strip()
        if number.lower() in WORDS:
            return WORDS[number.lower()]
        if "-" in number[1:]:
            return None
        return round(float(number.removesuffix("%")) / 100, 6) if number.endswith("%") else float(number)


@dataclass(frozen=True)
class PublishedTable:
    """A table of a paper, or figures of its text: its columns, and a cell for each of them in each line."""

    paper: str
    table: str
    columns: Sequence[str]
    lines: Sequence[tuple[str, Sequence[PublishedValue | None]]]

    @property
    def name(self) -> str:
        return PAPERS[self.paper]

    @property
    def sections(self) -> str:
        found = dict.fromkeys(cell.section for _row, line in self.lines for cell in line if cell)
        return ", ".join(f"§{each}" if each[:1].isdigit() else each for each in found)

    @property
    def label(self) -> str:
        return f"{self.name}, {self.sections if self.is_text else self.table}"

    @property
    def is_text(self) -> bool:
        return self.table == "text"


@cache
def _by_place() -> Mapping[Place, PublishedValue]:
    with Path(__file__).with_suffix(".tsv").open(encoding="utf-8", newline="") as lines:
        rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        found = [PublishedValue(*row) for row in rows]
    return {place_of(each): each for each in found}


def place_of(value: PublishedValue) -> Place:
    """Return what tells a value from the others of all papers."""
    return value.paper, value.table, value.row, value.column


def published_values() -> list[PublishedValue]:
    return list(_by_place().values())


def published(paper: str, table: str, row: str, column: str) -> PublishedValue:
    return _by_place()[paper, table, row, column]


def published_table(paper: str, table: str, *, begins: str = "", section: str = "") -> PublishedTable:
    """Return a table of a paper, or those of its rows whose names begin so, or that stand in a section."""
    found = [each for each in published_values() if (each.paper, each.table) == (paper, table)]
    of_rows = [each for each in found if each.row.startswith(begins) and section in {"", each.section}]
    columns = list(dict.fromkeys(each.column for each in of_rows))
    lines = [
        (row.removeprefix(begins), [_by_place().get((paper, table, row, column)) for column in columns])
        for row in dict.fromkeys(each.row for each in of_rows)
    ]
    return PublishedTable(paper, table, columns, lines)


def published_rows(is_wanted: Callable[[PublishedValue], bool]) -> list[dict[str, Any]]:
    """Return values for a file, each with its place and as a number."""
    return [
        {**asdict(each), "paper": PAPERS[each.paper], "value": each.value}
        for each in published_values()
        if is_wanted(each)
    ]
