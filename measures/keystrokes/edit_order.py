"""The order in which an editor deleted, replaced, inserted and moved words, from the edit log of a text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from measures.core.undefined import Undefined
from measures.keystrokes.edit_log import MAX_REPLAY_CHARACTERS, Kind, Operation, snapshots
from measures.keystrokes.effort import PAUSE_MS

WordOperation: TypeAlias = Literal["deleted", "replaced", "inserted", "moved"]
WORD_OPERATIONS: tuple[WordOperation, ...] = ("deleted", "replaced", "inserted", "moved")

EMPTY_BOX = Undefined("the log starts from an empty box")
OTHER_START = Undefined("the log does not start from the source")
NO_EDITS = Undefined("the log has no edits")

Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class AlignedWords:
    """Where the words of a source and of a text made from it are, and what was done to them.

    Attributes
    ----------
    source_spans, target_spans : sequence of (int, int)
        First and past-the-end place of each word in the source and in the final text, in code points.
    places : sequence of int or None
        For each word of the text its place in the source, None for an inserted one.
    replaced, moved : collection of int
        Words of the text that are paraphrased, and that moved.
    """

    source_spans: Sequence[Span]
    target_spans: Sequence[Span]
    places: Sequence[int | None]
    replaced: Collection[int]
    moved: Collection[int]


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """When a word got its final state.

    Attributes
    ----------
    operation : {"deleted", "replaced", "inserted", "moved"}
        What was done to it.
    word : int
        Its place in the source if it was deleted, else in the text.
    by_edits : float
        Share of the log's edits up to then, above 0 and at most 1.
    by_time : float or None
        Share of the active time up to then; None if the log took none.
    """

    operation: WordOperation
    word: int
    by_edits: float
    by_time: float | None


@dataclass(frozen=True)
class EditOrder:
    """When the words of one text got their final state.

    Attributes
    ----------
    words : tuple of PlacedWord
        The words whose place in the log is known.
    unplaced : int
        Words whose place is not known: they changed within edits that were merged, or no edit touched them.
    """

    words: tuple[PlacedWord, ...]
    unplaced: int

    def first(self, operation: WordOperation) -> float | None:
        """Return the share of edits up to the first word of an operation; None without one."""
        return min((each.by_edits for each in self.words if each.operation == operation), default=None)


def word_spans(text: str, words: Sequence[str]) -> tuple[Span, ...]:
    """Find words in the text that they were cut from.

    Parameters
    ----------
    text : str
        The text.
    words : sequence of str
        Its words in order.

    Returns
    -------
    tuple of (int, int)
        First and past-the-end place of each, in code points.

    Raises
    ------
    ValueError
        If a word is not found after the one before it.

    Examples
    --------
    >>> word_spans("He left.", ["He", "left", "."])
    ((0, 2), (3, 7), (7, 8))
    """
    spans, at = [], 0
    for number, word in enumerate(words):
        start = text.find(word, at)
        if start < 0:
            raise ValueError(f"word {number} is not in the text")
        at = start + len(word)
        spans.append((start, at))
    return tuple(spans)


def edit_order(
    source: str,
    start: str,
    operations: Sequence[Operation],
    words: AlignedWords,
    *,
    max_replayed: int = MAX_REPLAY_CHARACTERS,
) -> EditOrder | Undefined:
    """Find when each deleted, replaced, inserted and moved word got its final state.

    Follows each character through the log. A source word is deleted when the last of its characters is removed for
    good; an undo or redo puts the same characters back. A word is replaced or inserted when the last character of its
    final form is added; if characters were only removed (cars, car), when the last of them is removed. A moved word is
    placed when its characters are added again; if others were moved around it, it has no place. Characters that an edit
    removes and adds again at the same end do not change. Not in the paper.

    Parameters
    ----------
    source : str
        The source, with the spans of `words`.
    start : str
        What was in the box at first.
    operations : sequence of Operation
        The log.
    words : AlignedWords
        The words of the source and of the final text.
    max_replayed : int
        Greatest total length of the texts before each operation, in code points: bounds the time.

    Returns
    -------
    EditOrder or Undefined
        Undefined if the log does not start from the source, or has no edits.

    Raises
    ------
    EditLogError
        If the log cannot be replayed, or costs too much.
    ValueError
        If a span lies outside the final text or the source.

    Examples
    --------
    >>> log = [Operation(4, "big ", "", Kind.DELETION, 500), Operation(7, "", "!", Kind.TYPING, 2000)]
    >>> words = AlignedWords(((0, 3), (4, 7), (8, 11)), ((0, 3), (4, 7), (7, 8)), (0, 2, None), (), ())
    >>> for each in edit_order("The big cat", "The big cat", log, words).words:
    ...     print(each.operation, each.by_edits, each.by_time)
    deleted 0.5 0.25
    inserted 1.0 1.0
    """
    if start != source:
        return OTHER_START if start else EMPTY_BOX
    edits = [edit for edit in operations if edit.removed != edit.inserted]
    if not edits:
        return NO_EDITS
    history = _History(len(start))
    for edit, _ in zip(edits, snapshots(start, edits, max_replayed=max_replayed), strict=True):
        history.take(edit)
    if any(stop > len(history.standing) for _, stop in words.target_spans) or any(
        stop > len(source) for _, stop in words.source_spans
    ):
        raise ValueError("a word lies outside its text")
    return _placed(words, history, edits)


class _History:
    """Characters by number, those of the source first: which are in the text, and which edit added or removed each."""

    def __init__(self, length: int) -> None:
        self.standing = list(range(length))
        self.put_in: list[int | None] = [None] * length
        self.taken_out: list[int | None] = [None] * length
        self.edits = 0
        # What was last removed, by its text: an undo puts exactly these characters back.
        self.gone: dict[str, list[int]] = {}

    def take(self, edit: Operation) -> None:
        before, after = _unchanged(edit.removed, edit.inserted)
        begin, stop = edit.position + before, edit.position + len(edit.removed) - after
        removed, inserted = edit.removed[before : -after or None], edit.inserted[before : -after or None]
        leaving = self.standing[begin:stop]
        for character in leaving:
            self.taken_out[character] = self.edits
        again = self.gone.get(inserted) if edit.kind in (Kind.UNDO, Kind.REDO) and inserted else None
        if again is not None and any(self.taken_out[character] is None for character in again):
            again = None
        if again is None:
            again = list(range(len(self.put_in), len(self.put_in) + len(inserted)))
            self.put_in += [self.edits] * len(inserted)
            self.taken_out += [None] * len(inserted)
        for character in again:
            self.taken_out[character] = None
        self.standing[begin:stop] = again
        if leaving:
            self.gone[removed] = leaving
        self.edits += 1


def _unchanged(removed: str, inserted: str) -> tuple[int, int]:
    """Return how many characters at the beginning and at the end an edit removes and adds again."""
    most, before = min(len(removed), len(inserted)), 0
    while before < most and removed[before] == inserted[before]:
        before += 1
    after = 0
    while after < most - before and removed[-1 - after] == inserted[-1 - after]:
        after += 1
    return before, after


def _placed(words: AlignedWords, history: _History, edits: Sequence[Operation]) -> EditOrder:
    last = [*_deleted(words, history), *_changed(words, history)]
    times = _active_times(edits)
    known = [(name, word, at) for name, word, at in last if at is not None and edits[at].kind is not Kind.MERGED]
    total = times[-1]
    return EditOrder(
        tuple(
            PlacedWord(name, word, (at + 1) / len(edits), times[at] / total if total else None)
            for name, word, at in known
        ),
        len(last) - len(known),
    )


def _deleted(words: AlignedWords, history: _History) -> list[tuple[WordOperation, int, int | None]]:
    taken = {place for place in words.places if place is not None}
    return [
        ("deleted", word, _latest(history.taken_out[slice(*span)]))
        for word, span in enumerate(words.source_spans)
        if word not in taken
    ]


def _changed(words: AlignedWords, history: _History) -> list[tuple[WordOperation, int, int | None]]:
    found: list[tuple[WordOperation, int, int | None]] = []
    for word, (span, place) in enumerate(zip(words.target_spans, words.places, strict=True)):
        put_in = _latest([history.put_in[character] for character in history.standing[slice(*span)]])
        if place is None:
            found.append(("inserted", word, put_in))
        elif word in words.replaced:
            of_source = history.taken_out[slice(*words.source_spans[place])]
            found.append(("replaced", word, _latest(of_source) if put_in is None else put_in))
        if word in words.moved:
            found.append(("moved", word, put_in))
    return found


def _latest(edits: Sequence[int | None]) -> int | None:
    return max((edit for edit in edits if edit is not None), default=None)


def _active_times(edits: Sequence[Operation]) -> list[int]:
    """Return the active time up to each edit: pauses of more than 30 s do not count."""
    times = [0]
    for before, after in pairwise([0, *(edit.at_ms for edit in edits)]):
        times.append(times[-1] + (after - before if after - before <= PAUSE_MS else 0))
    return times[1:]
