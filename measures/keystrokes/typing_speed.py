"""Typing speed: the burst of an edit log that exceeds a speed by most characters."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

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
    waiting: deque[_Point] = deque()
    best_excess, best, first = 0, None, None
    characters = 0
    for index, edit in operations:
        waiting.append(_Point(index, characters, edit.at_ms, _balance(characters, edit.at_ms, per_second)))
        characters += len(edit.inserted)
        while waiting and characters - waiting[0].characters >= at_least:
            candidate = waiting.popleft()
            # Between the two points typing was slower than the limit: starting at the later one gives more excess.
            if first is None or candidate.balance < first.balance:
                first = candidate
        if first is None:
            continue
        excess = _balance(characters, edit.at_ms, per_second) - first.balance
        if excess > best_excess:
            best_excess, best = excess, (first, characters, edit.at_ms)
    if best is None:
        return None
    begin, typed, at_ms = best
    return Burst(begin.operation, typed - begin.characters, at_ms - begin.at_ms)


class _Point(NamedTuple):
    """A moment of typing: the operation, and the number of characters inserted before it."""

    operation: int
    characters: int
    at_ms: int
    balance: int


def _balance(characters: int, at_ms: int, per_second: int) -> int:
    """Return how far typing is ahead of a speed, in thousandths; the excess of a burst is what it adds to this."""
    return characters * 1000 - at_ms * per_second
