"""How people judge before their judgements are cut into the points of a scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from measures.agreement.cohen import kappa_of_table
from measures.agreement.intraclass import spearman_brown
from measures.agreement.mean_rounding import rounded
from measures.agreement.rating_patterns import count_patterns
from measures.core.arrays import FloatArray
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY, Undefined
from measures.experiments.scale_arms import ScaleArm

NODES = 61
NEVER_APART = Undefined("no text has two different ratings")
_LARGEST, _SMALLEST = 0.98, -0.9
_STEPS, _SETTLED = 60, 1e-7
_BLOCK = 4_000_000
_TINY = 1e-300


@dataclass(frozen=True)
class LatentIcc:
    """The correlation of two people's judgements of a text before they are cut into points.

    Attributes
    ----------
    value : float
        0 to 1.
    thresholds : tuple of float
        Where the latent judgement is cut, in standard deviations, between each two points that were given.
    log_likelihood : float
        The greatest, without the number of orders.
    """

    value: float
    thresholds: tuple[float, ...]
    log_likelihood: float


def latent_icc(arm: ScaleArm) -> LatentIcc | Undefined:
    """Estimate the correlation of latent judgements by an ordered probit model.

    A rating is j if c(j-1) < t + e <= c(j), where the text's t has variance rho and e has 1 - rho, both normal. t is
    integrated out with 61 Gauss-Hermite nodes, and the likelihood maximised. If latent judgements are normal, it does
    not depend on the number of points.

    Source: Hedeker and Gibbons 1994, "A random-effects ordinal regression model for multilevel analysis".

    Parameters
    ----------
    arm : ScaleArm
        The ratings. Points that nobody gave are left out of the scale.

    Returns
    -------
    LatentIcc or Undefined
        Undefined without a text that has two ratings, if all ratings are in one category, or no text has two different
        ones.

    Examples
    --------
    >>> from measures.experiments.scale_arms import scale_arm
    >>> found = latent_icc(scale_arm([[1, 1], [2, 3], [3, 3], [1, 2], [3, 2], [1, 1]], categories=3))
    >>> round(found.value, 2), [round(each, 1) for each in found.thresholds]
    (0.75, [-0.2, 0.5])
    """
    patterns = count_patterns(arm.matrix, arm.categories.tolist(), 1)
    counts = patterns.counts[:, patterns.counts.sum(axis=0) > 0] if len(patterns.counts) else patterns.counts
    if not (counts.sum(axis=1) > 1).any():
        return NO_PAIRS
    if counts.shape[1] == 1:
        return ONE_CATEGORY
    if not ((counts > 0).sum(axis=1) > 1).any():
        return NEVER_APART
    nodes, weights = _nodes()
    shares = (patterns.items @ counts).cumsum()[:-1] / (patterns.items @ counts).sum()
    cuts = scipy.special.ndtri(shares)
    start = np.concatenate([cuts[:1], np.log(np.diff(cuts)), [0.0]])

    def deviance(at: FloatArray) -> float:
        rho = scipy.special.expit(at[-1])
        of_points = np.log(_of_points(_cuts(at), rho * np.ones(1), nodes)[0] + _TINY)
        logs = scipy.special.logsumexp(counts @ of_points.T, b=weights, axis=1)
        return -float(patterns.items @ logs)

    bounds = [(-12.0, 12.0)] * (len(start) - 1) + [(-12.0, 8.0)]
    found = scipy.optimize.minimize(deviance, start, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-13})
    return LatentIcc(float(scipy.special.expit(found.x[-1])), tuple(_cuts(found.x).tolist()), -float(found.fun))


def _nodes() -> tuple[FloatArray, FloatArray]:
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return np.asarray(nodes), np.asarray(weights / weights.sum())


def _cuts(at: FloatArray) -> FloatArray:
    return np.asarray(at[0] + np.concatenate([[0.0], np.exp(at[1:-1]).cumsum()]))


def _of_points(cuts: FloatArray, rho: FloatArray, nodes: FloatArray) -> FloatArray:
    """Return the chance of each point given the text, at each node: shape (d, nodes, k), for d latent correlations."""
    root = np.sqrt(rho)[:, None, None]
    below = scipy.special.ndtr((cuts - root * nodes[:, None]) / np.sqrt(1 - rho)[:, None, None])
    ends = np.zeros((*below.shape[:-1], 1)), np.ones((*below.shape[:-1], 1))
    return np.asarray(np.diff(np.concatenate([ends[0], below, ends[1]], axis=-1), axis=-1))


def pair_correlations(tables: FloatArray) -> FloatArray:
    """Estimate the latent correlation of the two sides of each of many symmetric tables.

    The thresholds are those of the shares of the points; the correlation has the greatest likelihood given these.

    Source: Olsson 1979, section 3 (two steps).

    Parameters
    ----------
    tables : FloatArray of shape (d, k, k)
        Weights of pairs of ratings by their points, symmetric.

    Returns
    -------
    FloatArray of shape (d,)
        From -.9 to .98; NaN for a table without pairs or with one point.

    Examples
    --------
    >>> pair_correlations(np.array([[[30.0, 10], [10, 30]], [[20, 20], [20, 20]]])).round(3).tolist()
    [0.707, 0.0]
    """
    step = max(1, _BLOCK // (tables.shape[1] ** 2 * 24))
    blocks = [_pair_correlations(tables[start : start + step]) for start in range(0, len(tables), step)]
    return np.concatenate(blocks) if blocks else np.empty(0)


def _pair_correlations(tables: FloatArray) -> FloatArray:
    totals = tables.sum(axis=(1, 2))
    shares = tables.sum(axis=2) / np.where(totals > 0, totals, 1)[:, None]
    known = (shares > 0).sum(axis=1) > 1
    found = np.full(len(tables), np.nan)
    counts = tables[known]
    if not len(counts):
        return found
    # A cut at the end of the scale is far out, so that nothing lies beyond it.
    cuts = np.clip(scipy.special.ndtri(np.clip(shares[known].cumsum(axis=1)[:, :-1], 0, 1)), -9, 9)
    rho = np.zeros(len(counts))
    for _ in range(_STEPS):
        chances, slopes = _bivariate(cuts, rho)
        there = counts > 0
        safe = np.where(chances > _TINY, chances, 1.0)
        score = np.where(there, counts * slopes / safe, 0).sum(axis=(1, 2))
        weight = counts.sum(axis=(1, 2)) * np.where(chances > 1e-12, slopes**2 / safe, 0).sum(axis=(1, 2))
        moved = np.clip(rho + np.clip(score / np.maximum(weight, _TINY), -0.2, 0.2), _SMALLEST, _LARGEST)
        settled = bool((np.abs(moved - rho) < _SETTLED).all())
        rho = moved
        if settled:
            break
    found[known] = rho
    return found


def _bivariate(cuts: FloatArray, rho: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the chances of the cells of a bivariate normal that is cut, and their slopes in rho: both (d, k, k)."""
    one, other = cuts[:, :, None], cuts[:, None, :]
    nodes, weights = np.polynomial.legendre.leggauss(16)
    # The slope of the chance below both cuts is the density there (Plackett 1954); sin makes it smooth up to the end.
    angle = np.arcsin(rho)[:, None, None]
    below = scipy.special.ndtr(one) * scipy.special.ndtr(other)
    for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
        sine = np.sin(angle * node)
        exponent = (one**2 + other**2 - 2 * sine * one * other) / (2 * (1 - sine**2))
        below = below + weight * angle * np.exp(-exponent) / (2 * np.pi)
    r = rho[:, None, None]
    density = np.exp(-(one**2 + other**2 - 2 * r * one * other) / (2 * (1 - r**2))) / (2 * np.pi * np.sqrt(1 - r**2))
    d, cut = cuts.shape
    whole, slopes = np.zeros((d, cut + 2, cut + 2)), np.zeros((d, cut + 2, cut + 2))
    whole[:, 1:-1, 1:-1], slopes[:, 1:-1, 1:-1] = below, density
    whole[:, 1:-1, -1] = whole[:, -1, 1:-1] = scipy.special.ndtr(cuts)
    whole[:, -1, -1] = 1
    cells = np.diff(np.diff(whole, axis=1), axis=2)
    return np.maximum(cells, 0), np.diff(np.diff(slopes, axis=1), axis=2)


