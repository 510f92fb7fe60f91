"""ROUGE-1, ROUGE-2 and ROUGE-SU4 recall with jackknifed references: beyond the paper's eighty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from measures.core.arrays import FloatArray
from measures.metrics.base import Metric
from measures.metrics.counting.aggregation import Pairing, ratio
from measures.metrics.counting.chunk_counts import ChunkCounts
from measures.metrics.counting.units import NGRAMS, UnitKind, skip_bigrams

SU4_WINDOW = 4
# The 4 of SU4 is part of its name: the option of SKIP-2 does not touch it.
SU4 = UnitKind("SU4", lambda chunk, _: skip_bigrams(chunk.words, SU4_WINDOW), units_per_word=lambda _: SU4_WINDOW + 1)
PARTS: dict[str, tuple[UnitKind, ...]] = {
    "ROUGE-1": NGRAMS[:1],
    "ROUGE-2": NGRAMS[1:2],
    "ROUGE-SU4": (NGRAMS[0], SU4),
}


@dataclass(frozen=True)
class JackknifedRouge(Metric):
    """The recall of all references but one, averaged over which one is left out."""

    source: str = "Lin 2004, §2.1, with the averages of ROUGE-1.5.5 -f A as in the TAC evaluations"
    rank: ClassVar[int] = 40
    is_extra: ClassVar[bool] = True

    @property
    def kinds(self) -> tuple[UnitKind, ...]:
        return PARTS[self.units]

    def compute(self, counts: ChunkCounts) -> FloatArray:
        parts = [counts.overlap(kind) for kind in self.kinds]
        match, reference = sum(part.match for part in parts), sum(part.reference for part in parts)
        return jackknifed_recall(np.asarray(match), np.asarray(reference), counts.pairing)


def jackknifed_recall(match: FloatArray, reference: FloatArray, pairing: Pairing) -> FloatArray:
    """Return the recall of all references but one, averaged over which one is left out.

    The recall of several references is their matches by their units, both summed, as ROUGE-1.5.5 has it
    with ``-f A``. One reference alone is not left out.

    Source: Lin 2004, "ROUGE: a package for automatic evaluation of summaries", §2.1, for the jackknifing.

    Parameters
    ----------
    match, reference : FloatArray of shape (pairs,)
        Units shared, and units of the reference, of each pair.
    pairing : Pairing
        The pairs of each output.

    Returns
    -------
    FloatArray of shape (n,)
        The recall, 0 to 1.
    """
    several = (pairing.numbers > 1)[pairing.output]
    matches, sizes = (np.add.reduceat(each, pairing.starts)[pairing.output] for each in (match, reference))
    return pairing.mean(
        ratio(np.where(several, matches - match, match), np.where(several, sizes - reference, reference))
    )


METRICS = [JackknifedRouge(units, "Recall", "JACKKNIFE") for units in PARTS]
