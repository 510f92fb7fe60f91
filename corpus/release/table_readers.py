"""Readers of the tables that a release is made from, in source order and up to the rows that the release pins.

A release is read in at most `PARTS` parts, so that the number of queries does not grow with the corpus, no query stays
open for long, and progress can be stored between parts. Within a part each table is one query; the streams are merged
source by source, so memory does not grow either.

Rows are only appended, and a rating is newer than its text. Streams are therefore opened from the newest table to the
oldest, which gives a consistent snapshot while people keep working.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import merge
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Max, Min, QuerySet
from psycopg.sql import SQL, Identifier

from compressions.models import AlignmentCorrection, Compression, Pair, Source, SystemOutput, Target
from crowd.models import Campaign, ImportedScale, Worker
from crowd.selectors.members import workers_of_tests
from ratings.models import ImportedScore, Rating, Score

CHUNK = 2000
PARTS = 20
FEW_SOURCES = 1000

Row = TypeVar("Row", bound=tuple[Any, ...])
Rows = Iterator[tuple[Any, ...]]


def statistics_refresh() -> None:
    """Refresh PostgreSQL's table statistics: with those from before an import, query plans can take hours."""
    if connection.vendor == "postgresql":
        tables = [model._meta.db_table for model in (Source, Target, Pair, SystemOutput, Compression, Rating, Score)]
        with connection.cursor() as cursor:
            cursor.execute(SQL("ANALYZE {}").format(SQL(", ").join(map(Identifier, tables))))


class BySource(Generic[Row]):
    """A stream of rows ordered by source id, their first field; read with increasing source ids."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = iter(rows)
        self._next = next(self._rows, None)  # run the query now: the order of opening matters

    def of(self, source_id: int) -> list[Row]:
        """Return the rows of a source, and drop those of sources before it."""
        found: list[Row] = []
        while self._next is not None and self._next[0] <= source_id:
            if self._next[0] == source_id:
                found.append(self._next)
            self._next = next(self._rows, None)
        return found


@dataclass(frozen=True)
class PinnedTables:
    """The rows that a release may hold: those of the campaign up to the last row of each table when it was frozen."""

    campaign: Campaign
    last_rows: Mapping[str, int]

    @property
    def tests(self) -> QuerySet[Worker]:
        """The test participants, whose work is never part of a release."""
        return workers_of_tests(self.campaign)

    def parts(self) -> list["Part"]:
        """Return consecutive ranges of source ids, few even for a large campaign."""
        sources = Source.objects.filter(campaign=self.campaign, pk__lte=self.last_rows["sources"])
        ends = sources.aggregate(first=Min("pk"), last=Max("pk"))
        if ends["first"] is None:
            return []
        ids = range(ends["first"], ends["last"] + 1)
        size = max(FEW_SOURCES, -(-len(ids) // PARTS))
        return [Part(self, first, min(first + size, ids.stop)) for first in range(ids.start, ids.stop, size)]


@dataclass(frozen=True)
class Part:
    """The rows of sources with `first` <= id < `stop`."""

    tables: PinnedTables
    first: int
    stop: int

    def scores_of_texts(self) -> Rows:
        """Return the points of the campaign's scales, and numbers of those that came with files, rating by rating."""
        own = self._scores("target", "rating__target__source")
        imported = self._imported_scores()
        return merge(own, imported, key=lambda row: (row[0], row[2])) if imported else own

    def scores_of_pairs(self) -> Rows:
        return self._scores("pair", "rating__pair__first__source")

    def _scores(self, subject: str, source: str) -> Rows:
        pinned = Score.objects.filter(rating__lte=self.tables.last_rows["ratings"])
        rows = self._rows_in_part(pinned.exclude(rating__worker__in=self.tables.tests), source)
        rating_columns = ("rating__worker_id", "rating__rater_pool", "rating__created_at")
        versions = ("rating__settings_version_id", "rating__guidelines_version_id")
        columns = (f"{source}_id", f"rating__{subject}_id", "rating_id", *rating_columns, "scale", "value", *versions)
        return _values(rows.order_by(source, "rating", "pk"), *columns, "rating__output_id")

    def _imported_scores(self) -> Rows | None:
        if not ImportedScale.objects.filter(campaign=self.tables.campaign).exists():
            return None
        source, pinned = (
            "rating__target__source",
            ImportedScore.objects.filter(rating__lte=self.tables.last_rows["ratings"]),
        )
        rows = self._rows_in_part(pinned, source).order_by(source, "rating", "pk")
        rating_columns = ("rating__worker_id", "rating__rater_pool", "rating__created_at")
        versions = ("rating__settings_version_id", "rating__guidelines_version_id")
        about = (f"{source}_id", "rating__target_id", "rating_id", *rating_columns, "scale__key", "number", *versions)
        return _values(rows, *about, "rating__output_id")

    def corrections(self) -> Rows:
        """Return the corrections of alignments, version by version; releases of earlier versions have none."""
        pinned = AlignmentCorrection.objects.filter(pk__lte=self.tables.last_rows.get("corrections", 0))
        rows = self._rows_in_part(pinned, "target__source").order_by("target__source", "target", "version")
        columns = ("target__source_id", "target_id", "source_words", "words", "places", "version")
        return _values(rows, *columns)

    def pairs(self) -> Rows:
        rows = self._rows_in_part(Pair.objects.all(), "first__source").order_by("first__source", "pk")
        return _values(rows, "first__source_id", "pk", "first_id", "second_id", "first__text", "second__text")

    def outputs(self) -> Rows:
        pinned = SystemOutput.objects.filter(pk__lte=self.tables.last_rows["outputs"])
        rows = self._rows_in_part(pinned, "source").order_by("source", "system__name", "pk")
        return _values(rows, "source_id", "system__name", "target_id", "target__text", "pk")

    def written(self) -> Rows:
        """Return the editor, the edit log and the settings of each compression; imported ones have only the first."""
        pinned = Compression.objects.filter(pk__lte=self.tables.last_rows["compressions"])
        counted = pinned.exclude(worker__in=self.tables.tests)
        rows = self._rows_in_part(counted, "source").order_by("source", "pk")
        columns = ("source_id", "target_id", "worker_id", "started_from", "edit_log")
        return _values(rows, *columns, "settings_version_id", "guidelines_version_id", "assignment__submitted_at")

    def texts(self) -> Rows:
        rows = self._rows_in_part(Target.objects.all(), "source").order_by("source", "pk")
        return _values(rows, "source_id", "pk", "text")

    def sources(self) -> Iterator[Source]:
        rows = self._rows_in_part(Source.objects.select_related("paragraph"), "")
        return rows.order_by("pk").iterator(chunk_size=CHUNK)

    def _rows_in_part(self, rows: QuerySet[Any], source: str) -> QuerySet[Any]:
        path = f"{source}__" if source else ""
        in_part = {f"{path}campaign": self.tables.campaign, f"{path}pk__gte": self.first, f"{path}pk__lt": self.stop}
        return rows.filter(**in_part)


def _values(rows: QuerySet[Any], *columns: str) -> Rows:
    return rows.values_list(*columns).iterator(chunk_size=CHUNK)
