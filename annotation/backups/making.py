"""Making a backup: the file, encrypted where that is set, and if files vanish meanwhile, all over again."""

import contextlib
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.core.files.storage import storages
from django.db import connection

from annotation.backups.encryption import recipients_check, sealed, suffix_of
from annotation.backups.files import Changed, names_of, wanted_by
from annotation.backups.layout import Manifest
from annotation.backups.output import complete_file
from annotation.backups.refusal import BackupRefusal
from annotation.backups.retention import archive_name
from annotation.backups.versions import current_check
from annotation.backups.writing import Tell, Write, archive_write
from common.clock import process_now

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
