"""Tables of management commands: for people on a terminal, and as CSV and JSON for programs."""

import json
import os
import shutil
import unicodedata
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any, Literal

from django.core.management.base import BaseCommand, OutputWrapper
from rich.box import SIMPLE_HEAD, Box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from common.spreadsheets import written_lines

GAP = 2
# A name is folded down to so many characters; "Agreement" and "undefined" stay whole.
NARROWEST_NAME = 9
LONGEST_NUMBER_IN_A_SENTENCE = 12
Part = dict[int, int]  # the width of each column that stands in this part of a table, by its place


@dataclass(frozen=True)
class _Column:
    """The width that a column would like, the one that breaks no word, and the one that breaks no number."""

    natural: int
    words: int
    least: int


def table_parts(
    head: Sequence[str], rows: Sequence[Sequence[str]], is_number: Sequence[bool], width: int
) -> list[Part]:
    """Split a table into parts that fit into a width, each beginning with the columns that name its rows.

    >>> table_parts(["Scale", "Kappa"], [["Grammar", "-0.5"]], [False, True], 40)
    [{0: 7, 1: 5}]
    >>> table_parts(["Scale", "A", "B"], [["Grammar", "1" * 20, "2" * 20]], [False, True, True], 40)
    [{0: 7, 1: 20}, {0: 7, 2: 20}]
    """
    columns = [_column(head[place], [row[place] for row in rows], is_number[place]) for place in range(len(head))]
    places = list(range(len(columns)))
    names = places[: max(1, list(is_number).index(True) if any(is_number) else 1)]
    return [_fitted(columns, part, width) for part in _groups(columns, names, places[len(names) :], width)]


def width_of_part(part: Part) -> int:
    return _total(part.values())


def _column(heading: str, cells: Sequence[str], is_number: bool) -> _Column:
    words = heading.split() if is_number else " ".join([heading, *cells]).split()
    longest_word = max(map(cell_len, words), default=1)
    unbroken = [*filter(_has_number, words), *(cells if is_number else ())]
    whole = max(map(cell_len, unbroken), default=1)
    return _Column(
        natural=max(map(cell_len, (heading, *cells))),
        words=max(whole, longest_word),
        least=max(whole, min(longest_word, NARROWEST_NAME)),
    )


def _has_number(word: str) -> bool:
    return len(word) <= LONGEST_NUMBER_IN_A_SENTENCE and any(map(str.isdigit, word))


def _groups(columns: Sequence[_Column], names: list[int], others: Sequence[int], width: int) -> list[list[int]]:
    groups = [[*names]]
    for place in others:
        is_full = _total(columns[each].least for each in (*groups[-1], place)) > width
        if is_full and len(groups[-1]) > len(names):
            groups.append([*names])
        groups[-1].append(place)
    return groups


def _fitted(columns: Sequence[_Column], places: Sequence[int], width: int) -> Part:
    """Narrow the widest column, again and again, until all fit or none can give way."""
    breaks_no_word = _total(columns[place].words for place in places) <= width
    least = {place: columns[place].words if breaks_no_word else columns[place].least for place in places}
    part = {place: min(columns[place].natural, max(width, least[place])) for place in places}
    while _total(part.values()) > width and (wide := [place for place in places if part[place] > least[place]]):
        part[max(wide, key=part.__getitem__)] -= 1
    return part


def _total(widths: Iterable[int]) -> int:
    """Return the width of a line; the line below the headings is longer by the last column's padding."""
    return sum(width + GAP for width in widths) - 1


TABLE, CSV, JSON, TEXT = "table", "csv", "json", "text"
FALLBACK_WIDTH, MIN_WIDTH = 80, 40
HEAD_OF_ASCII = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)
PLAIN = {"±": "+/-", "–": "-", "—": "-", "…": "...", "’": "'", "·": "-"}
Cell = str | int | float | None


@dataclass(frozen=True)
class Section:
    """A heading, sentences, and a table; columns of numbers are aligned at the right."""

    heading: str
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[Cell]] = ()
    notes: Sequence[str] = ()
    numbers: frozenset[str] = frozenset()


def add_format(parser: ArgumentParser, piped: str, *more: str) -> None:
    """Add --format; `piped` is what a command prints where nobody reads along, `more` are further formats."""
    forms = dict.fromkeys((TABLE, CSV, JSON, piped, *more))
    parser.add_argument(
        "--format", choices=list(forms), help=f"default: {TABLE} on a terminal, {piped} in a pipe or a file"
    )


