"""Two scales for the same texts, each in an arm of its own: which one do people judge better on?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt
import scipy

from measures.agreement.cohen import Weights
from measures.agreement.intraclass import IntraclassResult, intraclass, spearman_brown
from measures.agreement.krippendorff import Level, krippendorff_alpha
from measures.agreement.rater_pairs import pairwise_kappa
from measures.core.arrays import FloatArray, IntArray
from measures.core.confidence import CONFIDENCE
from measures.core.drawn_sources import LEAST_SOURCES, TOO_FEW_SOURCES, source_draws
from measures.core.intervals import Interval
from measures.core.many_tests import holm
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY, Undefined
from measures.experiments.latent_judging import latent_icc, pair_correlations, shared_bits
from measures.experiments.paired import DRAWS, paired_t
from measures.experiments.scale_arms import ScaleArm, pair_counts
from measures.experiments.small_samples import TTest

LEAST_PEOPLE = 6
LEAST_COMMON = 5
MOST_SPLIT = 10
LEVEL = 0.05
POWER = 0.8
TOO_FEW_PEOPLE = Undefined(f"no interval from fewer than {LEAST_PEOPLE} people in an arm")
NOT_SPLIT = Undefined(f"no two texts with all ratings, of 2 to {MOST_SPLIT}")
NO_RELIABILITY = Undefined("the means of an arm are not reliable at all")
CONSTANT_MEANS = Undefined("an arm gives all texts the same mean")
FEW_DRAWS = Undefined("undefined in most draws of sources and people")
_BLOCK = 4_000_000


# What moves with the points alone


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


# What is compared


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
class SystemPair:
    """Two systems, or editors, and whether an arm tells them apart.

    Attributes
    ----------
    first, second : object
        Their names.
    test : TTest or Undefined
        Paired t of the second less the first over sources.
    p_holm : float or Undefined
        Its p, corrected for all pairs of the arm (Holm).
    """

    first: object
    second: object
    test: TTest | Undefined
    p_holm: float | Undefined

    @property
    def apart(self) -> bool:
        """Whether p is below .05, uncorrected."""
        return not isinstance(self.test, Undefined) and self.test.p < LEVEL


def system_pairs(arm: ScaleArm, sources: npt.ArrayLike, systems: npt.ArrayLike) -> list[SystemPair]:
    """Test every two systems by their mean ratings of the sources that both have.

    Parameters
    ----------
    arm : ScaleArm
        The ratings of n texts.
    sources, systems : array_like of shape (n,)
        The source of each text, and the system or editor that it is by.

    Returns
    -------
    list of SystemPair
        For each pair, in the order of the names.

    Raises
    ------
    ValueError
        If lengths differ.

    Examples
    --------
    >>> from measures.experiments.scale_arms import scale_arm
    >>> arm = scale_arm([[1, 1], [2, 3], [1, 2], [3, 3], [2, 2], [3, 2]], categories=3)
    >>> (pair,) = system_pairs(arm, [0, 0, 1, 1, 2, 2], ["a", "b"] * 3)
    >>> round(pair.test.p, 3), pair.apart
    (0.073, False)
    """
    means = arm.means
    of_source, of_system = np.asarray(sources), np.asarray(systems)
    if of_source.shape != means.shape or of_system.shape != means.shape:
        raise ValueError("a source and a system for each text")
    rated = ~np.isnan(means)
    _, place = np.unique(of_source, return_inverse=True)
    names, column = np.unique(of_system, return_inverse=True)
    shape = int(place.max(initial=-1)) + 1, len(names)
    code = place[rated] * len(names) + column[rated]
    number = np.bincount(code, minlength=shape[0] * shape[1])
    table = np.where(number > 0, np.bincount(code, means[rated], minlength=len(number)) / np.maximum(number, 1), np.nan)
    table = table.reshape(shape)
    found = []
    for one, other in combinations(range(len(names)), 2):
        differences = table[:, other] - table[:, one]
        found.append((names[one].item(), names[other].item(), paired_t(differences[~np.isnan(differences)])))
    corrected = holm([np.nan if isinstance(test, Undefined) else test.p for *_, test in found])
    return [
        SystemPair(first, second, test, test if isinstance(test, Undefined) else p)
        for (first, second, test), p in zip(found, corrected.tolist(), strict=True)
    ]


def mcnemar(one: Sequence[bool], other: Sequence[bool]) -> float | Undefined:
    """Test whether one of two arms tells more pairs apart than the other, exactly.

    Source: McNemar 1947, "Note on the sampling error of the difference between correlated proportions or percentages".

    Parameters
    ----------
    one, other : sequence of bool
        Whether each arm tells each pair apart.

    Returns
    -------
    float or Undefined
        Two-sided p; undefined if the arms tell the same pairs apart.

    Raises
    ------
    ValueError
        If lengths differ.

    Examples
    --------
    >>> mcnemar([True] * 6 + [False], [False] * 6 + [False])
    0.03125
    """
    unlike = [mine for mine, theirs in zip(one, other, strict=True) if bool(mine) != bool(theirs)]
    if not unlike:
        return Undefined("both arms tell the same pairs apart")
    return float(scipy.stats.binomtest(sum(map(bool, unlike)), len(unlike)).pvalue)


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
    _require_same_texts(one, other)
    both = ~np.isnan(one.means) & ~np.isnan(other.means)
    means = one.means[both], other.means[both]
    texts = int(both.sum())
    if texts < 2 or not all(np.ptp(each) for each in means):
        return SameThing(CONSTANT_MEANS, CONSTANT_MEANS, texts)
    r = float(np.corrcoef(*means)[0, 1])
    panels = [_panel(arm) for arm in (one, other)]
    known = [each for each in panels if not isinstance(each, Undefined) and each > 0]
    return SameThing(r, r / sqrt(known[0] * known[1]) if len(known) == 2 else NO_RELIABILITY, texts)


def _panel(arm: ScaleArm) -> float | Undefined:
    found = _one_way(arm)
    return found if isinstance(found, Undefined) else found.panel


def _one_way(arm: ScaleArm) -> IntraclassResult | Undefined:
    return intraclass(arm.matrix, categories=arm.categories.tolist())


def _require_same_texts(one: ScaleArm, other: ScaleArm) -> None:
    if len(one.category) != len(other.category):
        raise ValueError(f"the arms must have the same texts, not {len(one.category)} and {len(other.category)}")


# The difference of two arms


@dataclass(frozen=True)
class ArmFigure:
    """A figure of both arms and its difference, the first less the second.

    Attributes
    ----------
    first, second, difference : float or Undefined
        The estimates.
    intervals : tuple of Interval or Undefined
        Of the three, over draws of sources and people.
    """

    first: float | Undefined
    second: float | Undefined
    difference: float | Undefined
    intervals: tuple[Interval | Undefined, Interval | Undefined, Interval | Undefined]


@dataclass(frozen=True)
class ScaleDifference:
    """Whether people judge better on one scale, and which gives the better corpus.

    Attributes
    ----------
    latent : ArmFigure
        Same judging? The latent correlation.
    single, panel : ArmFigure
        Better corpus? ICC(1) of a rating, and ICC(1,k) of the mean of as many as the texts of an arm have.
    equal_minutes : tuple of (float or Undefined, float or Undefined) or None
        ICC(1,k) of each arm with as many ratings as take the time that the first arm's take; without times None.
    draws : int
        Number of draws.
    """

    latent: ArmFigure
    single: ArmFigure
    panel: ArmFigure
    equal_minutes: tuple[float | Undefined, float | Undefined] | None
    draws: int


def scale_difference(
    first: ScaleArm,
    second: ScaleArm,
    sources: npt.ArrayLike,
    *,
    minutes: tuple[float, float] | None = None,
    draws: int = DRAWS,
    seed: int,
) -> ScaleDifference:
    """Compare two scales by a bootstrap that draws sources, the same ones in both arms, and people within arms.

    A pair of ratings of a text counts as often as its source and both its people were drawn; nobody is paired with
    himself. In a draw, ICC follow from the variance of all ratings and the mean squared difference of pairs, for as
    many texts and ratings as there are. The latent correlation of a draw is that of pairs, with thresholds from the
    shares of the points (the estimate of all ratings by maximum likelihood lies elsewhere by little, by which draws are
    moved). Arms are not permuted: scales are not exchangeable.

    Source: Owen 2007, "The pigeonhole bootstrap", which is on the safe side; Olsson 1979 for the latent correlation of
    pairs; Shrout and Fleiss 1979, case 1.

    Parameters
    ----------
    first, second : ScaleArm
        The arms, of the same texts.
    sources : array_like of shape (n,)
        The source of each text.
    minutes : tuple of (float, float), optional
        A rater's time for a text in each arm.
    draws : int, default 10_000
        Number of draws.
    seed : int
        Seed of the draws.

    Returns
    -------
    ScaleDifference
        Estimates with 95% percentile intervals; these are undefined for fewer than 10 sources or 6 people in an arm,
        and where fewer than half the draws have a value.

    Raises
    ------
    ValueError
        If the arms have different numbers of texts, lengths differ, a time is not above 0, or `draws` < 1.

    Examples
    --------
    >>> from measures.experiments.scale_arms import scale_arm
    >>> rng = np.random.default_rng(1)
    >>> quality, people = rng.normal(size=120), rng.permuted(np.tile(np.arange(12), (120, 1)), axis=1)[:, :4]
    >>> judged = [quality[:, None] + rng.normal(size=(120, 4)) for _ in range(2)]
    >>> three = scale_arm(1 + (judged[0] > -1) + (judged[0] > 1), people, categories=3)
    >>> five = scale_arm(1 + sum(judged[1] > cut for cut in (-2, -0.7, 0.7, 2)), people, categories=5)
    >>> found = scale_difference(three, five, np.repeat(np.arange(40), 3), draws=500, seed=1)
    >>> latent = found.latent.intervals[2]
    >>> latent.low < 0 < latent.high
    True
    """
    _require_same_texts(first, second)
    of_texts = np.asarray(sources)
    if of_texts.shape != (len(first.category),) or draws < 1:
        raise ValueError(f"a source for each of {len(first.category)} texts, and one draw or more")
    if minutes is not None and not min(minutes) > 0:
        raise ValueError(f"minutes must be above 0, not {minutes}")
    _, place = np.unique(of_texts, return_inverse=True)
    number = int(place.max(initial=-1)) + 1
    few = TOO_FEW_SOURCES if number < LEAST_SOURCES else None
    few = few or (TOO_FEW_PEOPLE if min(first.people, second.people) < LEAST_PEOPLE else None)
    latent, single, panel = list[_Drawn](), list[_Drawn](), list[_Drawn]()
    one_way = []
    for order, arm in enumerate((first, second)):
        icc, of_latent = _one_way(arm), latent_icc(arm)
        one_way.append(icc)
        drawn = None
        if few is None and not isinstance(icc, Undefined) and not isinstance(of_latent, Undefined):
            drawn = _drawn_figures(arm, np.asarray(place, np.int64), draws, (seed, order))
        values = (
            of_latent if isinstance(of_latent, Undefined) else of_latent.value,
            icc if isinstance(icc, Undefined) else icc.single,
            icc if isinstance(icc, Undefined) else icc.panel,
        )
        for figure, value, column in zip((latent, single, panel), values, range(3), strict=True):
            figure.append(_moved(value, None if drawn is None else drawn[column]))
    return ScaleDifference(
        _figure(latent, few),
        _figure(single, few),
        _figure(panel, few),
        equal_minutes=None if minutes is None else _equal_minutes(one_way, minutes),
        draws=draws,
    )


_Drawn = tuple[float | Undefined, FloatArray | None]


def _equal_minutes(
    one_way: Sequence[IntraclassResult | Undefined], minutes: tuple[float, float]
) -> tuple[float | Undefined, float | Undefined]:
    first = one_way[0]
    if isinstance(first, Undefined):
        return first, first
    one, other = (
        each if isinstance(each, Undefined) else spearman_brown(each.single, first.ratings * minutes[0] / of_one)
        for each, of_one in zip(one_way, minutes, strict=True)
    )
    return one, other


def _moved(value: float | Undefined, drawn: FloatArray | None) -> _Drawn:
    """Move draws by how far the estimate lies from that of the draws' own rule, which comes first."""
    if drawn is None or isinstance(value, Undefined):
        return value, None
    return value, np.minimum(drawn[1:] + (value - drawn[0]), 1.0)


