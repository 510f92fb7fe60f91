"""How much of a text was taken from each of its sources, and how much its writer wrote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from measures.core.undefined import Undefined
from measures.keystrokes.edit_log import EditLogError, Kind, Operation, snapshots

MIN_TAKEN = 10
"""Length of the shortest pasted run of characters that counts as taken from a source."""

MAX_SOURCES = 9
EMPTY_TEXT = Undefined("the text is empty")
MERGED_LOG = Undefined("where a part of the log came from is not known")

_PASTED = (Kind.PASTE, Kind.DROP)
_PUT_BACK = (*_PASTED, Kind.UNDO, Kind.REDO)


@dataclass(frozen=True)
class SourceShares:
    """Where the characters of a text come from, white space aside.

    Attributes
    ----------
    sources : tuple of float
        Share of the characters that were taken from each source and kept.
    own : float
        Share of the characters that were typed, or pasted from elsewhere.
    characters : int
        Number of characters, without white space.
    """

    sources: tuple[float, ...]
    own: float
    characters: int


def source_shares(
    sources: Sequence[str], operations: Sequence[Operation], *, start: str = ""
) -> SourceShares | Undefined:
    """Follow each character of a text from where it came.

    A character comes from a source if the page recorded that it was taken there (the kind ``source``), or if it was
    pasted or dropped in a run of at least `MIN_TAKEN` characters that stands in a source; of several, the first counts.
    What is put back as it was removed, by undoing, redoing or pasting, comes from where it came from before. All else
    is the writer's own, even if the same words stand in a source: typing them is work.

    Parameters
    ----------
    sources : sequence of str
        At most 9 texts.
    operations : sequence of Operation
        The edit log.
    start : str, default ""
        The text before the first operation, which is the writer's own.

    Returns
    -------
    SourceShares or Undefined
        The shares; undefined for a text of white space alone, and where changes were merged. Apart from the replay,
        takes time linear in the characters of the log and the sources.

    Raises
    ------
    EditLogError
        As `snapshots` and `origins_check`.
    ValueError
        If there are more than 9 sources.

    Examples
    --------
    >>> from measures.keystrokes import Origin
    >>> sources = "The plant opened in 1990.", "It will close in May."
    >>> taken = Operation(0, "", "The plant ", Kind.SOURCE, 10, Origin(0, 0, 10))
    >>> shares = source_shares(sources, [taken, Operation(10, "", "shuts.", Kind.TYPING, 900)])
    >>> [round(each, 2) for each in shares.sources], round(shares.own, 2), shares.characters
    ([0.57, 0.0], 0.43, 14)
    """
    if len(sources) > MAX_SOURCES:
        raise ValueError(f"at most {MAX_SOURCES} sources, not {len(sources)}")
    origins_check(sources, operations)
    if any(edit.kind is Kind.MERGED for edit in operations):
        return MERGED_LOG
    text, origins, history = start, bytearray(len(start)), _History(sources)
    for edit, after in zip(operations, snapshots(start, operations), strict=True):
        where = slice(edit.position, edit.position + len(edit.removed))
        removed = bytes(origins[where])
        if edit.origin is not None:
            origins[where] = bytes([edit.origin.source + 1]) * len(edit.inserted)
        else:
            origins[where] = history.of(edit, removed)
        history.add(edit.removed, removed)
        text = after
    kept = [origin for origin, character in zip(origins, text, strict=True) if not character.isspace()]
    if not kept:
        return EMPTY_TEXT
    shares = [kept.count(number) / len(kept) for number in range(len(sources) + 1)]
    return SourceShares(tuple(shares[1:]), shares[0], len(kept))


def origins_check(sources: Sequence[str], operations: Iterable[Operation]) -> None:
    """Raise an error for an operation that inserts something else than the part of a source that it names.

    Parameters
    ----------
    sources : sequence of str
        The texts that parts may be taken from.
    operations : iterable of Operation
        The edit log.

    Raises
    ------
    EditLogError
        If the source does not exist, or another text stands in that part of it.

    Examples
    --------
    >>> from measures.keystrokes import Origin
    >>> origins_check(["It rained."], [Operation(0, "", "It snowed.", Kind.SOURCE, 10, Origin(0, 0, 10))])
    Traceback (most recent call last):
    measures.keystrokes.edit_log.EditLogError: operation 0: what it inserts does not stand there in source 0
    """
    for index, edit in enumerate(operations):
        if edit.origin is None:
            continue
        source, begin, end = edit.origin
        if source >= len(sources) or sources[source][begin:end] != edit.inserted:
            raise EditLogError(index, f"what it inserts does not stand there in source {source}")


class _History:
    """What stood in the sources, and what was removed from the text and where it had come from."""

    def __init__(self, sources: Sequence[str]) -> None:
        self._runs = [{text[at : at + MIN_TAKEN] for at in range(len(text) - MIN_TAKEN + 1)} for text in sources]
        self._removed: dict[str, bytes] = {}

    def add(self, removed: str, origins: bytes) -> None:
        """Remember what was removed."""
        if removed:
            self._removed[removed] = origins

    def of(self, edit: Operation, removed: bytes) -> bytes:
        """Return the origin of each inserted character."""
        inserted = edit.inserted
        if edit.kind in _PUT_BACK and inserted in self._removed:
            return self._removed[inserted]
        if edit.kind in _PASTED:
            return self._pasted(inserted)
        if edit.kind is Kind.TYPING:
            return bytes(len(inserted))
        # What an operation removes and inserts again, such as the rest of a word that a browser replaced, has stayed.
        before = _same_beginning(edit.removed, inserted)
        behind = _same_beginning(edit.removed[before:][::-1], inserted[before:][::-1])
        new = bytes(len(inserted) - before - behind)
        return removed[:before] + new + removed[len(removed) - behind :]

    def _pasted(self, text: str) -> bytes:
        origins = bytearray(len(text))
        for number, runs in reversed(list(enumerate(self._runs, start=1))):
            for at in range(len(text) - MIN_TAKEN + 1):
                if text[at : at + MIN_TAKEN] in runs:
                    origins[at : at + MIN_TAKEN] = bytes([number]) * MIN_TAKEN
        return bytes(origins)


def _same_beginning(one: str, other: str) -> int:
    """Return how many characters the beginnings of two texts share."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
