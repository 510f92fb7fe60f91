"""Many writes in slices, each a short transaction of its own, so that others can write in between."""

import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

from django.db import connection

T = TypeVar("T")
LONGEST_PAUSE_SECONDS = 0.1


def slices(rows: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield the rows in slices. On SQLite, after each comes a pause as long as its writing took: there is one writer.

    Whoever waits there for the lock asks for it only now and then, and would hardly ever meet a gap that is short.
    """
    share = 1.0 if connection.vendor == "sqlite" else 0.0
    for start in range(0, len(rows), size):
        began = time.monotonic()
        yield rows[start : start + size]
        if start + size < len(rows):
            time.sleep(share * min(time.monotonic() - began, LONGEST_PAUSE_SECONDS))
