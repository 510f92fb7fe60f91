"""Readers for files of scores, with one row per output and metric, as in downloads."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext as _

from common.errors import Refused
from common.spreadsheets import as_before_defusing
from compressions.readers import JSON_SUFFIXES, MAX_COLUMNS, TOO_LONG, BadLine, json_fault, lines_of, table_rows
from measures.metrics.options import GROUNDS, Ground
from scoring.entries import UNKNOWN

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = ("source", "system", "score")
NAMES = ("metric", "signature")
ALL_COLUMNS = (*COLUMNS, *NAMES, "text", "ground", "weight")
MAX_ROWS = 20_000_000
PARQUET_BATCH = 1_000
MAX_ROW_GROUPS = 10_000
MAX_ROW_GROUP_BYTES = 256 * 2**20
MAX_CELL_BYTES = 2**17
MAX_NAME_LENGTH = 200
MAX_SCORE = 1e15
NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*", re.ASCII | re.IGNORECASE)
WEIGHT = re.compile(r"[1-9]\d{0,4}", re.ASCII)

Row = tuple[int, dict[str, Any]]


@dataclass(frozen=True)
class ImportedScore:
    """A line of the file; `text` identifies one of several texts that people wrote for a source."""

    line: int
    source: str
    system: str
    text: str
    metric: str
    signature: str
    score: float
    ground: Ground | Literal[""] = UNKNOWN
    weight: int = 1


def read_scores(path: Path, *, metric: str, signature: str) -> Iterator[ImportedScore]:
    """Yield the scores in a JSONL, TSV, CSV or Parquet file; `metric` and `signature` replace missing columns.

    Raise Refused, naming the line, for anything that is not a score.
    """
    defaults = {name: text for name, text in (("metric", metric), ("signature", signature)) if text}
    rows = _reader(path)(path, [*COLUMNS, *(name for name in NAMES if name not in defaults)])
    for count, (line, row) in enumerate(rows):
        if count == MAX_ROWS:
            raise Refused(_("%(file)s: more than %(most)s rows.") % {"file": path.name, "most": f"{MAX_ROWS:,}"})
        try:
            yield _score(line, defaults | {name: value for name, value in row.items() if value is not None})
        except RecursionError as error:
            raise _refusal(path.name, line, _("nested too deeply")) from error
        except ValueError as error:
            raise _refusal(path.name, line, str(error)) from error


def _refusal(name: str, line: int, reason: str) -> Refused:
    return Refused(_("%(file)s, line %(line)s: %(reason)s.") % {"file": name, "line": line, "reason": reason})


def _reader(path: Path) -> Callable[[Path, list[str]], Iterator[Row]]:
    suffix = path.suffix.lower()
    if suffix in JSON_SUFFIXES:
        return _json_rows
    if suffix in (".csv", ".tsv"):
        return _table_rows
    if suffix == ".parquet":
        return _parquet_rows
    words = _("%(file)s: a file of scores ends in .jsonl, .csv, .tsv or .parquet.")
    raise Refused(words % {"file": path.name})


def _score(line: int, row: dict[str, Any]) -> ImportedScore:
    for column in (*COLUMNS, *NAMES):
        if column not in row:
            raise ValueError(_("there is no %(column)s") % {"column": column})
    for column in NAMES:
        value = str(row[column])
        if not value.strip() or len(value) > MAX_NAME_LENGTH or not value.isprintable():
            words = _("the %(column)s must be a text of 1 to %(most)s printable characters")
            raise ValueError(words % {"column": column, "most": MAX_NAME_LENGTH})
    return ImportedScore(
        line,
        str(row["source"]),
        str(row["system"]),
        str(row.get("text", "")),
        str(row["metric"]),
        str(row["signature"]),
        _number(row["score"]),
        _ground(row.get("ground", UNKNOWN)),
        _weight(row.get("weight", 1)),
    )


def _ground(given: Any) -> Ground | Literal[""]:
    """What an output was scored against, if the file says so."""
    for ground in (UNKNOWN, *GROUNDS):
        if given == ground:
            return ground
    words = _("the ground %(ground)s is none of %(grounds)s")
    raise ValueError(words % {"ground": repr(str(given)[:40]), "grounds": ", ".join(GROUNDS)})


def _weight(given: Any) -> int:
    """A whole number from 1: how often a text counts in means."""
    if isinstance(given, bool) or not WEIGHT.fullmatch(str(given)):
        words = _("the weight %(weight)s is no whole number from 1 to 99999")
        raise ValueError(words % {"weight": repr(str(given)[:40])})
    return int(given)


def _number(given: Any) -> float:
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    try:
        number = float(given) if is_number or (isinstance(given, str) and NUMBER.fullmatch(given)) else math.nan
    except OverflowError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(_("the score %(score)s is no finite number") % {"score": repr(str(given)[:40])})
    if abs(number) > MAX_SCORE:
        raise ValueError(_("the score %(score)s is beyond %(most)s") % {"score": number, "most": f"{MAX_SCORE:g}"})
    return number


def _lines(path: Path) -> Iterator[bytes | None]:
    """Yield the lines of a file, None for one that is too long; they are read from disk one by one."""
    with path.open("rb") as stream:
        # Never closed by hand: whoever still holds a line of it would be in the way. It goes with its last reader.
        return lines_of(mmap(stream.fileno(), 0, access=ACCESS_READ) if path.stat().st_size else b"")


def _json_rows(path: Path, _columns: list[str]) -> Iterator[Row]:
    for number, line in enumerate(_lines(path), start=1):
        if line is None:
            raise _refusal(path.name, number, TOO_LONG)
        if line.strip():
            yield number, _json_row(path.name, number, line)


def _json_row(name: str, number: int, line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line.decode())
    except UnicodeDecodeError as error:
        raise _refusal(name, number, _("not UTF-8")) from error
    except (ValueError, RecursionError) as error:
        raise _refusal(name, number, _("not JSON (%(fault)s)") % {"fault": json_fault(error)}) from error
    if not isinstance(row, dict):
        raise _refusal(name, number, _("not an object"))
    return row


def _table_rows(path: Path, columns: list[str]) -> Iterator[Row]:
    """Yield the rows of a table, refusing line breaks outside texts: an unclosed quote would swallow lines."""
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    for row in table_rows(path.name, _lines(path), columns, None, delimiter=delimiter, strict=True):
        if isinstance(row, BadLine):
            raise _refusal(path.name, row.line, row.reason)
        broken = [name for name, cell in row.fields.items() if name != "text" and ("\n" in cell or "\r" in cell)]
        if broken:
            raise _refusal(path.name, row.line, _("the %(column)s goes over several lines") % {"column": broken[0]})
        yield row.line, {name: as_before_defusing(cell) for name, cell in row.fields.items()}


def _parquet_rows(path: Path, _columns: list[str]) -> Iterator[Row]:
    """Yield the rows, some at once. A file of a few bytes may stand for any number of them: their size is bounded."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        texts = _checked_texts(path)
        # Texts stay in their dictionary: a few bytes may say that every row has the same long one.
        with pq.ParquetFile(path, read_dictionary=texts) as file:
            known = [name for name in file.schema_arrow.names if name in ALL_COLUMNS]
            batches = file.iter_batches(batch_size=PARQUET_BATCH, columns=known)
            yield from enumerate(chain.from_iterable(_batch_rows(path.name, batch) for batch in batches), start=1)
    except pa.ArrowException as error:
        words = _("%(file)s: not a Parquet file (%(error)s).")
        raise Refused(words % {"file": path.name, "error": error}) from error


