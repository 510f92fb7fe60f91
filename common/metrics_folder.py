"""The folder in which the processes of a web server, or of a worker, keep their counts, so that one can add them up.

It is in memory where there is such a file system, it belongs to one run of the server, and the counts of processes
that have ended stay in it. What earlier runs have left is removed at the next start.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"  # read by the library
IN_MEMORY = Path("/dev/shm")  # noqa: S108 - the folder in it has a name of its own, and is closed to others


def metrics_folder() -> Path | None:
    """Return the folder of this run; None if this process counts for itself."""
    folder = os.environ.get(VARIABLE)
    return Path(folder) if folder else None


def metrics_folder_make() -> Path:
    """Make the folder of this run before its processes are forked, and tell the library of it."""
    parent = IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else Path(tempfile.gettempdir())
    for left in _left_behind(parent):
        shutil.rmtree(left, ignore_errors=True)
    folder = tempfile.mkdtemp(prefix=f"{_prefix()}{os.getpid()}-", dir=parent)
    os.environ[VARIABLE] = folder
    return Path(folder)


def metrics_folder_remove() -> None:
    if folder := metrics_folder():
        shutil.rmtree(folder, ignore_errors=True)


def _prefix() -> str:
    return f"precis-metrics-{os.getuid()}-"


def _left_behind(parent: Path) -> Iterator[Path]:
    for folder in parent.glob(f"{_prefix()}*"):
        number = folder.name.removeprefix(_prefix()).partition("-")[0]
        if folder.lstat().st_uid == os.getuid() and number.isdecimal() and not _is_running(int(number)):
            yield folder


def _is_running(process: int) -> bool:
    """Whether another process of this account has this number."""
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, PermissionError, OverflowError):
        return False
    return True
