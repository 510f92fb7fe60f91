"""Handwritten SQL for the few statements that every participant runs for every text.

Building the same query from the models each time takes ten times as long as running it. A statement's text is made
once; PostgreSQL then prepares it once per connection, and SQLite keeps it compiled. Tests hold each statement to what
the models say.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django.db import connection

MAX_ID = 2**63 - 1
Row = Sequence[Any]
# What the databases do not spell alike. SQLite has one writer at a time, so it needs no locks on rows.
DIALECTS = {
    "postgresql": {"{skip_locked}": "FOR NO KEY UPDATE SKIP LOCKED", "{now}": "statement_timestamp()"},
    "sqlite": {"{skip_locked}": "", "{now}": "NULL"},
}


@dataclass(frozen=True)
class Statement:
    """A statement with named parameters, such as `%(worker)s`.

    `{skip_locked}` locks the rows of a subquery, passing over those that others have locked; `{now}` is the database's
    clock, NULL on SQLite, which runs in-process and has none of its own.
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
