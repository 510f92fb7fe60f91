"""Flat tables in Parquet: sources, compressions, outputs, comparisons and ratings, a row each, joined by their ids.

Croissant describes these, since what reads it loads lists one level deep.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from common.extras import PARQUET
from corpus.formats.base import FormatWriter, ReleaseFormat
from corpus.formats.parquet import ParquetFile
from corpus.release.folder import ReleaseFolder
from corpus.release.records import (
    Ratings,
    ReleasedComparison,
    ReleasedOutput,
    ReleasedRating,
    ReleasedSource,
    Subject,
    WrittenText,
)
from crowd.scales import Scale
from ratings.models import RaterPool

if TYPE_CHECKING:
    import pyarrow as pa

Row = dict[str, Any]
Columns = Mapping[str, tuple[str, str]]
"""What a table has: for each column its type in Croissant, and what it is."""

_ID, _TEXT = "sc:Text", "sc:Text"
_OF_SOURCE: Columns = {
    "source": (_ID, "Id of the source."),
    "split": (_TEXT, "Split of the source."),
}
TABLES: Mapping[str, Columns] = {
    "sources": {
        "id": (_ID, "Id of the source."),
        "split": (_TEXT, "Split of the source."),
        "genre": (_TEXT, "Genre of the source; empty where it is not known."),
        "sentences": ("sc:Integer", "1 for a sentence, 2 for a paragraph of two."),
        "paragraph": (_TEXT, "Id of the paragraph that the sentence is part of, if any."),
        "text": (_TEXT, "The source."),
    },
    "compressions": {
        "id": (_ID, "Id of the compression in this release."),
        **_OF_SOURCE,
        "text": (_TEXT, "The compression: each distinct text of a source once."),
        "editors": (_TEXT, "Numbers or names of the editors who wrote it, with spaces between them."),
    },
    "outputs": {
        "id": (_ID, "Id of the output in this release."),
        **_OF_SOURCE,
        "system": (_TEXT, "The automatic system."),
        "text": (_TEXT, "What it made of the source."),
        "over_length": ("sc:Boolean", "Whether it is longer than editors could write."),
    },
    "comparisons": {
        "id": (_ID, "Id of the comparison in this release."),
        **_OF_SOURCE,
        "first": (_TEXT, "The text that points of 1 prefer."),
        "second": (_TEXT, "The text that points of 3 prefer."),
    },
}
_RATING: Columns = {
    "id": (_ID, "Id of the rating in this release."),
    "subject": (_ID, "Id of the compression, output or comparison that was rated."),
    "kind": (_TEXT, "Table of the subject: compressions, outputs or comparisons."),
    **_OF_SOURCE,
    "pool": (_TEXT, "Who gave it: the crowd, or experts."),
    "rater": (_TEXT, "Number or name of the rater; none where nobody knows."),
    "day": ("sc:Date", "Day of the rating in UTC; none where it is not known."),
    "arm": (_TEXT, "Arm into which the rater was drawn, if there are arms."),
    "repeats": (
        _ID,
        "Id of the same rating under another subject: of a text that a system wrote as well. Leave out rows that "
        "have one to count each rating once.",
    ),
}
POOLS = {RaterPool.CROWD: "r", RaterPool.EXPERTS: "e"}


def table_file(name: str) -> str:
    return f"parquet/tables/{name}.parquet"


def tables_of(scales: Sequence[Scale]) -> dict[str, Columns]:
    """Return all tables of a release with ratings on some scales."""
    return {**TABLES, "ratings": {**_RATING, **dict(_score_columns(scales))}}


def tables_with_rows(summary: Mapping[str, Any]) -> list[str]:
    """Return the tables of a release with these figures that have rows."""
    rows = {
        "sources": summary["sources"],
        "compressions": summary["compressions"],
        "outputs": sum(summary["systems"].values()),
        "comparisons": summary["comparisons"],
        "ratings": summary["ratings"] + summary["expert_ratings"] + sum(summary["rated_outputs"].values()),
    }
    return [name for name, number in rows.items() if number]


def _score_columns(scales: Sequence[Scale]) -> Iterator[tuple[str, tuple[str, str]]]:
    for scale in scales:
        kind = "sc:Integer" if scale.numbers is None else "sc:Float"
        yield f"score_{scale.key}", (kind, f"{scale.name}, from {scale.lowest} to {scale.highest}.")
    for scale in scales:
        if scale.numbers is not None:
            yield f"z_{scale.key}", ("sc:Float", f"{scale.name} as a z-score over the ratings of its rater.")


def source_rows(source: ReleasedSource) -> Iterator[tuple[str, Row]]:
    """Yield the rows of a source, each with its table."""
    about = {"source": source.source_id, "split": source.split}
    yield "sources", _source_row(source)
    rated: dict[tuple[str, str], tuple[str, Ratings]] = {}
    for kind, subject_id, subject in _subjects(source):
        yield kind, {"id": subject_id, **about, **_subject(subject)}
        for pool, ratings in ((RaterPool.CROWD, subject.ratings), (RaterPool.EXPERTS, subject.expert_ratings)):
            first = ""
            if not isinstance(subject, ReleasedComparison):
                known, of_known = rated.setdefault((subject.text, pool), (subject_id, ratings))
                first = known if known != subject_id and of_known == ratings and pool not in _apart(subject) else ""
            for place, rating in enumerate(ratings, start=1):
                mark = f"{POOLS[pool]}{place}"
                repeats = f"{first}/{mark}" if first else None
                own = {"id": f"{subject_id}/{mark}", "subject": subject_id, "kind": kind, "pool": str(pool)}
                yield "ratings", {**own, **about, "repeats": repeats, **_rating(rating)}


def _source_row(source: ReleasedSource) -> Row:
    return {
        "id": source.source_id,
        "split": source.split,
        "genre": source.genre,
        "sentences": source.sentences,
        "paragraph": source.paragraph_id or None,
        "text": source.text,
    }


def _rating(rating: ReleasedRating) -> Row:
    return {
        "rater": rating.rater or None,
        "day": rating.day,
        "arm": rating.arm or None,
        **{f"score_{scale}": score for scale, score in rating.scores.items()},
        **{f"z_{scale}": score for scale, score in rating.z_scores.items()},
    }


def _subjects(source: ReleasedSource) -> Iterator[tuple[str, str, Subject]]:
    """Yield what can have ratings, with its table and its id."""
    kinds: Iterable[tuple[str, str, Sequence[Subject]]] = (
        ("compressions", "c", source.texts),
        ("outputs", "o", source.outputs),
        ("comparisons", "p", source.comparisons),
    )
    for kind, letter, subjects in kinds:
        for number, subject in enumerate(subjects, start=1):
            yield kind, f"{source.source_id}/{letter}{number}", subject


def _apart(subject: Subject) -> tuple[str, ...]:
    return subject.rated_apart if isinstance(subject, ReleasedOutput) else ()


def _subject(subject: Subject) -> Row:
    if isinstance(subject, ReleasedOutput):
        return {"system": subject.system, "text": subject.text, "over_length": subject.is_over_length}
    if isinstance(subject, ReleasedComparison):
        return {"first": subject.first, "second": subject.second}
    return {"text": subject.text, "editors": " ".join(subject.editors)}


def _schema(columns: Columns) -> pa.Schema:
    import pyarrow as pa

    types = {
        "sc:Text": pa.string(),
        "sc:Integer": pa.int8(),
        "sc:Float": pa.float64(),
        "sc:Boolean": pa.bool_(),
        "sc:Date": pa.date32(),
    }
    return pa.schema([(name, types[kind]) for name, (kind, _what) in columns.items()])


class TablesWriter(FormatWriter):
    """A file for each table, also where it stays empty."""

    def __init__(self, folder: ReleaseFolder, scales: tuple[Scale, ...]) -> None:
        super().__init__(folder, scales)
        self._files = {
            name: ParquetFile(folder.path(table_file(name)), _schema(columns))
            for name, columns in tables_of(scales).items()
        }

    def add(self, source: ReleasedSource, _written: Sequence[WrittenText]) -> None:
        for table, row in source_rows(source):
            self._files[table].add(row)

    def close(self) -> None:
        for name, file in self._files.items():
            file.close()
            self.folder.add(table_file(name))


FORMAT = ReleaseFormat(
    "Tables", rank=31, writer=TablesWriter, needs=PARQUET, files=tuple(map(table_file, (*TABLES, "ratings")))
)
