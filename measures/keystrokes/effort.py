"""Effort according to an edit log: time, keystrokes and pastes, and flags for staff to look at."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum

from measures.keystrokes.edit_log import NO_CHANGES, Kind, Operation, snapshots
from measures.keystrokes.paste_origin import Paste, fastest_burst, pastes
from measures.text.normalization import bounded_display_text

PAUSE_MS = 30_000
"""A longer pause counts as time away."""

MAX_AT_ONCE = 3
"""Typing that adds more code points at once did not come from keys."""

_KEYSTROKES = (Kind.TYPING, Kind.DELETION, Kind.COMPOSITION)  # not a set: the hash of an enumeration is slow
_WITHOUT_HELP = (Kind.TYPING, Kind.OTHER)
_MAX_QUOTE_LENGTH = 80


@dataclass(frozen=True)
class Effort:
    """The work on one text, according to its edit log.

    Times refer to edits. Leaving the page and coming back are none; the latter counts in `revisits`.

    Attributes
    ----------
    total_ms : int or None
        Time from opening the task to the last edit, absences included; None without edits.
    active_ms : int or None
        The same without gaps before an edit that are longer than `PAUSE_MS`.
    keystrokes : int
        Number of edits by typing, deletion or composition.
    inserted, deleted : int
        Code points inserted and removed by all edits together.
    pastes : tuple of Paste
        The pasted or dropped texts, and corrections that put in as much.
    first_pause_ms : int or None
        Time from opening the task to the first edit; None without edits.
    longest_pause_ms : int or None
        Longest gap between two edits; None for fewer than two.
    revisits : int
        How often the page was reopened or became visible again.

    Examples
    --------
    >>> pasted = (Paste(0, 30, 1.0), Paste(4, 10, 0.2))
    >>> work = Effort(9000, 9000, 0, 40, 0, pasted, 1000, 8000, 0)
    >>> work.pasted, work.pasted_share_from_source
    (40, 0.8)
    """

    total_ms: int | None
    active_ms: int | None
    keystrokes: int
    inserted: int
    deleted: int
    pastes: tuple[Paste, ...]
    first_pause_ms: int | None
    longest_pause_ms: int | None
    revisits: int

    @property
    def pasted(self) -> int:
        """Number of code points pasted or dropped."""
        return sum(paste.characters for paste in self.pastes)

    @property
    def pasted_share_from_source(self) -> float | None:
        """Share of the pasted characters that come from the source or the draft; None without a paste."""
        if not self.pastes:
            return None
        return sum(paste.characters * paste.from_source for paste in self.pastes) / self.pasted


class FlagName(StrEnum):
    """Kinds of flags."""

    PASTED_FROM_ELSEWHERE = "pasted from elsewhere"
    IMPOSSIBLE_SPEED = "typed at an impossible speed"
    FEW_SECONDS = "done in a few seconds"


@dataclass(frozen=True)
class Flag:
    """One thing for staff to look at, and why.

    Attributes
    ----------
    name : FlagName
        The kind of flag.
    evidence : str
        The reason in words, with numbers.
    operation : int or None
        Index of the operation to look at, from 0; None if it is the log as a whole.

    Examples
    --------
    >>> Flag(FlagName.IMPOSSIBLE_SPEED, "41 characters in 0.9 s", 7).name.value
    'typed at an impossible speed'
    """

    name: FlagName
    evidence: str
    operation: int | None


@dataclass(frozen=True)
class FlagThresholds:
    """Thresholds above which work is flagged. They are this project's choice; no paper gives any.

    Attributes
    ----------
    pasted_characters : int, default 20
        Least number of characters pasted from elsewhere, all pastes together. A name or word that was looked
        up is shorter; a clause written by somebody or something else is longer.
    characters_per_second : int, default 25
        Faster typing is implausible for a person: fast typists reach about 10 characters a second.
    burst_characters : int, default 30
        Least number of characters typed at that speed. Fewer may be a long word that a keyboard completed,
        or keys that a slow browser delivered at once.
    few_seconds_ms : int, default 10_000
        Work that ends before this is flagged: reading and shortening a source of 15 words takes longer.

    Examples
    --------
    >>> FlagThresholds(few_seconds_ms=5_000).pasted_characters
    20
    """

    pasted_characters: int = 20
    characters_per_second: int = 25
    burst_characters: int = 30
    few_seconds_ms: int = 10_000


DEFAULT_THRESHOLDS = FlagThresholds()


def effort(source: str, start: str, operations: Iterable[Operation]) -> Effort:
    """Summarise the work that an edit log records.

    Parameters
    ----------
    source : str
        The source text.
    start : str
        The text before the first operation.
    operations : iterable of Operation
        The operations in order.

    Returns
    -------
    Effort
        Times in milliseconds, lengths in code points.

    Raises
    ------
    EditLogError
        As `pastes`.

    Examples
    --------
    >>> typed = [Operation(at, "", letter, Kind.TYPING, 2000 + 250 * at) for at, letter in enumerate("Hi!")]
    >>> work = effort("Hello!", "", [*typed, Operation(2, "!", "", Kind.DELETION, 60_000)])
    >>> work.total_ms, work.active_ms, work.keystrokes, work.first_pause_ms
    (60000, 2500, 4, 2000)
    """
    log = tuple(operations)
    edits = _edits(log)
    times = [edit.at_ms for edit in edits]
    gaps = _gaps(edits)
    return Effort(
        total_ms=times[-1] if times else None,
        active_ms=_without_pauses(gaps) if times else None,
        keystrokes=sum(edit.kind in _KEYSTROKES for edit in edits),
        inserted=sum(len(edit.inserted) for edit in edits),
        deleted=sum(len(edit.removed) for edit in edits),
        pastes=pastes(source, start, log),
        first_pause_ms=times[0] if times else None,
        longest_pause_ms=max(gaps[1:], default=None),
        revisits=sum(edit.kind is Kind.RETURN for edit in log),
    )


def active_time(operations: Iterable[Operation]) -> int | None:
    """Return `Effort.active_ms` alone, which needs no replay of the log.

    Parameters
    ----------
    operations : iterable of Operation
        The operations in order.

    Returns
    -------
    int or None
        Milliseconds; None without edits.

    Examples
    --------
    >>> typed = [Operation(0, "", "H", Kind.TYPING, 2000), Operation(1, "", "i", Kind.TYPING, 40_000)]
    >>> active_time(typed), active_time([])
    (2000, None)
    """
    edits = _edits(operations)
    return _without_pauses(_gaps(edits)) if edits else None


def _edits(operations: Iterable[Operation]) -> list[Operation]:
    return [edit for edit in operations if edit.kind not in NO_CHANGES]


def _gaps(edits: Sequence[Operation]) -> list[int]:
    """Return the times between the opening of the task and each edit in turn."""
    return [later - earlier for earlier, later in itertools.pairwise([0, *(edit.at_ms for edit in edits)])]


def _without_pauses(gaps: Iterable[int]) -> int:
    return sum(gap for gap in gaps if gap <= PAUSE_MS)


def effort_flags(
    source: str, start: str, operations: Iterable[Operation], thresholds: FlagThresholds = DEFAULT_THRESHOLDS
) -> tuple[Flag, ...]:
    """Find what staff should look at in an edit log.

    Flags are hints, never by themselves a reason to reject a text: people dictate, paste from their own
    notes, and use tools that a log cannot tell from a program.

    Parameters
    ----------
    source : str
        The source text.
    start : str
        The text before the first operation.
    operations : iterable of Operation
        The operations in order.
    thresholds : FlagThresholds
        Thresholds above which work is flagged.

    Returns
    -------
    tuple of Flag
        In the order of `FlagName`, at most one of each kind, with the strongest evidence for it.

    Raises
    ------
    EditLogError
        As `snapshots`.

    Examples
    --------
    >>> pasted = [Operation(0, "", "A text that a chat program wrote.", Kind.PASTE, 42_000)]
    >>> (flag,) = effort_flags("The committee will meet again on Tuesday.", "", pasted)
    >>> flag.evidence
    '33 characters pasted that stand neither in the source nor in the draft: “A text that a chat program wrote.”'
    """
    log = tuple(operations)
    resets: set[int] = set()
    states = _watched(source, start, log, resets)  # one replay for all
    found = pastes(source, start, log, states)
    collections.deque(states, maxlen=0)
    flags = (
        _pasted_from_elsewhere(found, log, thresholds),
        _impossible_speed(log, resets, thresholds),
        _few_seconds(log, thresholds),
    )
    return tuple(flag for flag in flags if flag)


def _pasted_from_elsewhere(found: Iterable[Paste], log: Sequence[Operation], thresholds: FlagThresholds) -> Flag | None:
    foreign = [paste for paste in found if paste.from_elsewhere]
    total = sum(paste.from_elsewhere for paste in foreign)
    if not foreign or total < thresholds.pasted_characters:
        return None
    most = max(foreign, key=lambda paste: paste.from_elsewhere)
    quote = _quote(log[most.index].inserted)
    if len(foreign) > 1:
        quote = f"in {len(foreign)} pieces, one of them {quote}"
    is_corrected = any(log[paste.index].kind is Kind.AUTOCORRECT for paste in foreign)
    how = "pasted or put in as a correction" if is_corrected else "pasted"
    evidence = f"{total} characters {how} that stand neither in the source nor in the draft: {quote}"
    return Flag(FlagName.PASTED_FROM_ELSEWHERE, evidence, most.index)


def _watched(source: str, start: str, log: Sequence[Operation], resets: set[int]) -> Iterator[str]:
    """Yield the snapshots, adding to `resets` the operations that reset the text to start or source."""
    for index, text in enumerate(snapshots(start, log)):
        if text in (source, start):
            resets.add(index)
        yield text


def _impossible_speed(log: Sequence[Operation], resets: Set[int], thresholds: FlagThresholds) -> Flag | None:
    typed = (
        (index, edit)
        for index, edit in enumerate(log)
        if edit.inserted and edit.kind in _WITHOUT_HELP and index not in resets and not _is_chunk(edit)
    )
    burst = fastest_burst(typed, per_second=thresholds.characters_per_second, at_least=thresholds.burst_characters)
    return Flag(FlagName.IMPOSSIBLE_SPEED, str(burst), burst.index) if burst else None


def _is_chunk(edit: Operation) -> bool:
    """Say whether more came at once than a key puts in: a word or phrase by voice or by a program that completes it."""
    return edit.kind is Kind.TYPING and len(edit.inserted) - len(edit.removed) > MAX_AT_ONCE


def _few_seconds(log: Sequence[Operation], thresholds: FlagThresholds) -> Flag | None:
    changes = [index for index, edit in enumerate(log) if edit.removed != edit.inserted]
    if not changes or (at_ms := log[changes[-1]].at_ms) >= thresholds.few_seconds_ms:
        return None
    evidence = f"the last change came {at_ms // 100 / 10} s after the page was shown"
    return Flag(FlagName.FEW_SECONDS, evidence, changes[-1])


def _quote(text: str) -> str:
    shown = bounded_display_text(text)
    return f"“{shown}”" if len(shown) <= _MAX_QUOTE_LENGTH else f"“{shown[: _MAX_QUOTE_LENGTH - 1]}…”"
