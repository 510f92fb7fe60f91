"""A real file system of a few megabytes, which can be filled to the last byte."""

import contextlib
import errno
import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

import pytest

PIECE = 4096


@dataclass(frozen=True)
class SmallDisk:
    path: Path

    @property
    def _filler(self) -> Path:
        return self.path / "filler"

    def fill(self) -> None:
        """Leave no room at all."""
        with self._filler.open("ab", buffering=0) as filler:
            while _is_written(filler):
                pass

    def free(self, size: int | None = None) -> None:
        """Give room again: so many bytes, or all that was filled."""
        if size is None:
            self._filler.unlink()
        else:
            os.truncate(self._filler, self._filler.stat().st_size - size)


def _is_written(filler: FileIO) -> bool:
    try:
        filler.write(b"\0" * PIECE)
    except OSError as fault:
        if fault.errno == errno.ENOSPC:
            return False
        raise
    return True


@contextlib.contextmanager
def small_disk(megabytes: int, folder: Path | None = None) -> Iterator[SmallDisk]:
    """Mount a disk in memory on a new folder, which all accounts may enter; skip the test where that is not allowed."""
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="precis-disk-") as name:
            Path(name).chmod(0o755)
            with small_disk(megabytes, Path(name) / "disk") as disk:
                yield disk
        return
    folder.mkdir()
    options = f"size={megabytes}m,mode=0755"
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip(f"no file system may be mounted here: {mounted.stderr.decode().strip()}")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
