"""Making a backup: the file, which has its name only when it is complete, encrypted where that is set.

If files vanish meanwhile, all is done over again.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.core.files.storage import storages
from django.db import connection

from common.clock import process_now
from maintenance.backups import BackupRefusal
from maintenance.backups.encryption import recipients_check, sealed, suffix_of
from maintenance.backups.files import Changed, names_of, wanted_by
from maintenance.backups.manifest import Manifest, current_check
from maintenance.backups.retention import archive_name
from maintenance.backups.writing import Tell, Write, archive_write

PARTIAL = ".precis-partial"


@contextlib.contextmanager
def complete_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file beside the one to write, which takes its name at the end of the block unless that fails."""
    if path.exists():
        raise BackupRefusal(f"{path} already exists.")
    partials_remove(path.parent)
    number, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=PARTIAL)  # of mode 600
    partial = Path(name)
    try:
        with open(number, "wb", buffering=0) as stream:  # noqa: PTH123 - a descriptor
            fcntl.flock(stream, fcntl.LOCK_EX)
            yield stream
            os.fsync(stream.fileno())
            if path.exists():
                raise BackupRefusal(f"{path} has been created in the meantime.")
            partial.rename(path)
        _folder_sync(path.parent)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def partials_remove(folder: Path) -> None:
    """Remove what killed backups have left: nobody holds the lock of such a file."""
    for path in folder.glob(f".*{PARTIAL}"):
        with contextlib.suppress(OSError), path.open("rb") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()


def _folder_sync(folder: Path) -> None:
    """Have the new name on the disk before anyone relies on it; some shares cannot, and need not."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


TRIES = 3
ROWS_SHRINK_TO = 0.1  # of the database's size, at the very best: less free space cannot do
Also = Callable[[], contextlib.AbstractContextManager[Write]]


@dataclass(frozen=True)
class Made:
    path: Path
    size: int
    manifest: Manifest


@contextlib.contextmanager
def _nothing_else() -> Iterator[Write]:
    yield lambda _data: None


def backup_make(where: Path, tell: Tell, also: Also = _nothing_else) -> Made:
    """Write a backup into a folder, under a name with the time, or to a file.

    `also` is given the plain archive as it is written.

    Raises
    ------
    BackupRefusal
        If it cannot be made; then no file of that name is left.
    """
    current_check()
    recipients = settings.BACKUP_RECIPIENTS
    recipients_check(recipients)
    path = where / archive_name(process_now(), suffix_of(recipients)) if where.is_dir() else where
    if not path.parent.is_dir():
        raise BackupRefusal(f"There is no folder {path.parent}.")
    _space_check(path.parent)
    for number in range(1, TRIES + 1):
        try:
            return _made(path, tell, also, is_last_try=number == TRIES)
        except Changed as change:
            tell(f"{change}: starting again")
            reason = change
        except OSError as error:
            raise BackupRefusal(f"{path}: {error.strerror or error}") from error
    raise BackupRefusal(f"{reason}, at every attempt at the backup.")


def _made(path: Path, tell: Tell, also: Also, *, is_last_try: bool) -> Made:
    with also() as write_also, complete_file(path) as file, sealed(file, settings.BACKUP_RECIPIENTS) as sink:

        def write(data: bytes) -> None:
            _write_all(sink, data)
            write_also(data)

        manifest = archive_write(write, tell, is_last_try=is_last_try)
    return Made(path, path.stat().st_size, manifest)


def _write_all(sink: BinaryIO, data: bytes) -> None:
    """Write everything: without a buffer, a file may take a part of it."""
    left = memoryview(data)
    while left:
        left = left[sink.write(left) :]


def _space_check(folder: Path) -> None:
    """Refuse what cannot have room: released files are compressed already, and rows shrink to a tenth at best."""
    sizes = (storages[storage].size(name) for storage, name in names_of(wanted_by(connection)))
    needed = sum(sizes) // 2 + int(_database_size() * ROWS_SHRINK_TO)
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise BackupRefusal(
            f"{folder} has {free // 2**20} MB of free space; the backup needs at least {needed // 2**20} MB."
        )


def _database_size() -> int:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
        cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        return int(cursor.fetchone()[0])
