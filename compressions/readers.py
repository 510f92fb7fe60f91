"""Read JSONL, CSV and TSV files into rows with line numbers, or reasons why a line or a text is refused.

Lines are of bounded length, one at a time, so that no file is ever in memory line by line; a text is refused before
anything is done with it whose cost grows faster than its length.
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from mmap import mmap
from pathlib import PurePath
from typing import Any, Self

from django.utils.translation import gettext as _

from common.errors import Refused
from measures.text.normalization import MAX_MARKS_IN_A_ROW, stacked_marks

MAX_TEXT_LENGTH = 50_000  # before white space is tidied


def text_fault(text: str) -> str:
    """Return why a text is too much to be normalised, or an empty string. Any normalisation comes after this."""
    if len(text) > MAX_TEXT_LENGTH:
        return f"{len(text):,} characters, at most {MAX_TEXT_LENGTH:,} are read"
    position = stacked_marks(text)
    if position is None:
        return ""
    return f"more than {MAX_MARKS_IN_A_ROW} accents or marks stand on one letter, at character {position + 1}"


MAX_LINE_BYTES = 2**20
TOO_LONG = f"the line is longer than {MAX_LINE_BYTES // 2**20} MiB"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_LINE = re.compile(rb"[^\r\n]*+(?:\r\n?|\n)|[^\r\n]++")


def lines_of(content: bytes | mmap) -> Iterator[bytes | None]:
    """Yield the lines with their ends (LF, CR LF or CR), without a byte order mark; None for a line that is too long.

    Lines of a file that is mapped into memory are read from disk as they are asked for.
    """
    start = len(BYTE_ORDER_MARK) if content[: len(BYTE_ORDER_MARK)] == BYTE_ORDER_MARK else 0
    for match in _LINE.finditer(content, start):
        yield match[0] if match.end() - match.start() <= MAX_LINE_BYTES else None


@dataclass(frozen=True)
class Row:
    """A line's number and its fields, as strings."""

    line: int
    fields: dict[str, str]


@dataclass(frozen=True)
class BadLine:
    line: int
    reason: str


Rows = Iterator[Row | BadLine]
COLUMNS = ("id", "text")
LIST_COLUMN = "nuggets"
"""Of JSON, a list of strings; in rows, a string in each line."""
OPTIONAL_COLUMNS = ("genre", "paragraph", "sentences", LIST_COLUMN)
MAX_COLUMNS = 1_000
JSON_SUFFIXES = {".jsonl", ".ndjson", ".json"}

_MAX_NAMED = 20
_NOT_UTF8 = re.compile("[\udc80-\udcff]")


def read_rows(
    file_name: str,
    content: bytes,
    columns: Sequence[str] = COLUMNS,
    optional: Sequence[str] = OPTIONAL_COLUMNS,
) -> Rows:
    """Read a JSONL, CSV or TSV file, identified by its suffix. Fields that a line of JSON lacks are empty.

    Raise Refused for any other suffix, or for a table whose header lacks a column.
    """
    suffix = PurePath(file_name).suffix.lower()
    lines = lines_of(content)
    if suffix in JSON_SUFFIXES:
        return _json_rows(lines, (*columns, *optional))
    if suffix == ".csv":
        return table_rows(file_name, lines, columns, optional, strict=True)
    if suffix == ".tsv":
        return table_rows(file_name, lines, columns, optional, delimiter="\t", quoting=csv.QUOTE_NONE)
    raise Refused(_("%(file)s: a file of texts ends in .jsonl, .csv or .tsv.") % {"file": file_name})


def _json_rows(lines: Iterable[bytes | None], names: Sequence[str]) -> Rows:
    for number, line in enumerate(lines, start=1):
        if line is None:
            yield BadLine(number, TOO_LONG)
        elif line.strip():
            yield _json_row(number, line, names)


def _json_row(number: int, line: bytes, names: Sequence[str]) -> Row | BadLine:
    try:
        value = json.loads(line.decode())
    except UnicodeDecodeError as error:
        return BadLine(number, f"not UTF-8 (byte {error.start + 1} of the line)")
    except (ValueError, RecursionError) as error:
        return BadLine(number, f"not JSON ({json_fault(error)})")
    if not isinstance(value, dict):
        return BadLine(number, "not a JSON object")
    try:
        return Row(number, {name: _field_of_json(name, value.get(name)) for name in names})
    except ValueError as reason:
        return BadLine(number, str(reason))


def _field_of_json(name: str, field: object) -> str:
    """Return a field as a string; raise ValueError for what is none."""
    if name == LIST_COLUMN and field is not None:
        if not isinstance(field, list) or not all(isinstance(each, str) for each in field):
            raise ValueError(f"{name!r} is not a list of strings")
        if any("\n" in each or "\r" in each for each in field):
            raise ValueError(f"{name!r} has a string with a line break")
        return "\n".join(field)
    if field is not None and (isinstance(field, bool) or not isinstance(field, str | int)):
        raise ValueError(f"{name!r} is not a string")
    return "" if field is None else str(field)


