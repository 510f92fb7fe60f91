"""An answer that is worked out once for all who ask within some seconds."""

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class KeptAnswer(Generic[T]):
    """Works an answer out in one thread at a time; meanwhile others get the one before, if there is one."""

    def __init__(self, work_out: Callable[[], T], seconds: float) -> None:
        self.work_out = work_out
        self.seconds = seconds
        self._lock = threading.Lock()
        self._answer: tuple[float, T] | None = None

    def get(self) -> T:
        kept = self._answer
        if kept is not None and time.monotonic() - kept[0] < self.seconds:
            return kept[1]
        if not self._lock.acquire(blocking=kept is None):
            return kept[1]  # type: ignore[index]  # somebody else works it out
        try:
            if self._answer is kept:  # nobody has while this thread waited
                self._answer = (time.monotonic(), self.work_out())
            return self._answer[1]  # type: ignore[index]
        finally:
            self._lock.release()

    def forget(self) -> None:
        self._answer = None
