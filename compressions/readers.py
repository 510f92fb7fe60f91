"""Read JSONL, CSV and TSV files into rows with line numbers, or reasons why a line is unreadable."""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from common.errors import Refused


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
COLUMNS = ("id", "genre", "text")
JSON_SUFFIXES = {".jsonl", ".ndjson", ".json"}


def read_rows(file_name: str, content: bytes, columns: Sequence[str] = COLUMNS) -> Rows:
    """Read a JSONL, CSV or TSV file, identified by its suffix.

    Raise Refused for any other suffix, or for a table whose header lacks a column.
    """
    suffix = PurePath(file_name).suffix.lower()
    lines = content.removeprefix(b"\xef\xbb\xbf").splitlines(keepends=True)
    if suffix in JSON_SUFFIXES:
        return _json_rows(lines)
    if suffix == ".csv":
        return table_rows(file_name, csv.reader(_decoded(lines), strict=True), columns)
    if suffix == ".tsv":
        return table_rows(file_name, csv.reader(_decoded(lines), delimiter="\t", quoting=csv.QUOTE_NONE), columns)
    raise Refused(f"{file_name}: a file of texts ends in .jsonl, .csv or .tsv.")


def _json_rows(lines: Iterable[bytes]) -> Rows:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _json_row(number, line)


def _json_row(number: int, line: bytes) -> Row | BadLine:
    try:
        value = json.loads(line.decode())
    except UnicodeDecodeError as error:
        return BadLine(number, f"not UTF-8 (byte {error.start + 1} of the line)")
    except (ValueError, RecursionError) as error:
        return BadLine(number, f"not JSON ({_json_fault(error)})")
    if not isinstance(value, dict):
        return BadLine(number, "not a JSON object")
    fields: dict[str, str] = {}
    for name in (*COLUMNS, "paragraph", "sentences"):
        field = value.get(name)
        if field is not None and (isinstance(field, bool) or not isinstance(field, str | int)):
            return BadLine(number, f"{name!r} is not a string")
        fields[name] = "" if field is None else str(field)
    return Row(number, fields)


def _json_fault(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    return "nested too deeply" if isinstance(error, RecursionError) else "a number is too long"


def _decoded(lines: Iterable[bytes]) -> Iterator[str]:
    """Decode lines, turning invalid UTF-8 into lone surrogates so that only the affected rows are refused."""
    return (line.decode(errors="surrogateescape") for line in lines)


def table_rows(file_name: str, reader: Iterable[list[str]], columns: Sequence[str]) -> Rows:
    """Yield the rows of a table with a header line; raise Refused if a column is missing or repeated."""
    numbered = _numbered_rows(reader)
    header = next(numbered, None)
    if not isinstance(header, tuple):
        raise Refused(f"{file_name}: the file has no readable first line naming its columns.")
    names = [name.strip().lower() for name in header[1]]
    if any(_not_utf8(name) or "\0" in name for name in names):
        raise Refused(f"{file_name}, line 1: not UTF-8. Save the file as UTF-8 and import it again.")
    missing = [name for name in columns if name not in names]
    if missing and len(names) == 1 and ";" in names[0]:
        raise Refused(f"{file_name}, line 1: the fields are parted by semicolons; commas are wanted.")
    if missing:
        raise Refused(f"{file_name}, line 1: no column named {' or '.join(missing)}; found {', '.join(names)}.")
    if repeated := [name for name in columns if names.count(name) > 1]:
        raise Refused(f"{file_name}, line 1: the column {repeated[0]} stands there twice.")
    return _table_body(names, numbered)


def _table_body(names: list[str], numbered: Iterator[tuple[int, list[str]] | BadLine]) -> Rows:
    for entry in numbered:
        if isinstance(entry, BadLine):
            yield entry
            continue
        line, cells = entry
        if len(cells) != len(names):
            yield BadLine(line, f"{len(cells)} fields, {len(names)} wanted")
        elif any(map(_not_utf8, cells)):
            yield BadLine(line, "not UTF-8")
        else:
            yield Row(line, dict(zip(names, cells, strict=True)))


def _not_utf8(cell: str) -> bool:
    return any("\udc80" <= character <= "\udcff" for character in cell)


def _numbered_rows(reader: Iterable[list[str]]) -> Iterator[tuple[int, list[str]] | BadLine]:
    """Yield rows with the line they begin at; an unreadable row becomes a BadLine and reading continues."""
    rows = iter(reader)
    while True:
        line = getattr(reader, "line_num", 0) + 1
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield BadLine(line, f"not a row of the table ({error})")
            continue
        if cells:
            yield line, cells