def json_fault(error: ValueError | RecursionError) -> str:
    """Return why a text is not JSON, in words."""
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    return "nested too deeply" if isinstance(error, RecursionError) else "a number is too long"


def with_columns(file_name: str, content: bytes, *, columns: Mapping[str, str], values: Mapping[str, str]) -> bytes:
    """Return a table with some columns under the names that are wanted, and others added with one value in each line.

    A column that had such a name before is set aside under another. The lines keep their numbers.
    """
    if not columns and not values:
        return content
    dialect = _dialect_of(file_name)
    if fault := next((each for each in values.values() if not each.isprintable()), None):
        raise Refused(_("%(value)s has characters that cannot be printed.") % {"value": repr(fault[:_MAX_NAMED])})
    first = next(lines_of(content), None) or b""
    names = [name.strip().lower() for name in next(csv.reader([first.decode(errors="surrogateescape")], **dialect), [])]
    wanted = {column.strip().lower(): name for name, column in columns.items()}
    _refuse_unfit_header(file_name, names, tuple(wanted), ())
    added = {*columns, *values}
    renamed = [wanted.get(name, f"{name} (of the file)" if name in added else name) for name in names]
    body = content[content.index(first) + len(first) :]
    if not values:
        return table_line([*renamed], dialect) + body
    return table_line([*renamed, *values], dialect) + _lines_with(body, list(values.values()), dialect)


def table_line(cells: Sequence[str], dialect: Mapping[str, Any]) -> bytes:
    if dialect:
        return "\t".join(cells).encode(errors="surrogateescape") + b"\n"
    quoted = ('"' + cell.replace('"', '""') + '"' for cell in cells)
    return ",".join(quoted).encode(errors="surrogateescape") + b"\n"


def _lines_with(body: bytes, values: list[str], dialect: Mapping[str, Any]) -> bytes:
    """Return the lines of a table with these cells at their ends."""
    found = list[tuple[int, list[str]]]()
    for entry in _numbered_rows(_TableLines(lines_of(body)), dict(dialect)):
        if isinstance(entry, BadLine):
            raise Refused(_("line %(line)s: %(reason)s") % {"line": entry.line + 1, "reason": entry.reason})
        found.append((entry[0] + 1, [*entry[1], *values]))
    return _in_their_places(found, dialect)


def _in_their_places(rows: Iterable[tuple[int, Sequence[str]]], dialect: Mapping[str, Any]) -> bytes:
    """Return the lines of a table below its first, with empty ones between them so that each has its number."""
    found, at = list[bytes](), 2
    for line, cells in rows:
        row = table_line(cells, dialect)
        found += [b"\n" * (line - at), row]
        at = line + row.count(b"\n")
    return b"".join(found)


def with_wide_lines(file_name: str, content: bytes, *, names: str, values: str, same: Sequence[str]) -> bytes:
    """Return a long table as a wide one: a column for each of the `names`, with the `values` that stand beside them.

    Lines with the same cells in the columns `same` become one, in the place of their first; of other columns it has the
    first line's. Where one of the `same` is empty, or has a name again, the line stays one of its own. All lines keep
    their numbers.
    """
    dialect = _dialect_of(file_name)
    numbered = _numbered_rows(_TableLines(lines_of(content)), dialect)
    header = next(numbered, None)
    columns = [name.strip().lower() for name in header[1]] if isinstance(header, tuple) else []
    pair = names.strip().lower(), values.strip().lower()
    _refuse_unfit_header(file_name, columns, (*pair, *same), ())
    name_at, value_at = map(columns.index, pair)
    keys, kept = [columns.index(each) for each in same], [each for each in columns if each not in pair]
    wide, latest, added = list[_WideLine](), dict[tuple[str, ...], _WideLine](), dict[str, None]()
    for line, cells in _whole_rows(numbered, len(columns)):
        name, key = cells[name_at].strip().lower(), tuple(cells[place].strip() for place in keys)
        added[name] = None
        if len(columns) + len(added) > MAX_COLUMNS:
            words = _("%(file)s: the column %(name)s has too many different names.")
            raise Refused(words % {"file": file_name, "name": pair[0]})
        if key not in latest or name in latest[key].values or not all(key):
            others = [cell for place, cell in enumerate(cells) if place not in (name_at, value_at)]
            latest[key] = _WideLine(line, others, {})
            wide.append(latest[key])
        latest[key].values[name] = cells[value_at]
    rows = ((each.line, [*each.cells, *(each.values.get(name, "") for name in added)]) for each in wide)
    return table_line([*kept, *added], dialect) + _in_their_places(rows, dialect)


@dataclass
class _WideLine:
    """A line of a wide table: its number, its cells, and the values by their names."""

    line: int
    cells: list[str]
    values: dict[str, str]


