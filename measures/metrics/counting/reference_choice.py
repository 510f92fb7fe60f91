"""Which reference stands for all where one is used."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from measures.core.arrays import IntArray
from measures.metrics.counting.reference_sets import Comparisons
from measures.metrics.options import Options

Hashes = npt.NDArray[np.uint64]


def single_references(compared: Comparisons, options: Options) -> IntArray:
    """Choose a reference for each output.

    Each text has a number, made of the seed and of the text alone, and the reference with the least number is
    drawn: so outputs may be scored in any order and in any parts, systems are compared by the same reference of a
    source, and other words or dependencies of the same texts draw no other. Weighed by editor, a text that stands
    among the references of an output again has another number each time, so it is drawn that much more often.

    Parameters
    ----------
    compared : Comparisons
        Outputs and references.
    options : Options
        How to choose (`single`; the mean wants no choice, and gets the first), `seed` and `reference_weights`.

    Returns
    -------
    IntArray of shape (n,)
        The place of the reference among those of the output.

    Examples
    --------
    >>> from measures.metrics import Text, compare
    >>> ours, theirs = Text(("a",)), [Text(("b",)), Text(("c",)), Text(("d",))]
    >>> [int(single_references(compare([ours], [theirs]), Options(seed=seed))[0]) for seed in range(8)]
    [0, 2, 2, 1, 0, 2, 2, 0]
    """
    numbers = compared.references.lengths
    if options.single != "drawn" or not len(numbers):
        return np.zeros(len(numbers), np.int64)
    marks = compared.marks.astype(np.uint64)
    drawn = _mixed(marks + np.uint64(options.seed << 32))[compared.references.values]
    if options.reference_weights == "by-editor":
        drawn = _mixed(drawn + _earlier_copies(compared))
    starts = compared.references.starts[:-1]
    is_least = drawn == np.repeat(np.minimum.reduceat(drawn, starts), numbers)
    pairs = np.flatnonzero(is_least)
    output = np.repeat(np.arange(len(numbers)), numbers)[pairs]
    first = pairs[np.searchsorted(output, np.arange(len(numbers)))]  # of equal texts the first
    return np.asarray(first - starts, dtype=np.int64)


def _earlier_copies(compared: Comparisons) -> Hashes:
    """How often each reference has stood before among those of the same output."""
    marks = compared.marks[compared.references.values]
    output = np.repeat(np.arange(len(compared.references.lengths)), compared.references.lengths)
    order = np.lexsort((marks, output))
    is_new = np.diff(marks[order], prepend=-1) != 0
    is_new |= np.diff(output[order], prepend=-1) != 0
    place = np.arange(len(order))
    copies = np.zeros(len(order), np.uint64)
    copies[order] = place - np.maximum.accumulate(np.where(is_new, place, 0))
    return copies


def _mixed(numbers: Hashes) -> Hashes:
    """Bits of each number so mixed that any of them decides over all (SplitMix64, Steele et al. 2014)."""
    mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
