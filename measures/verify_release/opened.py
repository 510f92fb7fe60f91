"""A release as it lies on a disk, a folder or a ZIP: its files by their names, each read within bounds."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO

MOST_FILES = 100_000
LONGEST_LINE = 64 << 20
MOST_TIMES, MODEST = 200, 16 << 20
"""How many times its packed size a file of a ZIP may be, if it is not a modest one: texts reach 20."""
PIECE = 1 << 20


class Unreadable(ValueError):
    """What cannot be read at all, or not safely; the words name the file."""


class Opened:
    """The files of a folder or a ZIP.

    Parameters
    ----------
    place : Path
        The folder, or the ZIP.

    Raises
    ------
    Unreadable
        If it is neither.
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        self._archive: zipfile.ZipFile | None = None
        if not place.is_dir():
            try:
                self._archive = zipfile.ZipFile(place)
            except (OSError, zipfile.BadZipFile) as error:
                why = getattr(error, "strerror", None) or "neither a folder nor a ZIP"
                raise Unreadable(f"{place}: {why}") from error
            if len(self._archive.infolist()) > MOST_FILES:
                raise Unreadable(f"{place}: more than {MOST_FILES:,} files")

    def names(self) -> list[str]:
        """Return the names of all files, with / between folders, sorted."""
        if self._archive is not None:
            return sorted(each.filename for each in self._archive.infolist() if not each.is_dir())
        found = (path.relative_to(self.place).as_posix() for path in self.place.rglob("*") if path.is_file())
        return sorted(name for _, name in zip(range(MOST_FILES), found, strict=False))

    def has(self, name: str) -> bool:
        """Whether there is a file of a name."""
        if self._archive is not None:
            return name in self._archive.NameToInfo
        return (self.place / name).is_file()

    def pieces(self, name: str, most: int) -> Iterator[bytes]:
        """Yield the content of a file in pieces, at most some bytes and one, so that a longer one is told.

        Raises
        ------
        Unreadable
            If it lies outside of the release, is damaged, or is packed as no text is.
        """
        with self.opened(name) as stream:
            while most >= 0:
                if not (piece := _done(stream.read, min(PIECE, most + 1), name)):
                    return
                most -= len(piece)
                yield piece

    def lines(self, name: str) -> Iterator[tuple[int, bytes]]:
        """Yield the lines of a file with their numbers, from 1.

        Raises
        ------
        Unreadable
            As `pieces`; also if a line is longer than 64 MiB.
        """
        with self.opened(name) as stream:
            number = 0
            while line := _done(stream.readline, LONGEST_LINE + 1, name):
                number += 1
                if len(line) > LONGEST_LINE:
                    raise Unreadable(f"{name}, line {number}: longer than {LONGEST_LINE >> 20} MiB")
                yield number, line

    def opened(self, name: str) -> IO[bytes]:
        """Open a file to read.

        Raises
        ------
        Unreadable
            As `pieces`.
        """
        if is_outside(name):
            raise Unreadable(f"{name}: lies outside of the release")
        if self._archive is None:
            path = self.place / name
            if not path.resolve().is_relative_to(self.place.resolve()):
                raise Unreadable(f"{name}: leads out of the folder")
            try:
                return path.open("rb")
            except OSError as error:
                raise Unreadable(f"{name}: {error.strerror}") from error
        info = self._archive.getinfo(name)
        if info.file_size > max(MODEST, MOST_TIMES * info.compress_size):
            raise Unreadable(
                f"{name}: {info.compress_size:,} bytes unpack to {info.file_size:,}, as no text does: not read"
            )
        try:
            return self._archive.open(info)
        except (OSError, RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
            raise Unreadable(f"{name}: {error}") from error


def _done(read: Callable[[int], bytes], most: int, name: str) -> bytes:
    try:
        return read(most)
    except (OSError, EOFError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise Unreadable(f"{name}: {error}") from error


def is_outside(name: str) -> bool:
    """Whether a name climbs out of the folder that it should be in.

    Examples
    --------
    >>> is_outside("RawData/../../x"), is_outside("/etc/passwd"), is_outside("RawData/train.tsv")
    (True, True, False)
    """
    return "\\" in name or ":" in name or "\0" in name or name.startswith("/") or ".." in PurePosixPath(name).parts
