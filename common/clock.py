"""The clock for leases: the database's, so that web servers with different clocks agree."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import connection
from django.utils import timezone

_override: Callable[[], datetime] | None = None


def database_now() -> datetime:
    """Return the database's current time; on SQLite, which runs in-process, the process's own."""
    if _override is not None:
        return _override()
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


def process_now() -> datetime:
    """Return this process's time, for what need not agree with other processes to the second, and costs no query."""
    return timezone.now() if _override is None else _override()


@contextmanager
def override_clock(clock: Callable[[], datetime]) -> Iterator[None]:
    """Replace the clock of this process, for instance by one that a test advances."""
    global _override  # noqa: PLW0603  (a single hook, so that tests need not patch each caller)
    before, _override = _override, clock
    try:
        yield
    finally:
        _override = before
