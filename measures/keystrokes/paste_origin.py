"""Where pasted text comes from: the source and the editor's own draft, or elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from measures.keystrokes.edit_log import Kind, Operation, snapshots

RUN = 5
"""So many characters in a row that stand in the source or the draft as well are taken from there."""

_WHITE_SPACE = re.compile(r"\s+")
# Characters to each side of a change that are looked at with it: a run may reach over some white space.
_AROUND = 40


@dataclass(frozen=True)
class Paste:
    """What one operation pasted or dropped.

    Attributes
    ----------
    index : int
        The operation, counted from 0.
    characters : int
        Code points inserted.
    from_source : float
        Share of them that stands in the source, or has stood in the draft; 0 to 1.

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
        """Code points that stand neither in the source nor in the draft."""
        return round(self.characters * (1 - self.from_source))


def pastes(source: str, start: str, operations: Sequence[Operation]) -> tuple[Paste, ...]:
    """Find what was pasted or dropped, and how much of it comes from the source or the draft.

    A character comes from there if it belongs to a run of at least `RUN` characters (or to the whole
    pasted text, if that is shorter) that stands in the source, or has stood in the text field before.
    Case does not matter, and any white space is one space. A run may reach into the text around: where
    equal characters meet, a log cannot tell which of them are the new ones.

    Beside the replay, time and memory grow with the number of operations and of the characters in the
    source, at the start and in the log.

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
        In order. Operations that only remove something are none.

    Raises
    ------
    EditLogError
        As `snapshots`; what comes after the last paste is not looked at.

    Examples
    --------
    >>> (paste,) = pastes("The big cat sat.", "", [Operation(0, "", "THE BIG dog", Kind.PASTE, 900)])
    >>> paste.characters, paste.from_elsewhere
    (11, 3)
    """
    pasting = [index for index, edit in enumerate(operations) if _is_paste(edit)]
    if not pasting:
        return ()
    known = _Known({_run_size(_folded(operations[index].inserted)) for index in pasting}, source, start)
    looked_at = operations[: pasting[-1] + 1]
    found: list[Paste] = []
    for index, (edit, text) in enumerate(zip(looked_at, snapshots(start, looked_at), strict=True)):
        end = edit.position + len(edit.inserted)
        before, after = text[max(0, edit.position - _AROUND) : edit.position], text[end : end + _AROUND]
        if _is_paste(edit):
            found.append(Paste(index, len(edit.inserted), known.share_of(before, edit.inserted, after)))
        known.add(before + edit.inserted + after)
    return tuple(found)


def _is_paste(edit: Operation) -> bool:
    return edit.kind in {Kind.PASTE, Kind.DROP} and edit.inserted != ""


class _Known:
    """What stands in the source, and whatever has stood in the text field: as runs of the sizes that are asked for."""

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
        folded = _folded(text)
        size = _run_size(folded)
        if size < RUN:
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
    return min(RUN, len(folded))


def _runs(text: str, size: int) -> Iterator[str]:
    return (text[start : start + size] for start in range(len(text) - size + 1))
