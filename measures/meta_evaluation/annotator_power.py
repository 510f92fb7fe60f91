"""How many items would the alternative annotator test need? A simulation from the pool's own confusion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.alternative_annotator import alternative_annotator_test
from measures.meta_evaluation.pair_shares import Share, share_of
from measures.meta_evaluation.rater_contests import Score, contests

Supposed: TypeAlias = Literal["as the pool", "as found"]
"""Suppose that the model errs as a rater of the pool does, or as it was found to err."""

ITEMS = (30, 50, 100, 200, 500)
MAX_CATEGORIES = 20
NO_ITEMS = Undefined("no item has the model's rating and enough raters")
NEVER = Undefined("none of these numbers of items is enough")
_STEPS, _SMOOTHING = 100, 0.01


@dataclass(frozen=True, eq=False)
class PoolConfusion:
    """How the raters of a pool, and a model, err.

    Attributes
    ----------
    categories : FloatArray of shape (c,)
        The different ratings.
    prior : FloatArray of shape (c,)
        Share of items of each true category.
    pool, model : FloatArray of shape (c, c)
        Probability of each answer (column) given the true category (row).
    patterns : BoolArray of shape (items, raters)
        Who rated each item with the model's rating and enough raters.
    """

    categories: FloatArray
    prior: FloatArray
    pool: FloatArray
    model: FloatArray
    patterns: BoolArray


@dataclass(frozen=True)
class PlannedTest:
    """What the test would find with a number of items.

    Attributes
    ----------
    items : int
        Number of items.
    power : Share
        Simulations in which the model may replace a rater, of all; its interval is that of the simulation only.
    tested : float
        Mean number of raters with enough items.
    """

    items: int
    power: Share
    tested: float


def pool_confusion(model: npt.ArrayLike, ratings: npt.ArrayLike, *, min_raters: int = 2) -> PoolConfusion | Undefined:
    """Estimate how the pool and the model err, with the true categories unknown.

    The model of Dawid and Skene with one table of errors for the whole pool, fitted by EM; answers of the same item
    are taken as independent once its true category is given. With two raters an item this rests on little.

    Parameters
    ----------
    model : array_like of shape (items,)
        The model's ratings, NaN where missing. It does not help to find the true categories.
    ratings : array_like of shape (items, raters)
        People's, NaN where missing.
    min_raters : int
        Fewest raters of an item, at least 2.

    Returns
    -------
    PoolConfusion or Undefined
        The tables; undefined without an item.

    Raises
    ------
    ValueError
        If the shapes do not fit, a rating is infinite, `min_raters` is below 2, or there are more than 20 different
        ratings.

    Examples
    --------
    >>> found = pool_confusion([1, 1, 2, 2], [[1, 1, 1], [1, 1, 2], [2, 2, 2], [2, 2, 1]])
    >>> found.prior.round(2).tolist(), found.model.diagonal().round(1).tolist()
    ([0.5, 0.5], [0.9, 0.9])
    """
    x, y = np.asarray(model, dtype=np.float64), np.asarray(ratings, dtype=np.float64)
    if y.ndim != 2 or x.shape != y.shape[:1] or np.isinf(x).any() or np.isinf(y).any() or min_raters < 2:
        raise ValueError(
            f"ratings must be items by raters, not {y.shape}, of {x.shape} items, and min_raters 2 or more"
        )
    kept = ~np.isnan(x) & ((~np.isnan(y)).sum(axis=1) >= min_raters)
    if not kept.any():
        return NO_ITEMS
    x, y = x[kept], y[kept]
    categories = np.unique(np.concatenate([x, y[~np.isnan(y)]]))
    if len(categories) > MAX_CATEGORIES:
        raise ValueError(f"at most {MAX_CATEGORIES} different ratings, not {len(categories)}")
    counts = (y[:, :, None] == categories).sum(axis=1).astype(np.float64)
    truth, pool = _fitted(counts)
    answers = truth.T @ (x[:, None] == categories)
    return PoolConfusion(categories, truth.mean(axis=0), pool, _rates(answers), ~np.isnan(y))


def annotator_test_power(
    confusion: PoolConfusion,
    items: Sequence[int] = ITEMS,
    *,
    supposed: Supposed = "as the pool",
    score: Score = "accuracy",
    epsilon: float = 0.2,
    min_items: int = 30,
    simulations: int = 200,
    seed: int = 2025,
) -> tuple[PlannedTest, ...]:
    """Simulate the alternative annotator test with other numbers of items.

    An item gets a true category, the raters of an item of the real pool, drawn with replacement, and answers by the
    tables of errors. Items are independent here; where several share a source, more are needed. A pool of a given
    size shares the items out, so that a rater of a large crowd needs many items in all to be tested.

    Parameters
    ----------
    confusion : PoolConfusion
        From `pool_confusion`.
    items : sequence of int
        Numbers of items to try.
    supposed : {"as the pool", "as found"}
        What the model's answers are drawn from: the table of the pool, or its own.
    score, epsilon, min_items
        See `contests` and `alternative_annotator_test`.
    simulations : int
        Simulations of each number. Takes time in proportion to simulations, items, and the square of the raters.
    seed : int
        Seed of the simulations; each number of items has draws of its own.

    Returns
    -------
    tuple of PlannedTest
        One for each number of items, in this order. A simulation without a rater to test counts as not passed.

    Raises
    ------
    ValueError
        If a number of items or of simulations is below 1.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> true = rng.integers(1, 4, 60)
    >>> ratings = np.where(rng.random((60, 3)) < 0.9, true[:, None], rng.integers(1, 4, (60, 3)))
    >>> plans = annotator_test_power(pool_confusion(true, ratings), (20, 100), simulations=20)
    >>> [plan.power.value for plan in plans], [plan.tested for plan in plans]
    ([0.0, 1.0], [0.0, 3.0])
    """
    if simulations < 1 or any(each < 1 for each in items):
        raise ValueError("items and simulations must be at least 1")
    found = []
    for number in items:
        rng = np.random.default_rng([seed, number])
        passed, tested = 0, 0
        for _ in range(simulations):
            model, ratings = _simulated(confusion, number, supposed, rng)
            test = alternative_annotator_test(
                contests(model, ratings, score=score), epsilon=epsilon, min_items=min_items, draws=1
            )
            passed += test.may_replace is True
            tested += len(test.raters)
        found.append(PlannedTest(number, share_of(passed, simulations), tested / simulations))
    return tuple(found)


def items_needed(plans: Sequence[PlannedTest], power: float = 0.8) -> int | Undefined:
    """Return the smallest number of items from which on all that were tried have the power.

    Parameters
    ----------
    plans : sequence of PlannedTest
        From `annotator_test_power`.
    power : float
        How often the test is to pass.

    Returns
    -------
    int or Undefined
        The number; undefined if even the largest is too small.

    Examples
    --------
    >>> items_needed([PlannedTest(30, share_of(5, 10), 3), PlannedTest(50, share_of(9, 10), 3)])
    50
    """
    enough: int | Undefined = NEVER
    for plan in sorted(plans, key=lambda each: -each.items):
        if plan.power.value < power:
            break
        enough = plan.items
    return enough


def _fitted(counts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the probabilities of the true categories of each item, and the table of errors, by EM."""
    truth = counts / counts.sum(axis=1, keepdims=True)
    rates = _rates(truth.T @ counts)
    for _ in range(_STEPS):
        with np.errstate(divide="ignore"):
            likely = counts @ np.log(rates).T + np.log(truth.mean(axis=0))
        likely = np.exp(likely - likely.max(axis=1, keepdims=True))
        truth = likely / likely.sum(axis=1, keepdims=True)
        rates = _rates(truth.T @ counts)
    return truth, rates


def _rates(counts: FloatArray) -> FloatArray:
    """Turn answers (columns) by true category (rows) into rates; a little is added, so that none is impossible."""
    smoothed = counts + _SMOOTHING
    return np.asarray(smoothed / smoothed.sum(axis=1, keepdims=True), dtype=np.float64)


def _simulated(
    confusion: PoolConfusion, items: int, supposed: Supposed, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    patterns = confusion.patterns[rng.integers(len(confusion.patterns), size=items)]
    true = rng.choice(len(confusion.prior), size=items, p=confusion.prior)
    answers = _answers(confusion.pool, np.repeat(true[:, None], patterns.shape[1], axis=1), rng)
    model = _answers(confusion.pool if supposed == "as the pool" else confusion.model, true, rng)
    return confusion.categories[model], np.where(patterns, confusion.categories[answers], np.nan)


def _answers(rates: FloatArray, true: IntArray, rng: np.random.Generator) -> IntArray:
    """Draw an answer for each true category."""
    ends = np.cumsum(rates, axis=1)[:, :-1]
    return np.asarray((rng.random(true.shape)[..., None] >= ends[true]).sum(axis=-1), dtype=np.int64)