def form_of(command: BaseCommand, options: Mapping[str, Any], piped: str) -> str:
    """Return the format that was asked for, or the one that suits whoever reads."""
    return str(options["format"] or (TABLE if command.stdout.isatty() else piped))


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Return a table as CSV; a column that a row lacks is empty."""
    cells = (["" if row.get(name) is None else row[name] for name in columns] for row in rows)
    return "".join(written_lines([list(columns), *cells], lineterminator="\n"))


def csv_or_json(form: str, columns: Sequence[str], rows: Sequence[Mapping[str, object]], **about: object) -> str:
    """Return rows as CSV, or as one JSON document together with what they are about."""
    if form == CSV:
        return csv_text(columns, rows)
    return json.dumps({**about, "rows": rows}, indent=1, ensure_ascii=False) + "\n"


def width_of(stream: OutputWrapper) -> int:
    """Return how many characters fit into a line of a terminal; 80 where there is none."""
    width = shutil.get_terminal_size((FALLBACK_WIDTH, 24)).columns
    if "COLUMNS" not in os.environ:
        try:
            width = os.get_terminal_size(stream.fileno()).columns
        except (OSError, AttributeError):
            width = FALLBACK_WIDTH
    return max(MIN_WIDTH, width)


def print_sections(
    command: BaseCommand, sections: Iterable[Section], options: Mapping[str, Any], end: str = ""
) -> None:
    """Print headings, tables and notes within the terminal's width; `end` is the last line.

    Names and sentences are folded, and a table that is still too wide is split. Numbers are never cut: one that is
    too long for the terminal makes its line longer.
    """
    shown, encoding = StringIO(), (getattr(command.stdout, "encoding", None) or "utf-8").lower()
    console = _console(shown, command.stdout, is_plain=bool(options.get("no_color")))
    for section in sections:
        _print_section(console, section, encoding)
    if end:
        console.print(Text(visible(end, encoding)))
    lines = shown.getvalue().splitlines()
    command.stdout.write("".join(f"{line.rstrip()}\n" for line in lines), ending="")


def _print_section(console: Console, section: Section, encoding: str) -> None:
    console.print(Text(visible(section.heading, encoding), style="bold"))
    if section.rows:
        _print_parts(console, section, encoding)
    for note in section.notes:
        console.print(Text(visible(note, encoding)))
    if section.notes:
        console.print()


def _print_parts(console: Console, section: Section, encoding: str) -> None:
    """Print a table in as many parts as it needs; rich crops what is wider than its console, so that gives way."""
    head = [visible(name, encoding) for name in section.columns]
    rows = [[visible(cell_text(cell), encoding) for cell in row] for row in section.rows]
    is_number = [name in section.numbers for name in section.columns]
    width = console.width
    for part in table_parts(head, rows, is_number, width):
        console.width = max(width, width_of_part(part))
        console.print(_table(section, encoding, part))
        console.print()
    console.width = width


def _console(shown: StringIO, stream: OutputWrapper, *, is_plain: bool) -> Console:
    """Return a console without colours and effects where NO_COLOR, --no-color or the terminal asks for none."""
    is_plain = is_plain or bool(os.environ.get("NO_COLOR")) or not stream.isatty()
    return Console(
        file=shown,
        width=width_of(stream),
        color_system=None if is_plain else "auto",
        force_terminal=stream.isatty(),
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )


def _table(section: Section, encoding: str, part: Part) -> Table:
    box = SIMPLE_HEAD if encoding.startswith("utf") else HEAD_OF_ASCII
    table = Table(box=box, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0), safe_box=False)
    for place, width in part.items():
        name = section.columns[place]
        justify: Literal["left", "right"] = "right" if name in section.numbers else "left"
        table.add_column(Text(visible(name, encoding)), justify=justify, overflow="fold", width=width)
    for row in section.rows:
        table.add_row(*(Text(visible(cell_text(row[place]), encoding)) for place in part))
    return table


def cell_text(cell: Cell) -> str:
    """Return a cell as people read it: numbers rounded to three digits, nothing where nothing is known.

    >>> [cell_text(each) for each in (0.12345, 1200, None, "a")]
    ['0.123', '1,200', '', 'a']
    """
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:.3f}"
    return f"{cell:,}" if isinstance(cell, int) else cell


def with_interval(value: float | None, low: float | None, high: float | None) -> str:
    """Return a number, rounded unless it is a count, with its interval.

    >>> with_interval(0.5, 0.41, 0.6), with_interval(0.5, None, None), with_interval(300, None, None)
    ('0.500 [0.410, 0.600]', '0.500', '300')
    >>> with_interval(None, None, None)
    'undefined'
    """
    if value is None:
        return "undefined"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.3f}" if low is None or high is None else f"{value:.3f} [{low:.3f}, {high:.3f}]"


def visible(text: str, encoding: str = "utf-8") -> str:
    r"""Return a text in which no character steers the terminal, or is one that its encoding lacks.

    >>> visible("a\x1b[31mb\nc"), visible("0.5 ± 0.1, é", "ascii")
    ('a\\x1b[31mb c', '0.5 +/- 0.1, \\xe9')
    """
    return "".join(_encodable(_shown(character), encoding) for character in text)


def _encodable(character: str, encoding: str) -> str:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return PLAIN.get(character) or character.encode("ascii", "backslashreplace").decode()
    return character


def _shown(character: str) -> str:
    if character in "\n\r\t":
        return " "
    is_steering = unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return character.encode("unicode_escape").decode() if is_steering else character


def blocks(columns: Sequence[str], width: int, first: int, each: int) -> Iterator[Sequence[str]]:
    """Yield the columns in groups that fit beside a first one of so many characters."""
    size = max(1, (width - first - GAP) // (each + GAP))
    for start in range(0, len(columns), size):
        yield columns[start : start + size]
