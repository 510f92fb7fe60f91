"""What a store of files does beyond Django's storages, be it a folder of this computer or a bucket that speaks S3.

A name never gets other content, except for the few that a store's user replaces on purpose: whoever writes a file again
gives it a new name. So a file that was read once can be kept.
"""

import errno
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from django.core.files.storage import Storage


def no_such_file(place: str, why: str = "No such file") -> FileNotFoundError:
    """Return the error for a file that is not where it should be."""
    return FileNotFoundError(errno.ENOENT, why, place)


@dataclass(frozen=True)
class SentAs:
    """What a link to a file says of it: the header Content-Disposition, the type, and for how long it is valid."""

    disposition: str
    content_type: str
    seconds: int


class FileStore(Storage):
    """A place for whole files. All methods raise `FilesAway` if it does not answer."""

    @abstractmethod
    def put(self, path: Path, name: str) -> None:
        """Move a file into the store. When this returns, it will outlive a power failure."""

    @abstractmethod
    def local(self, name: str, sha256: str = "") -> AbstractContextManager[Path]:
        """Return a context with the file as one of this computer; raise FileNotFoundError if there is none.

        With a checksum, a file that comes from elsewhere is compared to it.
        """

    @abstractmethod
    def whole(self, name: str, size: int) -> Iterable[bytes]:
        """Return all bytes of a file, piece by piece; an open file where the web server can send one itself."""

    @abstractmethod
    def pieces(self, name: str, wanted: range) -> Iterator[bytes]:
        """Return some bytes of a file, piece by piece. Whether it has them is known before the first piece."""

    @abstractmethod
    def link(self, name: str, sent_as: SentAs) -> str | None:
        """Return an address at which anybody can fetch the file for a while, or None if there is none."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file, or a folder with all that is in it; nothing happens if there is none."""

    @abstractmethod
    def place(self, name: str) -> str:
        """Return where a file or folder lies, for people who look for it with other programs."""
