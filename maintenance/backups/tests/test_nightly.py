"""When a backup is made by itself, what is noted about it, and what is removed."""

import fcntl
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from pytest_django.fixtures import Settings

from maintenance.backups import BackupRefusal, nightly, retention
from maintenance.backups.nightly import (
    BackupState,
    backup_when_due,
    is_due,
    newest_backup,
    nightly_backup,
    old_remove,
    state_read,
    state_write,
)
from maintenance.backups.retention import Keep, archive_name
from maintenance.backups.tests.test_encryption import age_key, needs_age

pytestmark = pytest.mark.both_databases

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.BACKUP_DIR, settings.DATA_DIR = tmp_path / "backups", tmp_path
    settings.BACKUP_DIR.mkdir()
    return tmp_path / "backups"


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checking takes seconds; one test does it."""
    monkeypatch.setattr(nightly, "archive_check", lambda _archive, _identity: "same")


@pytest.mark.parametrize(
    ("state", "due"),
    [
        (BackupState(), True),
        (BackupState(finished_at=NOON.replace(hour=3)), False),
        (BackupState(finished_at=NOON.replace(hour=2)), True),
        (BackupState(finished_at=NOON - timedelta(days=1)), True),
        (BackupState(began_at=NOON - timedelta(minutes=59)), False),
        (BackupState(began_at=NOON - timedelta(minutes=60)), True),
        (BackupState(finished_at=NOON.replace(hour=4), began_at=NOON - timedelta(hours=2)), False),
    ],
)
def test_one_is_due_after_its_hour_and_an_hour_after_a_failure(state: BackupState, *, due: bool) -> None:
    assert is_due(state, NOON, 3) is due


def test_before_the_hour_that_of_the_day_before_counts() -> None:
    made = BackupState(finished_at=datetime(2026, 1, 1, 23, 30, tzinfo=UTC))

    assert not is_due(made, NOON, 23)
    assert is_due(made, NOON.replace(hour=23), 23)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_backup_is_restored_and_what_is_known_is_kept(folder: Path, settings: Settings) -> None:
    state = nightly_backup()

    assert state is not None
    assert state == newest_backup()
    assert state.is_in_order
    assert state.verified == "restored and compared"
    assert state.size == (folder / state.archive).stat().st_size
    assert state.began_at <= state.finished_at  # type: ignore[operator]
    assert not list(settings.DATA_DIR.glob("backup-check-*"))


@pytest.mark.slow
@needs_age
@pytest.mark.django_db(transaction=True)
def test_what_nobody_here_can_decrypt_is_restored_before_it_is_encrypted(folder: Path, settings: Settings) -> None:
    settings.BACKUP_RECIPIENTS = {"age": age_key(folder.parent / "key.txt")}

    state = nightly_backup()

    assert state is not None
    assert (state.error, state.verified) == ("", "restored and compared before it was encrypted")


@pytest.mark.django_db(transaction=True)
def test_a_backup_that_cannot_be_restored_is_noted_and_no_old_one_removed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_archive: Path, _identity: None) -> str:
        raise BackupRefusal("crowd_item holds something else")

    monkeypatch.setattr(nightly, "archive_check", refuse)
    old = folder / archive_name(NOON - timedelta(days=5000))
    old.touch()
    (folder / "precis-20200101T030000Z.unverified.tar.gz").touch()

    state = nightly_backup()

    assert state is not None
    assert not state.is_in_order
    assert state.error == "The backup could not be restored: crowd_item holds something else"
    assert old.exists()
    # It takes no good one's place among those that are kept, and only the newest of its kind stays.
    assert [path.name for path in folder.glob("*.unverified.*")] == [state.archive]
    assert list(folder.glob("precis-*Z.tar.gz")) == [old]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("unchecked")
def test_a_failure_is_noted_beside_the_newest_backup(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = nightly_backup()
    monkeypatch.setattr("maintenance.backups.making.shutil.disk_usage", lambda _path: SimpleNamespace(free=0))

    with pytest.raises(BackupRefusal):
        nightly_backup()

    after = newest_backup()
    assert before is not None
    assert after is not None
    assert after.archive == before.archive
    assert "0 MB of free space" in after.error
    assert not after.is_in_order


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("unchecked")
def test_only_one_is_made_at_a_time(folder: Path) -> None:
    with (folder / ".lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert nightly_backup() is None

    other = connection.copy()
    if connection.vendor == "postgresql":  # on another machine, with a folder of its own
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [nightly.LOCK])
        assert nightly_backup() is None
    other.close()
    assert nightly_backup() is not None


def test_only_nightly_backups_are_removed(folder: Path) -> None:
    names = [archive_name(NOON - timedelta(days=day)) for day in range(4)]
    for name in (*names, "mine.tar.gz", "state.json", f"{names[3]}.copy"):
        (folder / name).touch()

    assert old_remove(folder, Keep(daily=2)) == sorted(names[2:])
    assert {path.name for path in folder.iterdir()} == {*names[:2], "mine.tar.gz", "state.json", f"{names[3]}.copy"}


def test_the_worker_starts_a_process_and_does_not_wait(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []

    class Process:
        def __init__(self, command: list[str], **_: Any) -> None:
            started.append(command)

        def poll(self) -> None:
            return None

    monkeypatch.setattr("maintenance.backups.nightly.subprocess.Popen", Process)
    monkeypatch.setattr(nightly, "_processes", [])

    assert [backup_when_due(), backup_when_due()] == [True, False]  # the first one runs
    assert [command[1:] for command in started] == [["manage.py", "backup", "--nightly"]]


def test_without_a_folder_nothing_is_made(settings: Settings) -> None:
    settings.BACKUP_DIR = None

    assert newest_backup() is None
    assert not backup_when_due()


def test_a_state_that_cannot_be_read_says_nothing(folder: Path) -> None:
    assert newest_backup() == BackupState()
    for content in ("", "[]", '{"finished_at": 5}', '{"finished_at": "yesterday"}'):
        (folder / "state.json").write_text(content)
        assert state_read(folder) == BackupState()
    (folder / "state.json").write_text(json.dumps({"size": 7, "of_a_later_version": 1}))
    assert state_read(folder).size == 7
    assert state_write(folder, began_at=NOON).began_at == NOON


@pytest.mark.parametrize(
    "act",
    [
        lambda: retention.checked_folder("backups"),
        lambda: retention.checked_keep("some"),
        lambda: retention.checked_recipients("age1short", ""),
        lambda: retention.checked_recipients(f"age1{'q' * 58}", "ann@example.org"),
        lambda: retention.checked_recipients("", "--output=/etc/passwd"),
    ],
)
def test_settings_that_make_no_sense_are_refused_by_name(act: Any) -> None:
    with pytest.raises(ImproperlyConfigured, match="PRECIS_BACKUP_"):
        act()


def test_unset_means_none() -> None:
    assert retention.checked_folder("") is None
    assert retention.checked_keep("") == Keep(7, 5, 12)
    assert retention.checked_recipients("", "") == {}
