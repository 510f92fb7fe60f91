"""The tables of a database, kept from one run to the next: to migrate takes longer than most tests.

What is kept is a copy made before the first test, so no run leaves rows to another. Its name is a digest of all that
migrations are made of: whatever changes there, the tables are made anew.
"""

import ast
import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

import django
import pytest
from django.conf import settings
from django.db import connection
from pytest_django import DjangoDbBlocker

from tests.support.processes import python

ROOT = Path(__file__).resolve().parents[2]
DATABASE = "precis.sqlite3"
KEPT = ROOT / ".pytest_cache/d/schema"  # that of pytest's cache


@pytest.fixture(scope="session")
def kept_schema(request: pytest.FixtureRequest) -> Path | None:
    """The file in which the tables are kept, or will be."""
    if connection.vendor != "sqlite" or not request.config.pluginmanager.hasplugin("cacheprovider"):
        return None
    return kept_file()


@pytest.fixture(scope="session")
def django_db_keepdb(kept_schema: Path | None, django_db_modify_db_settings: None) -> bool:
    """Put a copy in the place of the test database, if there is one; Django then finds nothing to migrate."""
    if kept_schema is None or not kept_schema.exists():
        return False
    database = str(connection.settings_dict["TEST"]["NAME"])
    for rest_of_another in (f"{database}-wal", f"{database}-shm"):
        Path(rest_of_another).unlink(missing_ok=True)
    copyfile(kept_schema, database)
    return True


@pytest.fixture(scope="session")
def django_db_setup(
    kept_schema: Path | None, django_db_keepdb: bool, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    if kept_schema and not django_db_keepdb:
        with django_db_blocker.unblock():
            keep(kept_schema)
    own = str(connection.settings_dict["NAME"])
    yield
    # Django leaves a copy where it is; and where no test asked for a database, the name is that of an installation's.
    if django_db_keepdb and own == str(connection.settings_dict["TEST"]["NAME"]):
        with django_db_blocker.unblock():
            connection.creation.destroy_test_db(own, verbosity=0)


def keep(kept: Path) -> None:
    connection.ensure_connection()
    keep_copy(connection.connection, kept)


def tables_in(folder: Path) -> None:
    """Give a new data folder a database with the tables of this version, for a program in a process of its own."""
    kept = kept_file()
    if not kept.exists():
        with TemporaryDirectory() as name:
            assert python(Path(name), "manage.py", "migrate", "--verbosity=0").returncode == 0
            with closing(sqlite3.connect(Path(name) / DATABASE)) as made:
                keep_copy(made, kept)
    folder.mkdir(0o700, exist_ok=True)
    copyfile(kept, folder / DATABASE)


def tables_on(server: str, binaries: Path, migrate: Callable[[], object]) -> None:
    """Give an empty database of PostgreSQL the tables of this version, for a program in a process of its own."""
    kept = kept_file(".sql")
    if kept.exists():
        command: list[str | Path] = [
            binaries / "psql",
            "--quiet",
            "--no-psqlrc",
            "--set=ON_ERROR_STOP=1",
            f"--file={kept}",
            server,
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return
    migrate()
    unfinished = kept.with_suffix(f".{os.getpid()}")
    subprocess.run([binaries / "pg_dump", "--no-owner", f"--file={unfinished}", server], check=True)
    keep_file(unfinished, kept)


def kept_file(suffix: str = ".sqlite3") -> Path:
    KEPT.mkdir(parents=True, exist_ok=True)
    return KEPT / f"{schema_digest()}{suffix}"


def keep_copy(made: sqlite3.Connection, kept: Path) -> None:
    unfinished = kept.with_suffix(f".{os.getpid()}")
    with closing(sqlite3.connect(unfinished)) as copy:
        made.backup(copy)
    keep_file(unfinished, kept)


def keep_file(unfinished: Path, kept: Path) -> None:
    unfinished.replace(kept)  # other processes may keep the same
    for older in set(kept.parent.glob(f"*{kept.suffix}")) - {kept}:
        older.unlink(missing_ok=True)


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
