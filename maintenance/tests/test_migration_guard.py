"""A database of an earlier version is refused, and nothing in its folder changes."""

import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from django.core import checks
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

pytestmark = pytest.mark.both_databases

ROOT = Path(__file__).resolve().parents[2]
EARLIER = ("crowd", "0007_release_settings")


@pytest.fixture
def earlier_data(tmp_path: Path) -> Path:
    """A data folder with the migrations, a text and a release of an earlier version."""
    with closing(sqlite3.connect(tmp_path / "precis.sqlite3")) as database:
        database.execute("PRAGMA journal_mode=WAL")  # as the app leaves it
        database.execute("CREATE TABLE django_migrations (id INTEGER PRIMARY KEY, app TEXT, name TEXT, applied TEXT)")
        rows = [("crowd", "0001_initial"), EARLIER]
        database.executemany("INSERT INTO django_migrations (app, name, applied) VALUES (?, ?, '2026-01-01')", rows)
        database.execute("CREATE TABLE compressions_source (text TEXT)")
        database.execute("INSERT INTO compressions_source VALUES ('A text.')")
        database.commit()
    (tmp_path / "releases/demo-v1").mkdir(parents=True)
    (tmp_path / "releases/demo-v1/corpus.jsonl").write_text("{}\n")
    return tmp_path


def contents(folder: Path) -> dict[str, str]:
    """Its files but for the secret and the queue, which every command makes where they are missing."""
    own = {path for path in folder.rglob("*") if path.is_file() and path.name != "secret_key"}
    return {str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest() for path in own}


def manage(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PRECIS_DATA_DIR": str(folder), "DATABASE_URL": ""}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def test_the_start_says_so_names_the_folder_and_touches_nothing(earlier_data: Path) -> None:
    before = contents(earlier_data)
    found = manage(earlier_data, "start", "--port", free_port())
    assert found.returncode == 1
    assert f"{earlier_data}/precis.sqlite3 was made by another version" in found.stderr
    assert f"PRECIS_DATA_DIR={earlier_data}-new make run" in found.stderr
    assert f"Releases in {earlier_data}/releases" in found.stderr
    assert contents(earlier_data) == before


def test_migrate_does_not_mix_the_tables_of_two_versions(earlier_data: Path) -> None:
    before = contents(earlier_data)
    found = manage(earlier_data, "migrate")
    assert found.returncode == 1
    assert "was made by another version" in found.stderr
    assert contents(earlier_data) == before


@pytest.mark.django_db
def test_a_database_of_this_version_is_taken() -> None:
    assert checks.run_checks(tags=[checks.Tags.database], databases=["default"]) == []


@pytest.mark.django_db
def test_a_database_server_is_told_apart_as_well() -> None:
    MigrationRecorder(connection).record_applied(*EARLIER)
    (error,) = checks.run_checks(tags=[checks.Tags.database], databases=["default"])
    assert error.id == "common.E001"
    with pytest.raises(CommandError, match="was made by another version"):
        call_command("start", port=int(free_port()))


def joined_migration() -> Migration:
    return MigrationLoader(None).disk_migrations["crowd", "0002_since_0_2_0"]


def forget_it(*, keep: Sequence[tuple[str, str]]) -> None:
    """Leave the records that the database had when the migrations were still many."""
    for key in {("crowd", joined_migration().name), *joined_migration().replaces}.difference(keep):
        MigrationRecorder(connection).record_unapplied(*key)


@pytest.mark.django_db
def test_who_has_all_migrations_that_one_stands_for_goes_on() -> None:
    forget_it(keep=joined_migration().replaces)
    assert checks.run_checks(tags=[checks.Tags.database], databases=["default"]) == []
    call_command("migrate", verbosity=0)
    assert ("crowd", joined_migration().name) in MigrationRecorder(connection).applied_migrations()
    assert checks.run_checks(tags=[checks.Tags.database], databases=["default"]) == []


@pytest.mark.django_db
@pytest.mark.parametrize(("command", "options"), [("migrate", {"skip_checks": False}), ("upgrade_plan", {})])
def test_who_has_only_some_of_them_is_told_how_to_get_the_others(command: str, options: dict[str, bool]) -> None:
    forget_it(keep=joined_migration().replaces[:-1])
    with pytest.raises(CommandError, match="only some of") as refusal:
        call_command(command, **options)
    assert "the last version that has crowd/migrations/0018_webhooks.py, then with this one" in str(refusal.value)


@pytest.mark.django_db
def test_migrations_of_others_are_none_of_our_business() -> None:
    MigrationRecorder(connection).record_applied("sessions", "0099_of_a_later_django")
    assert checks.run_checks(tags=[checks.Tags.database], databases=["default"]) == []
