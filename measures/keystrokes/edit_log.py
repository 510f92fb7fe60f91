"""Edit logs of a text field: parsing, replay and the published edit history."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from measures.text.normalization import bounded_display_text

MAX_LOG_MS = 30 * 24 * 60 * 60 * 1000
"""Greatest time in a log: 30 days. A later one is taken for a clock error."""

MAX_TEXT_LENGTH = 50_000
"""Greatest length of a text after an operation, in code points. Each operation copies the text, so this bounds the
time of a replay: without it a log within its own limits could keep a server busy."""

MAX_REPLAY_CHARACTERS = 60_000_000
"""Greatest total length of all texts of a replay, in code points; also bounds its time."""

_FIELDS = 5
# Databases cannot store these, whatever texts are allowed to contain.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class Kind(StrEnum):
    """What the editor did, as reported by the browser."""

    TYPING = "typing"
    DELETION = "deletion"
    PASTE = "paste"
    CUT = "cut"
    DROP = "drop"
    UNDO = "undo"
    REDO = "redo"
    AUTOCORRECT = "autocorrect"
    COMPOSITION = "composition"
    OTHER = "other"
    SCRIPTED = "scripted"
    """A change that a program or an extension of the browser made, not the person's hands."""
    LEAVE = "leave"
    """The page was hidden; removes and inserts nothing."""
    RETURN = "return"
    """The page was reopened or became visible again; removes and inserts nothing."""
    SOURCE = "source"
    """A part of one of several sources as it stands there, put in by a button, or pasted or dropped."""
    MERGED = "merged"
    """All changes up to here as one, made by the page where a log became too long; when each came is not known."""


NO_CHANGES = (Kind.LEAVE, Kind.RETURN)
_KINDS = {kind.value: kind for kind in Kind}


class Origin(NamedTuple):
    """Which part of which source an operation of the kind ``source`` has put in.

    Attributes
    ----------
    source : int
        Number of the source, from 0.
    start, end : int
        The part of the source, in code points; `end` is not in it.
    """

    source: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Operation:
    """One change to the text field.

    Attributes
    ----------
    position : int
        Offset of the change, in code points from the start of the text.
    removed, inserted : str
        The text at this position before and after the change.
    kind : Kind
        What the editor did.
    at_ms : int
        Time since the task was opened, in milliseconds.
    origin : Origin or None
        Where an operation of the kind ``source`` took what it inserts; None for all others.
    """

    position: int
    removed: str
    inserted: str
    kind: Kind
    at_ms: int
    origin: Origin | None = None


class EditLogError(ValueError):
    """An edit log that cannot be parsed or replayed.

    Parameters
    ----------
    index : int or None
        Index of the operation at fault, from 0; None if it is the log as a whole.
    reason : str
        What is wrong.

    Examples
    --------
    >>> str(EditLogError(3, "unknown kind"))
    'operation 3: unknown kind'
    """

    def __init__(self, index: int | None, reason: str) -> None:
        super().__init__(f"log: {reason}" if index is None else f"operation {index}: {reason}")
        self.index = index
        self.reason = reason


def parse_log(raw: object, *, max_operations: int = 10_000, max_characters: int = 250_000) -> tuple[Operation, ...]:
    """Parse and validate an edit log from decoded, untrusted JSON.

    Parameters
    ----------
    raw : object
        A list of lists ``[position, removed, inserted, kind, at_ms]``; those of the kind ``source`` end with
        ``[source, start, end]``.
    max_operations : int, default 10_000
        Greatest number of operations.
    max_characters : int, default 250_000
        Greatest number of characters that all operations together remove and insert.

    Returns
    -------
    tuple of Operation
        The operations in order of time.

    Raises
    ------
    EditLogError
        If a field has the wrong type, a kind is unknown, a position or time is negative, time goes
        backwards or beyond 30 days, a text contains U+0000 or a lone surrogate, a return removes or inserts
        something, an origin is missing, wrong or too much, or the log is too large.

    Examples
    --------
    >>> parse_log([[0, "", "Hi", "typing", 120]])
    (Operation(position=0, removed='', inserted='Hi', kind=<Kind.TYPING: 'typing'>, at_ms=120, origin=None),)
    >>> parse_log([[0, "", "Hi", "magic", 120]])
    Traceback (most recent call last):
    measures.keystrokes.edit_log.EditLogError: operation 0: unknown kind 'magic'
    """
    if not isinstance(raw, list):
        raise EditLogError(None, "not a list")
    if len(raw) > max_operations:
        raise EditLogError(None, f"{len(raw)} operations, at most {max_operations} allowed")
    operations: list[Operation] = []
    characters = last_ms = 0
    for index, row in enumerate(raw):
        operation = _parse_operation(index, row)
        if operation.at_ms < last_ms:
            raise EditLogError(index, f"time goes back from {last_ms} to {operation.at_ms} ms")
        last_ms = operation.at_ms
        characters += len(operation.removed) + len(operation.inserted)
        if characters > max_characters:
            raise EditLogError(index, f"more than {max_characters} characters in all")
        operations.append(operation)
    return tuple(operations)


