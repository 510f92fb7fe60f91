"""Which reference stands for all where one is used."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from measures.core.arrays import IntArray
from measures.metrics.counting.reference_sets import Comparisons
from measures.metrics.options import ReferenceChoice

Hashes = npt.NDArray[np.uint64]


def single_references(compared: Comparisons, single: ReferenceChoice, seed: int) -> IntArray:
    """Choose a reference for each output.

    Each text has a number, made of the seed and of the text alone, and the reference with the least number is
    drawn: so outputs may be scored in any order and in any parts, systems are compared by the same reference of a
    source, and other words or dependencies of the same texts draw no other.

    Parameters
    ----------
    compared : Comparisons
        Outputs and references.
    single : {"drawn", "first", "mean"}
        How to choose; the mean wants no choice, and gets the first.
    seed : int
        Seed of the draws, from 0 to 2**32 - 1.

    Returns
    -------
    IntArray of shape (n,)
        The place of the reference among those of the output.

    Examples
    --------
    >>> from measures.metrics.counting.reference_sets import Text, compare
    >>> ours, theirs = Text(("a",)), [Text(("b",)), Text(("c",)), Text(("d",))]
    >>> [int(single_references(compare([ours], [theirs]), "drawn", seed)[0]) for seed in range(8)]
    [0, 2, 2, 1, 0, 2, 2, 0]
    """
    numbers = compared.references.lengths
    if single != "drawn" or not len(numbers):
        return np.zeros(len(numbers), np.int64)
    marks = compared.marks.astype(np.uint64)
    drawn = _mixed(marks + np.uint64(seed << 32))[compared.references.values]
    starts = compared.references.starts[:-1]
    is_least = drawn == np.repeat(np.minimum.reduceat(drawn, starts), numbers)
    pairs = np.flatnonzero(is_least)
    output = np.repeat(np.arange(len(numbers)), numbers)[pairs]
    first = pairs[np.searchsorted(output, np.arange(len(numbers)))]  # of equal texts the first
    return np.asarray(first - starts, dtype=np.int64)


def _mixed(numbers: Hashes) -> Hashes:
    """Bits of each number so mixed that any of them decides over all (SplitMix64, Steele et al. 2014)."""
    mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
