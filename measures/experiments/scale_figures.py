"""Figures of an arm in which people use one scale: some move with its points alone, others are compared."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import log, sqrt

import numpy as np

from measures.agreement.cohen import Weights
from measures.agreement.intraclass import spearman_brown
from measures.agreement.krippendorff import Level, krippendorff_alpha
from measures.agreement.rater_pairs import pairwise_kappa
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY, Undefined
from measures.experiments.latent_judging import shared_bits
from measures.experiments.scale_arms import ScaleArm, pair_counts, require_same_texts

LEAST_COMMON = 5
MOST_SPLIT = 10
NOT_SPLIT = Undefined(f"no two texts with all ratings, of 2 to {MOST_SPLIT}")
NO_RELIABILITY = Undefined("the means of an arm are not reliable at all")
CONSTANT_MEANS = Undefined("an arm gives all texts the same mean")


@dataclass(frozen=True)
class PointCoefficients:
    """Coefficients that change with the number of points though nobody judges better.

    Attributes
    ----------
    agreement : float or Undefined
        Share of the pairs of ratings of a text that are the same.
    kappa, kappa_linear, kappa_quadratic : float or Undefined
        Cohen's kappa by its weights, mean over pairs of people.
    alpha_nominal, alpha_ordinal, alpha_interval : float or Undefined
        Krippendorff's alpha by level.
    """

    agreement: float | Undefined
    kappa: float | Undefined
    kappa_linear: float | Undefined
    kappa_quadratic: float | Undefined
    alpha_nominal: float | Undefined
    alpha_ordinal: float | Undefined
    alpha_interval: float | Undefined


def point_coefficients(arm: ScaleArm) -> PointCoefficients:
    """Compute the coefficients that cannot say which of two scales is judged better.

    Parameters
    ----------
    arm : ScaleArm
        The ratings. Pairs of people with fewer than 5 texts in common have no kappa; all points count as labels.

    Returns
    -------
    PointCoefficients
        The coefficients; each is undefined with its reason where it does not exist.

    Examples
    --------
    >>> from measures.experiments.scale_arms import scale_arm
    >>> found = point_coefficients(scale_arm([[1, 1], [2, 3], [3, 3], [1, 2], [3, 2], [1, 1]], categories=3))
    >>> found.agreement, round(found.kappa, 2), round(found.kappa_quadratic, 2), round(found.alpha_interval, 2)
    (0.5, 0.25, 0.67, 0.69)
    """
    table = pair_counts(arm)
    total = float(table.sum())

    def kappa(weights: Weights) -> float | Undefined:
        pairs = pairwise_kappa(
            arm.matrix,
            raters=arm.person,
            categories=arm.categories.tolist(),
            weights=weights,
            min_items=LEAST_COMMON,
        )
        values = [each.kappa for each in pairs if not isinstance(each.kappa, Undefined)]
        if not values:
            return ONE_CATEGORY if pairs else Undefined(f"no two people have {LEAST_COMMON} texts in common")
        return sum(values) / len(values)

    def alpha(level: Level) -> float | Undefined:
        found = krippendorff_alpha(arm.matrix, level=level, categories=arm.categories.tolist())
        return found if isinstance(found, Undefined) else found.alpha

    return PointCoefficients(
        float(table.trace() / total) if total else NO_PAIRS,
        kappa("none"),
        kappa("linear"),
        kappa("quadratic"),
        alpha("nominal"),
        alpha("ordinal"),
        alpha("interval"),
    )


@dataclass(frozen=True)
class Information:
    """Bits that the points of two people about one text share.

    Attributes
    ----------
    bits : float
        Less what chance gives in so few pairs; may be below 0.
    plain : float
        Before that.
    pairs : int
        Pairs of ratings.
    per_minute : float or None
        Bits for a minute of a rater's time, if it is known.
    """

    bits: float
    plain: float
    pairs: int
    per_minute: float | None


def shared_information(arm: ScaleArm, minutes: float | None = None) -> Information | Undefined:
    """Estimate how much two people's points about a text tell of each other. A finer cut never has less.

    Source: Shannon 1948, "A mathematical theory of communication"; Miller 1955, "Note on the bias of information
    estimates", for (k - 1)² / (2 N ln 2), N pairs of ratings and k points that were given.

    Parameters
    ----------
    arm : ScaleArm
        The ratings.
    minutes : float, optional
        A rater's time for a text, above 0.

    Returns
    -------
    Information or Undefined
        Undefined without two ratings of a text.

    Raises
    ------
    ValueError
        If the time is not above 0.

    Examples
    --------
    >>> from measures.experiments.scale_arms import scale_arm
    >>> found = shared_information(scale_arm([[1, 1], [2, 2]] * 20, categories=2), minutes=0.5)
    >>> found.plain, round(found.bits, 3), found.pairs, round(found.per_minute, 3)
    (1.0, 0.982, 40, 1.964)
    """
    if minutes is not None and not minutes > 0:
        raise ValueError(f"minutes must be above 0, not {minutes}")
    table = pair_counts(arm)
    pairs = int(table.sum()) // 2
    if not pairs:
        return NO_PAIRS
    plain = shared_bits(table)
    bits = plain - (int((table.sum(axis=0) > 0).sum()) - 1) ** 2 / (2 * pairs * log(2))
    return Information(bits, plain, pairs, None if minutes is None else bits / minutes)


def split_half(arm: ScaleArm) -> float | Undefined:
    """Compute the reliability of the mean of a text's ratings from all its splits into halves.

    The halves' correlations are averaged and stepped up to all ratings. Of an odd number, one is left out in turn.

    Source: Spearman 1910; Brown 1910.

    Parameters
    ----------
    arm : ScaleArm
        The ratings; texts without all of them are left out.

    Returns
    -------
    float or Undefined
        The mean over the splits with a correlation; undefined with fewer than two such texts, or more than 10 ratings.

    Examples
    --------
    >>> from measures.experiments.scale_arms import scale_arm
    >>> round(split_half(scale_arm([[1, 1], [2, 3], [3, 3], [1, 2]], categories=3)), 3)
    0.9
    """
    whole = arm.category[(arm.category >= 0).all(axis=1)]
    n, k = whole.shape
    if n < 2 or not 2 <= k <= MOST_SPLIT:
        return NOT_SPLIT
    half, found = k // 2, []
    for one in combinations(range(k), half):
        for other in combinations([each for each in range(one[0] + 1, k) if each not in one], half):
            halves = whole[:, one].sum(axis=1), whole[:, other].sum(axis=1)
            if all(np.ptp(each) for each in halves):
                found.append(spearman_brown(float(np.corrcoef(*halves)[0, 1]), k / half))
    return sum(found) / len(found) if found else CONSTANT_MEANS


def tied_pairs(arm: ScaleArm) -> float | Undefined:
    """Return the share of the pairs of texts whose mean ratings are the same, compared exactly.

    Parameters
    ----------
    arm : ScaleArm
        The ratings; texts without any are left out.

    Returns
    -------
    float or Undefined
        The share; undefined for fewer than two texts.

    Examples
    --------
    >>> from measures.experiments.scale_arms import scale_arm
    >>> tied_pairs(scale_arm([[1, 2], [2, 1], [3, 3]], categories=3))
    0.3333333333333333
    """
    total, number = arm.sums[arm.sums[:, 1] > 0].T
    if len(total) < 2:
        return Undefined("fewer than two texts with ratings")
    divisor = np.gcd(total, number)
    _, same = np.unique(np.stack([total // divisor, number // divisor]), axis=1, return_counts=True)
    return float((same * (same - 1)).sum() / (len(total) * (len(total) - 1)))


@dataclass(frozen=True)
class SameThing:
    """Whether two scales measure the same thing.

    Attributes
    ----------
    correlation : float or Undefined
        Pearson's r of the arms' means over texts.
    disattenuated : float or Undefined
        r divided by the root of the product of both ICC(1,k): what it would be without the noise of few ratings. May
        exceed 1.
    texts : int
        Texts with ratings in both arms.
    """

    correlation: float | Undefined
    disattenuated: float | Undefined
    texts: int


def same_thing(one: ScaleArm, other: ScaleArm) -> SameThing:
    """Correlate the arms' means of the same texts.

    Source: Spearman 1904, for the correction for attenuation.

    Parameters
    ----------
    one, other : ScaleArm
        The arms, of the same texts.

    Returns
    -------
    SameThing
        The correlations.

    Raises
    ------
    ValueError
        If the arms have different numbers of texts.

    Examples
    --------
    >>> from measures.experiments.scale_arms import scale_arm
    >>> coarse = scale_arm([[1, 1], [1, 2], [2, 3], [3, 3], [2, 2]], categories=3)
    >>> fine = scale_arm([[1, 2], [2, 2], [3, 4], [5, 4], [4, 3]], categories=5)
    >>> found = same_thing(coarse, fine)
    >>> round(found.correlation, 3), round(found.disattenuated, 3)
    (0.968, 1.135)
    """
    require_same_texts(one, other)
    both = ~np.isnan(one.means) & ~np.isnan(other.means)
    means = one.means[both], other.means[both]
    texts = int(both.sum())
    if texts < 2 or not all(np.ptp(each) for each in means):
        return SameThing(CONSTANT_MEANS, CONSTANT_MEANS, texts)
    r = float(np.corrcoef(*means)[0, 1])
    one_way = [arm.one_way for arm in (one, other)]
    panels = [each if isinstance(each, Undefined) else each.panel for each in one_way]
    known = [each for each in panels if not isinstance(each, Undefined) and each > 0]
    return SameThing(r, r / sqrt(known[0] * known[1]) if len(known) == 2 else NO_RELIABILITY, texts)