def dump_log(operations: Iterable[Operation]) -> list[list[Any]]:
    """Return operations as JSON-serialisable lists; the inverse of `parse_log`.

    Parameters
    ----------
    operations : iterable of Operation
        The operations in order.

    Returns
    -------
    list of lists
        ``[position, removed, inserted, kind, at_ms]`` for each operation, and the origin if it has one.

    Examples
    --------
    >>> dump_log([Operation(0, "", "Hi", Kind.PASTE, 120)])
    [[0, '', 'Hi', 'paste', 120]]
    """
    rows: list[list[Any]] = []
    for edit in operations:
        rows.append([edit.position, edit.removed, edit.inserted, edit.kind.value, edit.at_ms])
        if edit.origin is not None:
            rows[-1].append(list(edit.origin))
    return rows


def published_log(rows: Iterable[Sequence[Any]], *, is_exact: bool = False) -> list[list[Any]]:
    """Return a log as it can be published: by times to the millisecond a typist can be recognised.

    Parameters
    ----------
    rows : iterable of sequences
        A log as ``dump_log`` returns it.
    is_exact : bool, default False
        Whether the times stay as they are.

    Returns
    -------
    list of lists
        The changes with their times rounded down to a tenth of a second. When the page was left and come back to is
        nobody else's business: it is left out either way.

    Examples
    --------
    >>> published_log([[0, "", "Hi", "paste", 1234], [0, "", "", "leave", 2000], [0, "", "", "return", 9000]])
    [[0, '', 'Hi', 'paste', 1200]]
    """
    unit = 1 if is_exact else 100
    return [[*row[:4], int(row[4]) // unit * unit, *row[5:]] for row in rows if row[3] not in NO_CHANGES]


def snapshots(
    start: str, operations: Iterable[Operation], *, max_replayed: int = MAX_REPLAY_CHARACTERS
) -> Iterator[str]:
    """Yield the text after each operation.

    Each step copies the text. For texts of a page this is faster than a rope or gap buffer, and
    `MAX_TEXT_LENGTH` bounds it for longer ones.

    Parameters
    ----------
    start : str
        The text before the first operation.
    operations : iterable of Operation
        The operations in order.
    max_replayed : int
        Greatest total length of the texts before each operation, in code points.

    Yields
    ------
    str
        The text after the next operation.

    Raises
    ------
    EditLogError
        If an operation lies outside the text, removes something other than the text at its position, leaves a
        text longer than `MAX_TEXT_LENGTH`, or makes the replay longer than `max_replayed`.

    Examples
    --------
    >>> edits = [Operation(4, "big ", "", Kind.DELETION, 50), Operation(7, "", "!", Kind.TYPING, 90)]
    >>> list(snapshots("The big cat", edits))
    ['The cat', 'The cat!']
    """
    text, copied = start, 0
    for index, edit in enumerate(operations):
        if not 0 <= edit.position <= len(text):
            raise EditLogError(index, f"position {edit.position} outside a text of {len(text)} characters")
        if not text.startswith(edit.removed, edit.position):
            raise EditLogError(index, f"what it removes does not stand at position {edit.position}")
        if len(text) - len(edit.removed) + len(edit.inserted) > MAX_TEXT_LENGTH:
            raise EditLogError(index, f"a text of more than {MAX_TEXT_LENGTH} characters")
        copied += len(text)
        if copied > max_replayed:
            raise EditLogError(index, f"texts of more than {max_replayed} characters together")
        text = "".join((text[: edit.position], edit.inserted, text[edit.position + len(edit.removed) :]))
        yield text


def without_leaving(operations: Iterable[Operation]) -> tuple[Operation, ...]:
    """Return a log that does not say when its page was left, nor so for how long.

    Returns stay: the time before one may have passed by a clock that is wrong, and must not count as work.

    Parameters
    ----------
    operations : iterable of Operation
        The operations in order.

    Returns
    -------
    tuple of Operation
        All but those of the kind ``leave``; texts and times of the others are as they were.

    Examples
    --------
    >>> left, back = Operation(0, "", "", Kind.LEAVE, 50), Operation(0, "", "", Kind.RETURN, 900)
    >>> without_leaving([left, back]) == (back,)
    True
    """
    return tuple(operation for operation in operations if operation.kind is not Kind.LEAVE)


def replay(start: str, operations: Iterable[Operation], *, max_replayed: int = MAX_REPLAY_CHARACTERS) -> str:
    """Return the text after the last operation.

    Parameters
    ----------
    start : str
        The text before the first operation.
    operations : iterable of Operation
        The operations in order.
    max_replayed : int
        As for `snapshots`.

    Returns
    -------
    str
        The final text; `start` if there are no operations.

    Raises
    ------
    EditLogError
        As `snapshots`.

    Examples
    --------
    >>> replay("The big cat", [Operation(4, "big ", "", Kind.DELETION, 50)])
    'The cat'
    """
    text = start
    for text in snapshots(start, operations, max_replayed=max_replayed):  # noqa: B007 - only the last one is returned
        pass
    return text


def edit_history(start: str, operations: Iterable[Operation]) -> str:
    r"""Return the history of a text in the format of the public release.

    Source: the column EditHistory of compressionhistory.tsv in the release of Toutanova et al. 2016:
    "snapshots of the text field after each action, two spaces between them".

    A snapshot is the ``bounded_display_text`` of the field, so that it fits a table cell: tabs and line breaks become
    spaces, and no snapshot contains two spaces in a row. Successive snapshots are equal where only white space
    changed; the snapshot of an emptied field is empty.

    Parameters
    ----------
    start : str
        The text before the first operation.
    operations : iterable of Operation
        The operations in order. Operations that change nothing leave no snapshot.

    Returns
    -------
    str
        The snapshots, separated by two spaces. Its length is that of all snapshots together.

    Raises
    ------
    EditLogError
        As `snapshots`.

    Examples
    --------
    >>> edits = [Operation(4, "big ", "", Kind.DELETION, 50), Operation(7, "", "\n!", Kind.TYPING, 90)]
    >>> edit_history("The big cat", edits)
    'The cat  The cat !'
    """
    before, shown = start, []
    for text in snapshots(start, operations):
        if text != before:
            shown.append(bounded_display_text(text))
        before = text
    return "  ".join(shown)


def _parse_operation(index: int, row: object) -> Operation:
    if not isinstance(row, list) or not _FIELDS <= len(row) <= _FIELDS + 1:
        raise EditLogError(index, "not a list of position, removed, inserted, kind, time")
    position, removed, inserted, kind, at_ms = row[:_FIELDS]
    # Not isinstance: that would accept True and False.
    if type(position) is not int or position < 0:
        raise EditLogError(index, "the position is not a whole number from 0")
    if type(at_ms) is not int or not 0 <= at_ms <= MAX_LOG_MS:
        raise EditLogError(index, "the time is not a whole number of milliseconds from 0 to 30 days")
    if not isinstance(removed, str) or not isinstance(inserted, str):
        raise EditLogError(index, "what was removed or inserted is not a text")
    if _UNSTORABLE.search(removed + inserted):
        raise EditLogError(index, "U+0000 or a lone surrogate")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise EditLogError(index, f"unknown kind {kind!r:.40}")
    origin = _parse_origin(index, row) if kind == Kind.SOURCE or len(row) > _FIELDS else None
    operation = Operation(position, removed, inserted, _KINDS[kind], at_ms, origin)
    if operation.kind in NO_CHANGES and (removed or inserted):
        raise EditLogError(index, f"a {operation.kind} that removes or inserts something")
    return operation


def _parse_origin(index: int, row: list[Any]) -> Origin:
    given = row[_FIELDS] if row[3] == Kind.SOURCE and len(row) > _FIELDS else None
    if not isinstance(given, list) or [type(each) for each in given] != [int] * len(Origin._fields):
        raise EditLogError(index, "the kind source, and no other, has the number of a source, a start and an end")
    origin = Origin(*given)
    if origin.source < 0 or not 0 <= origin.start < origin.end or origin.end - origin.start != len(row[2]):
        raise EditLogError(index, "what it inserts is not as long as the part of a source that it names")
    return origin
