"""Precision, recall and F1 of shared units: the 72 metrics of LR-1 to LR-4, SKIP-2 and PARSE-2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, get_args

from measures.core.arrays import FloatArray
from measures.metrics.base import Metric
from measures.metrics.counting.aggregation import ratio
from measures.metrics.counting.chunk_counts import ChunkCounts
from measures.metrics.counting.units import DEPENDENCIES, NGRAMS, SKIP_BIGRAMS, UnitKind

Measure: TypeAlias = Literal["Precision", "Recall", "F-1"]
"""The measures, as the paper writes them."""

References: TypeAlias = Literal["SINGLE-REF", "MULT-MAX", "MULT-ALL", "MULT-PROB"]
"""The ways to use several references, as the paper writes them."""

KINDS = {kind.name: kind for kind in (*NGRAMS, SKIP_BIGRAMS, DEPENDENCIES)}


@dataclass(frozen=True)
class SharedUnits(Metric):
    """A measure of the units that an output shares with its references.

    With the match m, and o and r units in the output and the references, precision is m / o, recall m / r and F1
    their harmonic mean 2 m / (o + r); each is 0 where there are no units.

    Source: Toutanova et al. 2016, §4.1.
    """

    rank: ClassVar[int] = 10

    @property
    def kind(self) -> UnitKind:
        """The kind of the units."""
        return KINDS[self.units]

    @property
    def kinds(self) -> tuple[UnitKind, ...]:
        return (self.kind,)

    def compute(self, counts: ChunkCounts) -> FloatArray:
        found = counts.overlap(self.kind)
        if self.references == "MULT-ALL":
            return _measured(self.measure, found.union_match, found.output, found.union)
        if self.references == "MULT-PROB":
            # The share of the references that have a unit, summed over units, is a mean over references.
            match, size = counts.once((self.kind, "means"), lambda: _means(counts, self.kind))
            return _measured(self.measure, match, found.output, size)
        of_pairs = counts.once((self.kind, self.measure), lambda: self._of_pairs(counts))
        return counts.pairing.best(of_pairs) if self.references == "MULT-MAX" else counts.single_reference(of_pairs)

    def _of_pairs(self, counts: ChunkCounts) -> FloatArray:
        found = counts.overlap(self.kind)
        return _measured(self.measure, found.match, found.output[counts.pairing.output], found.reference)


def _means(counts: ChunkCounts, kind: UnitKind) -> tuple[FloatArray, FloatArray]:
    found = counts.overlap(kind)
    return counts.pairing.mean(found.match), counts.pairing.mean(found.reference)


def _measured(measure: str, match: FloatArray, output: FloatArray, reference: FloatArray) -> FloatArray:
    if measure == "Precision":
        return ratio(match, output)
    return ratio(match, reference) if measure == "Recall" else ratio(2 * match, output + reference)


METRICS = [
    SharedUnits(units, measure, references)
    for units in KINDS
    for measure in get_args(Measure)
    for references in get_args(References)
]
