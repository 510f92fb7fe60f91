"""Handwritten SQL for the few statements that every participant runs for every text.

Building the same query from the models each time takes ten times as long as running it. A statement's text is made
once; PostgreSQL then prepares it once per connection, and SQLite keeps it compiled. Tests hold each statement to what
the models say.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Field, Model

T = TypeVar("T")
LONGEST_PAUSE_SECONDS = 0.1


def slices(rows: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield the rows in slices. On SQLite, after each comes a pause twice as long as its writing took.

    There is one writer, and whoever waits for the lock asks for it only now and then: a short gap would hardly ever be
    met.
    """
    share = 2.0 if connection.vendor == "sqlite" else 0.0
    for start in range(0, len(rows), size):
        began = time.monotonic()
        yield rows[start : start + size]
        if start + size < len(rows):
            time.sleep(share * min(time.monotonic() - began, LONGEST_PAUSE_SECONDS))


MAX_ID = 2**63 - 1
Row = Sequence[Any]
# What the databases do not spell alike. SQLite has one writer at a time, so it needs no locks on rows.
DIALECTS = {
    "postgresql": {
        "{skip_locked}": "FOR NO KEY UPDATE SKIP LOCKED",
        "{shared}": "FOR SHARE",
        "{now}": "statement_timestamp()",
    },
    "sqlite": {"{skip_locked}": "", "{shared}": "", "{now}": "NULL"},
}


@dataclass(frozen=True)
class Statement:
    """A statement with named parameters, such as `%(worker)s`.

    `{skip_locked}` locks the rows of a subquery, passing over those that others have locked; `{shared}` waits for who
    changes them, and keeps others from doing so; `{now}` is the database's clock, NULL on SQLite, which runs in-process
    and has none of its own.
    """

    template: str

    def rows(self, **parameters: Any) -> list[Row]:
        with connection.cursor() as cursor:
            cursor.execute(_text(self.template, connection.vendor), parameters)
            found: list[Row] = cursor.fetchall()
        return found

    def row(self, **parameters: Any) -> Row | None:
        """Return the first row, or None."""
        with connection.cursor() as cursor:
            cursor.execute(_text(self.template, connection.vendor), parameters)
            found: Row | None = cursor.fetchone()
        return found

    def run(self, **parameters: Any) -> int:
        """Return the number of rows that were written."""
        with connection.cursor() as cursor:
            cursor.execute(_text(self.template, connection.vendor), parameters)
            count: int = cursor.rowcount
        return count


@cache
def _text(template: str, vendor: str) -> str:
    text = " ".join(template.split())
    for name, words in DIALECTS[vendor].items():
        text = text.replace(name, words)
    return text


def is_possible_id(number: int) -> bool:
    """Whether a number that somebody sent can be a primary key at all; the databases refuse larger ones."""
    return number <= MAX_ID


def as_stored(moment: datetime) -> Any:
    """Return a time as the database takes it in handwritten SQL."""
    return connection.ops.adapt_datetimefield_value(moment)


M = TypeVar("M", bound=Model)
Converter = Callable[[Any], Any]


class Columns(Generic[M]):
    """Some columns of a model's table under an alias.

    The instances are like those of `QuerySet.only`: a field that was not selected is fetched when it is asked for.
    """

    def __init__(self, model: type[M], alias: str, names: str) -> None:
        wanted = set(names.split())
        fields = [field for field in model._meta.concrete_fields if field.attname in wanted]
        unknown = wanted - {field.attname for field in fields}
        if unknown or model._meta.pk not in fields:
            raise ValueError(f"columns of {model.__name__}: {unknown or 'the primary key is missing'}")
        self.model, self.alias, self.fields = model, alias, fields
        self.names = [field.attname for field in fields]
        self._key = fields.index(model._meta.pk)

    def __str__(self) -> str:
        return ", ".join(f'{self.alias}."{field.column}"' for field in self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def read(self, row: Row, begin: int = 0) -> M | None:
        """Return the instance in the part of a row from `begin`; None if an outer join found none."""
        values = list(row[begin : begin + len(self.fields)])
        if values[self._key] is None:
            return None
        for place, convert in self._converters:
            values[place] = convert(values[place])
        return self.model.from_db(connection.alias, self.names, values)

    @cached_property
    def _converters(self) -> list[tuple[int, Converter]]:
        """What Django itself applies to these columns on this database."""
        pairs = [(place, _converter(field)) for place, field in enumerate(self.fields)]
        return [(place, convert) for place, convert in pairs if convert is not None]


def _converter(field: "Field[Any, Any]") -> Converter | None:
    expression = field.get_col(field.model._meta.db_table)
    converters = connection.ops.get_db_converters(expression) + field.get_db_converters(connection)
    if not converters:
        return None

    def convert(value: Any) -> Any:
        for step in converters:
            value = step(value, expression, connection)
        return value

    return convert


def read_each(row: Row, *columns: Columns[Any]) -> list[Any]:
    """Return the instances in a row that was selected as these columns, one after the other."""
    found, begin = [], 0
    for part in columns:
        found.append(part.read(row, begin))
        begin += len(part)
    return found
