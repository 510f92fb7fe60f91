"""Whether a text was typed: the origin of what was pasted, and bursts that nobody types."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from measures.keystrokes.edit_log import Kind, Operation, snapshots


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


MIN_RUN = 5
"""Length of the shortest run of characters that counts as taken from the source or the draft."""

FEWEST_REPLACED = 20
"""How many foreign characters make a correction a paste: tools that write texts put them in as corrections."""

MAX_PASTES = 500
"""Greatest number of pastes whose origin is looked for."""

_WHITE_SPACE = re.compile(r"\s+")
_NEAR = re.compile(rf"(?:\s+|\S){{0,{MIN_RUN}}}")
_BREAK = "\0"  # in no log
_REACH = MIN_RUN - 1
# Characters in which to look for that many: there may be white space in between.
_CONTEXT = 40


@dataclass(frozen=True)
class Paste:
    """Text pasted, dropped, or put in for other words by one operation.

    Attributes
    ----------
    index : int
        Index of the operation, from 0.
    characters : int
        Number of code points inserted.
    from_source : float
        Share of them found in the source or in any state of the draft, 0 to 1.

    Examples
    --------
    >>> Paste(index=3, characters=40, from_source=0.25).from_elsewhere
    30
    """

    index: int
    characters: int
    from_source: float

    @property
    def from_elsewhere(self) -> int:
        """Number of code points found neither in the source nor in the draft."""
        return round(self.characters * (1 - self.from_source))


def pastes(
    source: str, start: str, operations: Sequence[Operation], states: Iterable[str] | None = None
) -> tuple[Paste, ...]:
    """Find the pasted and dropped texts, and how much of each comes from the source or the draft.

    A correction counts as a paste if at least `FEWEST_REPLACED` of its characters come from neither.

    A character comes from there if it belongs to a run of at least `MIN_RUN` characters that occurs in the source or
    in any earlier state of the text field. A shorter text comes from there as a whole, if it stands in the source, at
    the start or in the text that it is pasted into, or is what an earlier operation removed. Case is ignored, and any
    white space is one space. A run may extend into the surrounding text: where equal characters meet, a log cannot
    tell which of them are new.

    Apart from the replay, time and memory are linear in the number of operations and in the characters of the source,
    the start and the log. Nobody pastes more than `MAX_PASTES` times: later ones count as from elsewhere.

    Parameters
    ----------
    source : str
        The source text.
    start : str
        The text before the first operation.
    operations : sequence of Operation
        The operations in order.
    states : iterable of str, optional
        The `snapshots` of the operations, for callers that need them too: only those up to the last paste are taken.

    Returns
    -------
    tuple of Paste
        In order. Operations that insert nothing are left out.

    Raises
    ------
    EditLogError
        As `snapshots`; operations after the last paste are not checked.

    Examples
    --------
    >>> (paste,) = pastes("The big cat sat.", "", [Operation(0, "", "THE BIG dog", Kind.PASTE, 900)])
    >>> paste.characters, paste.from_elsewhere
    (11, 3)
    """
    pasting = [index for index, edit in enumerate(operations) if _is_paste(edit)]
    if not pasting:
        return ()
    found, seen, pasted_into = [], _Seen(source, start), start
    texts = snapshots(start, operations) if states is None else states
    replayed = operations[: pasting[:MAX_PASTES][-1] + 1]
    for index, (edit, text) in enumerate(zip(replayed, texts, strict=False)):
        before, after = _around(text, edit.position, edit.position + len(edit.inserted))
        if _is_paste(edit):
            share = seen.share_of(before, edit.inserted, after, pasted_into)
            paste = Paste(index, len(edit.inserted), share)
            found += [paste] if edit.kind is not Kind.AUTOCORRECT or paste.from_elsewhere >= FEWEST_REPLACED else []
        seen.add(edit.removed, before + edit.inserted + after)
        pasted_into = text
    return (*found, *(Paste(index, len(operations[index].inserted), 0.0) for index in pasting[MAX_PASTES:]))


def _is_paste(edit: Operation) -> bool:
    """Whether an operation is a paste, or may be one."""
    if edit.kind is Kind.AUTOCORRECT:
        return len(edit.inserted) >= FEWEST_REPLACED
    return edit.inserted != "" and (edit.kind is Kind.PASTE or edit.kind is Kind.DROP)


def _around(text: str, begin: int, end: int) -> tuple[str, str]:
    """Return what stands before and after a part of a text: as far as a run may extend, and a space."""
    around = text[max(0, begin - MIN_RUN) : begin], text[end : end + MIN_RUN]
    if ["".join(around)] == "".join(around).split():
        return around
    # White space that is one space may be longer.
    backwards = text[max(0, begin - _CONTEXT) : begin][::-1]
    return _near(backwards, 0)[::-1], _near(text, end)


def _near(text: str, begin: int) -> str:
    match = _NEAR.match(text, begin, begin + _CONTEXT)
    return match[0] if match else ""


class _Seen:
    """What stood in the source and in the states of the text field, as runs of `MIN_RUN` characters."""

    def __init__(self, source: str, start: str) -> None:
        self._beginnings = _folded(f"{source}{_BREAK}{start}")
        self._waiting = [self._beginnings]
        self._removed: set[str] = set()
        self._runs: set[str] = set()

    def add(self, removed: str, changed: str) -> None:
        """Add what an operation removed, and what has changed in the text: other runs were seen before."""
        self._removed.add(removed)
        self._waiting.append(changed)

    def share_of(self, before: str, text: str, after: str, pasted_into: str) -> float:
        """Return the share of the characters of `text` that come from what was seen."""
        folded = _folded(text)
        if len(folded) < MIN_RUN:
            return float(folded in self._beginnings or text in pasted_into or text in self._removed)
        self._runs.update(_runs(_folded(_BREAK.join(self._waiting))))
        self._waiting.clear()
        left = _folded(before).rstrip(" " if folded.startswith(" ") else "")[-_REACH:]
        right = _folded(after).lstrip(" " if folded.endswith(" ") else "")[:_REACH]
        known = bytes(map(self._runs.__contains__, _runs(left + folded + right)))
        return _share_covered(known, len(left), len(folded))


def _share_covered(known: bytes, begin: int, length: int) -> float:
    """Return the share of `length` characters from `begin` that belong to known runs, one byte for each run."""
    covered = int.from_bytes(known, "little")
    for run_of in (1, 2, 1):  # each known run covers one character, then two, four, and all five
        covered |= covered << 8 * run_of
    return (covered >> 8 * begin & (1 << 8 * length) - 1).bit_count() / length


def _folded(text: str) -> str:
    return _WHITE_SPACE.sub(" ", text).casefold()


def _runs(text: str) -> list[str]:
    return [text[start : start + MIN_RUN] for start in range(len(text) - MIN_RUN + 1)]
