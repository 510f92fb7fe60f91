"""Success rate: on how many words of the source an output and a reference agree whether to keep them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.metrics.base import Metric
from measures.metrics.counting.aggregation import ratio
from measures.metrics.counting.batching import Chunk
from measures.metrics.counting.chunk_counts import ChunkCounts
from measures.metrics.counting.soft_matching import padded

_CELLS = 2_000_000


def kept_words(chunk: Chunk, originals: IntArray, texts: IntArray) -> list[BoolArray]:
    """Say which words of a source each text keeps: those of the longest sequence of words that both have in order.

    Of several such sequences, the one whose last word comes earliest in the source, then its last word but one, and
    so on.

    Parameters
    ----------
    chunk : Chunk
        The texts.
    originals, texts : IntArray of shape (n,)
        Sources, and texts to set beside them.

    Returns
    -------
    list of BoolArray, each of the length of its source
        True for the words that are kept.
    """
    found: list[BoolArray] = [np.zeros(0, dtype=bool)] * len(texts)
    for places in _blocks(chunk.words.lengths[originals], chunk.words.lengths[texts]):
        kept = _kept(chunk, originals[places], texts[places])
        lengths = chunk.words.lengths[originals[places]].tolist()
        for place, row, length in zip(places.tolist(), kept, lengths, strict=True):
            found[place] = row[:length]
    return found


def _blocks(sources: IntArray, texts: IntArray) -> Iterator[IntArray]:
    """Yield pairs of about the same length, so few that a table of all of them is small."""
    order = np.lexsort((texts, sources))
    first, widest, longest = 0, 1, 1
    for place, (rows, columns) in enumerate(zip(sources[order] + 1, texts[order] + 1, strict=True)):
        longest, widest = max(longest, int(rows)), max(widest, int(columns))
        if place > first and (place + 1 - first) * longest * widest > _CELLS:
            yield order[first:place]
            first, longest, widest = place, int(rows), int(columns)
    if first < len(order):
        yield order[first:]


def _kept(chunk: Chunk, originals: IntArray, texts: IntArray) -> BoolArray:
    """Fill the table of longest common sequences row by row, and go back through it, all pairs at once."""
    theirs, in_source = padded(chunk.words, originals)
    ours, in_text = padded(chunk.words, texts)
    pairs, words = theirs.shape
    table = np.zeros((pairs, words + 1, ours.shape[1] + 1), np.int32)
    for row in range(words):
        equal = (theirs[:, row : row + 1] == ours) & in_source[:, row : row + 1] & in_text
        table[:, row + 1, 1:] = np.maximum(table[:, row, 1:], table[:, row, :-1] + equal)
        np.maximum.accumulate(table[:, row + 1], axis=1, out=table[:, row + 1])
    kept = np.zeros((pairs, words), dtype=bool)
    column, every = chunk.words.lengths[texts].copy(), np.arange(pairs)
    for row in range(words, 0, -1):
        here = table[every, row, column]
        is_kept = here > table[every, row - 1, column]
        kept[:, row - 1] = is_kept
        # Of a word that is kept: the first column that has as long a sequence is the one where it stands.
        first = (table[:, row] >= here[:, None]).argmax(axis=1)
        column = np.where(is_kept, first - 1, column)
    return kept


def agreements(chunk: Chunk) -> FloatArray:
    """Return the success rate of each pair of an output and a reference.

    Source: Jing 2000, of which Toutanova et al. 2016, §2, say "accuracy of individual word or constituent deletion
    decisions"; that words are kept by the longest common sequence is this project's own.

    Parameters
    ----------
    chunk : Chunk
        Outputs and references, with their sources.

    Returns
    -------
    FloatArray of shape (pairs,)
        The share of words of the source that both keep or both leave out; 0 where a text or the source has no words.

    Raises
    ------
    ValueError
        If there are no sources.
    """
    if chunk.originals is None:
        raise ValueError("there are no sources")
    original = chunk.originals[chunk.output_of_pair]
    output, reference = chunk.outputs[chunk.output_of_pair], chunk.references.values
    number = len(chunk.words.lengths)
    texts, originals = np.concatenate([output, reference]), np.tile(original, 2)
    distinct, place = np.unique(originals * number + texts, return_inverse=True)
    kept = kept_words(chunk, distinct // number, distinct % number)
    lengths = chunk.words.lengths
    same = [
        int((kept[one] == kept[other]).sum())
        for one, other in zip(place[: len(output)].tolist(), place[len(output) :].tolist(), strict=True)
    ]
    words = np.where((lengths[output] > 0) & (lengths[reference] > 0), lengths[original], 0)
    return ratio(np.where(words > 0, same, 0).astype(np.float64), words.astype(np.float64))


@dataclass(frozen=True)
class SuccessRate(Metric):
    """The share of the source's words on which output and reference agree whether to keep them."""

    source: str = "Jing 2000, by Toutanova et al. 2016, §2"
    empty: ClassVar[str] = "0 where the output, the reference or the source has no words"
    rank: ClassVar[int] = 52
    is_extra: ClassVar[bool] = True
    wants_sources: ClassVar[bool] = True

    def compute(self, counts: ChunkCounts) -> FloatArray:
        found = counts.once("success rate", lambda: agreements(counts.chunk))
        if self.references == "MULT-MAX":
            return counts.pairing.best(found)
        return counts.pairing.mean(found) if self.references == "MULT-MEAN" else counts.single_reference(found)


METRICS = [SuccessRate("SUCCESS", "Agreement", references) for references in ("SINGLE-REF", "MULT-MAX", "MULT-MEAN")]