@dataclass(frozen=True)
class SameJudging:
    """What coefficients are if two people judge the same latent quality and only the cuts into points differ.

    Attributes
    ----------
    agreement, kappa, kappa_linear, kappa_quadratic, alpha_ordinal : float
        The coefficients of two people. Quadratic kappa is also alpha for intervals, ICC(1) and Pearson's r.
    information, entropy : float
        Bits that two people's points share, and of one person's.
    reliability : float
        Of the mean of `people` ratings.
    against_mean : tuple of (float, float)
        Agreement and quadratic kappa of one person and the rounded mean (half up) of `people` others.
    """

    agreement: float
    kappa: float
    kappa_linear: float
    kappa_quadratic: float
    alpha_ordinal: float
    information: float
    entropy: float
    reliability: float
    against_mean: tuple[float, float]


def same_judging(rho: float, shares: Sequence[float], *, people: int = 4) -> SameJudging:
    """Compute what one judging gives on a scale, so that nobody takes the gain of a scale for better judging.

    Source: Olsson 1979, "Maximum likelihood estimation of the polychoric correlation coefficient", for the model.

    Parameters
    ----------
    rho : float
        Correlation of two people's latent judgements, from 0 to below .95.
    shares : sequence of float
        Share of each point, from the lowest; their sum is 1.
    people : int, default 4
        Ratings in a mean.

    Returns
    -------
    SameJudging
        Population values.

    Raises
    ------
    ValueError
        If rho is out of range, a share is not above 0, their sum is not 1, or there are fewer than two.

    Examples
    --------
    >>> three, five = same_judging(0.5, [0.03, 0.17, 0.8]), same_judging(0.5, [0.03, 0.07, 0.1, 0.3, 0.5])
    >>> round(three.agreement, 2), round(five.agreement, 2)
    (0.75, 0.48)
    >>> round(three.kappa_quadratic, 2), round(five.kappa_quadratic, 2)
    (0.33, 0.42)
    """
    of = np.asarray(shares, dtype=np.float64)
    if not 0 <= rho < 0.95 or len(of) < 2 or (of <= 0).any() or abs(of.sum() - 1) > 1e-6:
        raise ValueError("a correlation from 0 to below .95, and two or more shares above 0 that add up to 1")
    nodes, weights = _nodes()
    given = _of_points(scipy.special.ndtri(of.cumsum()[:-1] / of.sum()), np.array([rho]), nodes)[0]
    table = (weights[:, None] * given).T @ given
    k = len(of)
    place = of.cumsum() - of / 2
    apart = (place[:, None] - place) ** 2
    sums = np.ones((NODES, 1))
    for _ in range(people):
        longer = np.zeros((NODES, sums.shape[1] + k - 1))
        for point in range(k):
            longer[:, point : point + sums.shape[1]] += sums * given[:, [point]]
        sums = longer
    of_means = rounded(np.arange(sums.shape[1]), people)[:, None] == np.arange(k)
    beside = (weights[:, None] * given).T @ (sums @ of_means)
    none, linear, quadratic = (float(kappa_of_table(table, each)) for each in ("none", "linear", "quadratic"))
    return SameJudging(
        float(table.trace()),
        none,
        linear,
        quadratic,
        float(1 - (table * apart).sum() / (np.outer(of, of) * apart).sum()),
        shared_bits(table),
        float(-(of * np.log2(of)).sum()),
        spearman_brown(quadratic, people),
        (float(beside.trace()), float(kappa_of_table(beside, "quadratic"))),
    )


def shared_bits(table: FloatArray) -> float:
    """Return the bits that two sides of a table share.

    Parameters
    ----------
    table : FloatArray of shape (k, k)
        Shares, or numbers, that are not all 0.

    Returns
    -------
    float
        The mutual information.

    Examples
    --------
    >>> shared_bits(np.eye(2))
    1.0
    """
    shares = table / table.sum()
    alone = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    there = shares > 0
    return float((shares[there] * np.log2(shares[there] / alone[there])).sum())
