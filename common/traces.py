"""What the current thread works for, so that each line of the log can say so: a request, or an attempt at a job.

A request has an id, which a proxy of ours or this process gives it. Jobs that it asks for carry the id along.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

REQUEST_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]{7,63}", re.ASCII)


class Trace(NamedTuple):
    """The id of a request, if there is one; of a job, also which attempt at which job of which kind it is."""

    request_id: str = ""
    job_id: int = 0
    job_kind: str = ""
    attempt: int = 0


NO_TRACE = Trace()
_current: ContextVar[Trace] = ContextVar("trace", default=NO_TRACE)


def current_trace() -> Trace:
    return _current.get()


@contextmanager
def traced(trace: Trace) -> Iterator[None]:
    token = _current.set(trace)
    try:
        yield
    finally:
        _current.reset(token)


def new_request_id() -> str:
    return os.urandom(8).hex()


def sane_request_id(text: str) -> str:
    """Return an id from outside if it is one, else an empty string: it will stand in logs and in headers."""
    return text if REQUEST_ID.fullmatch(text) else ""
