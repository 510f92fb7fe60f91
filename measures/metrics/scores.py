"""From counts to scores: precision, recall, F1, by one reference and by several."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from measures.arrays import FloatArray, IntArray
from measures.metrics.overlap import Overlap

MEASURES = ("Precision", "Recall", "F-1")
"""The scoring measures of units, as the paper writes them."""

REFERENCES = ("SINGLE-REF", "MULT-MAX", "MULT-ALL", "MULT-PROB")
"""The ways to score against references, as the paper writes them."""


@dataclass(frozen=True, eq=False)
class Pairing:
    """Which pairs of an output and a reference belong to which output.

    Attributes
    ----------
    starts : IntArray of shape (n,)
        The first pair of each output; each has one at least.
    numbers : IntArray of shape (n,)
        How many pairs each output has.
    output : IntArray of shape (pairs,)
        The output of each pair.
    single : IntArray of shape (n,)
        The pair that stands for each output where one reference is used.
    """

    starts: IntArray
    numbers: IntArray
    output: IntArray
    single: IntArray

    def best(self, of_pairs: FloatArray) -> FloatArray:
        """Return the greatest value of each output."""
        return np.asarray(np.maximum.reduceat(of_pairs, self.starts))

    def mean(self, of_pairs: FloatArray) -> FloatArray:
        """Return the mean of the values of each output."""
        return np.asarray(np.add.reduceat(of_pairs, self.starts) / self.numbers)


def ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Divide, with 0 for nothing of nothing.

    Parameters
    ----------
    part, whole : FloatArray of one shape
        What is divided, and by what.

    Returns
    -------
    FloatArray
        The quotients; 0 where `whole` is 0.

    Examples
    --------
    >>> ratio(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    array([0.5, 0. ])
    """
    return np.asarray(np.divide(part, whole, out=np.zeros_like(part), where=whole > 0))


def unit_scores(found: Overlap, pairing: Pairing) -> dict[tuple[str, str], FloatArray]:
    """Score outputs by the units that they share with references.

    With the match m, and o and r units in output and references, precision is m / o, recall m / r and F1 their
    harmonic mean 2 m / (o + r); 0 where there are no units.

    Source: Toutanova et al. 2016, §4.1.

    Parameters
    ----------
    found : Overlap
        The counts.
    pairing : Pairing
        The pairs of each output.

    Returns
    -------
    dict of (measure, references) to FloatArray of shape (n,)
        Twelve scores of each output.
    """
    of_pairs = _measured(found.match, found.output[pairing.output], found.reference)
    return {
        **{(name, "SINGLE-REF"): each[pairing.single] for name, each in of_pairs.items()},
        **{(name, "MULT-MAX"): pairing.best(each) for name, each in of_pairs.items()},
        **_named("MULT-ALL", _measured(found.union_match, found.output, found.union)),
        # The share of the references that have a unit, summed over units, is a mean over references.
        **_named("MULT-PROB", _measured(pairing.mean(found.match), found.output, pairing.mean(found.reference))),
    }


def _measured(match: FloatArray, output: FloatArray, reference: FloatArray) -> dict[str, FloatArray]:
    return {
        "Precision": ratio(match, output),
        "Recall": ratio(match, reference),
        "F-1": ratio(2 * match, output + reference),
    }


def _named(references: str, scores: dict[str, FloatArray]) -> dict[tuple[str, str], FloatArray]:
    return {(name, references): each for name, each in scores.items()}


def mean_single(found: Overlap, pairing: Pairing) -> dict[tuple[str, str], FloatArray]:
    """Score outputs by the mean over all references taken one by one, instead of by one of them.

    Parameters
    ----------
    found : Overlap
        The counts.
    pairing : Pairing
        The pairs of each output.

    Returns
    -------
    dict of (measure, "SINGLE-REF") to FloatArray of shape (n,)
        Three scores of each output.
    """
    of_pairs = _measured(found.match, found.output[pairing.output], found.reference)
    return {(name, "SINGLE-REF"): pairing.mean(each) for name, each in of_pairs.items()}


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
