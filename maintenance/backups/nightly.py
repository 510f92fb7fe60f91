"""Nightly backups: made, restored to see whether they can be, noted, and old ones removed.

A worker's timer only starts a process (`backup_when_due`), so a backup of an hour keeps neither jobs nor other timers.
A timer of the system or cron may start the same process: only one runs at a time.
"""

import contextlib
import fcntl
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from common.clock import process_now
from maintenance.backups import BackupRefusal
from maintenance.backups.checking import StreamCheck, archive_check
from maintenance.backups.making import Made, backup_make
from maintenance.backups.retention import Keep, kept, time_of

NAME = "state.json"
TIMES = ("finished_at", "began_at", "failed_at")


@dataclass(frozen=True)
class BackupState:
    """The newest complete backup, and the last attempt at making one; what has not happened yet is empty."""

    archive: str = ""  # the name of its file in the folder
    finished_at: datetime | None = None
    size: int = 0  # in bytes
    sha256: str = ""  # of the file
    is_verified: bool = False
    verified: str = ""  # how it was verified, in words
    problems: tuple[str, ...] = ()  # files that were damaged or missing before they were backed up
    began_at: datetime | None = None  # of the last attempt
    failed_at: datetime | None = None  # of the last attempt, if it failed
    error: str = ""  # why it failed, or why the newest backup could not be verified

    @property
    def is_in_order(self) -> bool:
        """Whether the last attempt left a complete backup that was verified."""
        return bool(self.archive) and self.is_verified and not self.error and not self.problems


OLDEST = timedelta(hours=36)
"""How old the newest backup may be, of those that are made each night."""


def newest_backup() -> BackupState | None:
    """Return what is known of the nightly backups; None where none are made (PRECIS_BACKUP_DIR is empty)."""
    if settings.BACKUP_DIR is None:
        return None
    return state_read(settings.BACKUP_DIR)


def backup_age_seconds() -> float | None:
    """Return how long ago the newest nightly backup was made; None if none is known."""
    state = newest_backup()
    if state is None or state.finished_at is None:
        return None
    return max(0.0, (process_now() - state.finished_at).total_seconds())


def backups_are_in_order() -> bool | None:
    """Whether the newest backup is whole, verified and not too old; None where none are made from here."""
    state = newest_backup()
    if state is None:
        return None
    age = backup_age_seconds()
    return state.is_in_order and age is not None and age <= OLDEST.total_seconds()


def state_read(folder: Path) -> BackupState:
    """Return the state of a folder's backups. A file that cannot be read says as much as none."""
    try:
        found = json.loads((folder / NAME).read_text(encoding="utf-8"))
        values: dict[str, Any] = {field.name: found[field.name] for field in fields(BackupState) if field.name in found}
        for name in TIMES:
            values[name] = datetime.fromisoformat(values[name]).astimezone(UTC) if values.get(name) else None
        return BackupState(**{**values, "problems": tuple(values.get("problems", ()))})
    except (OSError, ValueError, TypeError):
        return BackupState()


def state_write(folder: Path, **changes: Any) -> BackupState:
    """Change some of the state; readers see the file before or after it, never half of it."""
    state = replace(state_read(folder), **changes)
    values = {name: each.isoformat() if isinstance(each, datetime) else each for name, each in asdict(state).items()}
    number, partial = tempfile.mkstemp(dir=folder, prefix=f".{NAME}.")
    try:
        with open(number, "w", encoding="utf-8") as stream:  # noqa: PTH123 - a descriptor
            json.dump(values, stream, indent=2)
            stream.flush()
            os.fsync(stream.fileno())
        Path(partial).replace(folder / NAME)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(partial).unlink()
        raise
    return state


AGAIN_AFTER = timedelta(hours=1)  # an attempt that failed or was killed
LOCK = 0x707265636973  # “precis”, of all advisory locks in the database
RESTORED = "restored and compared"
RESTORED_BEFORE = "restored and compared before it was encrypted"
UNVERIFIED = ".unverified"
_processes: list["subprocess.Popen[bytes]"] = []


