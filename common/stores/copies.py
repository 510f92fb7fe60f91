"""Copies of stored files in the data folder, for what needs a file of this computer.

A copy is named by its checksum. While somebody reads one it is locked, shared with other readers; the oldest ones that
nobody reads are removed when all together take more than `STORED_COPIES_BYTES`, or after a day. Locks end
with their process, so nothing has to be tidied after one that was killed.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256 as new_digest
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.utils.translation import gettext as _

from common.errors import FileDamaged

PARTIAL = ".partial"
KEPT_SECONDS = 24 * 3600


def copies_folder() -> Path:
    folder: Path = settings.DATA_DIR / "copies"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


@contextmanager
def local_copy(place: str, sha256: str, fetch: Callable[[], Iterator[bytes]]) -> Iterator[Path]:
    """Yield the copy of a file, which is fetched unless it is there; it stays until the context ends."""
    path = copies_folder() / (sha256 or f"unchecked-{new_digest(place.encode()).hexdigest()}")
    stream, is_new = _held(path), False
    while stream is None:
        _fetch(path, sha256, fetch)
        stream, is_new = _held(path), True
    with stream:
        os.utime(path)  # it was used just now
        if is_new:
            copies_shrink()
        yield path


def _held(path: Path) -> BinaryIO | None:
    """Open a copy and keep it from being removed; return None if there is none."""
    try:
        stream = path.open("rb")
    except FileNotFoundError:
        return None
    fcntl.flock(stream, fcntl.LOCK_SH)
    if _is_at(stream, path):
        return stream
    stream.close()  # it was removed in between
    return None


def _fetch(path: Path, sha256: str, fetch: Callable[[], Iterator[bytes]]) -> None:
    """Fetch a file unless somebody else is doing so; then wait until they have."""
    partial = path.with_name(path.name + PARTIAL)
    with partial.open("ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        if path.exists() or not _is_at(stream, partial):
            return
        stream.truncate(0)
        try:
            _write(stream, sha256, fetch)
        except BaseException:
            partial.unlink()
            raise
        partial.rename(path)


def _write(stream: BinaryIO, sha256: str, fetch: Callable[[], Iterator[bytes]]) -> None:
    digest = new_digest()
    for piece in fetch():
        digest.update(piece)
        stream.write(piece)
    stream.flush()
    os.fsync(stream.fileno())
    if sha256 and digest.hexdigest() != sha256:
        raise FileDamaged(_("A file in the storage is damaged: it does not have its checksum."))


def copies_shrink() -> int:
    """Remove the copies that were not used for longest until the others take no more than they may; return how many.

    Those that were not used for a day go in any case: what they are copies of may have been deleted.
    """
    files = [(path, path.stat()) for path in copies_folder().iterdir() if path.is_file()]
    too_much = sum(status.st_size for _path, status in files) - settings.STORED_COPIES_BYTES
    removed, long_ago = 0, time.time() - KEPT_SECONDS
    for path, status in sorted(files, key=lambda file: file[1].st_mtime):
        if too_much <= 0 and status.st_mtime >= long_ago:
            break
        if _removed(path):
            too_much -= status.st_size
            removed += 1
    return removed


def _removed(path: Path) -> bool:
    """Remove a copy that nobody reads or writes."""
    try:
        with path.open("r+b") as stream:  # some network file systems want to write for such a lock
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not _is_at(stream, path):  # others removed it, and it may be there again for somebody who reads it
                return False
            path.unlink()
    except (BlockingIOError, FileNotFoundError):
        return False
    return True


def _is_at(stream: BinaryIO, path: Path) -> bool:
    try:
        return os.fstat(stream.fileno()).st_ino == path.stat().st_ino
    except FileNotFoundError:
        return False
