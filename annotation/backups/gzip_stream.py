"""The stream of an archive, compressed as gzip, without any byte that is not checked.

Readers of gzip overlook much: they skip what stands in the header, and what follows the end. This one takes the header
that is written here and no other, and refuses what grows out of all proportion.
"""

import struct
import zlib
from collections.abc import Callable
from typing import Protocol

from annotation.backups.refusal import Damaged

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
