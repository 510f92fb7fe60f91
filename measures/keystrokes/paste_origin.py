"""Origin of pasted text: the source and the editor's own draft, or elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from measures.keystrokes.edit_log import Kind, Operation, snapshots

MIN_RUN = 5
"""Length of the shortest run of characters that counts as taken from the source or the draft."""

_WHITE_SPACE = re.compile(r"\s+")
# Characters of context on each side of a change: a run may extend into them, across some white space.
_CONTEXT = 40


@dataclass(frozen=True)
class Paste:
    """Text pasted or dropped by one operation.

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


def pastes(source: str, start: str, operations: Sequence[Operation]) -> tuple[Paste, ...]:
    """Find the pasted and dropped texts, and how much of each comes from the source or the draft.

    A character comes from there if it belongs to a run of at least `MIN_RUN` characters (or to the whole
    pasted text, if that is shorter) that occurs in the source or in any earlier state of the text field.
    Case is ignored, and any white space is one space. A run may extend into the surrounding text: where
    equal characters meet, a log cannot tell which of them are new.

    Apart from the replay, time and memory are linear in the number of operations and in the characters of
    the source, the start and the log.

    Parameters
    ----------
    source : str
        The source text.
    start : str
        The text before the first operation.
    operations : sequence of Operation
        The operations in order.

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
    seen = _SeenRuns({_run_size(_folded(operations[index].inserted)) for index in pasting}, source, start)
    replayed = operations[: pasting[-1] + 1]
    found: list[Paste] = []
    for index, (edit, text) in enumerate(zip(replayed, snapshots(start, replayed), strict=True)):
        end = edit.position + len(edit.inserted)
        before, after = text[max(0, edit.position - _CONTEXT) : edit.position], text[end : end + _CONTEXT]
        if _is_paste(edit):
            found.append(Paste(index, len(edit.inserted), seen.share_of(before, edit.inserted, after)))
        seen.add(before + edit.inserted + after)
    return tuple(found)


def _is_paste(edit: Operation) -> bool:
    return edit.kind in {Kind.PASTE, Kind.DROP} and edit.inserted != ""


class _SeenRuns:
    """All runs of given sizes in the texts added so far: the source and the states of the text field."""

    def __init__(self, sizes: Set[int], *texts: str) -> None:
        self._sizes = sizes
        self._runs: set[str] = set()
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        folded = _folded(text)
        for size in self._sizes:
            self._runs.update(_runs(folded, size))

    def share_of(self, before: str, text: str, after: str) -> float:
        """Return the share of the characters of `text` that are covered by seen runs."""
        folded = _folded(text)
        size = _run_size(folded)
        if size < MIN_RUN:
            return float(folded in self._runs)
        left = _folded(before).rstrip(" " if folded.startswith(" ") else "")
        right = _folded(after).lstrip(" " if folded.endswith(" ") else "")
        line = left + folded + right
        covered = bytearray(len(line))
        for start, run in enumerate(_runs(line, size)):
            if run in self._runs:
                covered[start : start + size] = b"\1" * size
        return sum(covered[len(left) : len(left) + len(folded)]) / len(folded)


def _folded(text: str) -> str:
    return _WHITE_SPACE.sub(" ", text).casefold()


def _run_size(folded: str) -> int:
    return min(MIN_RUN, len(folded))


def _runs(text: str, size: int) -> Iterator[str]:
    return (text[start : start + size] for start in range(len(text) - size + 1))
