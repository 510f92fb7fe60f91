"""Sources in chunks: small numbers for words, and a bound on the memory that a chunk takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from measures.core.arrays import IntArray
from measures.metrics.counting.reference_sets import Comparisons, JaggedArray

# Cells of the greatest table of a chunk; a source that needs more is a chunk of its own.
_CELLS = 1_500_000


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some sources, with everything counted from their first text and output on.

    Attributes
    ----------
    words, triples : JaggedArray or None
        The words and dependencies of each text, as numbers from 0 within their source.
    source, place : IntArray of shape (texts,)
        Of each text its source, and its place within the source.
    outputs : IntArray of shape (c,)
        The text of the output of each comparison.
    references : JaggedArray
        The texts that the output is compared with, for each comparison.
    output_of_pair : IntArray of shape (pairs,)
        The comparison of each pair of an output and a reference, in the order of `references`.
    slot : IntArray of shape (c,)
        The place of each comparison within its source.
    rows : IntArray of shape (n,)
        The first comparison of each row of scores.
    vocabulary : IntArray of shape (words,)
        The numbers of the words of all texts among all that is scored, in the order of `words`.
    first_text : int
        The first of its texts among all that is scored.
    originals : IntArray of shape (c,), optional
        The text that was compressed, for each comparison.
    """

    words: JaggedArray
    triples: JaggedArray | None
    source: IntArray
    place: IntArray
    outputs: IntArray
    references: JaggedArray
    output_of_pair: IntArray
    slot: IntArray
    rows: IntArray
    vocabulary: IntArray
    first_text: int
    originals: IntArray | None = None

    @property
    def is_averaged(self) -> bool:
        """Whether some row of scores is a mean over several comparisons."""
        return len(self.rows) < len(self.outputs)

    @property
    def sources(self) -> int:
        return int(self.source[-1]) + 1

    @property
    def most_texts(self) -> int:
        return int(self.place.max()) + 1

    @property
    def most_outputs(self) -> int:
        return int(self.slot.max()) + 1


def chunks(compared: Comparisons, skips: int) -> Iterator[Chunk]:
    """Cut comparisons into chunks of whole sources, in order.

    Parameters
    ----------
    compared : Comparisons
        The outputs.
    skips : int
        How many units a word may begin.

    Yields
    ------
    Chunk
        One output at least.
    """
    for first, stop in _ranges(compared, skips):
        if compared.sources[stop] > compared.sources[first]:
            yield _chunk(compared, first, stop)


def _ranges(compared: Comparisons, skips: int) -> Iterator[tuple[int, int]]:
    """Ranges of sources whose tables have few cells: sources x texts (or comparisons) x units, each the most of one."""
    texts = np.maximum(np.diff(compared.texts), np.diff(compared.sources))
    words = np.diff(compared.words.starts[compared.texts])
    if compared.triples is not None:
        words = np.maximum(words, np.diff(compared.triples.starts[compared.texts]))
    first, most_texts, most_units = 0, 0, 0
    for source, (of_texts, of_words) in enumerate(zip(texts.tolist(), words.tolist(), strict=True)):
        most_texts, most_units = max(most_texts, of_texts), max(most_units, of_words * skips, 1)
        if source > first and (source + 1 - first) * most_texts * most_units > _CELLS:
            yield first, source
            first, most_texts, most_units = source, of_texts, of_words * skips
    if first < len(texts):
        yield first, len(texts)


def _chunk(compared: Comparisons, first: int, stop: int) -> Chunk:
    texts, sources = compared.texts[first : stop + 1], compared.sources[first : stop + 1]
    source = np.repeat(np.arange(stop - first), np.diff(texts))
    references = compared.references.rows(int(sources[0]), int(sources[-1]))
    outputs = compared.outputs[sources[0] : sources[-1]] - texts[0]
    first_row, last_row = np.searchsorted(compared.rows, [sources[0], sources[-1]])
    words = compared.words.rows(int(texts[0]), int(texts[-1]))
    return Chunk(
        words=_local(words, source),
        triples=None
        if compared.triples is None
        else _local(compared.triples.rows(int(texts[0]), int(texts[-1])), source),
        source=source,
        place=np.arange(len(source)) - np.repeat(texts[:-1] - texts[0], np.diff(texts)),
        outputs=outputs,
        references=JaggedArray(references.values - texts[0], references.starts),
        output_of_pair=np.repeat(np.arange(len(outputs)), references.lengths),
        slot=np.arange(len(outputs)) - np.repeat(sources[:-1] - sources[0], np.diff(sources)),
        rows=compared.rows[first_row:last_row] - sources[0],
        vocabulary=words.values,
        first_text=int(texts[0]),
        originals=None if compared.originals is None else compared.originals[sources[0] : sources[-1]] - texts[0],
    )


def _local(rows: JaggedArray, source: IntArray) -> JaggedArray:
    """The same with numbers that begin at 0 in each source, which makes them small."""
    if not len(rows.values):
        return rows
    of_value = np.repeat(source, rows.lengths)
    base = int(rows.values.max()) + 1
    known, numbers = np.unique(of_value * base + rows.values, return_inverse=True)
    firsts = np.searchsorted(known, np.arange(int(source[-1]) + 1) * base)
    return JaggedArray(numbers - firsts[of_value], rows.starts)
