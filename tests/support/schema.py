"""The tables of SQLite's test database, kept from one run to the next: to migrate takes longer than most tests.

What is kept is a copy made before the first test, so no run leaves rows to another. Its name is a digest of all that
migrations are made of: whatever changes there, the tables are made anew.
"""

import ast
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import django
import pytest
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection
from pytest_django import DjangoDbBlocker

ROOT = Path(__file__).resolve().parents[2]
IN_MEMORY = f"file:memorydb_{DEFAULT_DB_ALIAS}?mode=memory&cache=shared"  # as Django names it


@pytest.fixture(scope="session")
def kept_schema(
    request: pytest.FixtureRequest, django_db_modify_db_settings: None
) -> Iterator[Path | None]:
    """Where the tables are kept; if they are there, the database that Django is about to migrate has them."""
    if connection.vendor != "sqlite" or not request.config.pluginmanager.hasplugin("cacheprovider"):
        yield None
        return
    kept = request.config.cache.mkdir("schema") / f"{schema_digest()}.sqlite3"
    with closing(sqlite3.connect(IN_MEMORY, uri=True)) as database:  # it lives while somebody is connected
        if kept.exists():
            with closing(sqlite3.connect(f"{kept.as_uri()}?mode=ro", uri=True)) as copy:
                copy.backup(database)
        yield kept


@pytest.fixture(scope="session")
def django_db_setup(kept_schema: Path | None, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    if kept_schema is None or kept_schema.exists():
        return
    unfinished = kept_schema.with_suffix(f".{os.getpid()}")
    with django_db_blocker.unblock(), closing(sqlite3.connect(unfinished)) as copy:
        connection.connection.backup(copy)
    for older in kept_schema.parent.glob("*.sqlite3"):
        older.unlink(missing_ok=True)
    unfinished.replace(kept_schema)


def schema_digest() -> str:
    """What decides how the tables look: the migrations, what they import of ours, and the versions beneath."""
    digest = sha256(repr((django.VERSION, sqlite3.sqlite_version_info, settings.INSTALLED_APPS)).encode())
    for file in sorted(sources()):
        digest.update(repr((file.relative_to(ROOT).as_posix(), file.read_bytes())).encode())
    return digest.hexdigest()


def sources() -> set[Path]:
    found: set[Path] = set()
    to_read = [*ROOT.glob("*/migrations/*.py"), *ROOT.glob("*/management/commands/migrate.py")]
    while to_read:
        file = to_read.pop()
        if file not in found:
            found.add(file)
            to_read += [each for name in imported_names(file) if (each := module_of_ours(name))]
    return found


def imported_names(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


def module_of_ours(name: str) -> Path | None:
    path = ROOT.joinpath(*name.split("."))
    return next((each for each in (path.with_suffix(".py"), path / "__init__.py") if each.is_file()), None)
