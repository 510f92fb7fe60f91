"""Outputs beside their references, as whole numbers: every text once, the texts of a source together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from measures.core.arrays import IntArray


@dataclass(frozen=True)
class Text:
    """A text as metrics see it.

    Attributes
    ----------
    words : tuple of str
        Its words, as a tokenizer gave them.
    triples : tuple of str or None
        Its collapsed dependencies, as a parser gave them; None where nobody parsed it.
    written : str
        The text itself, by which draws do not depend on how it was cut into words; where it is not known they go
        by the words.
    """

    words: tuple[str, ...]
    triples: tuple[str, ...] | None = None
    written: str = ""


@dataclass(frozen=True, eq=False)
class JaggedArray:
    """Rows of whole numbers of different lengths.

    Attributes
    ----------
    values : IntArray of shape (v,)
        All rows, one after the other.
    starts : IntArray of shape (rows + 1,)
        Where each row begins, and at last the number of values.
    """

    values: IntArray
    starts: IntArray

    @property
    def lengths(self) -> IntArray:
        """The number of values in each row."""
        return np.diff(self.starts)

    def rows(self, first: int, stop: int) -> JaggedArray:
        """Return the rows from `first` up to, and without, `stop`."""
        starts = self.starts[first : stop + 1]
        return JaggedArray(self.values[starts[0] : starts[-1]], starts - starts[0])

    @classmethod
    def of(cls, rows: Iterable[Sequence[int]]) -> JaggedArray:
        """Put rows one after the other."""
        kept = list(rows)
        starts = np.zeros(len(kept) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in kept], out=starts[1:])
        values = np.fromiter((value for row in kept for value in row), np.int64, int(starts[-1]))
        return cls(values, starts)


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Outputs, each with its references; a source is a range of texts and of comparisons.

    A row of scores is the mean over the comparisons of one output: a single one, or where it is jackknifed as many as
    it has references, each time without one of them.

    Attributes
    ----------
    words, triples : JaggedArray or None
        The words and the dependencies of each text, as numbers; no dependencies where a text has none.
    marks : IntArray of shape (texts,)
        A checksum of each text, by which draws do not depend on what else is scored.
    texts : IntArray of shape (sources + 1,)
        Where the texts of each source begin.
    outputs : IntArray of shape (c,)
        The text of the output of each comparison.
    sources : IntArray of shape (sources + 1,)
        Where the comparisons of each source begin.
    references : JaggedArray
        The texts that the output is compared with, for each comparison.
    rows : IntArray of shape (n + 1,)
        Where the comparisons of each row of scores begin.
    vocabulary : sequence of str
        The words and dependencies by their numbers.
    written : sequence of str, of length texts
        What the tokenizer read of each text; its words, where that is not known.
    originals : IntArray of shape (c,), optional
        For each comparison the text that was compressed, where that is known.
    """

    words: JaggedArray
    triples: JaggedArray | None
    marks: IntArray
    texts: IntArray
    outputs: IntArray
    sources: IntArray
    references: JaggedArray
    rows: IntArray
    vocabulary: Sequence[str]
    written: Sequence[str]
    originals: IntArray | None = None

    def __len__(self) -> int:
        return len(self.rows) - 1
