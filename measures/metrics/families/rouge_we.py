"""ROUGE-WE: ROUGE whose units match as far as the vectors of their words are similar."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, get_args

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.metrics.base import Metric
from measures.metrics.counting.aggregation import Pairing, ratio
from measures.metrics.counting.batching import Chunk
from measures.metrics.counting.chunk_counts import ChunkCounts
from measures.metrics.counting.reference_sets import JaggedArray
from measures.metrics.counting.soft_matching import distinct_pairs, padded, soft_matches
from measures.metrics.counting.units import UnitKind
from measures.metrics.families.jackknifed_rouge import PARTS, SU4, SU4_WINDOW, jackknifed_recall
from measures.metrics.families.shared_units import Measure
from measures.metrics.options import Options

UNITS: dict[str, tuple[UnitKind, ...]] = {
    "WE-1": PARTS["ROUGE-1"],
    "WE-2": PARTS["ROUGE-2"],
    "WE-SU4": PARTS["ROUGE-SU4"],
}
REFERENCES = ("SINGLE-REF", "MULT-MAX", "MULT-MEAN", "JACKKNIFE")


@dataclass(frozen=True, eq=False)
class SoftOverlap:
    """What outputs share with their references, and how many units each has.

    Attributes
    ----------
    of_reference, of_output : FloatArray of shape (pairs,)
        The match that recall and precision are made of.
    reference, output : FloatArray of shape (pairs,)
        Units of the reference and of the output, with a vector or not.
    """

    of_reference: FloatArray
    of_output: FloatArray
    reference: FloatArray
    output: FloatArray


@dataclass(frozen=True, eq=False)
class KnownUnits:
    """The units whose words have vectors, text after text and in each by their places.

    Attributes
    ----------
    first, second : JaggedArray
        The rows of the vectors of a unit's words; equal for units of one word.
    are_pairs : bool
        Whether units are two words.
    """

    first: JaggedArray
    second: JaggedArray
    are_pairs: bool

    def vectors(self, chosen: IntArray, matrix: FloatArray, *, as_given: bool) -> FloatArray:
        """Return the vectors of the units of some texts (b, most units, dimensions), zeros behind the last."""
        first, there = padded(self.first, chosen)
        found = matrix[first]
        if self.are_pairs:
            found = found * matrix[padded(self.second, chosen)[0]]
        if not as_given:
            lengths = np.sqrt(np.einsum("bud,bud->bu", found, found))
            found = np.divide(found, lengths[:, :, None], out=np.zeros_like(found), where=lengths[:, :, None] > 0)
        return np.asarray(np.where(there[:, :, None], found, 0.0))


def known_units(chunk: Chunk, rows: IntArray, distances: int) -> KnownUnits:
    """Return the units of all texts of a chunk.

    Parameters
    ----------
    chunk : Chunk
        The texts.
    rows : IntArray of shape (words,)
        The row of each word's vector; -1 where it has none.
    distances : int
        0 for words; or how far apart the two words of a pair are at most.

    Returns
    -------
    KnownUnits
        Those whose words have vectors.
    """
    number = len(chunk.words.lengths)
    text = np.repeat(np.arange(number), chunk.words.lengths)
    places = np.arange(len(text))
    if not distances:
        firsts = seconds = places
    else:
        both = [
            (places[: len(places) - far], places[far:]) for far in range(1, min(distances, max(0, len(text) - 1)) + 1)
        ]
        firsts, seconds = (
            (np.concatenate([np.zeros(0, np.int64), *each]) for each in zip(*both, strict=True))
            if (both)
            else (places[:0], places[:0])
        )
        inside = text[firsts] == text[seconds]
        firsts, seconds = firsts[inside], seconds[inside]
        order = np.lexsort((seconds, firsts))
        firsts, seconds = firsts[order], seconds[order]
    known = (rows[firsts] >= 0) & (rows[seconds] >= 0)
    firsts, seconds = firsts[known], seconds[known]
    starts = np.searchsorted(text[firsts], np.arange(number + 1))
    return KnownUnits(JaggedArray(rows[firsts], starts), JaggedArray(rows[seconds], starts), distances > 0)


def soft_overlap(counts: ChunkCounts, kind: UnitKind) -> SoftOverlap:
    """Match the units of one kind of a chunk, words with words or pairs with pairs.

    Source: Ng and Abrecht 2015, §3: a pair's vector is the product of its words' vectors, element by element, and a
    unit with a word that has no vector matches nothing. The paper writes the inner product of two vectors, and the
    program of its authors divides it by both lengths.

    Parameters
    ----------
    counts : ChunkCounts
        A chunk with vectors.
    kind : UnitKind
        Words, neighbours, or pairs with words between.

    Returns
    -------
    SoftOverlap
        The match and the sizes of all pairs of an output and a reference.
    """
    chunk, options = counts.chunk, counts.options
    vectors = counts.word_vectors()
    distances = {"LR-1": 0, "LR-2": 1, SU4.name: SU4_WINDOW + 1}[kind.name]
    units = known_units(chunk, vectors.rows_of_texts, distances)
    reference, output, pair = distinct_pairs(chunk)

    def similarity(references: IntArray, outputs: IntArray) -> FloatArray:
        left, right = (
            units.vectors(each, vectors.matrix, as_given=options.similarity == "dot") for each in (references, outputs)
        )
        found = np.matmul(left, right.transpose(0, 2, 1))
        return np.asarray(np.where(found >= max(options.threshold, 0), found, 0.0))

    matched = soft_matches(units.first.lengths, reference, output, similarity, options.matching)
    of_reference, of_output = (each[pair] for each in matched)
    exact = counts.overlap(kind)
    weight = options.exact_weight
    return SoftOverlap(
        weight * exact.match + (1 - weight) * of_reference,
        weight * exact.match + (1 - weight) * of_output,
        exact.reference,
        exact.output[counts.pairing.output],
    )


def measured_softly(measure: str, found: SoftOverlap) -> FloatArray:
    """Return recall, precision or their harmonic mean of each pair; 0 where a text has no units."""
    recall, precision = ratio(found.of_reference, found.reference), ratio(found.of_output, found.output)
    if measure == "F-1":
        return ratio(2 * precision * recall, precision + recall)
    return recall if measure == "Recall" else precision


def by_references(counts: ChunkCounts, references: str, of_pairs: FloatArray) -> FloatArray:
    """Return the value of each output by its best reference, by the mean over all, or by one."""
    if references == "MULT-MAX":
        return counts.pairing.best(of_pairs)
    return counts.pairing.mean(of_pairs) if references == "MULT-MEAN" else counts.single_reference(of_pairs)


@dataclass(frozen=True)
class RougeWe(Metric):
    """A measure of the units that an output shares with its references, as far as they are similar."""

    source: str = "Ng and Abrecht 2015, §3"
    rank: ClassVar[int] = 60
    is_extra: ClassVar[bool] = True
    wants_vectors: ClassVar[bool] = True

    @property
    def kinds(self) -> tuple[UnitKind, ...]:
        return UNITS[self.units]

    def compute(self, counts: ChunkCounts) -> FloatArray:
        found = counts.once(self.units, lambda: self._overlap(counts))
        if self.references == "JACKKNIFE":
            return _jackknifed(self.measure, found, counts.pairing)
        of_pairs = counts.once((self.units, self.measure), lambda: measured_softly(self.measure, found))
        return by_references(counts, self.references, of_pairs)

    def _overlap(self, counts: ChunkCounts) -> SoftOverlap:
        parts = [counts.once(("soft", kind), partial(soft_overlap, counts, kind)) for kind in self.kinds]
        summed = (
            np.sum([getattr(part, name) for part in parts], axis=0)
            for name in ("of_reference", "of_output", "reference", "output")
        )
        return SoftOverlap(*summed)

    def signature(self, options: Options) -> list[str]:
        return [
            *super().signature(options),
            f"sim:{options.similarity}",
            f"match:{options.matching}",
            "compose:product",
            "lookup:form-lower",
            f"exact:{options.exact_weight:g}",
            f"threshold:{options.threshold:g}",
        ]


def _jackknifed(measure: str, found: SoftOverlap, pairing: Pairing) -> FloatArray:
    recall = jackknifed_recall(found.of_reference, found.reference, pairing)
    if measure == "Recall":
        return recall
    precision = jackknifed_recall(found.of_output, found.output, pairing)
    return precision if measure == "Precision" else ratio(2 * precision * recall, precision + recall)


METRICS = [
    RougeWe(units, measure, references) for units in UNITS for measure in get_args(Measure) for references in REFERENCES
]
