"""Two scales for the same texts, each in an arm of its own: which one do people judge better on?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import scipy

from measures.agreement.intraclass import IntraclassResult, spearman_brown
from measures.core.arrays import FloatArray, IntArray
from measures.core.drawn_sources import LEAST_SOURCES, TOO_FEW_SOURCES, source_draws
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.experiments.latent_judging import latent_icc, pair_correlations
from measures.experiments.paired import DRAWS
from measures.experiments.scale_arms import ScaleArm, require_same_texts

LEAST_PEOPLE = 6
TOO_FEW_PEOPLE = Undefined(f"no interval from fewer than {LEAST_PEOPLE} people in an arm")
FEW_DRAWS = Undefined("undefined in most draws of sources and people")
_BLOCK = 4_000_000


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
    require_same_texts(first, second)
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
        icc, of_latent = arm.one_way, latent_icc(arm)
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
