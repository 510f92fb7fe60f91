"""What the metrics share while they score one chunk."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from measures.core.arrays import FloatArray, IntArray
from measures.metrics.counting.aggregation import Pairing
from measures.metrics.counting.batching import Chunk
from measures.metrics.counting.unit_overlap import Overlap, overlap
from measures.metrics.counting.units import UnitKind
from measures.metrics.options import Options

T = TypeVar("T")


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
    """

    def __init__(self, chunk: Chunk, single: IntArray, options: Options) -> None:
        starts = chunk.references.starts[:-1]
        self.chunk, self.options = chunk, options
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

    def single_reference(self, of_pairs: FloatArray) -> FloatArray:
        """Return the value of each output's SINGLE-REF pair, or the mean over its pairs if the options say so."""
        return self.pairing.mean(of_pairs) if self.options.single == "mean" else of_pairs[self.pairing.single]
