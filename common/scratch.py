"""Folders of this computer that files are written into before they are stored.

Each is locked by the process that writes into it, and the lock ends with the process: a folder whose lock is free was
left by one that was killed. They lie in the data folder, so that a file need not be copied to get into a store there.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from django.conf import settings

LOCK = ".lock"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield a new folder, which is removed at the end; those of killed processes are removed first."""
    scratch_remove_left()
    lock, stream = _new_lock()
    folder = lock.with_suffix("")
    with stream:
        folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            _remove(lock)


def scratch_remove_left() -> int:
    """Remove the folders of processes that were killed; return how many."""
    removed = 0
    for lock in _all_folders().glob(f"*{LOCK}"):
        stream = _locked(lock, "r+b")
        if stream is not None:
            with stream:
                _remove(lock)
            removed += 1
    return removed


def _all_folders() -> Path:
    folder: Path = settings.DATA_DIR / "scratch"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _new_lock() -> tuple[Path, BinaryIO]:
    while True:
        lock = _all_folders() / f"{token_hex(8)}{LOCK}"
        if (stream := _locked(lock, "xb")) is not None:
            return lock, stream


def _locked(lock: Path, mode: str) -> BinaryIO | None:
    """Lock a file; return None if it is locked by others, or was removed before it could be locked."""
    try:
        stream: BinaryIO = lock.open(mode)  # type: ignore[assignment]
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        return None
    if os.fstat(stream.fileno()).st_nlink:
        return stream
    stream.close()
    return None


def _remove(lock: Path) -> None:
    shutil.rmtree(lock.with_suffix(""), ignore_errors=True)
    lock.unlink(missing_ok=True)
