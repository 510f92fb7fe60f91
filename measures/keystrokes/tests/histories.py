"""Logs of edits, drawn by hypothesis."""

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from measures.keystrokes.edit_log import NO_CHANGES, Kind, Operation
from measures.keystrokes.effort import PAUSE_MS

any_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8)


class History(NamedTuple):
    """A start, operations that fit it, and the text after each."""

    start: str
    operations: list[Operation]
    states: list[str]

    @property
    def text(self) -> str:
        return self.states[-1] if self.states else self.start


@st.composite
def histories(
    draw: st.DrawFn, texts: st.SearchStrategy[str] = any_text, kinds: Sequence[Kind] = tuple(Kind)
) -> History:
    start = text = draw(texts)
    operations, states, at_ms = [], [], 0
    for _ in range(draw(st.integers(0, 10))):
        kind = draw(st.sampled_from([each for each in kinds if each is not Kind.SOURCE]))
        position = draw(st.integers(0, len(text)))
        stop = position if kind in NO_CHANGES else draw(st.integers(position, len(text)))
        inserted = "" if kind in NO_CHANGES else draw(texts)
        at_ms += draw(st.integers(0, 2 * PAUSE_MS))
        operations.append(Operation(position, text[position:stop], inserted, kind, at_ms))
        text = text[:position] + inserted + text[stop:]
        states.append(text)
    return History(start, operations, states)
