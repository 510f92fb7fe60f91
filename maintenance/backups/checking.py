"""Checking a backup by restoring it: in a process, a database and a folder of its own, which are removed afterwards."""

import contextlib
import fcntl
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from django.conf import settings

from common.environment import of_child
from maintenance.backups import BackupRefusal
from maintenance.backups.writing import Write

PREFIX = "backup-check-"


def archive_check(archive: Path, identity: Path | None) -> str:
    """Restore a backup beside the installation and compare; return what the restoring process tells.

    Raises
    ------
    BackupRefusal
        If it cannot be restored, with the reason.
    """
    options = [f"--identity={identity.resolve()}"] if identity else []
    with _folder() as folder, _restoring(folder, str(archive.resolve()), *options) as (process, output):
        if process.wait():
            raise BackupRefusal(_reason(output))
        return _text(output)


class StreamCheck:
    """Restores a backup while it is written, from the stream before it is encrypted."""

    def __init__(self) -> None:
        self.error = "the check did not finish"

    @contextlib.contextmanager
    def also(self) -> Iterator[Write]:
        """Yield what to write the plain archive to. No failure of the check keeps the backup from being written."""
        with _folder() as folder, _restoring(folder, "-") as (process, output):
            pipe = cast(BinaryIO, process.stdin)
            yield lambda data: _fed(pipe, data)
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
            self.error = _reason(output) if process.wait() else ""


def _fed(pipe: BinaryIO, data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError, ValueError):  # it has found something, and says what at the end
        pipe.write(data)


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """Yield a folder in the data folder, which is closed to others and may hold plain data; remove those of killed."""
    for left in settings.DATA_DIR.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError), (left / "lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(left, ignore_errors=True)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=PREFIX, dir=settings.DATA_DIR)))
        fcntl.flock(stack.enter_context((folder / "lock").open("ab")), fcntl.LOCK_EX)
        yield folder


@contextlib.contextmanager
def _restoring(folder: Path, *arguments: str) -> Iterator[tuple["subprocess.Popen[bytes]", Path]]:
    variables = of_child(
        DJANGO_SETTINGS_MODULE="annotation.backup_check_settings",
        PRECIS_DATA_DIR=str(folder),
        DATABASE_URL=f"sqlite:///{folder / 'check.sqlite3'}",
        CELERY_BROKER_URL="memory://localhost",
        # What would stand beside these.
        DATABASE_URL_FILE="",
        DATABASE_PASSWORD="",
        DATABASE_PASSWORD_FILE="",
        CELERY_BROKER_URL_FILE="",
    )
    output = folder / "output"
    with output.open("wb") as stream:
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "manage.py", "restore", *arguments],
            cwd=settings.BASE_DIR,
            env=variables,
            stdin=subprocess.PIPE,
            stdout=stream,
            stderr=stream,
        )
        try:
            yield process, output
        finally:
            process.kill()
            process.wait()
            with contextlib.suppress(BrokenPipeError):
                cast(BinaryIO, process.stdin).close()


def _text(output: Path) -> str:
    return output.read_text(encoding="utf-8", errors="replace").strip()


def _reason(output: Path) -> str:
    """Return the last line that the process has said, which is why it gave up."""
    lines = _text(output).splitlines()
    return lines[-1].removeprefix("CommandError: ") if lines else "the check was killed"
