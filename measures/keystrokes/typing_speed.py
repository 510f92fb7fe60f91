"""How fast characters came into a text field."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from measures.keystrokes.edit_log import Operation


@dataclass(frozen=True)
class Burst:
    """Operations that follow each other.

    Attributes
    ----------
    index : int
        The first of them, counted from 0 in its log.
    characters : int
        Code points that they inserted, those of the first one included.
    elapsed_ms : int
        Time from the first to the last of them, in milliseconds.

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
        """Characters, in thousandths, beyond those that come in the time at so many a second."""
        return self.characters * 1000 - self.elapsed_ms * per_second


def fastest_burst(operations: Iterable[tuple[int, Operation]], *, per_second: int, at_least: int) -> Burst | None:
    """Find the stretch in which most characters came beyond a speed.

    Parameters
    ----------
    operations : iterable of (int, Operation)
        Operations in the order of time, each with its place in the log.
    per_second : int
        The speed, in code points a second.
    at_least : int
        Code points that a stretch must insert.

    Returns
    -------
    Burst or None
        None if no stretch is faster. Takes linear time.

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
            # From then to here more was slow than fast: a stretch that begins here has the greater excess.
            if first is None or first.to(candidate).excess(per_second) < 0:
                first = candidate
        stretch = first and first.to(now)
        if stretch and stretch.excess(per_second) > (best.excess(per_second) if best else 0):
            best = stretch
    return best


@dataclass(frozen=True, slots=True)
class _Point:
    """A moment of typing: the operation, and the characters inserted by then."""

    index: int
    characters: int
    at_ms: int

    def to(self, later: _Point) -> Burst:
        return Burst(self.index, later.characters - self.characters, later.at_ms - self.at_ms)
