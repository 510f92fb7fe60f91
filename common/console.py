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
from rich.console import Console
from rich.table import Table
from rich.text import Text

from common.spreadsheets import written_lines
from common.table_widths import GAP, Part, table_parts, width_of_part

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
    """Return a rounded number with its interval.

    >>> with_interval(0.5, 0.41, 0.6), with_interval(0.5, None, None), with_interval(None, None, None)
    ('0.500 [0.410, 0.600]', '0.500', 'undefined')
    """
    if value is None:
        return "undefined"
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
