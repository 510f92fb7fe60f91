"""String accuracy: how few words must be inserted, deleted and replaced to make the reference of the output."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.metrics.base import Metric
from measures.metrics.counting.aggregation import ratio
from measures.metrics.counting.batching import Chunk
from measures.metrics.counting.chunk_counts import ChunkCounts
from measures.metrics.counting.reference_sets import JaggedArray
from measures.metrics.counting.soft_matching import distinct_pairs, padded

_CELLS = 200_000


def edit_distances(chunk: Chunk) -> FloatArray:
    """Return how many words must be inserted, deleted and replaced, for each output and reference.

    Source: Levenshtein 1966; as a row for each word of the output, the insertions of a row at once as running minima.

    Parameters
    ----------
    chunk : Chunk
        Outputs and references.

    Returns
    -------
    FloatArray of shape (pairs,)
        Numbers of words.
    """
    reference, output, pair = distinct_pairs(chunk)
    found = np.zeros(len(reference))
    for pairs in _blocks(chunk.words.lengths, reference, output):
        found[pairs] = _distances(chunk.words, output[pairs], reference[pairs])
    return found[pair]


def _blocks(lengths: IntArray, reference: IntArray, output: IntArray) -> Iterator[IntArray]:
    """Pairs of outputs of about the same length, so few that a row of all of them is small."""
    order = np.lexsort((lengths[reference], lengths[output]))
    first, widest = 0, 0
    for place, width in enumerate((lengths[reference[order]] + 1).tolist()):
        widest = max(widest, width)
        if place > first and (place + 1 - first) * widest > _CELLS:
            yield order[first:place]
            first, widest = place, width
    if first < len(order):
        yield order[first:]


def _distances(words: JaggedArray, output: IntArray, reference: IntArray) -> IntArray:
    theirs, _ = padded(words, reference)
    ours, there = padded(words, output)
    steps = np.arange(theirs.shape[1] + 1)
    row = np.tile(steps, (len(output), 1))
    for place in range(ours.shape[1]):
        best = np.empty_like(row)
        best[:, 0] = row[:, 0] + 1
        best[:, 1:] = np.minimum(row[:, 1:] + 1, row[:, :-1] + (theirs != ours[:, place : place + 1]))
        best = np.minimum.accumulate(best - steps, axis=1) + steps
        row = np.where(there[:, place : place + 1], best, row)
    return np.asarray(row[np.arange(len(row)), words.lengths[reference]])


@dataclass(frozen=True)
class StringAccuracy(Metric):
    """One minus the edits by the words of the reference; 0 where there are more edits than words.

    By one reference it is simple string accuracy, by the best of several word accuracy. The latter was defined by the
    best path through a network of the references; this takes the best of the references themselves.
    """

    source: str = "Bangalore et al. 2000 and Hori and Furui 2004, by Toutanova et al. 2016, §2"
    rank: ClassVar[int] = 50
    is_extra: ClassVar[bool] = True

    def compute(self, counts: ChunkCounts) -> FloatArray:
        accuracy = counts.once("string accuracy", lambda: _accuracy(counts.chunk))
        return counts.pairing.best(accuracy) if self.references == "MULT-MAX" else counts.single_reference(accuracy)


def _accuracy(chunk: Chunk) -> FloatArray:
    sizes = chunk.words.lengths[chunk.references.values].astype(np.float64)
    return ratio(np.maximum(sizes - edit_distances(chunk), 0), sizes)


METRICS = [StringAccuracy("STRING", "Accuracy", references) for references in ("SINGLE-REF", "MULT-MAX")]
