"""The folder that a release is written into: it appears only when all its files are complete.

Each attempt at writing a release has a folder of its own, so that one which was stopped and goes on later can only
spoil its own files.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

PIECE = 1 << 20


@dataclass(frozen=True)
class WrittenFile:
    name: str
    size: int
    sha256: str


class CheckedStream:
    """A binary stream that knows its size and SHA-256 as it is written."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> int:
        self._digest.update(data)
        self.size += len(data)
        return self._stream.write(data)

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()

    def close(self) -> None:
        self._stream.flush()
        os.fsync(self._stream.fileno())
        self._stream.close()

    def discard(self) -> None:
        """Close a file that will be removed: what it still holds need not find room on the disk."""
        with suppress(OSError):
            self._stream.close()


class ReleaseFolder:
    """Files are added to the attempt's folder beside the final one, and it takes that one's name at the end."""

    def __init__(self, folder: Path, attempt: int = 0) -> None:
        self.final = folder
        self.partial = folder.with_name(f"{folder.name}.partial-{attempt}")
        for path in _partial_folders(folder, before=attempt + 1):
            shutil.rmtree(path, ignore_errors=True)  # of earlier attempts, which were cut off
        self.partial.mkdir(parents=True)
        self.files: list[WrittenFile] = []
        self._open: dict[str, CheckedStream] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Whatever did not come to its end leaves nothing behind."""
        for stream in self._open.values():
            stream.discard()
        shutil.rmtree(self.partial, ignore_errors=True)

    def stream(self, name: str, head: bytes = b"") -> CheckedStream:
        """A file to be written piece by piece, until `close_all`; at first it holds its head."""
        if name not in self._open:
            self._open[name] = CheckedStream(self.path(name).open("wb"))
            self._open[name].write(head)
        return self._open[name]

    def close_all(self) -> None:
        for name, stream in self._open.items():
            stream.close()
            self.files.append(WrittenFile(name, stream.size, stream.sha256))
        self._open.clear()

    def write(self, name: str, data: bytes) -> WrittenFile:
        """A small file at once."""
        stream = CheckedStream(self.path(name).open("wb"))
        stream.write(data)
        stream.close()
        written = WrittenFile(name, stream.size, stream.sha256)
        self.files.append(written)
        return written

    def add(self, name: str) -> None:
        """A file that somebody else wrote into the folder: its checksum is taken from the disk."""
        path, digest = self.path(name), hashlib.sha256()
        with path.open("rb") as stream:
            while piece := stream.read(PIECE):
                digest.update(piece)
            os.fsync(stream.fileno())
        self.files.append(WrittenFile(name, path.stat().st_size, digest.hexdigest()))

    def publish(self) -> None:
        """Give the folder its final name; whatever has that name was left by an attempt that never finished.

        Call this only in a transaction that has locked the release and found it unfinished.
        """
        shutil.rmtree(self.final, ignore_errors=True)
        self.partial.rename(self.final)
        _sync_folder(self.final.parent)

    def path(self, name: str) -> Path:
        """Where a file is, or will be: its folder is there."""
        path = self.partial / name
        if not path.resolve().is_relative_to(self.partial.resolve()):
            raise ValueError(f"{name!r} would lie outside the folder of the release")
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


def folder_discard(folder: Path) -> None:
    """Remove a final folder whose release was not finished; its name may be used again at once."""
    shutil.rmtree(folder, ignore_errors=True)


def _partial_folders(folder: Path, *, before: int) -> Iterator[Path]:
    """Yield the folders of attempts with lower numbers: a later attempt's is never touched."""
    for path in folder.parent.glob(f"{folder.name}.partial-*"):
        number = path.name.rpartition("-")[2]
        if number.isdecimal() and int(number) < before:
            yield path


def _sync_folder(folder: Path) -> None:
    """Make a new name in a folder survive a power failure, before the database says that it is there."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
