"""Outputs beside their references, as whole numbers: every text once, the texts of a source together."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from measures.core.arrays import IntArray

# Outputs that share references are looked at together, up to so many: each is set beside each.
_MAX_TOGETHER = 16


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
    """Outputs, each with its references; a source is a range of texts and of outputs.

    Attributes
    ----------
    words, triples : JaggedArray or None
        The words and the dependencies of each text, as numbers; no dependencies where a text has none.
    marks : IntArray of shape (texts,)
        A checksum of each text, by which draws do not depend on what else is scored.
    texts : IntArray of shape (sources + 1,)
        Where the texts of each source begin.
    outputs : IntArray of shape (n,)
        The text of each output.
    sources : IntArray of shape (sources + 1,)
        Where the outputs of each source begin.
    references : JaggedArray
        The texts that each output is compared with.
    """

    words: JaggedArray
    triples: JaggedArray | None
    marks: IntArray
    texts: IntArray
    outputs: IntArray
    sources: IntArray
    references: JaggedArray

    def __len__(self) -> int:
        return len(self.outputs)


def compare(outputs: Sequence[Text], references: Sequence[Sequence[Text]]) -> Comparisons:
    """Set outputs beside references.

    Outputs that follow one another and have the same references share them: these are looked at once for some of
    them.

    Parameters
    ----------
    outputs : sequence of Text, of length n
        What systems or people wrote.
    references : sequence of sequences of Text, of length n
        The references of each output, one at least.

    Returns
    -------
    Comparisons
        The same as numbers.

    Raises
    ------
    ValueError
        If the lengths differ or an output has no reference.

    Examples
    --------
    >>> your, mine = Text(("your", "house")), Text(("my", "house"))
    >>> compared = compare([your, mine], [[mine], [mine]])
    >>> compared.words.values, compared.outputs, compared.references.values
    (array([0, 1, 2, 1, 0, 1]), array([1, 2]), array([0, 0]))
    """
    if len(outputs) != len(references):
        raise ValueError(f"{len(outputs)} outputs and {len(references)} lists of references")
    builder = _Builder()
    before: Sequence[Text] | None = None
    for number, (output, given) in enumerate(zip(outputs, references, strict=True)):
        if not given:
            raise ValueError(f"output {number} has no reference")
        shares = before is not None and (given is before or list(given) == list(before))
        if not shares or builder.is_full:
            builder.begin()
            places = [builder.text(each) for each in given]
            before = given
        builder.output(builder.text(output), places)
    return builder.comparisons()


def leave_one_out(sources: Sequence[Sequence[Text]]) -> Comparisons:
    """Set every text of a source beside the others of the same source.

    Parameters
    ----------
    sources : sequence of sequences of Text
        The texts of each source. One that stands alone has nobody to stand beside, and is no output.

    Returns
    -------
    Comparisons
        One output for each text, in order, but for those that stand alone.

    Examples
    --------
    >>> compared = leave_one_out([[Text(("a",)), Text(("b",)), Text(("c",))], [Text(("d",))]])
    >>> compared.outputs, compared.references.values
    (array([0, 1, 2]), array([1, 2, 0, 2, 0, 1]))
    """
    builder = _Builder()
    for texts in sources:
        if len(texts) < 2:
            continue
        builder.begin()
        places = [builder.text(each) for each in texts]
        for output in places:
            builder.output(output, [place for place in places if place != output])
    return builder.comparisons()


class _Rows:
    """Rows to which more are added: flat, since there may be millions of values."""

    def __init__(self) -> None:
        self._values = array("q")
        self._starts = array("q", [0])

    def __len__(self) -> int:
        return len(self._starts) - 1

    def add(self, row: Iterable[int]) -> None:
        self._values.extend(row)
        self._starts.append(len(self._values))

    def jagged(self) -> JaggedArray:
        return JaggedArray(np.array(self._values, dtype=np.int64), np.array(self._starts, dtype=np.int64))


class _Builder:
    """Texts and outputs, source after source; words and dependencies get numbers when they are first met."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._words, self._triples, self._references = _Rows(), _Rows(), _Rows()
        self._are_parsed = True
        self._marks = array("q")
        self._texts: list[int] = []
        self._outputs: list[int] = []
        self._sources: list[int] = []

    @property
    def is_full(self) -> bool:
        """Whether the source has so many outputs that more of them are better looked at apart: work goes by squares."""
        return len(self._outputs) - self._sources[-1] >= _MAX_TOGETHER

    def begin(self) -> None:
        self._texts.append(len(self._words))
        self._sources.append(len(self._outputs))

    def text(self, text: Text) -> int:
        self._words.add(map(self._numbers.__getitem__, text.words))
        written = text.written or "\n".join(text.words)
        self._marks.append(crc32(written.encode("utf-8", "surrogatepass")))
        self._are_parsed &= text.triples is not None
        if self._are_parsed:
            self._triples.add(map(self._numbers.__getitem__, text.triples or ()))
        return len(self._words) - 1

    def output(self, text: int, references: Iterable[int]) -> None:
        self._outputs.append(text)
        self._references.add(references)

    def comparisons(self) -> Comparisons:
        return Comparisons(
            words=self._words.jagged(),
            triples=self._triples.jagged() if self._are_parsed else None,
            marks=np.array(self._marks, dtype=np.int64),
            texts=np.array([*self._texts, len(self._words)], dtype=np.int64),
            outputs=np.array(self._outputs, dtype=np.int64),
            sources=np.array([*self._sources, len(self._outputs)], dtype=np.int64),
            references=self._references.jagged(),
        )
