"""Percentile intervals over the draws of a simulation or bootstrap, and the bootstrap resampling itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined

# Limits the size of a block of replications (8-byte numbers) when nearly every item is of its own kind.
_BLOCK = 4_000_000

ALL_DRAWS_UNDEFINED = Undefined("all ratings are in one category in every draw")


@dataclass(frozen=True)
class Interval:
    """Summary of the draws of one value.

    Attributes
    ----------
    mean : float
        Mean of the draws.
    variance : float
        Variance of the draws (divisor: the number of draws).
    low, high : float
        2.5th and 97.5th percentile of the draws.
    """

    mean: float
    variance: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """Distance from the low to the high end."""
        return self.high - self.low

    @classmethod
    def of(cls, draws: FloatArray) -> Interval:
        """Summarise draws.

        Parameters
        ----------
        draws : FloatArray of shape (d,)
            At least one value, none NaN.

        Returns
        -------
        Interval
            Mean, variance and 95% percentile interval.

        Examples
        --------
        >>> Interval.of(np.array([0.0, 1.0]))
        Interval(mean=0.5, variance=0.25, low=0.025, high=0.975)
        """
        low, high = np.percentile(draws, [2.5, 97.5])
        return cls(float(draws.mean()), float(draws.var()), float(low), float(high))


def resampled(items: IntArray, replications: int, rng: np.random.Generator) -> Iterator[IntArray]:
    """Resample items with replacement, given the number of items of each kind.

    A bootstrap over n items of p kinds needs only the counts of each kind: they are multinomial.

    Parameters
    ----------
    items : IntArray of shape (p,)
        Number of items of each kind; their sum is at least 1.
    replications : int
        Number of replications.
    rng : numpy.random.Generator
        Random number generator.

    Yields
    ------
    IntArray of shape (b, p)
        How often each kind was drawn in each of the next b replications. The block size b is limited by memory.

    Examples
    --------
    >>> (block,) = resampled(np.array([2, 1]), 4, np.random.default_rng(1))
    >>> block.sum(axis=1)
    array([3, 3, 3, 3])
    """
    total = int(items.sum())
    step = max(1, _BLOCK // len(items))
    for first in range(0, replications, step):
        yield rng.multinomial(total, items / total, size=min(step, replications - first))
