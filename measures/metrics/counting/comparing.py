"""Outputs set beside their references: beside all of them, beside all but one each in turn, or beside one another."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from zlib import crc32

import numpy as np

from measures.metrics.counting.reference_sets import Comparisons, JaggedArray, Text

# Rows that share texts are looked at together, up to so many: each text is set beside each.
_MAX_TOGETHER = 16


def compare(
    outputs: Sequence[Text],
    references: Sequence[Sequence[Text]],
    jackknifed: Sequence[bool] | None = None,
    sources: Sequence[Text] | None = None,
) -> Comparisons:
    """Set outputs beside references.

    Outputs that follow one another and whose references are the same objects, or some of these, share them: each
    text is then looked at once for some of them.

    Parameters
    ----------
    outputs : sequence of Text, of length n
        What systems or people wrote.
    references : sequence of sequences of Text, of length n
        The references of each output, one at least.
    jackknifed : sequence of bool, of length n, optional
        Which outputs are jackknifed, as `jackknife` does it with all; by default none.
    sources : sequence of Text, of length n, optional
        The text that each output compresses, for the metrics that look at it; it need not be parsed.

    Returns
    -------
    Comparisons
        The same as numbers.

    Raises
    ------
    ValueError
        If the lengths differ, an output has no reference, or one that is jackknifed has a single one.

    Examples
    --------
    >>> your, mine = Text(("your", "house")), Text(("my", "house"))
    >>> compared = compare([your, mine], [[mine], [mine]])
    >>> compared.words.values, compared.outputs, compared.references.values
    (array([0, 1, 2, 1]), array([1, 0]), array([0, 0]))
    """
    if len(outputs) != len(references):
        raise ValueError(f"{len(outputs)} outputs and {len(references)} lists of references")
    chosen = [False] * len(outputs) if jackknifed is None else jackknifed
    if len(outputs) != len(chosen):
        raise ValueError(f"{len(outputs)} outputs, and jackknifed says of {len(chosen)}")
    if sources is not None and len(sources) != len(outputs):
        raise ValueError(f"{len(outputs)} outputs and {len(sources)} sources")
    builder = _Builder()
    for number, (output, given, is_jackknifed) in enumerate(zip(outputs, references, chosen, strict=True)):
        if len(given) < 1 + is_jackknifed:
            raise ValueError(
                f"output {number} has one reference: to be jackknifed it wants two"
                if given
                else f"output {number} has no reference"
            )
        places = builder.references(given)
        place = builder.text(output)
        builder.row(place, _without_each(places) if is_jackknifed else [places])
        if sources is not None:
            builder.original(sources[number])
    return builder.comparisons()


def jackknife(outputs: Sequence[Text], references: Sequence[Sequence[Text]]) -> Comparisons:
    """Set outputs beside their references, each time without one of them; the score is the mean over these times.

    A text that is itself one of k references is scored against the other k - 1 (`leave_one_out`). Scored against all
    k, an output of a system would have one more to agree with; jackknifed, both stand on the same ground.

    Source: Lin 2004, "ROUGE: a package for automatic evaluation of summaries", §2.1 and §4.

    Parameters
    ----------
    outputs : sequence of Text, of length n
        What systems wrote.
    references : sequence of sequences of Text, of length n
        The references of each output, two at least.

    Returns
    -------
    Comparisons
        A row for each output.

    Raises
    ------
    ValueError
        If the lengths differ or an output has fewer than two references, so that it cannot be jackknifed.

    Examples
    --------
    >>> from measures.metrics.compute import score
    >>> output, first, second = Text(("a", "b")), Text(("a",)), Text(("b", "c"))
    >>> score(jackknife([output], [[first, second]]), ["LR-1+Recall+MULT-ALL"])
    array([[0.75]])
    """
    return compare(outputs, references, [True] * len(outputs))


def _without_each(places: Sequence[int]) -> list[list[int]]:
    return [[*places[:left_out], *places[left_out + 1 :]] for left_out in range(len(places))]


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
        places = [builder.add(each) for each in texts]
        for output, others in zip(places, _without_each(places), strict=True):
            builder.row(output, [others])
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
    """Texts and comparisons, source after source; words and dependencies get numbers when they are first met."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._words, self._triples, self._references = _Rows(), _Rows(), _Rows()
        self._are_parsed = True
        self._marks = array("q")
        self._written: list[str] = []
        self._texts: list[int] = []
        self._outputs: list[int] = []
        self._sources: list[int] = []
        self._originals: list[int] = []
        self._rows: list[int] = []
        self._rows_before = 0
        self._places: dict[int, tuple[Text, int]] = {}
        self._original_places: dict[int, tuple[Text, int]] = {}
        self._given: Sequence[Text] | None = None
        self._given_places: list[int] = []

    def begin(self) -> None:
        self._texts.append(len(self._words))
        self._sources.append(len(self._outputs))
        self._rows_before = len(self._rows)
        self._places.clear()
        self._original_places.clear()

    def references(self, given: Sequence[Text]) -> list[int]:
        """Return the places of references, in a new source if this one lacks some of them, or has many rows already."""
        is_full = len(self._rows) - self._rows_before >= _MAX_TOGETHER  # work goes by squares
        is_same = self._given is not None and (given is self._given or list(given) == list(self._given))
        if is_full or not (is_same or all(id(each) in self._places for each in given)):
            self.begin()
            is_same = False
        if not is_same:
            self._given, self._given_places = given, [self.text(each) for each in given]
        return self._given_places

    def text(self, text: Text) -> int:
        """Return the place of a text in this source; the same object has one place."""
        known = self._places.get(id(text))
        if known is None:
            known = self._places[id(text)] = text, self.add(text)
        return known[1]

    def original(self, text: Text) -> None:
        """Say of which text the comparisons since the last one are; no unit of it is counted, so it is not parsed."""
        known = self._original_places.get(id(text))
        if known is None:
            known = self._original_places[id(text)] = text, self.add(Text(text.words, (), text.written))
        self._originals += [known[1]] * (len(self._outputs) - len(self._originals))

    def add(self, text: Text) -> int:
        self._words.add(map(self._numbers.__getitem__, text.words))
        written = text.written or "\n".join(text.words)
        self._written.append(text.written or " ".join(text.words))
        self._marks.append(crc32(written.encode("utf-8", "surrogatepass")))
        self._are_parsed &= text.triples is not None
        if self._are_parsed:
            self._triples.add(map(self._numbers.__getitem__, text.triples or ()))
        return len(self._words) - 1

    def row(self, output: int, references: Iterable[Iterable[int]]) -> None:
        """Add a row of scores: an output with the references of each comparison."""
        self._rows.append(len(self._outputs))
        for each in references:
            self._outputs.append(output)
            self._references.add(each)

    def comparisons(self) -> Comparisons:
        return Comparisons(
            words=self._words.jagged(),
            triples=self._triples.jagged() if self._are_parsed else None,
            marks=np.array(self._marks, dtype=np.int64),
            texts=np.array([*self._texts, len(self._words)], dtype=np.int64),
            outputs=np.array(self._outputs, dtype=np.int64),
            sources=np.array([*self._sources, len(self._outputs)], dtype=np.int64),
            references=self._references.jagged(),
            rows=np.array([*self._rows, len(self._outputs)], dtype=np.int64),
            vocabulary=list(self._numbers),
            written=self._written,
            originals=np.array(self._originals, dtype=np.int64) if self._originals else None,
        )
