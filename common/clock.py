"""The one clock that leases run by: the database's, so that web servers whose clocks differ agree."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import connection
from django.utils import timezone

_told: Callable[[], datetime] | None = None


def database_now() -> datetime:
    """The time now. SQLite lives inside the process, so there the process's clock is the database's."""
    if _told is not None:
        return _told()
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


@contextmanager
def told_by(clock: Callable[[], datetime]) -> Iterator[None]:
    """Let all of this process read another clock, such as one that a test moves by hand."""
    global _told  # noqa: PLW0603  (the one hook, so that nobody patches the readers one by one)
    before, _told = _told, clock
    try:
        yield
    finally:
        _told = before
