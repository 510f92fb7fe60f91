"""Systems compared by people who judge their outputs for the same sources, and metrics held beside people."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from measures.agreement.cohen import Weights, kappa_of_table
from measures.agreement.krippendorff import AlphaResult, krippendorff_alpha
from measures.agreement.mean_rounding import rounded, whole_values
from measures.agreement.rater_pairs import PairKappa, pairwise_kappa
from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.confidence import CONFIDENCE
from measures.core.drawn_sources import LEAST_SOURCES, NEVER_DEFINED, NO_SPREAD, TOO_FEW_SOURCES, source_draws
from measures.core.intervals import Interval
from measures.core.many_tests import holm
from measures.core.rating_scale import Categories, category_indices
from measures.core.signed_rank import DECIMALS
from measures.core.undefined import Undefined
from measures.experiments.crossed_model import CrossedModel, crossed_model
from measures.experiments.ordered_model import OrderedModel, ordered_model
from measures.experiments.paired import DRAWS, PairedTests, paired_tests

JudgesOf: TypeAlias = Literal["both", "all"]
"""Whose judgements count for a source: those of people who judged every system that is compared, or everybody's."""
Table: TypeAlias = Any  # of numbers, sparse
Middle: TypeAlias = Literal["mean", "median"]

MOST_CELLS = 20_000_000
LEAST_COMMON = 5
"""A pair of judges with fewer texts in common has no kappa."""
NO_SOURCES = Undefined("no source has judgements of all systems that are compared")
NO_COMMON = Undefined(f"no two judges have {LEAST_COMMON} texts in common")
NO_KAPPA = Undefined("no pair of judges has a kappa: each used one category")
ONE_SOURCE = Undefined("fewer than two sources")
CONSTANT = Undefined("one side has the same difference for every source")
_ROUNDING = 1e-12
_BLOCK = 2_000_000


@dataclass(frozen=True, eq=False)
class Judgements:
    """Ratings of outputs, each for one source by one system, on a scale of whole numbers.

    Attributes
    ----------
    points : IntArray of shape (n,)
        The ratings.
    system, source, judge : IntArray of shape (n,)
        Places in `systems`, `sources` and `judges`.
    systems, sources, judges : tuple
        The names, sorted.
    categories : IntArray of shape (k,)
        The points of the scale.
    """

    points: IntArray
    system: IntArray
    source: IntArray
    judge: IntArray
    systems: tuple[Hashable, ...]
    sources: tuple[Hashable, ...]
    judges: tuple[Hashable, ...]
    categories: IntArray

    @cached_property
    def cube(self) -> IntArray:
        """Return for each source, judge and system the category, from 0, or -1: shape (sources, judges, systems)."""
        cube = np.full((len(self.sources), len(self.judges), len(self.systems)), -1)
        cube[self.source, self.judge, self.system] = self.points - self.categories[0]
        return cube


def judgements(
    points: npt.ArrayLike,
    systems: npt.ArrayLike,
    sources: npt.ArrayLike,
    judges: npt.ArrayLike,
    *,
    categories: Categories,
) -> Judgements:
    """Put ratings of outputs together.

    Parameters
    ----------
    points : array_like of int, of shape (n,)
        The ratings.
    systems, sources, judges : array_like of shape (n,)
        The system, the source and the judge of each.
    categories : int or sequence of int
        The scale: successive whole numbers.

    Returns
    -------
    Judgements
        The ratings.

    Raises
    ------
    ValueError
        If lengths differ, a rating is missing or not one of the categories, a judge rated an output twice, or sources
        times systems times judges are more than 20 million.

    Examples
    --------
    >>> judgements([1, 5], ["a", "b"], [7, 7], ["x", "x"], categories=5).systems
    ('a', 'b')
    """
    whole, places = whole_values(categories), category_indices(points, categories)
    names = [np.asarray(each) for each in (systems, sources, judges)]
    if places.ndim != 1 or any(each.shape != places.shape for each in names):
        raise ValueError("points, systems, sources and judges must be of one length")
    if (places < 0).any():
        raise ValueError("a rating is missing")
    found = [np.unique(each, return_inverse=True) for each in names]
    (system_names, system), (source_names, source), (judge_names, judge) = found
    if len(np.unique(np.stack([system, source, judge]), axis=1).T) < len(places):
        raise ValueError("a judge rated an output twice")
    if len(system_names) * len(source_names) * len(judge_names) > MOST_CELLS:
        raise ValueError(
            f"{len(source_names)} sources, {len(system_names)} systems and {len(judge_names)} judges are more than can "
            f"be compared at once: their product may be {MOST_CELLS:,}"
        )
    return Judgements(
        points=whole[places],
        system=np.asarray(system, dtype=np.int64),
        source=np.asarray(source, dtype=np.int64),
        judge=np.asarray(judge, dtype=np.int64),
        systems=tuple(system_names.tolist()),
        sources=tuple(source_names.tolist()),
        judges=tuple(judge_names.tolist()),
        categories=whole,
    )


