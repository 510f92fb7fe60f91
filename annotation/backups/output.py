"""The file of a backup: it has its name only when it is complete, and belongs to nobody else."""

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from annotation.backups.refusal import BackupRefusal

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
