"""CONTEXT: each word piece of a text beside the most similar one of another, as a model reads them in their context."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, get_args

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.metrics.base import Metric
from measures.metrics.counting.chunk_counts import ChunkCounts
from measures.metrics.counting.reference_sets import JaggedArray
from measures.metrics.counting.soft_matching import distinct_pairs, padded, soft_matches
from measures.metrics.families.rouge_we import SoftOverlap, by_references, measured_softly
from measures.metrics.families.shared_units import Measure
from measures.metrics.options import Options

UNITS = "CONTEXT"


def contextual_overlap(counts: ChunkCounts) -> SoftOverlap:
    """Match each word piece with the most similar one of the other text.

    Source: Zhang et al. 2020, "BERTScore: evaluating text generation with BERT", §3: recall takes the pieces of the
    reference, precision those of the output. Without weights by idf and without rescaling.

    Parameters
    ----------
    counts : ChunkCounts
        A chunk with a model that reads texts.

    Returns
    -------
    SoftOverlap
        The match and the sizes of all pairs of an output and a reference.
    """
    encoded = counts.encoded_texts()
    pieces = JaggedArray(np.arange(len(encoded.vectors)), encoded.starts)
    reference, output, pair = distinct_pairs(counts.chunk)

    def vectors(texts: IntArray) -> FloatArray:
        places, there = padded(pieces, texts)
        return np.asarray(np.where(there[:, :, None], encoded.vectors[places], 0.0))

    matched = soft_matches(
        pieces.lengths,
        reference,
        output,
        lambda references, outputs: np.matmul(vectors(references), vectors(outputs).transpose(0, 2, 1)),
        "best",
    )
    of_reference, of_output = (each[pair] for each in matched)
    sizes = pieces.lengths.astype(np.float64)
    return SoftOverlap(of_reference, of_output, sizes[reference[pair]], sizes[output[pair]])


@dataclass(frozen=True)
class Contextual(Metric):
    """A measure of how similar the word pieces of an output and a reference are in their contexts."""

    source: str = "Zhang et al. 2020, §3"
    rank: ClassVar[int] = 70
    is_extra: ClassVar[bool] = True
    wants_encoder: ClassVar[bool] = True

    def compute(self, counts: ChunkCounts) -> FloatArray:
        found = counts.once(UNITS, lambda: contextual_overlap(counts))
        of_pairs = counts.once((UNITS, self.measure), lambda: measured_softly(self.measure, found))
        return by_references(counts, self.references, of_pairs)

    def signature(self, options: Options) -> list[str]:
        return [*super().signature(options), "layer:last", "sim:cosine", "match:best", "idf:no", "rescale:no"]


METRICS = [
    Contextual(UNITS, measure, references)
    for measure in get_args(Measure)
    for references in ("SINGLE-REF", "MULT-MAX", "MULT-MEAN")
]
