"""Scores as Parquet: wide internally, with one row per output; long for downloads, with one row per score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from django.utils.translation import gettext as _

from common.errors import Refused
from common.extras import PARQUET
from common.stores import store
from measures.core.arrays import FloatArray
from measures.text.segmentation import word_count
from scoring.entries import ALL, JACKKNIFED, PEOPLE, UNKNOWN, ScoredText
from scoring.models import ScorePart, ScoreRun

if TYPE_CHECKING:
    import pyarrow as pa

ABOUT = ("place", "source", "genre", "split", "words", "system", "text", "ground", "weight")
LONG = {
    "source": "string",
    "split": "string",
    "system": "string",
    "text": "string",
    "ground": "string",
    "weight": "int64",
    "metric": "string",
    "signature": "string",
    "score": "float64",
}
"""The columns of a long file and their types."""


def lacks_parquet() -> str:
    """Return why nothing can be scored here, and no scores read; empty where it can."""
    if PARQUET.is_installed:
        return ""
    words = _("Scores are kept as Parquet, for which Précis needs the extra %(extra)s: %(command)s.")
    return words % {"extra": PARQUET.name, "command": PARQUET.command}


def refuse_without_parquet() -> None:
    """Raise Refused where scores can be neither written nor read. Call it before anything is changed."""
    if words := lacks_parquet():
        raise Refused(words)


def _long_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema([(name, pa.type_for_alias(kind)) for name, kind in LONG.items()])


def wide_table(entries: Sequence[ScoredText], metrics: Sequence[str], scores: FloatArray) -> pa.Table:
    """Return a table with one row per text and one column per metric."""
    import pyarrow as pa

    columns = {
        "place": [each.source_index for each in entries],
        "source": [each.source.source_id for each in entries],
        "genre": [each.source.genre for each in entries],
        "split": [each.source.split for each in entries],
        "words": [word_count(each.source.text) for each in entries],
        "system": [each.system for each in entries],
        "text": [each.text for each in entries],
        "ground": [each.ground for each in entries],
        "weight": pa.array([each.weight for each in entries], pa.int64()),
    }
    return pa.table({**columns, **{name: scores[:, column] for column, name in enumerate(metrics)}})


def long_rows(wide: pa.Table, signatures: Mapping[str, str]) -> pa.Table:
    """Return one row per output and metric, ordered by output."""
    import pyarrow as pa

    metrics = [name for name in wide.column_names if name not in ABOUT]
    number = len(metrics)
    scores = np.column_stack([wide[name].to_numpy() for name in metrics]) if metrics else np.zeros((len(wide), 0))
    rows = pa.array(np.repeat(np.arange(len(wide)), number))
    columns = {name: wide[name].take(rows) for name in ("source", "split", "system", "text", "ground", "weight")}
    columns["metric"] = pa.array(metrics * len(wide), pa.string())
    columns["signature"] = pa.array([signatures[name] for name in metrics] * len(wide), pa.string())
    columns["score"] = pa.array(scores.ravel())
    return pa.table(columns, schema=_long_schema())


def write_long(parts: Iterable[pa.Table], signatures: Mapping[str, str], path: Path) -> None:
    """Combine the wide parts into one long file."""
    import pyarrow.parquet as pq

    with pq.ParquetWriter(path, _long_schema(), compression="zstd") as writer:
        for part in parts:
            writer.write_table(long_rows(part, signatures))


def read_wide(part: Path, *, is_computed: bool, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a part, or some columns of it.

    In a part of an earlier version each text counts once, and outputs were scored against all references if they were
    scored here.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(part) as file:
        names = file.schema_arrow.names
        # Parts are small, and many are read one after another: threads would cost more than they save.
        wide = file.read([name for name in columns or names if name in names], use_threads=False)
    if "ground" in names:
        return wide
    known = [JACKKNIFED if system == PEOPLE else ALL for system in wide["system"].to_pylist()]
    wide = wide.append_column("ground", pa.array(known if is_computed else [UNKNOWN] * len(wide), pa.string()))
    return wide.append_column("weight", pa.array(np.ones(len(wide), np.int64)))


def number_of_outputs(wide: pa.Table) -> int:
    """Return how many texts have scores; one that is scored on two grounds is one."""
    return len(wide.group_by(["place", "system", "text"]).aggregate([]))


def long_lines(path: Path) -> Iterator[list[object]]:
    """Yield the names of the columns of a long file, then its rows."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        names = file.schema_arrow.names
        # Parts are small, and many are read one after another: threads would cost more than they save.
        yield list(names)
        for batch in file.iter_batches(batch_size=20_000):
            yield from map(list, zip(*(batch.column(name).to_pylist() for name in names), strict=True))


def read_part(part: ScorePart, run: ScoreRun, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a part, or some columns of it; raise FileNotFoundError if its file is missing."""
    with store("scores").local(part.file, part.file_sha256) as path:
        return read_wide(path, is_computed=run.kind == ScoreRun.Kind.COMPUTED, columns=columns)
