"""Restoring: rows in one transaction and files beside them, into an empty place, compared before anything counts."""

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import BinaryIO

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.files import File
from django.core.files.storage import FileSystemStorage, Storage, storages
from django.db import DatabaseError, connection, transaction

from common.stores import stored_names
from maintenance.backups import BackupRefusal, Damaged, files
from maintenance.backups.columns import Row, decoded
from maintenance.backups.files import Name, all_storages
from maintenance.backups.manifest import Head, Manifest, migrate_forward, migrate_to, version_check
from maintenance.backups.reading import archive_read
from maintenance.backups.tables import (
    FILLED_BY_MIGRATE,
    LEFT_OUT,
    Digest,
    Table,
    columns_check,
    digest_of,
    last_key_set,
    tables_of_models,
)
from maintenance.migration_guard import joined

Tell = Callable[[str], object]
Opening = Callable[[], AbstractContextManager[BinaryIO]]
IN_MEMORY = 2**23


@dataclass(frozen=True)
class Restored:
    head: Head
    manifest: Manifest


def archive_restore(opening: Opening, tell: Tell) -> Restored:
    """Restore an archive and bring its tables up to this version. If it fails, nothing of it is left.

    Raises
    ------
    BackupRefusal
        If something is here already, or the archive is damaged or of a version that cannot be read.
    """
    with contextlib.ExitStack() as undone_on_failure, opening() as source:
        loader = _Loader(undone_on_failure)
        with _explained():
            head, manifest = archive_read(source, loader)
            loader.finish(head, manifest, tell)
            undone_on_failure.close()  # commits
    ContentType.objects.clear_cache()
    try:
        migrate_forward()
    except Exception as error:
        raise BackupRefusal(
            f"Everything is restored with the tables of Précis {head.product}, but they could not be brought up to "
            f"this version: {error}"
        ) from error
    return Restored(head, manifest)


def what_is_here() -> list[str]:
    """Return what stands where a backup would go; nothing in a new installation."""
    ours = {table.name for table in tables_of_models()} | LEFT_OUT.keys()
    ours -= {"django_migrations", *FILLED_BY_MIGRATE}
    found = []
    with connection.cursor() as cursor:
        for table in sorted(ours & set(connection.introspection.table_names(cursor))):
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608 - quoted
            if rows := cursor.fetchone()[0]:
                found.append(f"{table} has rows ({rows})")
    for name, storage in all_storages().items():
        if first := next(stored_names(storage), None):
            found.append(f"{name} has files ({first})")
    return found


def empty_check() -> None:
    if found := what_is_here():
        more = f" and {len(found) - 5} more" if len(found) > 5 else ""
        raise BackupRefusal(
            f"A backup can only be restored into an empty place. Here, {'; '.join(found[:5])}{more}. Name a new "
            "database in DATABASE_URL and a new folder in PRECIS_DATA_DIR. Nothing has been changed."
        )


def room_check(manifest: Manifest) -> None:
    """Refuse what the disk has no room for: files, which are often in the same folder as the database."""
    needed = sum(stored.size for (name, _), stored in manifest.files.items() if _is_folder(storages[name]))
    free = shutil.disk_usage(settings.DATA_DIR).free
    if free < needed:
        raise BackupRefusal(
            f"The files need {needed // 2**20} MB, and {settings.DATA_DIR} has {free // 2**20} MB free."
        )


def _is_folder(storage: Storage) -> bool:
    return isinstance(storage, FileSystemStorage)


class _Loader:
    """Receives an archive. What it does is undone with the stack it is given, unless all goes well."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self._saved: list[Name] = []

    def begin(self, head: Head) -> None:
        empty_check()
        migrations = joined(head.migrations)
        version_check(head.product, migrations)
        migrate_to(migrations)
        self._stack.enter_context(_removed_on_failure(self._saved))
        self._stack.enter_context(transaction.atomic())
        columns_check(head.tables, connection)
        _lock(head.tables)
        empty_check()
        with connection.cursor() as cursor:
            for name in FILLED_BY_MIGRATE:
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(name)}")  # noqa: S608 - quoted

    def rows(self, table: Table, rows: list[Row]) -> None:
        quote = connection.ops.quote_name
        names = ", ".join(quote(column.name) for column in table.columns)
        places = ", ".join(["%s"] * len(table.columns))
        try:
            values = [
                [decoded(value, column, connection) for value, column in zip(row, table.columns, strict=True)]
                for row in rows
            ]
            with connection.cursor() as cursor:
                cursor.executemany(f"INSERT INTO {quote(table.name)} ({names}) VALUES ({places})", values)  # noqa: S608
        except (ValueError, TypeError, ArithmeticError, KeyError, DatabaseError) as error:
            reason = str(error).partition("\n")[0]
            raise BackupRefusal(f"This database refuses a row of {table.name}: {reason}") from error

    def file(self, name: Name, chunks: Iterable[bytes]) -> None:
        with tempfile.SpooledTemporaryFile(IN_MEMORY, dir=str(settings.DATA_DIR)) as content:
            for chunk in chunks:
                content.write(chunk)
            content.seek(0)
            self._saved.append(name)
            if storages[name[0]].save(name[1], File(content, name[1])) != name[1]:
                raise BackupRefusal(f"The storage {name[0]} refuses a file named {name[1]!r}.")

    def finish(self, head: Head, manifest: Manifest, tell: Tell) -> None:
        """Compare what is here now with what the archive says."""
        for table in head.tables:
            last_key_set(table, head.last_keys[table.name], connection)
        connection.check_constraints()
        for table in head.tables:
            sums, found = manifest.tables[table.name], digest_of(table, connection)
            if found != Digest(sums.rows, sums.content_sha256):
                raise Damaged(f"{table.name} differs from the archive: {found.rows} rows of {sums.rows}.")
            tell(f"{table.name}: {found.rows} rows, same as in the backup")
        for name, stored in manifest.files.items():
            if files.digest_of(name) != stored:
                raise Damaged(f"{name[0]}/{name[1]} differs from the archive.")
            tell(f"{name[0]}/{name[1]}: {stored.size} bytes, same as in the backup")


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    """Say what a database or a disk refuses as such a refusal."""
    try:
        yield
    except (DatabaseError, OSError) as error:
        raise BackupRefusal(f"{type(error).__name__}: {str(error).partition(chr(10))[0]}") from error


@contextlib.contextmanager
def _removed_on_failure(saved: list[Name]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        for storage, name in saved:
            _remove(storages[storage], name)
        raise


def _remove(storage: Storage, name: str) -> None:
    """Delete a file, and the folders that only it was in."""
    with contextlib.suppress(OSError):
        storage.delete(name)
        for folder in PurePosixPath(name).parents[:-1]:
            storage.delete(str(folder))


def _lock(tables: Iterable[Table]) -> None:
    """Keep others from writing meanwhile; in SQLite, the transaction itself does."""
    if connection.vendor == "postgresql":
        names = ", ".join(connection.ops.quote_name(table.name) for table in tables)
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE")