def _whole_rows(numbered: Iterator[tuple[int, list[str]] | BadLine], width: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table; raise Refused at the first that is none, or has other fields."""
    words = _("line %(line)s: %(reason)s")
    for entry in numbered:
        if isinstance(entry, BadLine):
            raise Refused(words % {"line": entry.line, "reason": entry.reason})
        if len(entry[1]) != width:
            raise Refused(words % {"line": entry[0], "reason": f"{len(entry[1])} fields, {width} wanted"})
        yield entry


def _dialect_of(file_name: str) -> dict[str, Any]:
    """Return how the reader of the standard library reads a CSV or TSV file; raise Refused for any other."""
    suffix = PurePath(file_name).suffix.lower()
    if suffix not in (".csv", ".tsv"):
        raise Refused(_("%(file)s: only columns of CSV and TSV files can be named otherwise.") % {"file": file_name})
    return {} if suffix == ".csv" else {"delimiter": "\t", "quoting": csv.QUOTE_NONE}


class _TableLines:
    """Lines for a csv reader, counted; one that is too long is an error of its row, and the next can still be read.

    Invalid UTF-8 becomes lone surrogates, so that only the rows that have some are refused.
    """

    def __init__(self, lines: Iterable[bytes | None]) -> None:
        self._lines = iter(lines)
        self.read = 0

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.read += 1
        if line is None:
            raise csv.Error(TOO_LONG)
        return line.decode(errors="surrogateescape")


def table_rows(
    file_name: str,
    lines: Iterable[bytes | None],
    columns: Sequence[str],
    optional: Sequence[str] | None,
    **dialect: Any,
) -> Rows:
    """Yield the rows of a table with a header line, with their `columns` and those of the `optional` that are there.

    Without `optional`, rows have everything: that is for those who keep none of them.
    Raise Refused if a column is missing or repeated. `dialect` is that of `csv.reader`.
    """
    numbered = _numbered_rows(_TableLines(lines), dialect)
    header = next(numbered, None)
    if not isinstance(header, tuple):
        words = _("%(file)s: the file has no readable first line naming its columns.")
        raise Refused(words % {"file": file_name})
    names = [name.strip().lower() for name in header[1]]
    _refuse_unfit_header(file_name, names, columns, optional or ())
    kept = {*names} if optional is None else {*columns, *optional}
    wanted = {name: index for index, name in enumerate(names) if name in kept}
    return _table_body(len(names), wanted, numbered)


def _refuse_unfit_header(file_name: str, names: list[str], columns: Sequence[str], optional: Sequence[str]) -> None:
    if reason := _header_fault(names, columns, optional):
        raise Refused(_("%(file)s, line 1: %(reason)s") % {"file": file_name, "reason": reason})


def _header_fault(names: list[str], columns: Sequence[str], optional: Sequence[str]) -> str:
    """Return what is wrong with the first line of a table, as a sentence; empty if nothing is."""
    if len(names) > MAX_COLUMNS:
        words = _("%(n)s columns, at most %(most)s can be read.")
        return words % {"n": f"{len(names):,}", "most": f"{MAX_COLUMNS:,}"}
    if any(_NOT_UTF8.search(name) or "\0" in name for name in names):
        return _("not UTF-8. Save the file as UTF-8 and import it again.")
    missing = [name for name in columns if name not in names]
    if missing and len(names) == 1 and ";" in names[0]:
        return _("the fields are separated by semicolons; use commas.")
    if missing:
        found = ", ".join(name[:40] for name in names[:_MAX_NAMED])
        words = _("no column named %(missing)s; found %(found)s.")
        return words % {"missing": _(" or ").join(missing), "found": found}
    if repeated := [name for name in (*columns, *optional) if names.count(name) > 1]:
        return _("the column %(name)s appears twice.") % {"name": repeated[0]}
    return ""


def _table_body(width: int, wanted: dict[str, int], numbered: Iterator[tuple[int, list[str]] | BadLine]) -> Rows:
    for entry in numbered:
        if isinstance(entry, BadLine):
            yield entry
            continue
        line, cells = entry
        if len(cells) != width:
            yield BadLine(line, f"{len(cells)} fields, {width} wanted")
        elif any(map(_NOT_UTF8.search, cells)):
            yield BadLine(line, "not UTF-8")
        else:
            yield Row(line, {name: cells[index] for name, index in wanted.items()})


def _numbered_rows(lines: _TableLines, dialect: dict[str, Any]) -> Iterator[tuple[int, list[str]] | BadLine]:
    """Yield rows with the line they begin at; an unreadable row becomes a BadLine and reading continues."""
    rows = csv.reader(lines, **dialect)
    while True:
        line = lines.read + 1
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield BadLine(line, f"not a row of the table ({error})")
            continue
        if cells:
            yield line, cells