def nightly_backup() -> BackupState | None:
    """Make the nightly backup, restore it, note how that went, and remove old ones; None if another is being made."""
    folder = settings.BACKUP_DIR
    if folder is None:
        raise BackupRefusal("Set PRECIS_BACKUP_DIR to the folder of nightly backups.")
    with contextlib.suppress(FileExistsError):
        folder.mkdir(parents=True, mode=0o700)
    with _only_one(folder) as is_only:
        if not is_only:
            return None
        state_write(folder, began_at=process_now())
        try:
            state = _made_and_checked(folder)
        except Exception as error:
            state_write(folder, failed_at=process_now(), error=str(error) or type(error).__name__)
            raise
        if state.is_verified:
            old_remove(folder, settings.BACKUP_KEEP)
        return state


def is_due(state: BackupState, now: datetime, hour: int) -> bool:
    """Whether a backup is to be begun: none was made since the hour that was last passed, nor tried just now."""
    since = now.replace(hour=hour, minute=0, second=0, microsecond=0)
    since -= timedelta(days=since > now)
    if state.finished_at is not None and state.finished_at >= since:
        return False
    return state.began_at is None or now - state.began_at >= AGAIN_AFTER


def backup_when_due() -> bool:
    """Start the process that makes the nightly backup, if it is due; return whether one was started."""
    _processes[:] = [process for process in _processes if process.poll() is None]
    if settings.BACKUP_DIR is None or _processes:
        return False
    if not is_due(state_read(settings.BACKUP_DIR), process_now(), settings.BACKUP_HOUR):
        return False
    # In the group of the worker: what stops the worker stops it, too, and the next worker begins again.
    command = [sys.executable, "manage.py", "backup", "--nightly"]
    _processes.append(subprocess.Popen(command, cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL))  # noqa: S603
    return True


def old_remove(folder: Path, keep: Keep) -> list[str]:
    """Remove nightly backups that are not to be kept; no other files."""
    found = {path: at for path in folder.iterdir() if (at := time_of(path.name)) and path.is_file()}
    chosen = kept(found.values(), keep)
    gone = sorted(path for path, at in found.items() if at not in chosen)
    for path in gone:
        path.unlink()
    return [path.name for path in gone]


def _made_and_checked(folder: Path) -> BackupState:
    if settings.BACKUP_RECIPIENTS:  # nobody here can decrypt it
        check = StreamCheck()
        made, verified = backup_make(folder, _silent, check.also), RESTORED_BEFORE
        error = check.error
    else:
        made, verified = backup_make(folder, _silent), RESTORED
        error = _check(made)
    return state_write(
        folder,
        archive=_set_aside(made.path).name if error else made.path.name,
        finished_at=process_now(),
        size=made.size,
        is_verified=not error,
        verified="" if error else verified,
        problems=made.manifest.problems,
        failed_at=process_now() if error else None,
        error=f"The backup could not be restored: {error}" if error else "",
    )


def _set_aside(archive: Path) -> Path:
    """Rename an archive that could not be verified, so that no good one goes in its favour; keep only this one."""
    aside = archive.with_name(archive.name.replace(".tar.gz", f"{UNVERIFIED}.tar.gz"))
    for earlier in archive.parent.glob(f"precis-*{UNVERIFIED}.tar.gz*"):
        earlier.unlink()
    return archive.rename(aside)


def _check(made: Made) -> str:
    try:
        archive_check(made.path, None)
    except BackupRefusal as refusal:
        return str(refusal)
    return ""


@contextlib.contextmanager
def _only_one(folder: Path) -> Iterator[bool]:
    """Yield whether no other process makes a nightly backup, on any machine: locks end with the one that holds them."""
    with (folder / ".lock").open("ab") as lock, contextlib.ExitStack() as held:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield connection.vendor != "postgresql" or held.enter_context(_advisory_lock())


@contextlib.contextmanager
def _advisory_lock() -> Iterator[bool]:
    """Hold a lock of the database on a connection of its own, which is open as long as the block."""
    holder = connection.copy()
    try:
        with holder.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK])
            yield bool(cursor.fetchone()[0])
    finally:
        holder.close()


def _silent(_text: str) -> None:
    pass
