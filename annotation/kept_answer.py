"""An answer that is worked out once for all who ask within some seconds."""

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
OVERDUE_SECONDS = 20.0


class KeptAnswer(Generic[T]):
    """Works an answer out in one thread at a time; meanwhile others get the one before, if there is one.

    If working it out takes longer than `OVERDUE_SECONDS`, others get what `overdue` returns, where that is given.
    """

    def __init__(self, work_out: Callable[[], T], seconds: float, overdue: Callable[[], T] | None = None) -> None:
        self.work_out = work_out
        self.seconds = seconds
        self.overdue = overdue
        self._lock = threading.Lock()
        self._answer: tuple[float, T] | None = None

    def get(self) -> T:
        kept = self._answer
        if kept is not None and time.monotonic() - kept[0] < self.seconds:
            return kept[1]
        if not self._lock.acquire(blocking=kept is None):
            return self._before(kept)  # type: ignore[arg-type]  # somebody else works it out
        try:
            if self._answer is kept:  # nobody has while this thread waited
                self._answer = (time.monotonic(), self.work_out())
            return self._answer[1]  # type: ignore[index]
        finally:
            self._lock.release()

    def _before(self, kept: tuple[float, T]) -> T:
        is_overdue = time.monotonic() - kept[0] > self.seconds + OVERDUE_SECONDS
        return self.overdue() if is_overdue and self.overdue is not None else kept[1]

    def forget(self) -> None:
        self._answer = None
