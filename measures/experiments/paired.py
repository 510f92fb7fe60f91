"""Tests of paired differences, with their effects: t, signed ranks, signs and permutations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import FloatArray
from measures.core.confidence import CONFIDENCE
from measures.core.drawn_sources import Ratio, drawn_ratios
from measures.core.signed_rank import DECIMALS, SignedRankTest, signed_rank_test
from measures.core.undefined import Undefined
from measures.experiments.small_samples import TTest
from measures.meta_evaluation.sign_flips import sign_flip_p

DRAWS = 10_000
ONE_PAIR = Undefined("fewer than two pairs")
NO_SPREAD = Undefined("all differences are the same")
NO_PAIRS = Undefined("there are no pairs")
ONLY_TIES = Undefined("all pairs are equal")
_END = (1 + CONFIDENCE) / 2
_LARGE, _WIDEST, _NODES = 30.0, 6.0, 61
_SECANT_STEPS = 6


@dataclass(frozen=True)
class StandardisedDifference:
    """The mean difference in standard deviations of the differences.

    Attributes
    ----------
    d_z : float
        Mean divided by standard deviation.
    low, high : float
        95% interval of d_z.
    g : float
        d_z without its bias in small samples.
    g_low, g_high : float
        95% interval of g.
    """

    d_z: float
    low: float
    high: float
    g: float
    g_low: float
    g_high: float


@dataclass(frozen=True)
class PairedTests:
    """Two sides compared pair by pair, every test two-sided.

    Attributes
    ----------
    better, equal, worse : int
        Pairs whose difference is above 0, 0 and below 0.
    mean : float
        Mean difference.
    t : TTest or Undefined
        Student's paired t, with the interval of the mean difference.
    effect : StandardisedDifference or Undefined
        The mean difference in standard deviations.
    signed_rank : SignedRankTest
        Wilcoxon's test; pairs without a difference are left out.
    sign_p : float or Undefined
        The sign test, without ties.
    permutation_p : float
        The test that turns the signs of the differences: all sign vectors for up to 16 pairs, else draws.
    superiority : Ratio
        P(better) + P(equal) / 2: .5 is no difference. Its interval draws the pairs, 10 at least.
    """

    better: int
    equal: int
    worse: int
    mean: float
    t: TTest | Undefined
    effect: StandardisedDifference | Undefined
    signed_rank: SignedRankTest
    sign_p: float | Undefined
    permutation_p: float
    superiority: Ratio

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return self.better + self.equal + self.worse


def paired_tests(differences: npt.ArrayLike, *, draws: int = DRAWS, seed: int) -> PairedTests | Undefined:
    """Test paired differences in the usual ways.

    Source: Student 1908, "The probable error of a mean"; Wilcoxon 1945 (`signed_rank`); Fisher 1935, *The Design of
    Experiments*, section 21 (`sign_flip_p`); Vargha and Delaney 2000, "A critique and improvement of the CL common
    language effect size statistics", for the superiority.

    Parameters
    ----------
    differences : array_like of shape (n,)
        One difference for each pair. They are rounded to 9 decimals first, so that sums in another order tie.
    draws : int, default 10_000
        Draws of the permutation test and of the interval of the superiority.
    seed : int
        Seed of these draws.

    Returns
    -------
    PairedTests or Undefined
        Undefined without pairs.

    Raises
    ------
    ValueError
        If a difference is not finite, or `draws` < 1.

    Examples
    --------
    >>> tests = paired_tests([0.5, 0.5, 1, -0.5, 1, 0, 1.5, 0.5, 1, 0.5], seed=1)
    >>> tests.better, tests.equal, tests.worse, tests.superiority.value
    (8, 1, 1, 0.85)
    >>> round(tests.t.p, 4), round(tests.effect.g, 2), tests.sign_p, tests.permutation_p
    (0.0086, 0.97, 0.0390625, 0.0234375)
    """
    values: FloatArray = np.asarray(np.round(np.asarray(differences, np.float64), DECIMALS), np.float64)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError("differences must be a list of finite numbers")
    ranks = signed_rank_test(values)
    if not len(values) or isinstance(ranks, Undefined):
        return NO_PAIRS
    better, worse = int((values > 0).sum()), int((values < 0).sum())
    mean = float(values.mean())
    won = (np.sign(values) + 1) / 2
    (superiority,) = drawn_ratios(
        won[:, None], np.ones((len(values), 1)), range(len(values)), draws=draws, seed=seed, nothing=NO_PAIRS.reason
    )
    if isinstance(superiority, Undefined):
        return superiority
    t = paired_t(values)
    return PairedTests(
        better=better,
        equal=len(values) - better - worse,
        worse=worse,
        mean=mean,
        t=t,
        effect=t if isinstance(t, Undefined) else standardised_difference(t.t, len(values)),
        signed_rank=ranks,
        sign_p=float(scipy.stats.binomtest(better, better + worse).pvalue) if better + worse else ONLY_TIES,
        permutation_p=float(sign_flip_p(values, draws=draws, seed=seed)),
        superiority=superiority,
    )


def paired_t(values: FloatArray) -> TTest | Undefined:
    """Compute Student's paired t, two-sided, with the interval of the mean difference.

    Parameters
    ----------
    values : FloatArray of shape (n,)
        The differences.

    Returns
    -------
    TTest or Undefined
        Undefined with fewer than two pairs, or if all differences are the same.

    Examples
    --------
    >>> test = paired_t(np.array([0.0, 1.0, 2.0]))
    >>> round(test.t, 3), test.df, round(test.p, 3)
    (1.732, 2, 0.225)
    """
    values = np.asarray(np.round(values, DECIMALS))
    n, mean = len(values), float(values.mean()) if len(values) else 0.0
    if n < 2:
        return ONE_PAIR
    if np.ptp(values) == 0:
        return NO_SPREAD
    error = float(values.std(ddof=1)) / n**0.5
    reach = float(scipy.stats.t.ppf(_END, n - 1)) * error
    t = mean / error
    return TTest(t, n - 1, float(2 * scipy.stats.t.sf(abs(t), n - 1)), mean - reach, mean + reach)


def standardised_difference(t: float, pairs: int) -> StandardisedDifference:
    """Return a mean difference in standard deviations of the differences, with intervals by the noncentral t.

    Source: Hedges 1981, "Distribution theory for Glass's estimator of effect size and related estimators", for g;
    Steiger and Fouladi 1997, "Noncentrality interval estimation and the evaluation of statistical models".

    Parameters
    ----------
    t : float
        Student's paired t.
    pairs : int
        Number of pairs, at least 2.

    Returns
    -------
    StandardisedDifference
        d_z = t / sqrt(pairs), and g = d_z (1 - 3 / (4 (pairs - 1) - 1)).

    Examples
    --------
    >>> effect = standardised_difference(3.0, 16)
    >>> round(effect.d_z, 2), round(effect.low, 3), round(effect.high, 3), round(effect.g, 3)
    (0.75, 0.183, 1.298, 0.712)
    """
    df, root = pairs - 1, pairs**0.5
    # The ends are the noncentralities under which t is the 97.5th and the 2.5th percentile.
    low, high = (noncentrality(t, df, share) / root for share in (_END, 1 - _END))
    factor = 1 - 3 / (4 * df - 1)
    d_z = t / root
    return StandardisedDifference(d_z, low, high, factor * d_z, factor * low, factor * high)


def noncentrality(t: float, df: int, share: float) -> float:
    """Return the noncentrality under which a noncentral t has a share of its distribution below a value.

    Parameters
    ----------
    t : float
        The value.
    df : int
        Degrees of freedom.
    share : float
        The share, above 0 and below 1.

    Returns
    -------
    float
        The noncentrality.

    Examples
    --------
    >>> round(noncentrality(2.0, 10, 0.5), 4)
    1.9478
    """
    if t < 0:
        return -noncentrality(-t, df, 1 - share)
    if t <= max(_LARGE, 2 * df**0.5):
        return _exactly(t, df, share)
    # SciPy's takes minutes here. T <= t if the normal part, less than t times the root of the chi-square over df.
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)

    def below(value: float) -> float:
        above = scipy.stats.chi2.sf((np.maximum(nodes + value, 0) / t) ** 2 * df, df)
        return float(weights @ above / weights.sum()) - share

    return float(scipy.optimize.brentq(below, 0, _WIDEST * t))


def _exactly(t: float, df: int, share: float) -> float:
    # SciPy's inverse is good to six digits; steps along the secant make it exact.
    older = float(scipy.special.nctdtrinc(df, share, t))
    newer = older + 1e-4
    miss = float(scipy.stats.nct.cdf(t, df, older)) - share
    for _ in range(_SECANT_STEPS):
        now = float(scipy.stats.nct.cdf(t, df, newer)) - share
        if now == miss:
            break
        older, newer, miss = newer, newer - now * (newer - older) / (now - miss), now
    return newer
