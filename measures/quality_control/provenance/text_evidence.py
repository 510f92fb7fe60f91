"""What the edit log of one text tells about how the text came to be.

Timing shows that hands typed, never whose words: who copies a text by hand, or forges times, is not seen here. So
nothing of this is a verdict; `visits` counts over a whole visit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from measures.core.arrays import FloatArray
from measures.keystrokes.edit_log import Kind, Operation, snapshots
from measures.keystrokes.effort import MAX_AT_ONCE
from measures.keystrokes.paste_origin import FEWEST_REPLACED, pastes
from measures.text.endings import words_of

CLEARED_SHARE = 0.1
"""Part of the source's length that is left where a text was begun anew. Our choice."""

PAUSE_MS = 2_000
"""A pause, as usual with Inputlog; Conijn et al. 2019 show that what it means differs by task."""

SHORT_MS = 2_000
"""Longer intervals between keys are pauses, and no part of the rhythm."""

AFTER_MS, ABSENCE_MS = 30_000, 3_000
"""How long after a return from an absence of at least how long what is written counts as written after it."""

FEWEST_PUT_IN, FEWEST_INSERTED = 40, 20
FEWEST_INTERVALS, FEWEST_FOR_TAIL, FEWEST_AT_WORDS, FEWEST_IN_U = 30, 60, 8, (5, 20)
NEAR_END = 2
START, UNDONE, CHUNKED = "start", "undo", "chunk"
_PUT_IN = {Kind.TYPING, Kind.COMPOSITION, Kind.AUTOCORRECT, Kind.OTHER, Kind.SCRIPTED}
_BACK = {Kind.UNDO, Kind.REDO}


@dataclass(frozen=True)
class Rhythm:
    """Intervals between keys that were pressed one after another, in milliseconds.

    An interval is that before a letter or digit, typed alone where the one before it ended, if it is at most
    `SHORT_MS`. It is one at a word if the sign before it is none, else one within.

    Attributes
    ----------
    intervals : int
        Number of intervals.
    median : float or None
        Their median; None without any.
    spread : float or None
        Distance of the quartiles over the median, without unit; None below 30 intervals.
    tail : float or None
        95% quantile over the median; None below 60.
    word_pause : float or None
        Median at words over that within (Conijn et al. 2019); None below 8 at words or 30 within.
    excess, variance : float or None
        Mann-Whitney's U for longer intervals at words, minus its mean, and its variance without ties; None below 5 at
        words or 20 within.

    Examples
    --------
    >>> Rhythm(0, None, None, None, None, None, None).spread is None
    True
    """

    intervals: int
    median: float | None
    spread: float | None
    tail: float | None
    word_pause: float | None
    excess: float | None
    variance: float | None


NO_RHYTHM = Rhythm(0, None, None, None, None, None, None)


@dataclass(frozen=True)
class TextEvidence:
    """The features of one text.

    Lengths are in code points, times in milliseconds. A log with an operation `merged` has no order and no times.

    Attributes
    ----------
    changes : int
        Number of operations that change the text.
    first_ms : int or None
        Time of the first of them; None without any.
    reading_wps : float or None
        Words of the source for each second until then.
    shares : dict
        Share of the final text by where it comes from: "start", the kind of the operation that put it there, "chunk"
        for typing that added more than 3 at once, or "undo". Empty for an empty text.
    cleared : bool
        Whether the text was emptied, to a tenth of the source at most, and written anew.
    put_in : int
        What was put in after that, less what was replaced by the same operations.
    linear : float or None
        Share of that which was put in at the end; None below 40.
    behind : int or None
        Number of changes after it that end before the end of the text; None if the text was not cleared.
    deleted_after : float or None
        What was removed after it over what was put in; None below 40.
    pauses : int
        Gaps of at least 2 s between changes, from the first that put something in after it.
    rhythm : Rhythm
        Intervals between keys.
    leaves, returns : int
        How often the page was left, and come back to.
    away_ms : int
        Time between leaving and coming back.
    after_chars : int
        What was inserted within 30 s after absences of at least 3 s.
    after_return : float or None
        Its share of all that was inserted; None below 20.

    Examples
    --------
    >>> found = text_evidence("A long text.", "A long text.", [Operation(2, "long ", "", Kind.DELETION, 900)])
    >>> found.shares["start"], found.cleared
    (1.0, False)
    """

    changes: int
    first_ms: int | None
    reading_wps: float | None
    shares: dict[str, float]
    cleared: bool
    put_in: int
    linear: float | None
    behind: int | None
    deleted_after: float | None
    pauses: int
    rhythm: Rhythm
    leaves: int
    returns: int
    away_ms: int
    after_chars: int
    after_return: float | None

    @property
    def kept(self) -> float | None:
        """Share of the text that stood there from the beginning; None for an empty text."""
        return self.shares.get(START, 0.0) if self.shares else None

    @property
    def fresh(self) -> float:
        """Share of the text that did not; 0 for an empty text."""
        return 1 - (self.kept or 0.0) if self.shares else 0.0

    def share(self, *kinds: str) -> float:
        """Return the share of the text that comes from operations of these kinds."""
        return sum(self.shares.get(kind, 0.0) for kind in kinds)

    @property
    def pauses_per_hundred(self) -> float | None:
        """Pauses for each 100 code points put in; None below 40, where `linear` is None as well."""
        return 100 * self.pauses / self.put_in if self.linear is not None else None

    @property
    def typed_anew(self) -> bool:
        """Whether the text was emptied and then typed key by key."""
        return self.cleared and self.share(Kind.TYPING) >= 0.8 and self.put_in >= 60