@dataclass(frozen=True, eq=False)
class SourceMeans:
    """The ratings of each source and system as sums of whole numbers, which compare exactly.

    Attributes
    ----------
    systems : tuple
        The k systems.
    sources : tuple
        The n sources with judgements of all of them.
    sums, numbers : IntArray of shape (n, k)
        Sum and number of the ratings that count.
    medians_doubled : IntArray of shape (n, k)
        Twice their median.
    left_out : int
        Sources with judgements, but not of all systems by the judges who count.
    """

    systems: tuple[Hashable, ...]
    sources: tuple[Hashable, ...]
    sums: IntArray
    numbers: IntArray
    medians_doubled: IntArray
    left_out: int

    @property
    def means(self) -> FloatArray:
        """Means, as floating-point numbers: shape (n, k)."""
        return np.asarray(self.sums / self.numbers)

    def mean(self, column: int) -> Fraction:
        """Return the mean over sources of a system's means, exactly."""
        pairs = zip(self.sums[:, column].tolist(), self.numbers[:, column].tolist(), strict=True)
        return sum((Fraction(total, number) for total, number in pairs), Fraction(0)) / len(self.sources)

    def differences(self, one: int, other: int) -> FloatArray:
        """Return the differences of two systems' means, shape (n,): equal means give 0 exactly."""
        (a, b), (m, n) = (each[:, [one, other]].T for each in (self.sums, self.numbers))
        return np.asarray((a * n - b * m) / (m * n))


