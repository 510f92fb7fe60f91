"""Databases for benchmarks: each is prepared once, and every measurement begins with a copy of its own."""

import contextlib
import itertools
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import psycopg
from psycopg import sql
from throwaway_postgres import postgres_binaries, throwaway_postgres

from benchmarks.cpu_time import parent_of


class FreshDatabases(Protocol):
    def create(self, name: str) -> str:
        """Make an empty database and return its URL."""

    def settle(self, name: str) -> None:
        """End the preparing of a database, before it is copied."""

    def copied(self, name: str) -> contextlib.AbstractContextManager[str]:
        """Yield the URL of a copy, which is removed at the end."""

    def process(self) -> int | None:
        """Return the id of the server's first process, if there is a server."""


class SQLiteDatabases:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def create(self, name: str) -> str:
        return f"sqlite:///{self._file(name)}"

    def settle(self, name: str) -> None:
        """Nothing is left to do: the last connection has written everything into the file."""

    @contextlib.contextmanager
    def copied(self, name: str) -> Iterator[str]:
        copy = self._file("copy")
        copy.touch(mode=0o600)  # the product warns of data that other accounts could read
        prepared, target = sqlite3.connect(self._file(name)), sqlite3.connect(copy)
        with contextlib.closing(prepared), contextlib.closing(target):
            prepared.backup(target)
        try:
            yield f"sqlite:///{copy}"
        finally:
            for each in self.folder.glob("copy.sqlite3*"):
                each.unlink()

    def process(self) -> int | None:
        return None

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.sqlite3"


class PostgreSQLDatabases:
    def __init__(self, url: str) -> None:
        self.url = url
        self._numbers = itertools.count(1)

    def create(self, name: str) -> str:
        self._run(self.url, sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self._url_of(name)

    def settle(self, name: str) -> None:
        """Do what the server does by itself within some minutes, lest it comes in the middle of a measurement."""
        self._run(self._url_of(name), sql.SQL("VACUUM ANALYZE"))

    @contextlib.contextmanager
    def copied(self, name: str) -> Iterator[str]:
        copy = f"{name}_{next(self._numbers)}"
        names = {"copy": sql.Identifier(copy), "prepared": sql.Identifier(name)}
        self._run(self.url, sql.SQL("CREATE DATABASE {copy} TEMPLATE {prepared}").format(**names))
        # What the copy has left to be written to disk shall not be written while something is measured.
        self._run(self.url, sql.SQL("CHECKPOINT"))
        try:
            yield self._url_of(copy)
        finally:
            self._run(self.url, sql.SQL("DROP DATABASE {copy} WITH (FORCE)").format(copy=names["copy"]))

    def process(self) -> int | None:
        with psycopg.connect(self.url) as connection:
            return parent_of(connection.info.backend_pid)

    def _url_of(self, name: str) -> str:
        return f"{self.url.rpartition('/')[0]}/{name}"

    def _run(self, url: str, statement: sql.SQL | sql.Composed) -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(statement)


@contextlib.contextmanager
def fresh_databases(kind: str, folder: Path) -> Iterator[FreshDatabases]:
    """Yield where databases of a kind can be made; PostgreSQL writes to disk before it acknowledges."""
    if kind == "sqlite":
        yield SQLiteDatabases(folder)
        return
    binaries = postgres_binaries()
    if binaries is None:
        sys.exit("PostgreSQL's initdb and pg_ctl were not found.")
    with throwaway_postgres(binaries, durable=True) as url:
        yield PostgreSQLDatabases(url)