@dataclass
class _Anew:
    """What was written since a text was emptied."""

    put_in: int = 0
    at_end: int = 0
    behind: int = 0
    removed: int = 0
    pauses: int = 0
    last_ms: int | None = None

    def add(self, edit: Operation, length: int) -> None:
        """Count a change to a text of some length."""
        end, net = edit.position + len(edit.removed), len(edit.inserted) - len(edit.removed)
        if edit.kind in _PUT_IN and net > 0:
            self.put_in += net
            self.at_end += net if end >= length - NEAR_END else 0
        self.removed += max(0, -net)
        self.behind += end < length - NEAR_END
        if self.last_ms is not None or edit.inserted:
            self.pauses += self.last_ms is not None and edit.at_ms - self.last_ms >= PAUSE_MS
            self.last_ms = edit.at_ms


@dataclass
class _Absences:
    """How often and how long the page was left, and what was inserted after coming back."""

    leaves: int = 0
    returns: int = 0
    away_ms: int = 0
    after_chars: int = 0
    left_at: int | None = None
    until: int = -1

    def add(self, edit: Operation) -> None:
        if edit.kind is Kind.LEAVE:
            self.leaves += self.left_at is None
            self.left_at = edit.at_ms if self.left_at is None else self.left_at
        elif edit.kind is Kind.RETURN:
            self.returns += 1
            if self.left_at is not None:
                self.away_ms += edit.at_ms - self.left_at
                if edit.at_ms - self.left_at >= ABSENCE_MS:
                    self.until = edit.at_ms + AFTER_MS
            self.left_at = None
        elif edit.at_ms <= self.until:
            self.after_chars += len(edit.inserted)


def text_evidence(source: str, start: str, operations: Iterable[Operation]) -> TextEvidence:
    """Return the features of a text.

    Each code point of the text carries where it comes from while the log is replayed.

    Source: linear production and changes behind its end: Crossley et al. 2024, "Detecting plagiarism with keystroke
    logging" (EDM). Word pauses: Conijn et al. 2019. All thresholds are our choice.

    Parameters
    ----------
    source, start : str
        The source, and the text before the first operation.
    operations : iterable of Operation
        The operations in order.

    Returns
    -------
    TextEvidence
        Takes the time of a replay.

    Raises
    ------
    EditLogError
        As ``snapshots``.

    Examples
    --------
    >>> log = [Operation(0, "Old text.", "", Kind.DELETION, 900), Operation(0, "", "New text.", Kind.TYPING, 2900)]
    >>> found = text_evidence("Old text.", "Old text.", log)
    >>> found.cleared, found.shares, found.put_in
    (True, {'chunk': 1.0}, 9)
    """
    log = _with_pastes(source, start, tuple(operations))
    smallest = CLEARED_SHARE * len(source)
    origins, anew = [START] * len(start), None if start else _Anew()
    absences, edits = _Absences(), []
    for edit, restored in zip(log, _restored(start, log), strict=True):
        length = len(origins)
        origins[edit.position : edit.position + len(edit.removed)] = [restored or _origin(edit)] * len(edit.inserted)
        if restored:
            origins = [START] * len(origins) if restored == START else origins
            anew = anew if len(origins) <= smallest else None
            continue
        absences.add(edit)
        if edit.removed == edit.inserted:
            continue
        edits.append(edit)
        if anew is not None:
            anew.add(edit, length)
        elif len(origins) <= smallest:
            anew = _Anew()
    changes = [edit for edit in log if edit.removed != edit.inserted]
    inserted = sum(len(edit.inserted) for edit in edits)
    if any(edit.kind is Kind.MERGED for edit in log):
        return _evidence(source, changes, origins, None, NO_RHYTHM, absences, inserted=0, is_cleared=anew is not None)
    rhythm = _rhythm(edits)
    return _evidence(source, changes, origins, anew, rhythm, absences, inserted=inserted, is_cleared=anew is not None)


