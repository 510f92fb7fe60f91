"""Databases with the tables of this version and with none, and what tables are, to be compared."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from django.db import connection

from tests.support.processes import python

DATABASE = "precis.sqlite3"

OF_POSTGRESQL = """
    SELECT table_name || ' ' || column_name, data_type || ' ' || is_nullable || ' ' || is_identity
           || ' ' || coalesce(character_maximum_length::text, '') || ' ' || coalesce(column_default, '')
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT conrelid::regclass::text || ' ' || conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
"""
OF_SQLITE = "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"


def tables_in(folder: Path) -> None:
    """Give a new data folder a database with the tables of this version, for a program in a process of its own."""
    folder.mkdir(0o700, exist_ok=True)
    copyfile(Path(_made_once().name) / DATABASE, folder / DATABASE)


@cache
def _made_once() -> "TemporaryDirectory[str]":
    folder = TemporaryDirectory()
    made = python(Path(folder.name), "manage.py", "migrate", "--verbosity=0")
    assert made.returncode == 0, made.stderr
    return folder


def tables() -> dict[str, Counter[str]]:
    """Return the definition of all there is, in parts: columns and constraints may stand in any order."""
    with connection.cursor() as cursor:
        cursor.execute(OF_POSTGRESQL if connection.vendor == "postgresql" else OF_SQLITE)
        return {name: Counter(parts(sql) if name.startswith("table ") else [sql]) for name, sql in cursor.fetchall()}


def parts(create_table: str) -> list[str]:
    """Return what stands between the outermost commas of SQLite's `CREATE TABLE`."""
    found, depth = [""], 0
    for letter in create_table.partition("(")[2].rpartition(")")[0]:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and not depth:
            found.append("")
        else:
            found[-1] += letter
    return [each.strip() for each in found]


@contextmanager
def another_default(folder: Path) -> Iterator[None]:
    """Have the default connection lead to a new database without tables."""
    if connection.vendor == "sqlite":
        with renamed(str(folder / "another.sqlite3")):
            yield
        return
    name = f"precis_another_{os.getpid()}"
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
    with renamed(name):
        yield
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def renamed(name: str) -> Iterator[None]:
    own = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = own
