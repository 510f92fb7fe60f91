"""The lines of a file, one at a time and each of bounded length, so that no file is ever in memory line by line."""

import re
from collections.abc import Iterator
from mmap import mmap

MAX_LINE_BYTES = 2**20
TOO_LONG = f"the line is longer than {MAX_LINE_BYTES // 2**20} MiB"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_LINE = re.compile(rb"[^\r\n]*+(?:\r\n?|\n)|[^\r\n]++")


def lines_of(content: bytes | mmap) -> Iterator[bytes | None]:
    """Yield the lines with their ends (LF, CR LF or CR), without a byte order mark; None for a line that is too long.

    Lines of a file that is mapped into memory are read from disk as they are asked for.
    """
    start = len(BYTE_ORDER_MARK) if content[: len(BYTE_ORDER_MARK)] == BYTE_ORDER_MARK else 0
    for match in _LINE.finditer(content, start):
        yield match[0] if match.end() - match.start() <= MAX_LINE_BYTES else None
