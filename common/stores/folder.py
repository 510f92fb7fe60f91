"""A store in a folder of this computer."""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.files.storage import FileSystemStorage

from common.stores.base import FileStore, SentAs, no_such_file

PIECE = 1 << 16


class _FileToMove(File):  # type: ignore[type-arg]  # it takes no parameter at run time
    """A file that `FileSystemStorage` moves instead of copying it."""

    def __init__(self, path: Path) -> None:
        super().__init__(None, name=str(path))
        self._path = path

    def temporary_file_path(self) -> str:
        return str(self._path)


class FolderStore(FileSystemStorage, FileStore):
    def __init__(self, **options: Any) -> None:
        super().__init__(**{"allow_overwrite": True, **options})

    def put(self, path: Path, name: str) -> None:
        _sync(path)
        path.touch()  # its time is when it came here
        self.save(name, _FileToMove(path))
        for folder in self._folders_of(name):
            _sync(folder)

    @contextmanager
    def local(self, name: str, sha256: str = "") -> Iterator[Path]:  # noqa: ARG002 - nothing is copied
        yield self._own_file(name)

    def whole(self, name: str, size: int) -> Iterable[bytes]:
        return self._with_bytes(name, size).open("rb")

    def pieces(self, name: str, wanted: range) -> Iterator[bytes]:
        return _pieces(self._with_bytes(name, wanted.stop), wanted)

    def link(self, name: str, sent_as: SentAs) -> str | None:  # noqa: ARG002 - only buckets have links
        return None

    def remove(self, name: str) -> None:
        path = Path(self.path(name))
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)

    def place(self, name: str) -> str:
        return self.path(name)

    def _own_file(self, name: str) -> Path:
        """Return the path of a file; one that was replaced by a link to another file is none."""
        path = Path(self.path(name))
        if not path.is_file() or path.resolve() != Path(self.location).resolve() / name:
            raise no_such_file(str(path), "No such file, or a link to another one")
        return path

    def _with_bytes(self, name: str, size: int) -> Path:
        path = self._own_file(name)
        if path.stat().st_size < size:
            raise no_such_file(str(path), "The file is shorter than it was")
        return path

    def _folders_of(self, name: str) -> Iterator[Path]:
        """Yield the folders above a file up to the store's own."""
        folder = Path(self.path(name)).parent
        while folder.is_relative_to(self.location):
            yield folder
            folder = folder.parent


def _pieces(path: Path, wanted: range) -> Iterator[bytes]:
    with path.open("rb") as stream:
        stream.seek(wanted.start)
        left = len(wanted)
        while left and (piece := stream.read(min(PIECE, left))):
            left -= len(piece)
            yield piece


def _sync(path: Path) -> None:
    """Make a file, or new names in a folder, survive a power failure."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
