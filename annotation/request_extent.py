"""How much of an HTTP/1.1 request has come: enough is read of it to know where it ends, and no more."""

import re
from dataclasses import dataclass, replace

# A body up to this size is collected before a thread sees the request.
MAX_COLLECTED_BODY = 4 * 1024 * 1024
# No browser sends more. Such a request is given to gunicorn, which has limits of its own.
MAX_HEAD = 64 * 1024
# Browsers send no body in chunks. gunicorn copies what is left of a body for each of its chunks.
MAX_CHUNKED_BODY, MAX_CHUNKS, MAX_CHUNK_LINE = 64 * 1024, 256, 256
MAX_DIGITS = 18

END_OF_LINE = b"\r\n"
END_OF_HEAD = b"\r\n\r\n"
CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)[ \t]*\r\n", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\Z")
EXPECT = re.compile(rb"\r\nexpect:[ \t]*100-continue", re.IGNORECASE)


@dataclass(frozen=True)
class Extent:
    """Where a request ends.

    Attributes
    ----------
    body_start : int
        Number of bytes before the body.
    length : int or None
        Number of bytes of the body; None if it comes in chunks.
    missing : int
        Number of bytes still to come, at least 1 for a body in chunks that goes on.
    expects_continue : bool
        Whether the client waits to be told to send the body.
    next_chunk : int
        Of a body in chunks, where the line begins that says how large the next one is.
    chunks : int
        Number of chunks before that.
    refused : int
        The status with which to refuse the request at once; 0 for one that gunicorn may see.
    """

    body_start: int
    length: int | None
    missing: int
    expects_continue: bool
    next_chunk: int = 0
    chunks: int = 0
    refused: int = 0

    @property
    def is_large(self) -> bool:
        """Whether the body is too large to collect; known for certain only of a body with a length."""
        return self.length is not None and self.length > MAX_COLLECTED_BODY


def request_extent(received: bytearray, known: Extent | None = None) -> Extent | None:
    """Return the extent of the request that `received` begins, or None while its head is incomplete.

    Parameters
    ----------
    received : bytearray
        What has come so far.
    known : Extent, optional
        What was returned for the bytes that came before the last ones; the head is then not read again.

    Examples
    --------
    >>> request_extent(bytearray(b"GET / HTTP/1.1\\r\\nHost: a")) is None
    True
    >>> request_extent(bytearray(b"POST / HTTP/1.1\\r\\nContent-Length: 5\\r\\n\\r\\nabc")).missing
    2
    """
    extent = known or _of_head(received)
    if extent is None:
        return None
    if extent.length is not None:
        return replace(extent, missing=max(0, extent.body_start + extent.length - len(received)))
    return _after_chunks(received, extent)


def _after_chunks(received: bytearray, extent: Extent) -> Extent:
    """Follow the chunks that have come since, each once."""
    position, chunks = extent.next_chunk, extent.chunks
    while position < len(received):
        if chunks > MAX_CHUNKS or position - extent.body_start > MAX_CHUNKED_BODY:
            return replace(extent, refused=413)
        end = received.find(END_OF_LINE, position, position + MAX_CHUNK_LINE)
        if end < 0:
            too_long = len(received) - position >= MAX_CHUNK_LINE
            return replace(extent, next_chunk=position, chunks=chunks, refused=400 if too_long else 0)
        stated = CHUNK_SIZE.match(bytes(received[position:end]))
        if stated is None:
            return replace(extent, refused=400)
        if (size := int(stated[1], 16)) == 0:
            return _after_last_chunk(received, replace(extent, next_chunk=position, chunks=chunks), end)
        position, chunks = end + len(END_OF_LINE) + size + len(END_OF_LINE), chunks + 1
    refused = 413 if position - extent.body_start > MAX_CHUNKED_BODY else 0
    return replace(extent, next_chunk=position, chunks=chunks, refused=refused)


def _after_last_chunk(received: bytearray, extent: Extent, end: int) -> Extent:
    """After the last chunk come trailers, if any, and an empty line."""
    if received.find(END_OF_HEAD, end) >= 0:
        return replace(extent, missing=0)
    return replace(extent, refused=400 if len(received) - end > MAX_HEAD else 0)


def _of_head(received: bytearray) -> Extent | None:
    start = len(END_OF_LINE) if received.startswith(END_OF_LINE) else 0  # one is allowed before a request
    end = received.find(END_OF_HEAD, start)
    if end < 0:
        return Extent(len(received), 0, 0, expects_continue=False) if len(received) > MAX_HEAD else None
    head = bytes(received[start : end + len(END_OF_LINE)])
    expects, body_start = bool(EXPECT.search(head)), end + len(END_OF_HEAD)
    if CHUNKED.search(head):
        return Extent(body_start, None, 1, expects, next_chunk=body_start)
    stated = CONTENT_LENGTH.search(head)
    if stated and len(stated[1]) > MAX_DIGITS:
        return Extent(body_start, 0, 0, expects, refused=400)
    return Extent(body_start, int(stated[1]) if stated else 0, 0, expects)
