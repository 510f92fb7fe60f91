"""Shares of pairs of systems, with intervals, and how to compare them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.undefined import Undefined

NO_SETS = Undefined("the share is not defined for any set")


@dataclass(frozen=True)
class Share:
    """A share of pairs, with the intervals for it.

    Attributes
    ----------
    agreed, of : int
        Numerator and denominator.
    normal, wilson : tuple of float
        95% intervals: the normal approximation of the paper, and Wilson's. Pairs share systems, so both are too narrow.
    """

    agreed: int
    of: int
    normal: tuple[float, float]
    wilson: tuple[float, float]

    @property
    def value(self) -> float:
        """The share."""
        return self.agreed / self.of


def share_of(agreed: int, of: int) -> Share:
    """Return a share with its intervals.

    Examples
    --------
    >>> [round(end, 4) for end in share_of(7, 12).wilson]
    [0.3195, 0.8067]
    """
    z, p = NormalDist().inv_cdf(0.975), agreed / of
    reach = z * sqrt(p * (1 - p) / of)
    middle, spread = (p + z * z / (2 * of)), z * sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    scale = 1 + z * z / of
    return Share(agreed, of, (p - reach, p + reach), ((middle - spread) / scale, (middle + spread) / scale))


def over_sets(shares: Sequence[Share | Undefined], *, pooled: bool = False) -> float | Undefined:
    """Put shares of several sets (genres, years) together: the mean of the shares, or all pairs as one set.

    Examples
    --------
    >>> sets = [share_of(1, 2), share_of(9, 10)]
    >>> over_sets(sets), round(over_sets(sets, pooled=True), 3)
    (0.7, 0.833)
    """
    known = [each for each in shares if isinstance(each, Share)]
    if not known:
        return NO_SETS
    if pooled:
        return sum(each.agreed for each in known) / sum(each.of for each in known)
    return sum(each.value for each in known) / len(known)


def mcnemar(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Return the exact two-sided p-value for whether two metrics agree with the judgement equally often.

    Parameters
    ----------
    first, second : array_like of bool, of shape (p,)
        Whether each of the two agrees on each pair.

    Returns
    -------
    float
        The p-value; 1 if they never differ.

    Examples
    --------
    >>> mcnemar([True] * 5 + [False], [False] * 5 + [False])
    0.0625
    """
    one, other = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    only_first, only_second = int((one & ~other).sum()), int((~one & other).sum())
    # Both tails of a fair coin; 1 if the two never differ.
    return min(1.0, 2 * float(scipy.special.bdtr(min(only_first, only_second), only_first + only_second, 0.5)))


def beats_baseline(metric: Share, baseline: Share) -> bool:
    """Say whether the whole interval of a metric lies above the share of the baseline, which is taken as fixed.

    Source: Owczarzak et al. 2012, §5; the interval is the normal approximation.

    Examples
    --------
    >>> beats_baseline(share_of(90, 100), share_of(80, 100)), beats_baseline(share_of(90, 100), share_of(85, 100))
    (True, False)
    """
    return metric.normal[0] > baseline.value
