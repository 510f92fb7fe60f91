"""From the pairs of an output and a reference to one value for each output."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from measures.core.arrays import FloatArray, IntArray


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
