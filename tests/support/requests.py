"""Requests that the server of a test still answers: tables are emptied after a test, and they would be in the way."""

import time
from threading import get_ident, main_thread
from typing import Any

from django.core.signals import request_finished, request_started
from django.dispatch import receiver

PATIENCE_SECONDS = 30
QUIET_SECONDS = 0.2  # what a page sends while it goes away is a moment on its way
_answering: set[int] = set()
_last = [0.0]


@receiver(request_started)
def _begins(**_: Any) -> None:
    if get_ident() != main_thread().ident:  # there the test itself asks
        _answering.add(get_ident())


@receiver(request_finished)
def _ends(**_: Any) -> None:
    if get_ident() in _answering:
        _answering.discard(get_ident())
        _last[0] = time.monotonic()


def requests_end() -> None:
    """Wait until all are answered, and no others come."""
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until and (_answering or time.monotonic() < _last[0] + QUIET_SECONDS):
        time.sleep(0.01)
