"""The tables in the files of a run's parts."""

from collections.abc import Sequence

import pyarrow as pa

from common.stores import store
from scoring.models import ScorePart, ScoreRun
from scoring.parquet_tables import read_wide


def read_part(part: ScorePart, run: ScoreRun, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a part, or some columns of it; raise FileNotFoundError if its file is missing."""
    with store("scores").local(part.file, part.file_sha256) as path:
        return read_wide(path, is_computed=run.kind == ScoreRun.Kind.COMPUTED, columns=columns)
