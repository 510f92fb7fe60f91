"""Readers for files of scores, with one row per output and metric, as in downloads."""

import csv
import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from common.errors import Refused
from compressions.readers import JSON_SUFFIXES, BadLine, table_rows
from measures.metrics.options import GROUNDS, Ground
from scoring.entries import UNKNOWN

COLUMNS = ("source", "system", "score")
NAMES = ("metric", "signature")
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
    for line, row in _reader(path)(path, [*COLUMNS, *(name for name in NAMES if name not in defaults)]):
        try:
            yield _score(line, defaults | {name: value for name, value in row.items() if value is not None})
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


def _lines(path: Path) -> Iterator[str]:
    """Yield lines, with bytes that are not UTF-8 as lone surrogates, so that an error can name the line."""
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
        yield from stream


def _json_rows(path: Path, _: list[str]) -> Iterator[Row]:
    for line, text in enumerate(_lines(path), start=1):
        if not text.strip():
            continue
        if any("\udc80" <= character <= "\udcff" for character in text):
            raise Refused(f"{path.name}, line {line}: not UTF-8.")
        try:
            row = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Refused(f"{path.name}, line {line}: {error}.") from error
        if not isinstance(row, dict):
            raise Refused(f"{path.name}, line {line}: not an object.")
        yield line, row


def _table_rows(path: Path, columns: list[str]) -> Iterator[Row]:
    """Yield the rows of a table, refusing line breaks outside texts: an unclosed quote would swallow lines."""
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    for row in table_rows(path.name, csv.reader(_lines(path), delimiter=delimiter, strict=True), columns):
        if isinstance(row, BadLine):
            raise Refused(f"{path.name}, line {row.line}: {row.reason}.")
        broken = [name for name, cell in row.fields.items() if name != "text" and ("\n" in cell or "\r" in cell)]
        if broken:
            raise Refused(f"{path.name}, line {row.line}: the {broken[0]} goes over several lines.")
        yield row.line, row.fields


def _parquet_rows(path: Path, _: list[str]) -> Iterator[Row]:
    try:
        with pq.ParquetFile(path) as file:
            rows = (row for batch in file.iter_batches(batch_size=20_000) for row in batch.to_pylist())
            yield from enumerate(rows, start=1)
    except pa.ArrowException as error:
        raise Refused(f"{path.name}: no file of Parquet ({error}).") from error
