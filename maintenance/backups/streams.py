"""The streams of an archive: files in a row, as tar has them, compressed as gzip, written and read in one go.

Links, devices and whatever else tar knows have no place in a backup, and are refused before anything is made of them.
Readers of gzip overlook much: they skip what stands in the header, and what follows the end. This one takes the header
that is written here and no other, and refuses what grows out of all proportion.
"""

import struct
import tarfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from maintenance.backups import Damaged

HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
CHUNK = 2**18
# Rows of the dullest table become a hundredth; only what was made to fill a disk becomes less.
MOST_TIMES_LARGER, ALWAYS_TAKEN = 400, 64 * 2**20


class Source(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Compressor:
    """Compresses what is written, and hands it on."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write_on = write
        self._deflate = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
        self._checksum, self._size = zlib.crc32(b""), 0
        write(HEADER)

    def write(self, data: bytes) -> None:
        self._checksum, self._size = zlib.crc32(data, self._checksum), self._size + len(data)
        if compressed := self._deflate.compress(data):
            self._write_on(compressed)

    def close(self) -> None:
        self._write_on(self._deflate.flush() + struct.pack("<II", self._checksum, self._size % 2**32))


class Decompressor:
    """Reads what was compressed, in memory that does not grow with it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)
        self._checksum, self._size, self._taken = zlib.crc32(b""), 0, 0
        self._waiting, self._is_over = b"", False
        if self._exactly(len(HEADER)) != HEADER:
            raise Damaged("This is not a backup of Précis, or its first bytes are damaged.")

    def read(self, size: int) -> bytes:
        """Return exactly so many bytes, or fewer at the end."""
        parts = []
        while size and (data := self._some(size)):
            parts.append(data)
            size -= len(data)
        return b"".join(parts)

    def _some(self, size: int) -> bytes:
        while not self._is_over:
            data = self._inflated(size)
            self._checksum, self._size = zlib.crc32(data, self._checksum), self._size + len(data)
            if self._size > ALWAYS_TAKEN + MOST_TIMES_LARGER * self._taken:
                raise Damaged("The archive holds far more than its size allows: it was made to fill disks.")
            if self._inflate.eof:
                self._end()
            if data:
                return data
        return b""

    def _inflated(self, size: int) -> bytes:
        compressed = self._inflate.unconsumed_tail or self._more()
        try:
            return self._inflate.decompress(compressed, min(size, CHUNK))
        except zlib.error as error:
            raise Damaged(f"The archive is damaged after {self._size} bytes of content ({error}).") from error

    def _more(self) -> bytes:
        data = self._source.read(CHUNK)
        self._taken += len(data)
        if not data:
            raise Damaged("The archive is cut off: its end is missing.")
        return data

    def _end(self) -> None:
        self._is_over, self._waiting = True, self._inflate.unused_data
        if self._exactly(8) != struct.pack("<II", self._checksum, self._size % 2**32):
            raise Damaged("The archive is damaged: it does not match its checksum.")
        if self._waiting or self._source.read(1):
            raise Damaged("Something follows the end of the archive.")

    def _exactly(self, size: int) -> bytes:
        while len(self._waiting) < size:
            self._waiting += self._more()
        data, self._waiting = self._waiting[:size], self._waiting[size:]
        if not self._is_over:  # what follows the header is compressed
            self._source, self._waiting = _Before(self._waiting, self._source), b""
        return data


class _Before:
    """Some bytes, and then a source."""

    def __init__(self, first: bytes, then: Source) -> None:
        self._first, self._then = first, then

    def read(self, size: int, /) -> bytes:
        if self._first:
            data, self._first = self._first[:size], self._first[size:]
            return data
        return self._then.read(size)


BLOCK = tarfile.BLOCKSIZE
END = bytes(2 * BLOCK)

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
