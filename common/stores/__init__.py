"""Files beside the database, which lie in Django's storages: a folder of this computer, or a bucket that speaks S3.

The storages `releases`, `scores`, `models`, `systems` and `sounds` (`STORED` in the settings) hold all files that
belong to the data.
"""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import cast

from django.core.files.storage import Storage, storages

from common.stores.base import FileStore


def store(name: str) -> FileStore:
    """Return one of the storages that hold data."""
    return cast(FileStore, storages[name])


def stored_names(storage: Storage, folder: str = "") -> Iterator[str]:
    """Yield the names of all files in a folder of a storage and in the folders below it, in order."""
    try:
        folders, files = storage.listdir(folder)
    except FileNotFoundError:
        return
    yield from (str(PurePosixPath(folder, name)) for name in sorted(files))
    for name in sorted(folders):
        yield from stored_names(storage, str(PurePosixPath(folder, name)))
