"""The tables in the files of a run's parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from common.stores import store
from scoring.models import ScorePart, ScoreRun
from scoring.parquet_tables import read_wide

if TYPE_CHECKING:
    import pyarrow as pa


def read_part(part: ScorePart, run: ScoreRun, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a part, or some columns of it; raise FileNotFoundError if its file is missing."""
    with store("scores").local(part.file, part.file_sha256) as path:
        return read_wide(path, is_computed=run.kind == ScoreRun.Kind.COMPUTED, columns=columns)
