"""The exact distribution of a sum of ranks whose signs are drawn, by which signed-rank tests of few differences go."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from measures.core.arrays import FloatArray, IntArray


@lru_cache(maxsize=128)
def rank_sum_counts(n: int) -> FloatArray:
    """Return how many of the 2^n choices of signs give each sum of positive ranks, without ties or zeros.

    Parameters
    ----------
    n : int
        Number of differences, at most 50 (so that each count is exact).

    Returns
    -------
    FloatArray of shape (n (n + 1) / 2 + 1,)
        The counts for the sums from 0 on; read-only.

    Examples
    --------
    >>> rank_sum_counts(3).tolist()
    [1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0]
    """
    counts = subset_sum_counts(np.arange(1, n + 1))
    counts.setflags(write=False)
    return counts


def subset_sum_counts(ranks: IntArray) -> FloatArray:
    """Count the subsets of whole-numbered ranks by their sum.

    Parameters
    ----------
    ranks : (n,) array of int
        Ranks, tied ones alike.

    Returns
    -------
    (sum of ranks + 1,) array
        The counts for the sums from 0 on.
    """
    counts = np.zeros(int(ranks.sum()) + 1)
    counts[0] = 1
    for rank in ranks.tolist():
        counts[rank:] = counts[rank:] + counts[: len(counts) - rank]
    return counts


def two_sided_tail(counts: FloatArray, smaller: float) -> float:
    """Return the two-sided p-value of the smaller of two rank sums.

    Parameters
    ----------
    counts : (s + 1,) array
        How many choices of signs give each sum.
    smaller : float
        The smaller sum.

    Returns
    -------
    float
        p, at most 1.
    """
    return min(1.0, 2 * float(counts[: round(smaller) + 1].sum() / counts.sum()))