def source_means(
    found: Judgements, systems: Sequence[Hashable] | None = None, *, judges: JudgesOf = "both"
) -> SourceMeans | Undefined:
    """Add up the ratings of each source and system.

    Parameters
    ----------
    found : Judgements
        The ratings.
    systems : sequence, optional
        The systems to compare, by default all.
    judges : {"both", "all"}
        Whether a judge counts for a source only after judging all these systems.

    Returns
    -------
    SourceMeans or Undefined
        Undefined if no source has judgements of all systems.

    Raises
    ------
    ValueError
        If a system is unknown or stands twice, there are fewer than two, or the option is unknown.

    Examples
    --------
    >>> table = judgements([3, 4, 5], ["a", "b", "b"], [1, 1, 1], ["x", "x", "y"], categories=5)
    >>> source_means(table).means.tolist(), source_means(table, judges="all").means.tolist()
    ([[3.0, 4.0]], [[3.0, 4.5]])
    """
    if judges not in ("both", "all"):
        raise ValueError(f"judges must be both or all, not {judges!r}")
    chosen = tuple(found.systems if systems is None else systems)
    unknown = [each for each in chosen if each not in found.systems]
    if unknown or len(set(chosen)) < max(2, len(chosen)):
        raise ValueError(f"two or more distinct systems that were judged, not {', '.join(map(str, chosen))}")
    cube = found.cube[:, :, [found.systems.index(each) for each in chosen]]
    there: BoolArray = np.asarray(cube >= 0)
    if judges == "both":
        there &= there.all(axis=2, keepdims=True)
    points = np.where(there, cube + found.categories[0], 0)
    numbers = there.sum(axis=1)
    whole = (numbers > 0).all(axis=1)
    if not whole.any():
        return NO_SOURCES
    ordered = np.sort(np.where(there, cube, np.iinfo(np.int64).max), axis=1)[whole]
    kept = numbers[whole]
    middles = [np.take_along_axis(ordered, each[:, None], axis=1)[:, 0] for each in ((kept - 1) // 2, kept // 2)]
    return SourceMeans(
        chosen,
        tuple(name for name, is_whole in zip(found.sources, whole.tolist(), strict=True) if is_whole),
        points.sum(axis=1)[whole],
        kept,
        middles[0] + middles[1] + 2 * int(found.categories[0]),
        len(whole) - int(whole.sum()),
    )


@dataclass(frozen=True)
class Comparison:
    """Two systems compared over sources.

    Attributes
    ----------
    first, second : object
        The systems; a difference is the second less the first.
    means : tuple of (float, float)
        Means over sources of the means over judges.
    tests : PairedTests
        Better, equal and worse (of the second), the tests and their effects.
    t_p_holm : float or Undefined
        The p of t, corrected for all pairs of systems that are compared (Holm).
    categories : tuple of tuple of int
        For each system, sources by the category of their mean, half up, from the lowest point to the highest.
    left_out : int
        Sources that are left out because a system has no judgement that counts.
    """

    first: Hashable
    second: Hashable
    means: tuple[float, float]
    tests: PairedTests
    t_p_holm: float | Undefined
    categories: tuple[tuple[int, ...], tuple[int, ...]]
    left_out: int

    def shares(self, place: int) -> tuple[float, ...]:
        """Return the shares of the categories of the first (0) or the second system (1)."""
        return tuple(number / sum(self.categories[place]) for number in self.categories[place])


def compare_systems(
    found: Judgements,
    systems: Sequence[Hashable] | None = None,
    *,
    judges: JudgesOf = "both",
    middle: Middle = "mean",
    draws: int = DRAWS,
    seed: int,
) -> list[Comparison | Undefined]:
    """Compare every two systems over the sources that both have; the tests of all pairs are one family.

    Parameters
    ----------
    found : Judgements
        The ratings.
    systems : sequence, optional
        The systems, by default all. In a pair, the earlier one is the first.
    judges : {"both", "all"}
        Whose ratings count, as for `source_means` with the two systems of the pair.
    middle : {"mean", "median"}
        What of a text's ratings is rounded, half up, to the category in which it is counted.
    draws : int, default 10_000
        As for `paired_tests`.
    seed : int
        Seed of the draws.

    Returns
    -------
    list of (Comparison or Undefined)
        For each pair of systems; undefined if they have no source in common.

    Raises
    ------
    ValueError
        As `source_means`, or if `middle` is unknown.

    Examples
    --------
    >>> points = [[2, 4], [3, 3], [1, 4], [2, 3]]
    >>> sources, systems = np.repeat(range(4), 2), ["base", "new"] * 4
    >>> table = judgements(np.ravel(points), systems, sources, ["x"] * 8, categories=5)
    >>> (pair,) = compare_systems(table, seed=1)
    >>> pair.means, pair.tests.better, pair.tests.equal, pair.categories[1]
    ((2.0, 3.5), 3, 1, (0, 0, 2, 2, 0))
    """
    if middle not in ("mean", "median"):
        raise ValueError(f"middle must be mean or median, not {middle!r}")
    chosen = tuple(found.systems if systems is None else systems)
    tables = [(pair, source_means(found, pair, judges=judges)) for pair in combinations(chosen, 2)]
    tests = [None if isinstance(each, Undefined) else _tests(each, draws, seed) for _, each in tables]
    p = [np.nan if each is None or isinstance(each.t, Undefined) else each.t.p for each in tests]
    results: list[Comparison | Undefined] = []
    for (pair, table), of_pair, corrected in zip(tables, tests, holm(p).tolist(), strict=True):
        if isinstance(table, Undefined) or of_pair is None:
            results.append(NO_SOURCES)
            continue
        corrected_p = of_pair.t if isinstance(of_pair.t, Undefined) else corrected
        means = float(table.mean(0)), float(table.mean(1))
        counts = _by_category(table, found.categories, middle)
        results.append(Comparison(*pair, means, of_pair, corrected_p, counts, table.left_out))
    return results


def _tests(table: SourceMeans, draws: int, seed: int) -> PairedTests:
    found = paired_tests(table.differences(1, 0), draws=draws, seed=seed)
    assert not isinstance(found, Undefined)  # a table has a source
    return found


def _by_category(table: SourceMeans, categories: IntArray, middle: Middle) -> tuple[tuple[int, ...], tuple[int, ...]]:
    whole = rounded(table.sums, table.numbers) if middle == "mean" else rounded(table.medians_doubled, 2)
    one, other = (tuple((whole[:, [column]] == categories).sum(axis=0).tolist()) for column in (0, 1))
    return one, other


@dataclass(frozen=True)
class RankedSystem:
    """A system's place among several.

    Attributes
    ----------
    system : object
        The system.
    mean : float
        Mean over sources of its means over judges.
    low, high : float or Undefined
        95% interval of the mean over sources (t); undefined for one source.
    rank : float
        1 for the highest mean; equal means share the mean of their ranks.
    rank_interval : Interval or Undefined
        Of the rank, over draws of the sources.
    """

    system: Hashable
    mean: float
    low: float | Undefined
    high: float | Undefined
    rank: float
    rank_interval: Interval | Undefined


def rank_systems(table: SourceMeans, *, draws: int = DRAWS, seed: int) -> list[RankedSystem]:
    """Rank systems by their means over the sources that all of them have.

    Parameters
    ----------
    table : SourceMeans
        Of all systems to rank.
    draws : int, default 10_000
        Draws of the sources.
    seed : int
        Seed of these draws.

    Returns
    -------
    list of RankedSystem
        Best first; equal ones in the order given.

    Examples
    --------
    >>> systems, sources = ["a", "b", "c"] * 12, np.repeat(range(12), 3)
    >>> table = source_means(judgements([2, 4, 3] * 12, systems, sources, ["x"] * 36, categories=5))
    >>> [(each.system, each.rank, each.mean) for each in rank_systems(table, seed=1)]
    [('b', 1.0, 4.0), ('c', 2.0, 3.0), ('a', 3.0, 2.0)]
    """
    n, k = table.sums.shape
    exact = [table.mean(column) for column in range(k)]
    # Sums of floating-point means over drawn sources tie where they are the same but for rounding.
    of_draws = [np.round(times @ table.means / n, DECIMALS) for times in source_draws(n, draws, seed)]
    drawn = np.concatenate([scipy.stats.rankdata(-each, axis=1) for each in of_draws])
    found = []
    for column, system in enumerate(table.systems):
        above, equal = (sum(test(each) for each in exact) for test in (exact[column].__lt__, exact[column].__eq__))
        values, mean = table.means[:, column], float(exact[column])
        low, high = _t_interval(values, mean)
        interval = TOO_FEW_SOURCES if n < LEAST_SOURCES else Interval.of(drawn[:, column])
        found.append(RankedSystem(system, mean, low, high, above + (equal + 1) / 2, interval))
    return sorted(found, key=lambda each: each.rank)


def _t_interval(values: FloatArray, mean: float) -> tuple[float | Undefined, float | Undefined]:
    if len(values) < 2:
        return ONE_SOURCE, ONE_SOURCE
    reach = float(scipy.stats.t.ppf((1 + CONFIDENCE) / 2, len(values) - 1) * values.std(ddof=1) / len(values) ** 0.5)
    return mean - reach, mean + reach


@dataclass(frozen=True)
class MeanKappa:
    """Cohen's kappa, averaged over pairs of judges.

    Attributes
    ----------
    value : float
        The mean over the pairs that have a kappa.
    interval : Interval or Undefined
        Over draws of the sources with all their texts.
    pairs, undefined : int
        Pairs with a kappa, and those whose ratings are all in one category.
    """

    value: float
    interval: Interval | Undefined
    pairs: int
    undefined: int


@dataclass(frozen=True)
class JudgeAgreement:
    """How far judges agree about the texts.

    Attributes
    ----------
    pairs : tuple of PairKappa
        Unweighted kappa of each two judges with at least 5 texts in common; raters are places in `judges`.
    kappa, quadratic : MeanKappa or Undefined
        The means of these kappas, and of the quadratic ones.
    alpha : AlphaResult or Undefined
        Krippendorff's alpha, ordinal, of all judges.
    """

    pairs: tuple[PairKappa, ...]
    kappa: MeanKappa | Undefined
    quadratic: MeanKappa | Undefined
    alpha: AlphaResult | Undefined


def judge_agreement(found: Judgements, *, draws: int = DRAWS, seed: int) -> JudgeAgreement:
    """Compute the agreement of judges over all texts, with the judges taken as given.

    Source: Cohen 1960, "A coefficient of agreement for nominal scales"; Cohen 1968; Krippendorff 2011.

    Parameters
    ----------
    found : Judgements
        The ratings. All points of the scale count as labels, also those that nobody gave.
    draws : int, default 10_000
        Draws of the sources for the intervals of mean kappas.
    seed : int
        Seed of these draws.

    Returns
    -------
    JudgeAgreement
        The coefficients.

    Examples
    --------
    >>> points, texts = [1, 1, 2, 2, 3, 3, 4, 4, 5, 4], np.repeat(range(5), 2)
    >>> table = judgements(points, ["a"] * 10, texts, ["x", "y"] * 5, categories=5)
    >>> found = judge_agreement(table, seed=1)
    >>> round(found.kappa.value, 3), round(found.quadratic.value, 3), round(found.alpha.alpha, 3)
    (0.75, 0.941, 0.954)
    """
    cube = found.cube
    text = cube.transpose(0, 2, 1).reshape(-1, cube.shape[1])
    sources = np.repeat(np.arange(len(cube)), cube.shape[2])
    rated = (text >= 0).any(axis=1)
    text, sources = text[rated], sources[rated]
    matrix = np.where(text >= 0, text + found.categories[0], np.nan)
    categories = found.categories.tolist()
    pairs = pairwise_kappa(matrix, categories=categories, weights="none", min_items=LEAST_COMMON, sources=sources)
    tables = _pair_tables(text, sources, pairs, len(categories))
    return JudgeAgreement(
        tuple(pairs),
        _mean_kappa(tables, len(categories), "none", draws, seed),
        _mean_kappa(tables, len(categories), "quadratic", draws, seed),
        krippendorff_alpha(matrix, level="ordinal", categories=categories, sources=sources),
    )


def _pair_tables(text: IntArray, sources: IntArray, pairs: Sequence[PairKappa], k: int) -> Table:
    """Return how often each two judges gave each two points to texts of a source: shape (sources, pairs * k * k)."""
    _, place = np.unique(sources, return_inverse=True)
    rows, columns = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for number, pair in enumerate(pairs):
        one, other = text[:, pair.rater_a], text[:, pair.rater_b]
        both = (one >= 0) & (other >= 0)
        rows.append(place[both])
        columns.append((number * k + one[both]) * k + other[both])
    at = np.concatenate(rows), np.concatenate(columns)
    shape = int(place.max(initial=-1)) + 1, len(pairs) * k * k
    return scipy.sparse.csr_array((np.ones(len(at[0])), at), shape=shape)


def _mean_kappa(tables: Table, k: int, weights: Weights, draws: int, seed: int) -> MeanKappa | Undefined:
    sources, cells = tables.shape
    pairs = cells // k**2
    if not pairs:
        return NO_COMMON
    kappas = kappa_of_table(np.asarray(tables.sum(axis=0)).reshape(pairs, k, k), weights)
    defined = kappas[~np.isnan(kappas)]
    if not len(defined):
        return NO_KAPPA
    step = max(1, _BLOCK // cells)
    drawn = [
        _mean_defined(kappa_of_table((times[start : start + step] @ tables).reshape(-1, pairs, k, k), weights))
        for times in source_draws(sources, draws, seed)
        for start in range(0, len(times), step)
    ]
    interval = TOO_FEW_SOURCES if sources < LEAST_SOURCES else _interval(np.concatenate(drawn))
    return MeanKappa(float(defined.mean()), interval, len(defined), pairs - len(defined))


def _mean_defined(kappas: FloatArray) -> FloatArray:
    """Return the mean over the pairs that have a kappa, for each draw that has such a pair."""
    known = ~np.isnan(kappas)
    number = known.sum(axis=1)
    return np.asarray(np.where(known, kappas, 0).sum(axis=1)[number > 0] / number[number > 0])


def _interval(drawn: FloatArray) -> Interval | Undefined:
    if not len(drawn):
        return NEVER_DEFINED
    return Interval.of(drawn) if np.ptp(drawn) > _ROUNDING else NO_SPREAD


@dataclass(frozen=True)
class RatingModels:
    """Models of single ratings: rating ~ system + (1 | source) + (1 | judge).

    Attributes
    ----------
    reference : object
        The system that the others are compared with.
    crossed : CrossedModel or Undefined
        The mixed model: its coefficients, in points, by the name of the system. Its editors are the judges.
    ordered : OrderedModel or Undefined
        The same in log odds, for ordered categories, with the texts beside.
    """

    reference: Hashable
    crossed: CrossedModel | Undefined
    ordered: OrderedModel | Undefined


def rating_models(found: Judgements, reference: Hashable) -> RatingModels:
    """Fit models to all ratings, whoever judged which systems of a source.

    Parameters
    ----------
    found : Judgements
        The ratings of two or more systems.
    reference : object
        The system that the others are compared with.

    Returns
    -------
    RatingModels
        The models.

    Raises
    ------
    ValueError
        If the reference is not one of the systems.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> system, source, judge = np.tile([0, 1], 90), np.repeat(range(30), 6), np.tile(np.repeat(range(3), 2), 30)
    >>> points = np.clip(np.round(3 + system + rng.normal(size=180)), 1, 5)
    >>> models = rating_models(judgements(points, system, source, judge, categories=5), 0)
    >>> round(models.crossed.coefficients["1"].value, 1), models.ordered.coefficients["1"].value > 0
    (1.0, True)
    """
    if reference not in found.systems:
        raise ValueError(f"{reference} is not one of the systems")
    others = [place for place, name in enumerate(found.systems) if name != reference]
    predictors: Mapping[str, Any] = {str(found.systems[place]): found.system == place for place in others}
    text = found.source * len(found.systems) + found.system
    return RatingModels(
        reference,
        crossed_model(
            found.points, predictors, found.source, found.judge, list(predictors) if len(predictors) > 1 else ()
        ),
        ordered_model(found.points, predictors, text, found.judge, found.source),
    )


@dataclass(frozen=True)
class MetricBesidePeople:
    """Whether a metric sees between two systems what people see.

    Attributes
    ----------
    tests : PairedTests
        The metric's own comparison of the systems, for the same sources.
    rho : float or Undefined
        Spearman's correlation of the metric's and people's differences over sources.
    interval : Interval or Undefined
        Of rho, over draws of the sources.
    same_sign : float
        Share of the sources for which both differences have the same sign, both 0 included.
    sources : int
        Number of sources.
    """

    tests: PairedTests
    rho: float | Undefined
    interval: Interval | Undefined
    same_sign: float
    sources: int


def metric_beside_people(
    metric: npt.ArrayLike, people: npt.ArrayLike, *, draws: int = DRAWS, seed: int
) -> MetricBesidePeople | Undefined:
    """Hold a metric's differences between two systems against people's.

    Source: Spearman 1904, "The proof and measurement of association between two things".

    Parameters
    ----------
    metric, people : array_like of shape (n,)
        Differences of the two systems for each source, such as `SourceMeans.differences`.
    draws : int, default 10_000
        Draws of the sources.
    seed : int
        Seed of these draws.

    Returns
    -------
    MetricBesidePeople or Undefined
        Undefined without sources.

    Raises
    ------
    ValueError
        If lengths differ, or a difference is not finite.

    Examples
    --------
    >>> found = metric_beside_people([0.2, 0.1, -0.1, 0.0], [1, 0.5, -0.5, 0.25], seed=1)
    >>> found.rho, found.same_sign
    (1.0, 0.75)
    """
    one, other = (np.asarray(np.round(np.asarray(each, np.float64), DECIMALS), np.float64) for each in (metric, people))
    if one.shape != other.shape or not np.isfinite(other).all():
        raise ValueError("a finite difference of the metric and one of people for each source")
    tests = paired_tests(one, draws=draws, seed=seed)
    if isinstance(tests, Undefined):
        return tests
    n = len(one)
    rho: float | Undefined = ONE_SOURCE if n < 2 else CONSTANT
    interval: Interval | Undefined = TOO_FEW_SOURCES if n < LEAST_SOURCES else NEVER_DEFINED
    if n > 1 and np.ptp(one) and np.ptp(other):
        rho = float(scipy.stats.spearmanr(one, other).statistic)
        if n >= LEAST_SOURCES:
            interval = _interval(_drawn_rhos(one, other, draws, seed))
    return MetricBesidePeople(tests, rho, interval, float((np.sign(one) == np.sign(other)).mean()), n)


def _drawn_rhos(one: FloatArray, other: FloatArray, draws: int, seed: int) -> FloatArray:
    """Return rho of drawn sources, ranked anew in each draw: ranks follow from how often each value was drawn."""
    found = []
    for times in source_draws(len(one), draws, seed):
        ranks = []
        for values in (one, other):
            distinct, place = np.unique(values, return_inverse=True)
            number = times @ (place[:, None] == np.arange(len(distinct)))
            ranks.append((number.cumsum(axis=1) - (number - 1) / 2)[:, place])
        centred = [each - (times * each).sum(axis=1, keepdims=True) / len(one) for each in ranks]
        cross, of_one, of_other = ((times * a * b).sum(axis=1) for a, b in _products(centred))
        known = (of_one > _ROUNDING) & (of_other > _ROUNDING)
        found.append(cross[known] / np.sqrt(of_one[known] * of_other[known]))
    return np.concatenate(found)


def _products(centred: list[FloatArray]) -> list[tuple[FloatArray, FloatArray]]:
    one, other = centred
    return [(one, other), (one, one), (other, other)]