def _evidence(
    source: str,
    changes: Sequence[Operation],
    origins: Sequence[str],
    anew: _Anew | None,
    rhythm: Rhythm,
    absences: _Absences,
    *,
    inserted: int,
    is_cleared: bool,
) -> TextEvidence:
    first_ms = changes[0].at_ms if changes else None
    put_in = anew.put_in if anew else 0
    is_enough = anew is not None and put_in >= FEWEST_PUT_IN
    return TextEvidence(
        changes=len(changes),
        first_ms=first_ms,
        reading_wps=1000 * len(words_of(source)) / first_ms if first_ms else None,
        shares={kind: count / len(origins) for kind, count in Counter(origins).items()},
        cleared=is_cleared,
        put_in=put_in,
        linear=anew.at_end / put_in if anew and is_enough else None,
        behind=anew.behind if anew else None,
        deleted_after=anew.removed / put_in if anew and is_enough else None,
        pauses=anew.pauses if anew else 0,
        rhythm=rhythm,
        leaves=absences.leaves,
        returns=absences.returns,
        away_ms=absences.away_ms,
        after_chars=absences.after_chars,
        after_return=absences.after_chars / inserted if inserted >= FEWEST_INSERTED else None,
    )


def _with_pastes(source: str, start: str, log: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """Return a log whose corrections are pastes where they put in as much that is foreign."""
    if not any(edit.kind is Kind.AUTOCORRECT and len(edit.inserted) >= FEWEST_REPLACED for edit in log):
        return log
    pasted = {paste.index for paste in pastes(source, start, log) if log[paste.index].kind is Kind.AUTOCORRECT}
    return tuple(replace(edit, kind=Kind.PASTE) if index in pasted else edit for index, edit in enumerate(log))


def _origin(edit: Operation) -> str:
    is_chunk = edit.kind is Kind.TYPING and len(edit.inserted) - len(edit.removed) > MAX_AT_ONCE
    return CHUNKED if is_chunk else edit.kind.value


def _restored(start: str, log: Sequence[Operation]) -> Iterator[str]:
    """Yield for each operation what it brings back: the start, another earlier state, or nothing."""
    known = {hash(start)}
    for edit, text in zip(log, snapshots(start, log), strict=True):
        is_back = edit.kind in _BACK or (edit.kind is Kind.OTHER and hash(text) in known)
        is_change = edit.removed != edit.inserted
        yield (START if text == start else UNDONE) if is_back and is_change else ""
        known.add(hash(text))


def _rhythm(edits: Sequence[Operation]) -> Rhythm:
    at_words: list[int] = []
    within: list[int] = []
    for before, edit in pairwise(edits):
        gap = edit.at_ms - before.at_ms
        is_next = _is_key(before) and _is_key(edit) and edit.position == before.position + 1
        if is_next and gap <= SHORT_MS and edit.inserted.isalnum():
            (within if before.inserted.isalnum() else at_words).append(gap)
    gaps = np.array([*at_words, *within], dtype=np.float64)
    if not len(gaps):
        return NO_RHYTHM
    n, m, median = len(at_words), len(within), float(np.median(gaps))
    low, high, most = np.quantile(gaps, [0.25, 0.75, 0.95])
    is_timed = median > 0
    is_compared = n >= FEWEST_IN_U[0] and m >= FEWEST_IN_U[1]
    word_pause = n >= FEWEST_AT_WORDS and m >= FEWEST_INTERVALS and np.median(within) > 0
    return Rhythm(
        intervals=len(gaps),
        median=median,
        spread=float(high - low) / median if is_timed and len(gaps) >= FEWEST_INTERVALS else None,
        tail=float(most) / median if is_timed and len(gaps) >= FEWEST_FOR_TAIL else None,
        word_pause=float(np.median(at_words) / np.median(within)) if word_pause else None,
        excess=_excess(gaps[:n], gaps[n:]) if is_compared else None,
        variance=n * m * (n + m + 1) / 12 if is_compared else None,
    )


def _is_key(edit: Operation) -> bool:
    return edit.kind is Kind.TYPING and not edit.removed and len(edit.inserted) == 1


def _excess(at_words: FloatArray, within: FloatArray) -> float:
    """Return how many pairs have the longer interval at the word, ties as half, beyond half of all pairs."""
    ordered = np.sort(within)
    below, at_most = (np.searchsorted(ordered, at_words, side=side).sum() for side in ("left", "right"))
    return float(below + at_most) / 2 - len(at_words) * len(within) / 2
