"""Parquet: one row per source, everything nested, a file for each split; pandas and Hugging Face datasets read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from common.extras import PARQUET
from corpus.formats.base import CardFacts, FormatWriter, ReleaseFormat
from corpus.formats.jsonl import CORPUS_FILE
from corpus.release.folder import ReleaseFolder
from corpus.release.options import SPLIT_NAMES
from corpus.release.records import Ratings, ReleasedSource, WrittenText
from crowd.scales import Scale

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 500


def schema_of(scales: tuple[Scale, ...]) -> pa.Schema:
    """The columns; a rating has a field for each scale, empty where it has no point.

    It has z-scores of the scales of files, and its arm if there are arms.
    """
    import pyarrow as pa

    scores = pa.struct([(scale.key, pa.int8() if scale.numbers is None else pa.float64()) for scale in scales])
    derived = [(scale.key, pa.float64()) for scale in scales if scale.numbers is not None]
    z_scores = [("z_scores", pa.struct(derived))] if derived else []
    arm = [("arm", pa.string())] if any(scale.arm for scale in scales) else []
    ratings = pa.list_(pa.struct([("rater", pa.string()), ("scores", scores), *z_scores, ("day", pa.date32()), *arm]))
    judged = [("ratings", ratings), ("expert_ratings", ratings)]
    texts = pa.struct([("text", pa.string()), ("editors", pa.list_(pa.string())), *judged])
    outputs = pa.struct([("system", pa.string()), ("text", pa.string()), *judged])
    comparisons = pa.struct([("first", pa.string()), ("second", pa.string()), *judged])
    return pa.schema(
        [
            ("id", pa.string()),
            ("genre", pa.string()),
            ("sentences", pa.int8()),
            ("paragraph", pa.string()),
            ("text", pa.string()),
            ("compressions", pa.list_(texts)),
            ("outputs", pa.list_(outputs)),
            ("comparisons", pa.list_(comparisons)),
        ]
    )


class ParquetFile:
    """A file to which rows are added; they are written some hundred at a time."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        import pyarrow.parquet as pq

        self._schema = schema
        self._writer = pq.ParquetWriter(path, schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        if len(self._rows) >= ROWS_AT_ONCE:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []


def nested_row(source: ReleasedSource) -> dict[str, Any]:
    return {
        "id": source.source_id,
        "genre": source.genre,
        "sentences": source.sentences,
        "paragraph": source.paragraph_id or None,
        "text": source.text,
        "compressions": [
            {"text": each.text, "editors": list(each.editors), **_judged(each.ratings, each.expert_ratings)}
            for each in source.texts
        ],
        "outputs": [
            {"system": each.system, "text": each.text, **_judged(each.ratings, each.expert_ratings)}
            for each in source.outputs
        ],
        "comparisons": [
            {"first": each.first, "second": each.second, **_judged(each.ratings, each.expert_ratings)}
            for each in source.comparisons
        ],
    }


def _judged(ratings: Ratings, expert_ratings: Ratings) -> dict[str, Any]:
    return {"ratings": _ratings(ratings), "expert_ratings": _ratings(expert_ratings)}


def _ratings(ratings: Ratings) -> list[dict[str, Any]]:
    return [
        {
            "rater": rating.rater or None,
            "scores": dict(rating.scores),
            "z_scores": dict(rating.z_scores),
            "day": rating.day,
            "arm": rating.arm or None,
        }
        for rating in ratings
    ]


class ParquetWriter(FormatWriter):
    """A file for each split, also where it stays empty."""

    def __init__(self, folder: ReleaseFolder, scales: tuple[Scale, ...]) -> None:
        super().__init__(folder, scales)
        self._files = {split: ParquetFile(folder.path(_name(split)), schema_of(scales)) for split in SPLIT_NAMES}

    def add(self, source: ReleasedSource, _written: Sequence[WrittenText]) -> None:
        self._files[source.split].add(nested_row(source))

    def close(self) -> None:
        for split, file in self._files.items():
            file.close()
            self.folder.add(_name(split))


def _name(split: str) -> str:
    return f"parquet/{split}.parquet"


def has_parquet(summary: Mapping[str, Any]) -> bool:
    """Return whether a release with these figures has the files: an installation may lack what writes them."""
    return not set(FORMAT.files) & set(summary.get("files_not_written", ()))


def _card(facts: CardFacts) -> str:
    if has_parquet(facts.summary):
        return ""
    words = "Parquet could not be written where this release was frozen, so it has no `parquet/`"
    return f"{words}: all rows are in `{CORPUS_FILE}`."


FORMAT = ReleaseFormat(
    "Parquet", rank=30, writer=ParquetWriter, card=_card, needs=PARQUET, files=tuple(map(_name, SPLIT_NAMES))
)
