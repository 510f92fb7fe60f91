"""How many items the alternative annotator test needs."""

import numpy as np
import pytest

from measures.core.arrays import FloatArray
from measures.meta_evaluation import alternative_annotator_test, annotator_test_power, contests, items_needed
from measures.meta_evaluation.annotator_power import (
    NEVER,
    NO_ITEMS,
    PlannedTest,
    PoolConfusion,
    pool_confusion,
)
from measures.meta_evaluation.pair_shares import share_of

POOL = np.array([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.05, 0.25, 0.7]])
PRIOR = np.array([0.2, 0.3, 0.5])


def answers(rates: FloatArray, true: FloatArray, rng: np.random.Generator) -> FloatArray:
    return np.array([rng.choice([1.0, 2, 3], p=rates[int(each) - 1]) for each in true])


def made(items: int, model: FloatArray, *, raters: int = 5, seed: int = 1) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    true = rng.choice([1.0, 2, 3], size=items, p=PRIOR)
    return answers(model, true, rng), np.stack([answers(POOL, true, rng) for _ in range(raters)], axis=1)


def confusion_of(model: FloatArray, ratings: FloatArray) -> PoolConfusion:
    found = pool_confusion(model, ratings)
    assert isinstance(found, PoolConfusion)
    return found


def test_the_tables_that_answers_were_drawn_from_are_found_again() -> None:
    worse = np.full((3, 3), 1 / 3)
    found = confusion_of(*made(3000, worse))
    np.testing.assert_allclose(found.pool, POOL, atol=0.04)
    np.testing.assert_allclose(found.prior, PRIOR, atol=0.04)
    np.testing.assert_allclose(found.model, worse, atol=0.05)
    assert found.categories.tolist() == [1, 2, 3]


def test_power_grows_with_items_and_is_seeded() -> None:
    found = confusion_of(*made(400, POOL))
    plans = annotator_test_power(found, (30, 60, 240), simulations=60)
    powers = [each.power.value for each in plans]
    assert powers[0] < powers[1] < powers[2]
    assert powers[2] > 0.9
    assert plans == annotator_test_power(found, (30, 60, 240), simulations=60)
    assert plans[1:2] == annotator_test_power(found, (60,), simulations=60)
    assert plans != annotator_test_power(found, (30, 60, 240), simulations=60, seed=7)


def test_power_is_how_often_new_data_of_the_same_kind_pass() -> None:
    (plan,) = annotator_test_power(confusion_of(*made(3000, POOL)), (60,), simulations=200)
    passed = [
        alternative_annotator_test(contests(*made(60, POOL, seed=seed)), draws=1).may_replace is True
        for seed in range(2, 102)
    ]
    assert plan.power.value == pytest.approx(np.mean(passed), abs=0.17)


def test_a_model_that_guesses_needs_more_than_there_is() -> None:
    found = confusion_of(*made(400, np.full((3, 3), 1 / 3)))
    supposed, real = (
        annotator_test_power(found, (200,), supposed=each, simulations=30) for each in ("as the pool", "as found")
    )
    assert items_needed(supposed) == 200
    assert real[0].power.value == 0
    assert items_needed(real) == NEVER


def test_a_larger_epsilon_and_the_other_score() -> None:
    found = confusion_of(*made(300, POOL))
    small, large = (annotator_test_power(found, (60,), epsilon=e, simulations=60)[0].power for e in (0.05, 0.3))
    assert small.agreed < large.agreed
    (distance,) = annotator_test_power(found, (200,), score="-RMSE", simulations=30)
    assert distance.power.agreed > 0


def test_raters_with_few_of_the_items_are_not_tested() -> None:
    model, ratings = made(300, POOL, raters=3)
    ratings[:, 2] = np.where(np.arange(300) % 5 == 0, ratings[:, 2], np.nan)
    (plan,) = annotator_test_power(confusion_of(model, ratings), (60,), simulations=20)
    assert 2 <= plan.tested < 2.2
    (none,) = annotator_test_power(confusion_of(model, ratings), (20,), simulations=20)
    assert (none.power.agreed, none.tested) == (0, 0)


def test_the_number_needed_is_the_one_from_which_on_all_are_enough() -> None:
    plans = [PlannedTest(n, share_of(k, 10), 3) for n, k in ((100, 9), (30, 8), (50, 7), (200, 10))]
    assert items_needed(plans) == 100
    assert items_needed(plans, power=0.7) == 30
    assert items_needed([]) == NEVER


def test_what_cannot_be_simulated_is_refused() -> None:
    model, ratings = made(20, POOL)
    assert pool_confusion(np.full(20, np.nan), ratings) == NO_ITEMS
    with pytest.raises(ValueError, match="items by raters"):
        pool_confusion(model[:5], ratings)
    with pytest.raises(ValueError, match="2 or more"):
        pool_confusion(model, ratings, min_raters=1)
    with pytest.raises(ValueError, match="at most 20"):
        pool_confusion(np.arange(30.0), np.arange(90.0).reshape(30, 3))
    with pytest.raises(ValueError, match="at least 1"):
        annotator_test_power(confusion_of(model, ratings), (0,))