def _figure(arms: Sequence[_Drawn], few: Undefined | None) -> ArmFigure:
    (one, of_one), (other, of_other) = arms
    reason = next((each for each in (few, one, other) if isinstance(each, Undefined)), None)
    difference: float | Undefined
    if isinstance(one, Undefined) or isinstance(other, Undefined):
        difference = one if isinstance(one, Undefined) else other
    else:
        difference = one - other
    both = None if of_one is None or of_other is None else of_one - of_other
    intervals = tuple(
        _interval(draws, own if isinstance(own, Undefined) else reason)
        for draws, own in ((of_one, one), (of_other, other), (both, difference))
    )
    return ArmFigure(one, other, difference, (intervals[0], intervals[1], intervals[2]))


def _interval(draws: FloatArray | None, reason: Undefined | None) -> Interval | Undefined:
    if draws is None:
        return reason or FEW_DRAWS
    known = draws[~np.isnan(draws)]
    return Interval.of(known) if 2 * len(known) > len(draws) else FEW_DRAWS


def _drawn_figures(arm: ScaleArm, source: IntArray, draws: int, seeds: tuple[int, int]) -> FloatArray:
    """Return the latent correlation, ICC(1) and ICC(1,k), first of all ratings, then of each draw: (3, 1 + draws)."""
    k, sources = len(arm.categories), int(source.max()) + 1
    text, column = np.nonzero(arm.category >= 0)
    pairs = [
        (arm.category[both][:, [one, other]], arm.person[both][:, [one, other]], source[both])
        for one, other in combinations(range(arm.category.shape[1]), 2)
        for both in [(arm.category[:, one] >= 0) & (arm.category[:, other] >= 0)]
    ]
    cells = np.concatenate([of_pair[:, 0] * k + of_pair[:, 1] for of_pair, _, _ in pairs])
    people = np.concatenate([each for _, each, _ in pairs])
    of_pairs = np.concatenate([each for _, _, each in pairs])
    by_cell = scipy.sparse.csr_array((np.ones(len(cells)), (np.arange(len(cells)), cells)), shape=(len(cells), k * k))
    points = arm.category[text, column]
    by_point = scipy.sparse.csr_array((np.ones(len(points)), (np.arange(len(points)), points)), shape=(len(points), k))
    rater, of_ratings = arm.person[text, column], source[text]
    rng = np.random.default_rng([*seeds, 1])
    step = max(1, _BLOCK // max(len(cells), len(points)))
    tables, marginals = [], []

    def add(of_sources: FloatArray, of_people: FloatArray) -> None:
        both = of_sources[:, of_pairs] * of_people[:, people[:, 0]] * of_people[:, people[:, 1]]
        tables.append(both @ by_cell)
        marginals.append((of_sources[:, of_ratings] * of_people[:, rater]) @ by_point)

    add(np.ones((1, sources)), np.ones((1, arm.people)))
    # The first seed alone draws the sources, so that both arms have the same ones.
    for block in source_draws(sources, draws, seeds[0]):
        for start in range(0, len(block), step):
            drawn = block[start : start + step]
            add(drawn, rng.multinomial(arm.people, np.full(arm.people, 1 / arm.people), len(drawn)).astype(np.float64))
    counts = np.concatenate(tables).reshape(-1, k, k)
    symmetric = counts + counts.transpose(0, 2, 1)
    shares = np.concatenate(marginals)
    return np.stack([pair_correlations(symmetric), *_one_way_of(symmetric, shares, arm)])


def _one_way_of(tables: FloatArray, shares: FloatArray, arm: ScaleArm) -> tuple[FloatArray, FloatArray]:
    """Return ICC(1) and ICC(1,k) of tables of pairs and numbers of points, for as many texts and ratings as in all."""
    k = np.arange(tables.shape[1], dtype=np.float64)
    number = arm.sums[arm.sums[:, 1] > 0, 1].astype(np.float64)
    texts, ratings = len(number), number.sum()
    panel = (ratings - (number**2).sum() / ratings) / (texts - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        within = (tables * (k[:, None] - k) ** 2).sum(axis=(1, 2)) / tables.sum(axis=(1, 2)) / 2
        total = shares.sum(axis=1)
        mean = shares @ k / total
        variance = shares @ k**2 / total - mean**2
        between = (ratings * variance - (ratings - texts) * within) / (texts - 1)
        single = (between - within) / (between + (panel - 1) * within)
        of_panel = np.where(between > 0, 1 - within / between, np.nan)
    return single, of_panel


# Planning


def icc_standard_error(icc: float, texts: int, people: int) -> float:
    """Return the standard error of ICC(1) of normal ratings.

    Source: Fisher 1925, *Statistical Methods for Research Workers*, section 39; Donner 1986.

    Parameters
    ----------
    icc : float
        The true value, 0 to 1.
    texts, people : int
        Texts, and ratings of each, both at least 2.

    Returns
    -------
    float
        sqrt(2 (1 - r)² (1 + (k - 1) r)² / (k (k - 1) (n - 1))).

    Raises
    ------
    ValueError
        If the ICC is not from 0 to 1, or there are fewer than 2 texts or people.

    Examples
    --------
    >>> round(icc_standard_error(0.3, 100, 5), 4)
    0.0489
    """
    if not 0 <= icc <= 1 or min(texts, people) < 2:
        raise ValueError("an ICC from 0 to 1, of two or more texts and people")
    return sqrt(2 * (1 - icc) ** 2 * (1 + (people - 1) * icc) ** 2 / (people * (people - 1) * (texts - 1)))


def detectable_scale_difference(icc: float, texts: int, people: int) -> float:
    """Return how large a difference of two arms' ICC(1) is found with a chance of 80%, at .05, two-sided.

    The arms are taken as independent, which is on the safe side: they share the texts.

    Parameters
    ----------
    icc : float
        ICC(1) in both arms.
    texts, people : int
        Texts, and people for each text and arm.

    Returns
    -------
    float
        The difference.

    Raises
    ------
    ValueError
        As `icc_standard_error`.

    Examples
    --------
    >>> round(detectable_scale_difference(0.3, 100, 5), 2), round(detectable_scale_difference(0.3, 785, 5), 2)
    (0.19, 0.07)
    """
    normal = NormalDist()
    times = normal.inv_cdf((1 + CONFIDENCE) / 2) + normal.inv_cdf(POWER)
    return times * sqrt(2) * icc_standard_error(icc, texts, people)
