"""May a model rate for people? The alternative annotator test (Calderon, Reichart and Dror 2025)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.many_tests import benjamini_yekutieli
from measures.core.undefined import Undefined
from measures.meta_evaluation.rater_contests import Contests

COARSE_BELOW = 3
NO_SPREAD = Undefined("rater and model fare equally on every item, by more than epsilon")
NONE_TESTED = Undefined("no rater has enough items with the model's rating and another rater's")
ONE_SOURCE = Undefined("fewer than 2 sources")


@dataclass(frozen=True)
class RaterTest:
    """The model against one rater.

    Attributes
    ----------
    rater, items : int
        Place of the rater, and items compared.
    model_advantage, rater_advantage : float
        Share of items on which the model, or the rater, is at least as close to the others.
    p, p_sources : float or Undefined
        For the hypothesis that the rater's advantage is at least epsilon larger: over items, and with sources as
        clusters.
    rejected, rejected_sources : bool
        Whether that is rejected after the correction for many raters.
    """

    rater: int
    items: int
    model_advantage: float
    rater_advantage: float
    p: float | Undefined
    p_sources: float | Undefined
    rejected: bool
    rejected_sources: bool


@dataclass(frozen=True)
class AlternativeAnnotatorTest:
    """Whether a model may replace a rater of this pool.

    Attributes
    ----------
    raters : tuple of RaterTest
        The raters with enough items.
    not_tested : dict of int to int
        The others, with their numbers of items.
    winning_rate, winning_rate_sources : float or Undefined
        Share of raters for whom the test rejects; the second with sources as clusters.
    advantage, low, high : float or Undefined
        Mean advantage probability of the model, with a 95% interval that draws sources.
    """

    raters: tuple[RaterTest, ...]
    not_tested: dict[int, int]
    winning_rate: float | Undefined
    winning_rate_sources: float | Undefined
    advantage: float | Undefined
    low: float | Undefined
    high: float | Undefined

    @property
    def may_replace(self) -> bool | Undefined:
        """Whether the model wins against at least half of the raters."""
        return self.winning_rate if isinstance(self.winning_rate, Undefined) else self.winning_rate >= 0.5

    @property
    def is_coarse(self) -> bool:
        """Whether fewer than three raters were tested."""
        return len(self.raters) < COARSE_BELOW


def alternative_annotator_test(
    found: Contests,
    *,
    epsilon: float = 0.2,
    min_items: int = 30,
    q: float = 0.05,
    sources: Sequence[int] | None = None,
    draws: int = 1000,
    seed: int = 2025,
) -> AlternativeAnnotatorTest:
    """Test for each rater whether the model does at least as well, up to the cost advantage epsilon.

    The test over items is the paper's; items of one source are not independent, so the same test with sources as
    clusters is computed as well. A pool of poor raters is easy to beat.

    Parameters
    ----------
    found : Contests
        From `contests`.
    epsilon : float
        By how much the rater may be better; the authors advise .2 for experts, .15 for trained people, .1 for a crowd.
    min_items : int
        Fewest items of a rater who is tested.
    q : float
        False discovery rate of Benjamini and Yekutieli over the raters.
    sources : sequence of int of shape (items,), optional
        Source of each item; without it each item is its own.
    draws, seed : int
        Replications of the bootstrap of sources, and its seed.

    Returns
    -------
    AlternativeAnnotatorTest
        Tests by rater, winning rate and advantage probability.

    Raises
    ------
    ValueError
        If sources are not one for each item.

    Examples
    --------
    >>> from measures.meta_evaluation.rater_contests import contests
    >>> rng = np.random.default_rng(1)
    >>> ratings = rng.integers(1, 4, (60, 3))
    >>> result = alternative_annotator_test(contests(np.median(ratings, axis=1), ratings))
    >>> result.winning_rate, result.may_replace, result.is_coarse
    (1.0, True, False)
    """
    labels = _labels(sources, len(found.counted))
    items = found.counted.sum(axis=0)
    tested = np.flatnonzero(items >= min_items).astype(np.int64)
    skipped = {int(each): int(items[each]) for each in np.flatnonzero(items < min_items)}
    if not len(tested):
        return AlternativeAnnotatorTest((), skipped, *(NONE_TESTED,) * 5)
    parts = [_differences(found, each, labels) for each in tested.tolist()]
    p = [_one_sided_t(d, epsilon) for d, _ in parts]
    clustered = [_cluster_t(d, of, epsilon) for d, of in parts]
    rejected, rejected_clustered = _rejected(p, q), _rejected(clustered, q)
    raters = tuple(
        RaterTest(j, int(items[j]), _share(found.model_wins, j, items), _share(found.rater_wins, j, items), a, b, c, d)
        for j, a, b, c, d in zip(tested.tolist(), p, clustered, rejected, rejected_clustered, strict=True)
    )
    low, high = _interval(found, tested, labels, draws, seed)
    advantage = float(np.mean([each.model_advantage for each in raters]))
    rates = float(np.mean(rejected)), float(np.mean(rejected_clustered))
    return AlternativeAnnotatorTest(raters, skipped, *rates, advantage, low, high)


def epsilon_curve(
    found: Contests, epsilons: Sequence[float] | None = None, *, min_items: int = 30, q: float = 0.05
) -> list[tuple[float, float | Undefined]]:
    """Return the winning rate for each epsilon, from 0 to .3 unless others are given.

    Parameters
    ----------
    found : Contests
        From `contests`.
    epsilons : sequence of float, optional
        The values.
    min_items, q
        See `alternative_annotator_test`.

    Returns
    -------
    list of tuple of (float, float or Undefined)
        Epsilon and winning rate.

    Examples
    --------
    >>> from measures.meta_evaluation.rater_contests import contests
    >>> ratings = np.tile([[1, 1, 1], [2, 2, 2]], (20, 1))
    >>> epsilon_curve(contests(ratings[:, 0], ratings), [0.0, 0.1])
    [(0.0, 0.0), (0.1, 1.0)]
    """
    values = np.round(np.linspace(0, 0.3, 31), 9).tolist() if epsilons is None else epsilons
    tests = [alternative_annotator_test(found, epsilon=each, min_items=min_items, q=q, draws=1) for each in values]
    return [(float(each), test.winning_rate) for each, test in zip(values, tests, strict=True)]


def _labels(sources: Sequence[int] | None, items: int) -> IntArray:
    given = np.arange(items) if sources is None else np.asarray(sources)
    if given.shape != (items,):
        raise ValueError(f"sources must be one for each of {items} items, not of shape {given.shape}")
    return np.asarray(np.unique(given, return_inverse=True)[1], dtype=np.int64)


def _differences(found: Contests, rater: int, labels: IntArray) -> tuple[FloatArray, IntArray]:
    there = found.counted[:, rater]
    d = found.rater_wins[there, rater].astype(np.float64) - found.model_wins[there, rater]
    return d, labels[there]


def _one_sided_t(d: FloatArray, epsilon: float) -> float | Undefined:
    if np.ptp(d) == 0:
        return 0.0 if d[0] < epsilon else NO_SPREAD
    return float(scipy.special.stdtr(len(d) - 1, (d.mean() - epsilon) / (d.std(ddof=1) / np.sqrt(len(d)))))


def _cluster_t(d: FloatArray, labels: IntArray, epsilon: float) -> float | Undefined:
    sources = np.unique(labels, return_inverse=True)[1]
    number = int(sources.max()) + 1
    if number < 2:
        return ONE_SOURCE
    if np.ptp(d) == 0:
        return 0.0 if d[0] < epsilon else NO_SPREAD
    sums = np.bincount(sources, weights=d - d.mean())
    error = np.sqrt(number / (number - 1) * (sums**2).sum()) / len(d)
    if error <= 1e-12:
        return NO_SPREAD
    return float(scipy.special.stdtr(number - 1, (d.mean() - epsilon) / error))


def _rejected(p: Sequence[float | Undefined], q: float) -> list[bool]:
    adjusted = benjamini_yekutieli([np.nan if isinstance(each, Undefined) else each for each in p])
    return [bool(each <= q) for each in adjusted]


def _share(wins: BoolArray, rater: int, items: IntArray) -> float:
    return float(wins[:, rater].sum() / items[rater])


def _interval(
    found: Contests, tested: IntArray, labels: IntArray, draws: int, seed: int
) -> tuple[float | Undefined, float | Undefined]:
    number = int(labels.max()) + 1
    if number < 2:
        return ONE_SOURCE, ONE_SOURCE
    wins, items = np.zeros((number, len(tested))), np.zeros((number, len(tested)))
    np.add.at(wins, labels, found.model_wins[:, tested])
    np.add.at(items, labels, found.counted[:, tested])
    weights = np.random.default_rng(seed).multinomial(number, np.full(number, 1 / number), size=draws)
    drawn, there = weights @ wins, weights @ items
    rated = there > 0
    means = (drawn / np.maximum(there, 1)).sum(axis=1) / np.maximum(rated.sum(axis=1), 1)
    low, high = np.percentile(means[rated.any(axis=1)], [2.5, 97.5])
    return float(low), float(high)
