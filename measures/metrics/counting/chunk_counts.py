"""What the metrics share while they score one chunk: above all the one count of units that all are made of."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.metrics.counting.aggregation import Pairing
from measures.metrics.counting.batching import Chunk
from measures.metrics.counting.units import UnitKind, Units
from measures.metrics.options import Options

Table = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Overlap:
    """Shared units of one kind. The i-th occurrence of a unit in a text is a unit of its own.

    Attributes
    ----------
    output : FloatArray of shape (n,)
        Units of each output.
    reference : FloatArray of shape (pairs,)
        Units of the reference of each pair of an output and a reference.
    match : FloatArray of shape (pairs,)
        Units that both have.
    union : FloatArray of shape (n,)
        Units that some reference of the output has.
    union_match : FloatArray of shape (n,)
        Units of the output that some reference has.
    """

    output: FloatArray
    reference: FloatArray
    match: FloatArray
    union: FloatArray
    union_match: FloatArray


def overlap(chunk: Chunk, units: Units) -> Overlap:
    """Count what outputs share with their references.

    Source: Toutanova et al. 2016, §4.1, with footnote 8 on units that are repeated.

    Parameters
    ----------
    chunk : Chunk
        Outputs and references.
    units : Units
        The units of all texts of the chunk.

    Returns
    -------
    Overlap
        The counts.
    """
    table = _table(chunk, units)
    shared = _products(table, table.transpose(0, 2, 1))
    source, output = chunk.source[chunk.outputs], chunk.place[chunk.outputs]
    of_pair, reference = source[chunk.output_of_pair], chunk.place[chunk.references.values]
    in_some = _union(chunk, table, source)
    return Overlap(
        output=_float(shared[source, output, output]),
        reference=_float(shared[of_pair, reference, reference]),
        match=_float(shared[of_pair, output[chunk.output_of_pair], reference]),
        union=_float(in_some.sum(axis=1)),
        union_match=_float(np.einsum("nc,nc->n", in_some, table[source, output])),
    )


def _float(counts: npt.NDArray[np.generic]) -> FloatArray:
    return counts.astype(np.float64)


def _products(left: Table, right: Table) -> Table:
    """Return the matrix products of tables.

    Some of OpenBLAS's kernels for small tables also compute with what earlier work left in memory. They throw that
    away, but where it reads as a signalling NaN the processor reports an invalid operation. Counts never call for one.
    """
    with np.errstate(invalid="ignore"):
        return np.asarray(left @ right)


def _union(chunk: Chunk, table: Table, source: IntArray) -> Table:
    """Return a 1 for each unit that some reference of an output has (n, columns)."""
    chosen = np.zeros((chunk.sources, chunk.most_outputs, chunk.most_texts), np.float32)
    slot = chunk.slot[chunk.output_of_pair]
    chosen[source[chunk.output_of_pair], slot, chunk.place[chunk.references.values]] = 1
    return np.asarray(np.minimum(_products(chosen, table), 1)[source, chunk.slot])


def _table(chunk: Chunk, units: Units) -> Table:
    """Return a 1 where a text has a unit (sources, most texts, most units of a source)."""
    keys, text_bits, unit_bits = _keys(chunk, units)
    shape = (chunk.sources, chunk.most_texts)
    if not len(keys):
        return np.zeros((*shape, 1), np.float32)
    of_unit = keys >> text_bits
    begins = np.flatnonzero(np.diff(of_unit, prepend=-1))
    column, widths = _columns(keys, begins)
    source = of_unit >> unit_bits
    firsts = np.searchsorted(source[begins], np.arange(chunk.sources))
    edges = np.append(np.cumsum(widths) - widths, widths.sum())
    column -= edges[firsts][source]
    table = np.zeros((*shape, int(column.max()) + 1), np.float32)
    table[source, keys & ((1 << text_bits) - 1), column] = 1
    return table


def _keys(chunk: Chunk, units: Units) -> tuple[IntArray, int, int]:
    """Return source, unit and text of each unit as one sorted number, and the bits of the text and of the unit."""
    text_bits = (chunk.most_texts - 1).bit_length()
    unit_bits = int(units.unit.max(initial=0)).bit_length()
    keys = ((chunk.source[units.text] << unit_bits | units.unit) << text_bits) | chunk.place[units.text]
    keys.sort()
    return keys, text_bits, unit_bits


def _columns(keys: IntArray, begins: IntArray) -> tuple[IntArray, IntArray]:
    """Return a column for each key, and how many columns each unit has: as many as one text repeats it."""
    rank = np.zeros(len(keys), np.int64)
    rank[begins[1:]] = 1
    np.cumsum(rank, out=rank)
    again = np.flatnonzero(keys[1:] == keys[:-1]) + 1
    if not len(again):
        return rank, np.ones(len(begins), np.int64)
    place = np.arange(len(keys))
    begin = place.copy()
    begin[again] = 0
    nth = place - np.maximum.accumulate(begin)
    widths = np.maximum.reduceat(nth, begins) + 1
    return (np.cumsum(widths) - widths)[rank] + nth, widths


T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class EncodedTexts:
    """The parts that a model cuts texts into, each with a vector of length 1.

    Attributes
    ----------
    starts : IntArray of shape (texts + 1,)
        Where the parts of each text begin.
    vectors : FloatArray of shape (parts, d)
        Their vectors.
    """

    starts: IntArray
    vectors: FloatArray


@dataclass(frozen=True, eq=False)
class ChunkVectors:
    """Vectors of the words of a chunk.

    Attributes
    ----------
    rows_of_texts : IntArray of shape (words,)
        The row of each word of all texts; -1 where it has no vector.
    matrix : FloatArray of shape (v, d)
        The vectors.
    """

    rows_of_texts: IntArray
    matrix: FloatArray


class ChunkCounts:
    """One chunk with its counts; each is computed when a metric first asks for it, and then kept.

    Parameters
    ----------
    chunk : Chunk
        Outputs and references.
    single : IntArray of shape (n,)
        Position of the reference of SINGLE-REF among the references of each output.
    options : Options
        The settings.
    vectors : ChunkVectors, optional
        Vectors of its words.
    encoded : callable, optional
        Returns the vectors of the texts of the chunk that are asked for, by a model that reads them.
    """

    def __init__(
        self,
        chunk: Chunk,
        single: IntArray,
        options: Options,
        vectors: ChunkVectors | None = None,
        encoded: Callable[[], EncodedTexts] | None = None,
    ) -> None:
        starts = chunk.references.starts[:-1]
        self.chunk, self.options = chunk, options
        self._vectors, self._encoded = vectors, encoded
        self.pairing = Pairing(starts, chunk.references.lengths, chunk.output_of_pair, starts + single)
        self._kept: dict[Hashable, Any] = {}

    def once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return what was computed under this key, computing it the first time."""
        if key not in self._kept:
            self._kept[key] = compute()
        found: T = self._kept[key]
        return found

    def overlap(self, kind: UnitKind) -> Overlap:
        """Return how many units of a kind outputs and references share."""
        return self.once(kind, lambda: overlap(self.chunk, kind.extract(self.chunk, self.options)))

    def word_vectors(self) -> ChunkVectors:
        """Return the vectors of the words; raise ValueError if there are none."""
        if self._vectors is None:
            raise ValueError("there are no vectors of words")
        return self._vectors

    def encoded_texts(self) -> EncodedTexts:
        """Return the vectors of the parts of all texts, as a model reads them; raise ValueError if there is none."""
        if self._encoded is None:
            raise ValueError("there is no model that reads texts")
        return self.once("encoded texts", self._encoded)

    def single_reference(self, of_pairs: FloatArray) -> FloatArray:
        """Return the value of each output's SINGLE-REF pair, or the mean over its pairs if the options say so."""
        return self.pairing.mean(of_pairs) if self.options.single == "mean" else of_pairs[self.pairing.single]
