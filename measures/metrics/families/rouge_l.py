"""ROUGE-L: the recall of longest common subsequences, found for many pairs of texts at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.metrics.base import Metric
from measures.metrics.counting.aggregation import ratio
from measures.metrics.counting.batching import Chunk
from measures.metrics.counting.chunk_counts import ChunkCounts
from measures.metrics.counting.reference_sets import JaggedArray

# The words of a text whose positions fit into the bits of one number.
_BITS = 64
Masks = npt.NDArray[np.uint64]


def longest_common(chunk: Chunk) -> FloatArray:
    """Return the length of the longest common subsequence of words of each output and reference.

    Words of an output are bits of a number, so that a word of the reference is looked up in all places of
    the output at once; outputs of more than 64 words are compared pair by pair.

    Source: Hyyrö 2004, "Bit-parallel LCS-length computation revisited".

    Parameters
    ----------
    chunk : Chunk
        Outputs and references.

    Returns
    -------
    FloatArray of shape (pairs,)
        Numbers of words.
    """
    output, reference = chunk.outputs[chunk.output_of_pair], chunk.references.values
    if not chunk.is_averaged:
        return _of_pairs(chunk, output, reference)
    number = len(chunk.words.lengths)  # jackknifed, an output meets each reference several times
    distinct, pair = np.unique(output * number + reference, return_inverse=True)
    return _of_pairs(chunk, distinct // number, distinct % number)[pair]


def _of_pairs(chunk: Chunk, output: IntArray, reference: IntArray) -> FloatArray:
    lengths = chunk.words.lengths
    short = lengths[output] <= _BITS
    found = np.zeros(len(output))
    found[short] = _short(chunk.words, output[short], reference[short])
    for pair in np.flatnonzero(~short):
        found[pair] = _long(_row(chunk.words, int(output[pair])), _row(chunk.words, int(reference[pair])))
    return found


def _row(words: JaggedArray, text: int) -> IntArray:
    return words.values[words.starts[text] : words.starts[text + 1]]


def _short(words: JaggedArray, output: IntArray, reference: IntArray) -> IntArray:
    """Return how many bits have become 0, which are set at first for each place of the output."""
    masks, lengths = _masks(words), words.lengths
    order = np.argsort(-lengths[reference], kind="stable")
    output, reference = output[order], reference[order]
    left = np.full(len(order), np.uint64(2**_BITS - 1))
    longest = int(lengths[reference[0]]) if len(order) else 0
    for place in range(longest):
        # References are in the order of their lengths: those that have so many words stand first.
        active = int(np.searchsorted(-lengths[reference], -place))
        word = words.values[words.starts[reference[:active]] + place]
        now = left[:active]
        same = now & masks[output[:active], word]
        left[:active] = (now + same) | (now - same)
    found = np.empty(len(order), np.int64)
    found[order] = _BITS - np.bitwise_count(left)
    return found


def _masks(words: JaggedArray) -> Masks:
    """Return for each text and word of its source a number with a bit for each place of the word (texts, words)."""
    masks = np.zeros((len(words.lengths), int(words.values.max(initial=0)) + 1), np.uint64)
    text = np.arange(len(words.lengths))
    for place in range(min(_BITS, int(words.lengths.max(initial=0)))):
        text = text[words.lengths[text] > place]
        masks[text, words.values[words.starts[text] + place]] |= np.uint64(1 << place)
    return masks


def _long(output: IntArray, reference: IntArray) -> int:
    """The same with a number of as many bits as the output has words."""
    masks: dict[int, int] = {}
    for place, word in enumerate(output.tolist()):
        masks[word] = masks.get(word, 0) | 1 << place
    every = left = (1 << len(output)) - 1
    for word in reference.tolist():
        same = left & masks.get(word, 0)
        left = ((left + same) | (left - same)) & every
    return len(output) - left.bit_count()


@dataclass(frozen=True)
class RougeL(Metric):
    """The share of a reference's words that are in the longest common subsequence with the output."""

    source: str = "Lin 2004, §3"
    rank: ClassVar[int] = 30

    def compute(self, counts: ChunkCounts) -> FloatArray:
        recall = counts.once("ROUGE-L recall", lambda: _recall(counts.chunk))
        return counts.pairing.best(recall) if self.references == "MULT-MAX" else counts.single_reference(recall)


def _recall(chunk: Chunk) -> FloatArray:
    return ratio(longest_common(chunk), chunk.words.lengths[chunk.references.values].astype(np.float64))


METRICS = [RougeL("ROUGE-L", "Recall", references) for references in ("SINGLE-REF", "MULT-MAX")]
