"""Files in a row, as tar has them: written and read in one go, ordinary files only.

Links, devices and whatever else tar knows have no place in a backup, and are refused before anything is made of them.
"""

import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from annotation.backups.refusal import Damaged

BLOCK = tarfile.BLOCKSIZE
END = bytes(2 * BLOCK)
CHUNK = 2**18
MAX_NAME_RECORDS = 2**16


class Sink(Protocol):
    def write(self, data: bytes, /) -> object: ...


class Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...


class TarWriter:
    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def add(self, name: str, size: int, chunks: Iterable[bytes]) -> None:
        """Write a file.

        Raises
        ------
        ValueError
            If its content has another size.
        """
        info = tarfile.TarInfo(name)
        info.size, info.mode = size, 0o600
        self._sink.write(info.tobuf(tarfile.PAX_FORMAT, "utf-8", "strict"))
        written = 0
        for chunk in chunks:
            self._sink.write(chunk)
            written += len(chunk)
        if written != size:
            raise ValueError(f"{name} has {written} bytes, and not {size}")
        self._sink.write(bytes(-size % BLOCK))

    def close(self) -> None:
        self._sink.write(END)


@dataclass
class Member:
    """A file in the archive, whose content is read once and before the next one."""

    name: str
    size: int
    _stream: Stream
    _left: int

    def chunks(self) -> Iterator[bytes]:
        while self._left:
            data = _exactly(self._stream, min(self._left, CHUNK))
            self._left -= len(data)
            yield data

    def content(self, most: int) -> bytes:
        """Return the whole of a file that is read into memory."""
        if self.size > most:
            raise Damaged(f"{self.name!r} is larger than any such file of a backup.")
        return b"".join(self.chunks())


def members(stream: Stream) -> Iterator[Member]:
    """Yield the files of an archive, which must end properly."""
    records: dict[str, str] = {}
    while (header := _exactly(stream, BLOCK)) != END[:BLOCK]:
        info = _parsed(header)
        if info.type == tarfile.XHDTYPE and not records:
            records = _pax_records(stream, info.size)
            continue
        if info.type != tarfile.REGTYPE:
            raise Damaged(f"The archive holds something that is not a file: {info.name!r}.")
        size = _number(records["size"]) if "size" in records else info.size
        member = Member(records.get("path", info.name), size, stream, size)
        records = {}
        yield member
        for _chunk in member.chunks():
            pass
        if any(_exactly(stream, -size % BLOCK)):
            raise Damaged(f"There is something after the content of {member.name!r}.")
    if any(_exactly(stream, BLOCK)) or stream.read(1):
        raise Damaged("Something follows the last file of the archive.")


def _parsed(header: bytes) -> tarfile.TarInfo:
    try:
        info = tarfile.TarInfo.frombuf(header, "utf-8", "strict")
    except (tarfile.HeaderError, UnicodeError) as error:
        raise Damaged(f"The header of a file in the archive is damaged ({error}).") from error
    if info.size < 0:
        raise Damaged("The archive holds a file with a negative size.")
    return info


def _pax_records(stream: Stream, size: int) -> dict[str, str]:
    """Return what tar writes before a file whose name or size has no room in its head."""
    if size > MAX_NAME_RECORDS:
        raise Damaged("The archive holds a name that is too long.")
    data = _exactly(stream, size)
    _exactly(stream, -size % BLOCK)
    records = {}
    while data:
        length, blank, _rest = data.partition(b" ")
        record = data[: _number(length.decode("ascii", "replace"))]
        name, equals, value = record[len(length) + 1 :].partition(b"=")
        if not (blank and equals and value.endswith(b"\n")) or name not in {b"path", b"size"}:
            raise Damaged("The archive holds a file with a description that no backup has.")
        records[name.decode()] = value[:-1].decode("utf-8", "replace")
        data = data[len(record) :]
    return records


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise Damaged("The archive holds a file whose size is not a number.")
    return int(text)


def _exactly(stream: Stream, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise Damaged("The archive is cut off: its end is missing.")
    return data
