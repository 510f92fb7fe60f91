"""The lowest share of a group of workers, with deterministic tie-breaking."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.core.rating_scale import DECIMALS


@dataclass(frozen=True, eq=False)
class Cutoff:
    """The cut between removed and kept workers of one role.

    Attributes
    ----------
    removed : IntArray of shape (r,)
        Indices of the removed workers, worst first.
    eligible : int
        Number of workers with enough items.
    threshold : float or None
        Quality of the last removed worker; None if nobody is removed.
    cut : float or None
        The quality half way between the last removed and the first kept of the eligible workers; None if nobody
        is removed, or none of them is kept.
    tie : bool
        Whether the best removed and the worst kept worker have the same quality, so that the tie was broken
        by items or ids.
    """

    removed: IntArray
    eligible: int
    threshold: float | None
    cut: float | None
    tie: bool


def lowest_share(
    quality: FloatArray,
    items: IntArray,
    ids: npt.ArrayLike,
    *,
    share: float,
    min_items: int,
    smallest_is_worst: bool,
) -> Cutoff:
    """Find the worst floor(share * eligible) workers.

    Source: Toutanova et al. 2016, §3.1. The paper does not mention ties. Here the worker with fewer items is
    removed first, then the one with the smaller id.

    Parameters
    ----------
    quality : FloatArray of shape (w,)
        Quality of each worker, NaN where unknown.
    items : IntArray of shape (w,)
        Number of items of each worker.
    ids : array_like of shape (w,)
        Distinct names or numbers of the workers, used to break ties.
    share : float
        Share to remove, 0 to 1, taken as the decimal number that it prints as.
    min_items : int
        A worker with fewer items is not eligible.
    smallest_is_worst : bool
        True for a quality, False for a deviation.

    Returns
    -------
    Cutoff
        The removed workers, and whether the cut separates a tie.

    Examples
    --------
    >>> cut = lowest_share(np.array([2.0, 1.0, 1.0, 3.0]), np.array([9, 9, 7, 2]), [11, 12, 13, 14],
    ...              share=0.4, min_items=5, smallest_is_worst=True)
    >>> cut.removed, cut.eligible, cut.threshold, cut.cut, cut.tie
    (array([2]), 3, 1.0, 1.0, True)
    """
    eligible = np.flatnonzero((items >= min_items) & ~np.isnan(quality))
    badness = np.round(quality[eligible], DECIMALS) * (1 if smallest_is_worst else -1)
    order = np.lexsort((np.asarray(ids)[eligible], items[eligible], badness))
    count = floor(Fraction(str(float(share))) * len(eligible))
    removed = eligible[order[:count]]
    separates = 0 < count < len(eligible)
    threshold = float(quality[removed[-1]]) if count else None
    cut = float(quality[eligible[order[count - 1 : count + 1]]].mean()) if separates else None
    tie = separates and badness[order[count - 1]] == badness[order[count]]
    return Cutoff(removed=removed, eligible=len(eligible), threshold=threshold, cut=cut, tie=bool(tie))
