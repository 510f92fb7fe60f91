"""Systems compared by people who judge their outputs for the same sources."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, TypeAlias

import numpy as np
import scipy

from measures.agreement.mean_rounding import rounded
from measures.core.arrays import FloatArray, IntArray
from measures.core.confidence import CONFIDENCE
from measures.core.drawn_sources import LEAST_SOURCES, TOO_FEW_SOURCES, source_draws
from measures.core.intervals import Interval
from measures.core.many_tests import holm
from measures.core.signed_rank import DECIMALS
from measures.core.undefined import Undefined
from measures.experiments.crossed_model import CrossedModel, crossed_model
from measures.experiments.judgements import NO_SOURCES, ONE_SOURCE, Judgements, JudgesOf, SourceMeans, source_means
from measures.experiments.ordered_model import OrderedModel, ordered_model
from measures.experiments.paired import DRAWS, PairedTests, paired_tests

Middle: TypeAlias = Literal["mean", "median"]


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
    >>> from measures.experiments.judgements import judgements
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
    >>> from measures.experiments.judgements import judgements
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
    >>> from measures.experiments.judgements import judgements
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
