"""Many writes in slices, each a short transaction of its own, so that others can write in between."""

import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

from django.db import connection

T = TypeVar("T")
LONGEST_PAUSE_SECONDS = 0.1


def slices(rows: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield the rows in slices. On SQLite, after each comes a pause twice as long as its writing took.

    There is one writer, and whoever waits for the lock asks for it only now and then: a short gap would hardly ever be
    met.
    """
    share = 2.0 if connection.vendor == "sqlite" else 0.0
    for start in range(0, len(rows), size):
        began = time.monotonic()
        yield rows[start : start + size]
        if start + size < len(rows):
            time.sleep(share * min(time.monotonic() - began, LONGEST_PAUSE_SECONDS))
