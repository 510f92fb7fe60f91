"""Which sentences translate which, guessed from their lengths alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import scipy

from measures.core.arrays import FloatArray

MOST_SENTENCES = 1_000

_PRIORS = {(1, 0): 0.0099, (0, 1): 0.0099, (1, 1): 0.89, (2, 1): 0.089, (1, 2): 0.089, (2, 2): 0.011}
_VARIANCE = 6.8


def propose_groups(source: Sequence[int], target: Sequence[int]) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Group the sentences of a text and of its translation by length: the most probable groups in order.

    Source: Gale and Church 1993, "A program for aligning sentences in bilingual corpora", with its priors; as in its
    program and in nltk, the variance grows with the mean length of both sides.

    Parameters
    ----------
    source, target : sequence of int
        Lengths of the sentences in characters, at least 0, at most 1,000 sentences a side.

    Returns
    -------
    tuple of groups
        For each group, the places of its sentences on both sides, from 0: one to two on each side, or one on one side
        and none on the other. Takes time proportional to the product of the numbers of sentences.

    Raises
    ------
    ValueError
        If a length is below 0, or there are more than 1,000 sentences on a side.

    Examples
    --------
    >>> propose_groups([10, 5, 5], [12, 20])
    (((0,), (0,)), ((1, 2), (1,)))
    """
    if max(len(source), len(target)) > MOST_SENTENCES or min([*source, *target], default=0) < 0:
        raise ValueError(f"at most {MOST_SENTENCES} sentences a side, of lengths from 0")
    costs = {kind: _costs(source, target, *kind).tolist() for kind in _PRIORS}
    best = {(0, 0): (0.0, (0, 0))}
    for i in range(len(source) + 1):
        for j in range(len(target) + 1):
            ends = [(a, b) for a, b in _PRIORS if a <= i and b <= j]
            if ends:
                best[i, j] = min((best[i - a, j - b][0] + costs[a, b][i][j], (a, b)) for a, b in ends)
    groups, place = [], (len(source), len(target))
    while place != (0, 0):
        (i, j), (a, b) = place, best[place][1]
        place = (i - a, j - b)
        groups.append((tuple(range(i - a, i)), tuple(range(j - b, j))))
    return tuple(reversed(groups))


def _costs(source: Sequence[int], target: Sequence[int], a: int, b: int) -> FloatArray:
    """Return the cost of a group of a and b sentences that ends before sentences i and j, shape (n + 1, m + 1)."""
    one, other = _sums(source, a)[:, None], _sums(target, b)[None, :]
    spread = np.sqrt(np.maximum((one + other) / 2 * _VARIANCE, 1e-12))
    apart = np.abs(one - other) / spread
    return np.asarray(-(np.log(2) + scipy.special.log_ndtr(-apart) + np.log(_PRIORS[a, b])))


def _sums(lengths: Sequence[int], number: int) -> FloatArray:
    """Return the length of the last `number` sentences before each place."""
    until = np.array([0, *accumulate(lengths)], dtype=np.float64)
    before = np.concatenate([np.zeros(number), until])[: len(until)]
    return np.asarray(until - before)
