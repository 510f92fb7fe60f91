"""The folder of this computer that a release is written into, before its files are stored where they can be read."""

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

from common.stores.base import FileStore

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
    """Files are added to a new folder; all of them together are moved to a store at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True)
        self.files: list[WrittenFile] = []
        self._open: dict[str, CheckedStream] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in self._open.values():
            stream.discard()

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

    def move_to(self, store: FileStore, path: str, moved: Callable[[], None]) -> None:
        """Move all files to a path of a store, and call `moved` after each."""
        for file in self.files:
            store.put(self.path(file.name), f"{path}/{file.name}")
            moved()

    def path(self, name: str) -> Path:
        """Where a file is, or will be: its folder is there."""
        path = self.folder / name
        if not path.resolve().is_relative_to(self.folder.resolve()):
            raise ValueError(f"{name!r} would lie outside the folder of the release")
        path.parent.mkdir(parents=True, exist_ok=True)
        return path
