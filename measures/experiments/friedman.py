"""Friedman's test of ranks under several conditions, with Kendall's W, pairs of conditions, and a permutation p."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import FloatArray, IntArray
from measures.core.many_tests import holm
from measures.core.signed_rank import DECIMALS
from measures.core.undefined import Undefined
from measures.experiments.complete_cases import complete_cases

SHUFFLES = 10_000

ALL_TIED = Undefined("everybody has the same score under all conditions")
ONE_ORDER = Undefined("everybody has the conditions in the same order, so nothing is left to test against")

# Shuffled ranks (of 8 bytes) that are held at a time.
_BLOCK = 2_000_000


@dataclass(frozen=True)
class ConoverTest:
    """Conover's test of two conditions after Friedman's.

    Attributes
    ----------
    t : float
        The statistic, with the sign of the difference in ranks.
    df : int
        Degrees of freedom.
    p, holm : float
        Two-sided p-value, and the same by Holm over all pairs.
    """

    t: float
    df: int
    p: float
    holm: float


@dataclass(frozen=True)
class RankedPair:
    """Two conditions compared by their ranks.

    Attributes
    ----------
    a, b : int
        Numbers of the conditions, ``a < b``.
    difference : float
        Mean rank of a minus that of b; below 0 where a has the lower scores.
    conover : ConoverTest or Undefined
        Conover's test; undefined if everybody has the conditions in the same order.
    nemenyi : float
        p of Nemenyi's test, which allows for all pairs.
    """

    a: int
    b: int
    difference: float
    conover: ConoverTest | Undefined
    nemenyi: float


@dataclass(frozen=True)
class Friedman:
    """Friedman's test.

    Attributes
    ----------
    chi2 : float
        The statistic, corrected for ties.
    df : int
        Degrees of freedom: conditions less one.
    p : float
        p-value by the chi-squared distribution.
    permutation_p : float
        (1 + shuffles with a statistic as large) / (1 + shuffles).
    kendall_w : float
        Kendall's W, corrected for ties: 0 without any agreement on the order of the conditions, 1 with full agreement.
    mean_ranks : tuple of float
        Mean midrank of each condition; 1 is the lowest score.
    people, left_out : int
        Numbers of people (or texts, or judges) who were ranked within, and who lack a score.
    pairs : tuple of RankedPair
        All pairs of conditions.
    """

    chi2: float
    df: int
    p: float
    permutation_p: float
    kendall_w: float
    mean_ranks: tuple[float, ...]
    people: int
    left_out: int
    pairs: tuple[RankedPair, ...]


def friedman(scores: npt.ArrayLike, *, shuffles: int = SHUFFLES, seed: int) -> Friedman | Undefined:
    """Test whether some conditions have higher scores than others, by the ranks within each person.

    Scores are rounded to nine decimals, so that means of thirds tie where they should; ties get midranks. The
    permutation p shuffles the scores within people.

    Source: Friedman 1937; Kendall and Smith 1939 (W); Conover 1999, *Practical Nonparametric Statistics*, section 5.8
    (ties and pairs); Nemenyi 1963 as in Demšar 2006; Phipson and Smyth 2010 (the p of shuffles). McCallum et al. 2012,
    §3.6, give chi-squared and p.

    Parameters
    ----------
    scores : array_like of shape (n, c)
        Scores of people (or texts, or judges) under conditions, NaN where missing; or ranks.
    shuffles : int, default 10_000
        Number of shuffles, at least 1.
    seed : int
        Seed of the shuffles.

    Returns
    -------
    Friedman or Undefined
        Undefined with fewer than 2 conditions or complete people, or if everything is tied.

    Raises
    ------
    ValueError
        If the table is not two-dimensional, a score is infinite, or `shuffles` < 1.

    Examples
    --------
    >>> found = friedman([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]], seed=1)
    >>> round(found.chi2, 3), round(found.p, 3), round(found.kendall_w, 3), found.mean_ranks
    (4.5, 0.105, 0.562, (1.25, 2.0, 2.75))
    """
    if shuffles < 1:
        raise ValueError(f"shuffles must be at least 1, not {shuffles}")
    cases = complete_cases(scores)
    if isinstance(cases, Undefined):
        return cases
    # Twice the midranks are whole numbers, so that sums of them compare exactly.
    ranks = np.rint(2 * scipy.stats.rankdata(np.round(cases.scores, DECIMALS), axis=1)).astype(np.int64)
    n, c = ranks.shape
    spread = int((ranks**2).sum()) - n * c * (c + 1) ** 2
    if spread == 0:
        return ALL_TIED
    sums = ranks.sum(axis=0)
    between = int((sums**2).sum()) - c * (n * (c + 1)) ** 2
    chi2 = (c - 1) * between / spread
    return Friedman(
        chi2=chi2,
        df=c - 1,
        p=float(scipy.stats.chi2.sf(chi2, c - 1)),
        permutation_p=(1 + _hits(ranks, shuffles, seed)) / (1 + shuffles),
        kendall_w=between / (n * spread),
        mean_ranks=tuple((sums / (2 * n)).tolist()),
        people=n,
        left_out=cases.left_out,
        pairs=_pairs(ranks, sums),
    )


def _hits(ranks: IntArray, shuffles: int, seed: int) -> int:
    """Count the shuffles whose rank sums are as far apart: all else in the statistic stays the same."""
    rng, observed = np.random.default_rng(seed), int((ranks.sum(axis=0) ** 2).sum())
    step, hits = max(1, _BLOCK // ranks.size), 0
    for start in range(0, shuffles, step):
        shape = (min(step, shuffles - start), *ranks.shape)
        sums = rng.permuted(np.broadcast_to(ranks, shape), axis=2).sum(axis=1)
        hits += int(((sums**2).sum(axis=1) >= observed).sum())
    return hits


def _pairs(ranks: IntArray, sums: IntArray) -> tuple[RankedPair, ...]:
    n, c = ranks.shape
    pairs = list(combinations(range(c), 2))
    first, second = np.array(pairs).T
    difference = (sums[first] - sums[second]) / (2 * n)
    standardised = np.abs(difference) / np.sqrt(c * (c + 1) / (12 * n))
    nemenyi = np.clip(scipy.stats.studentized_range.sf(standardised, c, np.inf), 0, 1)
    conover = _conover(ranks, sums, difference)
    return tuple(
        RankedPair(a, b, float(difference[place]), conover[place], float(nemenyi[place]))
        for place, (a, b) in enumerate(pairs)
    )


def _conover(ranks: IntArray, sums: IntArray, difference: FloatArray) -> list[ConoverTest | Undefined]:
    n, c = ranks.shape
    df = (n - 1) * (c - 1)
    left = n * int((ranks**2).sum()) - int((sums**2).sum())
    if left == 0:
        return [ONE_ORDER] * len(difference)
    t = difference * n / np.sqrt(left / (2 * df))
    p = np.minimum(1.0, 2 * scipy.stats.t.sf(np.abs(t), df))
    rows = zip(t.tolist(), p.tolist(), holm(p).tolist(), strict=True)
    return [ConoverTest(each, df, raw, adjusted) for each, raw, adjusted in rows]
