"""Scores as Parquet: wide while they are computed, a row for each output; long for others, a row for each score."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from measures.core.arrays import FloatArray
from measures.text.segmentation import word_count
from scoring.entries import ScoredText

ABOUT = ("place", "source", "genre", "split", "words", "system", "text")
LONG = pa.schema(
    [
        ("source", pa.string()),
        ("split", pa.string()),
        ("system", pa.string()),
        ("text", pa.string()),
        ("metric", pa.string()),
        ("signature", pa.string()),
        ("score", pa.float64()),
    ]
)


def wide_table(entries: Sequence[ScoredText], metrics: Sequence[str], scores: FloatArray) -> pa.Table:
    """What is scored, and a column for each metric."""
    columns = {
        "place": [each.place for each in entries],
        "source": [each.source.source_id for each in entries],
        "genre": [each.source.genre for each in entries],
        "split": [each.source.split for each in entries],
        "words": [word_count(each.source.text) for each in entries],
        "system": [each.system for each in entries],
        "text": [each.text for each in entries],
    }
    return pa.table({**columns, **{name: scores[:, place] for place, name in enumerate(metrics)}})


def long_rows(wide: pa.Table, signatures: Mapping[str, str]) -> pa.Table:
    """One row for each output and metric, output by output."""
    metrics = [name for name in wide.column_names if name not in ABOUT]
    number = len(metrics)
    scores = np.column_stack([wide[name].to_numpy() for name in metrics]) if metrics else np.zeros((len(wide), 0))
    places = pa.array(np.repeat(np.arange(len(wide)), number))
    columns = {name: wide[name].take(places) for name in ("source", "split", "system", "text")}
    columns["metric"] = pa.array(metrics * len(wide), pa.string())
    columns["signature"] = pa.array([signatures[name] for name in metrics] * len(wide), pa.string())
    columns["score"] = pa.array(scores.ravel())
    return pa.table(columns, schema=LONG)


def write_long(parts: Iterable[Path], signatures: Mapping[str, str], path: Path) -> None:
    """Make one long file of the parts."""
    with publish(path) as unfinished, pq.ParquetWriter(unfinished, LONG, compression="zstd") as writer:
        for part in parts:
            writer.write_table(long_rows(pq.read_table(part), signatures))


@contextmanager
def publish(path: Path) -> Iterator[Path]:
    """A file of another name, nobody else's, that gets its own name when it is complete."""
    unfinished = path.with_name(f"{path.name}.{uuid4().hex}")
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def long_lines(path: Path) -> Iterator[list[object]]:
    """The rows of a long file, for a table of text."""
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=20_000):
            yield from map(list, zip(*(batch.column(name).to_pylist() for name in LONG.names), strict=True))
