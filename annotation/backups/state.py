"""What is known of the nightly backups: kept as a small file beside them, so that it outlives the database."""

import contextlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings

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


def newest_backup() -> BackupState | None:
    """Return what is known of the nightly backups; None where none are made (PRECIS_BACKUP_DIR is empty)."""
    if settings.BACKUP_DIR is None:
        return None
    return state_read(settings.BACKUP_DIR)


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
