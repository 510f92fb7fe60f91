"""The clock for leases: the database's, so that web servers with different clocks agree.

While a web server answers a request, time stands still: the database is asked once, and not at all if the request
begins with a statement that also returns the time.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.core.signals import request_finished, request_started
from django.db import connection
from django.utils import timezone

_override: Callable[[], datetime] | None = None


class _RequestTime(threading.local):
    """The time of the request that this thread answers, once it is known."""

    is_answering = False
    now: datetime | None = None


_request = _RequestTime()


def database_now() -> datetime:
    """Return the database's current time; on SQLite, which runs in-process, the process's own."""
    if _override is not None:
        return _override()
    if connection.vendor != "postgresql":
        return timezone.now()
    if _request.now is not None:
        return _request.now
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        now: datetime = cursor.fetchone()[0]
    database_said(now)
    return now


def milliseconds_since(moment: datetime) -> int:
    """Return the time since a moment by the database's clock; not less than 0."""
    return max(0, int((database_now() - moment).total_seconds() * 1000))


def database_said(now: datetime | None) -> None:
    """Take the database's time from a statement that returned it, for the rest of the request."""
    if _request.is_answering:
        _request.now = now


def _begin_request(**_signal: Any) -> None:
    _request.is_answering, _request.now = True, None


def _end_request(**_signal: Any) -> None:
    _request.is_answering, _request.now = False, None


request_started.connect(_begin_request)
request_finished.connect(_end_request)


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
