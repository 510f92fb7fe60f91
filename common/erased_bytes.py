"""Overwriting what deleted rows have left in the files of the database.

A database marks deleted rows as free and leaves their bytes in its files. SQLite is told to overwrite them
(`secure_delete` in the settings), but still leaves some where it moves rows between pages, and what an earlier version
deleted; VACUUM rewrites the file. PostgreSQL frees the space for other rows, which overwrite it in time.
"""

from collections.abc import Iterable

from django.apps import apps
from django.db import connection
from django.db.backends.utils import CursorWrapper

CHECKPOINT_SECONDS = 1  # it keeps others from writing while it waits for those who read


def deleted_bytes_overwrite(rooms: Iterable[str]) -> bool:
    """Overwrite the deleted rows of the rooms' tables; return False if somebody who reads just now is in the way."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            return _file_rewrite(cursor)
        models = [model for room in rooms for model in apps.get_app_config(room).get_models()]
        cursor.execute(f"VACUUM {', '.join(connection.ops.quote_name(model._meta.db_table) for model in models)}")
    return True


def _file_rewrite(cursor: CursorWrapper) -> bool:
    cursor.execute("VACUUM")
    # The new file is still in the log before the old one, with everything that was written meanwhile.
    cursor.execute(f"PRAGMA busy_timeout = {1000 * CHECKPOINT_SECONDS}")
    try:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        is_busy = bool(cursor.fetchone()[0])
    finally:
        cursor.execute(f"PRAGMA busy_timeout = {1000 * connection.settings_dict['OPTIONS']['timeout']}")
    return not is_busy