def _checked_texts(path: Path) -> list[str]:
    """Return the names of the columns of texts; raise Refused if what the file says of itself is too much to read."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        about, schema = file.metadata, file.schema_arrow
    if about.num_rows > MAX_ROWS or about.num_columns > MAX_COLUMNS or about.num_row_groups > MAX_ROW_GROUPS:
        words = _(
            "%(file)s: it must have at most %(rows)s rows, %(columns)s columns and %(groups)s row groups, but has "
            "%(has_rows)s, %(has_columns)s and %(has_groups)s."
        )
        most = {"rows": f"{MAX_ROWS:,}", "columns": f"{MAX_COLUMNS:,}", "groups": f"{MAX_ROW_GROUPS:,}"}
        has = {"rows": about.num_rows, "columns": about.num_columns, "groups": about.num_row_groups}
        raise Refused(words % {"file": path.name, **most, **{f"has_{name}": f"{n:,}" for name, n in has.items()}})
    groups = map(about.row_group, range(about.num_row_groups))
    if any(group.total_byte_size > MAX_ROW_GROUP_BYTES for group in groups):
        words = _("%(file)s: a row group is larger than %(most)s MiB when it is unpacked.")
        raise Refused(words % {"file": path.name, "most": MAX_ROW_GROUP_BYTES // 2**20})
    known = [column for column in schema if column.name in ALL_COLUMNS]
    for column in known:
        if not (_is_text(column.type) or _is_plain(column.type)):
            words = _("%(file)s: the column %(column)s has the type %(type)s, but must have plain values.")
            raise Refused(words % {"file": path.name, "column": column.name, "type": str(column.type)[:40]})
    return [column.name for column in known if _is_text(column.type)]


def _is_plain(kind: pa.DataType) -> bool:
    from pyarrow import types

    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_null(kind))


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _batch_rows(name: str, batch: pa.RecordBatch) -> list[dict[str, Any]]:
    _refuse_long_cells(name, batch)
    rows: list[dict[str, Any]] = batch.to_pylist()
    return rows


def _refuse_long_cells(name: str, batch: pa.RecordBatch) -> None:
    import pyarrow as pa
    import pyarrow.compute as pc

    for column in batch.columns:
        values = column.dictionary if pa.types.is_dictionary(column.type) else column
        if _is_text(values.type) and (pc.max(pc.binary_length(values)).as_py() or 0) > MAX_CELL_BYTES:
            words = _("%(file)s: a text has more than %(most)s bytes.")
            raise Refused(words % {"file": name, "most": f"{MAX_CELL_BYTES:,}"})
