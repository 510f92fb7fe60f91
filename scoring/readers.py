"""Readers for files of scores, with one row per output and metric, as in downloads."""

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from common.errors import Refused
from common.spreadsheets import as_before_defusing
from compressions.lines import TOO_LONG, lines_of
from compressions.readers import JSON_SUFFIXES, MAX_COLUMNS, BadLine, json_fault, table_rows
from measures.metrics.options import GROUNDS, Ground
from scoring.entries import UNKNOWN

COLUMNS = ("source", "system", "score")
NAMES = ("metric", "signature")
ALL_COLUMNS = (*COLUMNS, *NAMES, "text", "ground", "weight")
MAX_ROWS = 20_000_000
PARQUET_BATCH = 1_000
MAX_ROW_GROUPS = 10_000
MAX_ROW_GROUP_BYTES = 256 * 2**20
MAX_CELL_BYTES = 2**17
PLAIN_TYPES = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean, pa.types.is_null)
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
            raise Refused(f"{path.name}: more than {MAX_ROWS:,} rows.")
        try:
            yield _score(line, defaults | {name: value for name, value in row.items() if value is not None})
        except RecursionError as error:
            raise Refused(f"{path.name}, line {line}: nested too deeply.") from error
        except ValueError as error:
            raise Refused(f"{path.name}, line {line}: {error}.") from error


def _reader(path: Path) -> Callable[[Path, list[str]], Iterator[Row]]:
    suffix = path.suffix.lower()
    if suffix in JSON_SUFFIXES:
        return _json_rows
    if suffix in (".csv", ".tsv"):
        return _table_rows
    if suffix == ".parquet":
        return _parquet_rows
    raise Refused(f"{path.name}: a file of scores ends in .jsonl, .csv, .tsv or .parquet.")


def _score(line: int, row: dict[str, Any]) -> ImportedScore:
    for column in (*COLUMNS, *NAMES):
        if column not in row:
            raise ValueError(f"there is no {column}")
    for column in NAMES:
        value = str(row[column])
        if not value.strip() or len(value) > MAX_NAME_LENGTH or not value.isprintable():
            raise ValueError(f"the {column} must be a text of 1 to {MAX_NAME_LENGTH} printable characters")
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
    raise ValueError(f"the ground {str(given)[:40]!r} is none of {', '.join(GROUNDS)}")


def _weight(given: Any) -> int:
    """A whole number from 1: how often a text counts in means."""
    if isinstance(given, bool) or not WEIGHT.fullmatch(str(given)):
        raise ValueError(f"the weight {str(given)[:40]!r} is no whole number from 1 to 99999")
    return int(given)


def _number(given: Any) -> float:
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    try:
        number = float(given) if is_number or (isinstance(given, str) and NUMBER.fullmatch(given)) else math.nan
    except OverflowError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"the score {str(given)[:40]!r} is no finite number")
    if abs(number) > MAX_SCORE:
        raise ValueError(f"the score {number} is beyond {MAX_SCORE:g}")
    return number


def _lines(path: Path) -> Iterator[bytes | None]:
    """Yield the lines of a file, None for one that is too long; they are read from disk one by one."""
    with path.open("rb") as stream:
        # Never closed by hand: whoever still holds a line of it would be in the way. It goes with its last reader.
        return lines_of(mmap(stream.fileno(), 0, access=ACCESS_READ) if path.stat().st_size else b"")


def _json_rows(path: Path, _: list[str]) -> Iterator[Row]:
    for number, line in enumerate(_lines(path), start=1):
        if line is None:
            raise Refused(f"{path.name}, line {number}: {TOO_LONG}.")
        if line.strip():
            yield number, _json_row(f"{path.name}, line {number}", line)


def _json_row(where: str, line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line.decode())
    except UnicodeDecodeError as error:
        raise Refused(f"{where}: not UTF-8.") from error
    except (ValueError, RecursionError) as error:
        raise Refused(f"{where}: not JSON ({json_fault(error)}).") from error
    if not isinstance(row, dict):
        raise Refused(f"{where}: not an object.")
    return row


def _table_rows(path: Path, columns: list[str]) -> Iterator[Row]:
    """Yield the rows of a table, refusing line breaks outside texts: an unclosed quote would swallow lines."""
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    for row in table_rows(path.name, _lines(path), columns, None, delimiter=delimiter, strict=True):
        if isinstance(row, BadLine):
            raise Refused(f"{path.name}, line {row.line}: {row.reason}.")
        broken = [name for name, cell in row.fields.items() if name != "text" and ("\n" in cell or "\r" in cell)]
        if broken:
            raise Refused(f"{path.name}, line {row.line}: the {broken[0]} goes over several lines.")
        yield row.line, {name: as_before_defusing(cell) for name, cell in row.fields.items()}


def _parquet_rows(path: Path, _: list[str]) -> Iterator[Row]:
    """Yield the rows, some at once. A file of a few bytes may stand for any number of them: their size is bounded."""
    try:
        texts = _checked_texts(path)
        # Texts stay in their dictionary: a few bytes may say that every row has the same long one.
        with pq.ParquetFile(path, read_dictionary=texts) as file:
            known = [name for name in file.schema_arrow.names if name in ALL_COLUMNS]
            batches = file.iter_batches(batch_size=PARQUET_BATCH, columns=known)
            yield from enumerate(chain.from_iterable(_batch_rows(path.name, batch) for batch in batches), start=1)
    except pa.ArrowException as error:
        raise Refused(f"{path.name}: no file of Parquet ({error}).") from error


def _checked_texts(path: Path) -> list[str]:
    """Return the names of the columns of texts; raise Refused if what the file says of itself is too much to read."""
    with pq.ParquetFile(path) as file:
        about, schema = file.metadata, file.schema_arrow
    if about.num_rows > MAX_ROWS or about.num_columns > MAX_COLUMNS or about.num_row_groups > MAX_ROW_GROUPS:
        raise Refused(
            f"{path.name}: {about.num_rows:,} rows of {about.num_columns:,} columns in {about.num_row_groups:,} row "
            f"groups; at most {MAX_ROWS:,}, {MAX_COLUMNS:,} and {MAX_ROW_GROUPS:,} can be read."
        )
    groups = map(about.row_group, range(about.num_row_groups))
    if any(group.total_byte_size > MAX_ROW_GROUP_BYTES for group in groups):
        raise Refused(
            f"{path.name}: a row group is larger than {MAX_ROW_GROUP_BYTES // 2**20} MiB when it is unpacked."
        )
    known = [column for column in schema if column.name in ALL_COLUMNS]
    for column in known:
        if not (_is_text(column.type) or any(is_plain(column.type) for is_plain in PLAIN_TYPES)):
            raise Refused(
                f"{path.name}: the column {column.name} has the type {str(column.type)[:40]}; plain values are wanted."
            )
    return [column.name for column in known if _is_text(column.type)]


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _batch_rows(name: str, batch: pa.RecordBatch) -> list[dict[str, Any]]:
    _refuse_long_cells(name, batch)
    rows: list[dict[str, Any]] = batch.to_pylist()
    return rows


def _refuse_long_cells(name: str, batch: pa.RecordBatch) -> None:
    for column in batch.columns:
        values = column.dictionary if pa.types.is_dictionary(column.type) else column
        if _is_text(values.type) and (pc.max(pc.binary_length(values)).as_py() or 0) > MAX_CELL_BYTES:
            raise Refused(f"{name}: a text has more than {MAX_CELL_BYTES:,} bytes.")
