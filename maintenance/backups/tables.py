"""The tables of an installation, as the models and the database itself have them, and their rows of one moment."""

import contextlib
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from maintenance.backups import BackupRefusal, Damaged
from maintenance.backups.columns import Column, Row, canonical, column_of, encoded

# Every table of the database is in the archive but these.
LEFT_OUT = {
    "django_migrations": "the archive's head names the migrations, and restoring applies them",
    "django_session": "no longer in use",
    "crowd_accountsession": "the key of a session is a way in: after a restore, staff log in again",
}
# `migrate` fills these, also where nobody has written anything.
FILLED_BY_MIGRATE = ("auth_permission", "django_content_type")
MANY = 2000
BYTES_AT_ONCE = 2 * 2**20  # fetched, or one row: some hold a file or a log of edits
CAN_BE_LARGE = {"json", "binary", "text"}


@dataclass(frozen=True)
class Table:
    name: str
    key: str  # the column of the primary key, which rows are in order of
    columns: tuple[Column, ...]

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "key": self.key, "columns": [column.as_json() for column in self.columns]}

    @classmethod
    def of_json(cls, found: Any) -> "Table":
        columns = tuple(Column(str(each["name"]), str(each["kind"]), int(each["places"])) for each in found["columns"])
        return cls(str(found["name"]), str(found["key"]), columns)


@dataclass(frozen=True)
class Digest:
    """How many rows a table has, and what they say."""

    rows: int
    sha256: str


def tables_of_models() -> list[Table]:
    """Return all tables that belong into an archive."""
    found = {}
    for model in apps.get_models(include_auto_created=True):
        options = model._meta
        if options.managed and not options.proxy and options.db_table not in LEFT_OUT:
            columns = tuple(column_of(field) for field in options.concrete_fields)
            found[options.db_table] = Table(options.db_table, str(options.pk.column), columns)
    return [found[name] for name in sorted(found)]


def unknown_tables(database: BaseDatabaseWrapper) -> list[str]:
    """Return the tables that neither a model nor Django knows: another program's, or left by an earlier version."""
    known = {table.name for table in tables_of_models()} | LEFT_OUT.keys()
    with database.cursor() as cursor:
        return sorted(set(database.introspection.table_names(cursor)) - known)


@contextlib.contextmanager
def snapshot() -> Iterator[BaseDatabaseWrapper]:
    """Yield a connection of its own that sees the database as it is at this moment, and can write nothing.

    Writers wait for nothing of it. PostgreSQL keeps what is deleted meanwhile until it ends, SQLite its log.
    """
    database = connection.copy()
    try:
        database.ensure_connection()
        with database.cursor() as cursor:
            if database.vendor == "sqlite":
                cursor.execute("PRAGMA query_only = ON")
                cursor.execute("BEGIN DEFERRED")
                cursor.execute("SELECT count(*) FROM sqlite_master")  # the first reading says which moment it is
            else:
                database.set_autocommit(False)
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                cursor.execute("SELECT 1")
        yield database
    finally:
        database.close()


def rows_of(table: Table, database: BaseDatabaseWrapper) -> Iterator[Row]:
    """Yield all rows in the order of their keys, as the archive has them; a few at a time are in memory."""
    quote = database.ops.quote_name
    at_once = max(1, min(MANY, BYTES_AT_ONCE // max(1, _largest_row(table, database))))
    wanted = ", ".join(_selected(column, database) for column in table.columns)
    with database.chunked_cursor() as cursor:
        cursor.execute(f"SELECT {wanted} FROM {quote(table.name)} ORDER BY {quote(table.key)}")  # noqa: S608 - quoted
        while rows := cursor.fetchmany(at_once):
            for row in rows:
                yield [encoded(value, column) for value, column in zip(row, table.columns, strict=True)]


def _selected(column: Column, database: BaseDatabaseWrapper) -> str:
    name = database.ops.quote_name(column.name)
    return f"{name}::text" if database.vendor == "postgresql" and column.kind == "json" else name


def _largest_row(table: Table, database: BaseDatabaseWrapper) -> int:
    """Return the size of what can be large in a row, at its largest."""
    length = "octet_length" if database.vendor == "postgresql" else "length"
    sizes = [
        f"coalesce({length}({_selected(column, database)}), 0)"
        for column in table.columns
        if column.kind in CAN_BE_LARGE
    ]
    if not sizes:
        return 0
    with database.cursor() as cursor:
        cursor.execute(f"SELECT max({' + '.join(sizes)}) FROM {database.ops.quote_name(table.name)}")  # noqa: S608
        return cursor.fetchone()[0] or 0


def digest_of(table: Table, database: BaseDatabaseWrapper) -> Digest:
    """Return what a table says now."""
    meter = Meter(table.columns)
    for row in rows_of(table, database):
        meter.add(row)
    return meter.digest


class Meter:
    """Counts rows and takes the SHA-256 of what they say."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self._columns, self._rows, self._hash = columns, 0, hashlib.sha256()

    def add(self, row: Row) -> None:
        self._rows += 1
        try:
            self._hash.update(canonical(row, self._columns))
        except (ValueError, RecursionError) as error:
            raise Damaged(f"Row {self._rows} holds something that is not JSON ({error}).") from error

    @property
    def digest(self) -> Digest:
        return Digest(self._rows, self._hash.hexdigest())


def last_key(table: Table, database: BaseDatabaseWrapper) -> int:
    """Return the last number that the table has given out, so that none is given twice; 0 where nothing counts."""
    with database.cursor() as cursor:
        if database.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table.name])
            found = cursor.fetchone()
            return int(found[0]) if found else 0
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [database.ops.quote_name(table.name), table.key])
        [name] = cursor.fetchone()
        if name is None:
            return 0
        cursor.execute(f"SELECT last_value, is_called FROM {name}")  # noqa: S608 - quoted
        value, is_called = cursor.fetchone()
        return int(value) if is_called else 0


def last_key_set(table: Table, value: int, database: BaseDatabaseWrapper) -> None:
    """Let the next row have a number that no row has had."""
    quote = database.ops.quote_name
    with database.cursor() as cursor:
        if database.vendor == "sqlite":
            cursor.execute("UPDATE sqlite_sequence SET seq = max(seq, %s) WHERE name = %s", [value, table.name])
            if not cursor.rowcount and value:
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table.name, value])
            return
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [quote(table.name), table.key])
        [name] = cursor.fetchone()
        if name is not None:
            cursor.execute(f"SELECT max({quote(table.key)}) FROM {quote(table.name)}")  # noqa: S608 - quoted
            largest = max(cursor.fetchone()[0] or 0, value)
            cursor.execute("SELECT setval(%s, %s, %s)", [name, max(largest, 1), largest > 0])


def columns_check(tables: Sequence[Table], database: BaseDatabaseWrapper) -> None:
    """Refuse an archive whose tables or columns are not those of the database."""
    with database.cursor() as cursor:
        there = set(database.introspection.table_names(cursor)) - LEFT_OUT.keys()
        named = {table.name for table in tables}
        if unknown := sorted(named - there):
            raise BackupRefusal(f"The archive has tables that this database does not have: {', '.join(unknown)}.")
        for table in tables:
            described = database.introspection.get_table_description(cursor, table.name)
            names = {column.name for column in table.columns}
            if {column.name for column in described} != names or table.key not in names:
                raise BackupRefusal(f"The archive’s table {table.name} has different columns from this database’s.")
