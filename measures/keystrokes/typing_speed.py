"""Typing speed: the burst of an edit log that exceeds a speed by most characters."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from measures.keystrokes.edit_log import Operation


@dataclass(frozen=True)
class Burst:
    """A stretch of successive operations.

    Attributes
    ----------
    index : int
        Index of the first operation in its log, from 0.
    characters : int
        Number of code points inserted, those of the first operation included.
    elapsed_ms : int
        Time from the first to the last operation, in milliseconds.

    Examples
    --------
    >>> str(Burst(index=7, characters=41, elapsed_ms=950)), str(Burst(7, 200, 0))
    ('41 characters in 0.9 s', '200 characters at once')
    """

    index: int
    characters: int
    elapsed_ms: int

    def __str__(self) -> str:
        when = f"in {self.elapsed_ms // 100 / 10} s" if self.elapsed_ms else "at once"
        return f"{self.characters} characters {when}"

    def excess(self, per_second: int) -> int:
        """Return the characters, in thousandths, in excess of `per_second` over the elapsed time."""
        return self.characters * 1000 - self.elapsed_ms * per_second


def fastest_burst(operations: Iterable[tuple[int, Operation]], *, per_second: int, at_least: int) -> Burst | None:
    """Find the burst with the most characters in excess of a speed.

    A burst of c characters in t seconds exceeds the speed v by c - v t characters.

    Parameters
    ----------
    operations : iterable of (int, Operation)
        Operations in order of time, each with its index in the log.
    per_second : int
        The speed, in code points per second.
    at_least : int
        Least number of code points that a burst inserts.

    Returns
    -------
    Burst or None
        None if no burst is faster. Takes linear time.

    Examples
    --------
    >>> from measures.keystrokes.edit_log import Kind
    >>> typed = [Operation(at, "", "x", Kind.TYPING, 10 * at) for at in range(50)]
    >>> fastest_burst(enumerate(typed), per_second=25, at_least=30)
    Burst(index=0, characters=50, elapsed_ms=490)
    >>> fastest_burst(enumerate(typed), per_second=200, at_least=30) is None
    True
    """
    best: Burst | None = None
    first: _Point | None = None
    waiting: deque[_Point] = deque()
    total = 0
    for index, edit in operations:
        waiting.append(_Point(index, total, edit.at_ms))
        total += len(edit.inserted)
        now = _Point(index, total, edit.at_ms)
        while waiting and total - waiting[0].characters >= at_least:
            candidate = waiting.popleft()
            # Between the two points typing was slower than the limit: starting at the later one gives more excess.
            if first is None or first.to(candidate).excess(per_second) < 0:
                first = candidate
        burst = first and first.to(now)
        if burst and burst.excess(per_second) > (best.excess(per_second) if best else 0):
            best = burst
    return best


@dataclass(frozen=True, slots=True)
class _Point:
    """A moment of typing: the operation, and the number of characters inserted up to it."""

    index: int
    characters: int
    at_ms: int

    def to(self, later: _Point) -> Burst:
        return Burst(self.index, later.characters - self.characters, later.at_ms - self.at_ms)
