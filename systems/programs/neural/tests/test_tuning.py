"""The line search of minimum error rate training finds what looking everywhere finds."""

import numpy as np
import pytest

from systems.programs.neural.namas.tuning import Candidates, best_step, envelope, mean_gain, tuned


def drawn(rng: np.random.Generator, number: int) -> list[Candidates]:
    return [Candidates(rng.normal(size=(size, 3)), rng.uniform(size=size)) for size in rng.integers(1, 12, size=number)]


@pytest.mark.parametrize("seed", range(5), indirect=True)
def test_the_highest_lines_are_those_of_a_fine_grid(seed: int) -> None:
    rng = np.random.default_rng(seed)
    intercepts, slopes = rng.normal(size=20), rng.integers(-3, 4, size=20).astype(float)
    lines, bounds = envelope(intercepts, slopes)
    assert (np.diff(bounds) > 0).all()
    for where in np.linspace(-9, 9, 1001):
        highest = lines[np.searchsorted(bounds, where)]
        assert intercepts[highest] + slopes[highest] * where == pytest.approx((intercepts + slopes * where).max())


@pytest.mark.parametrize("seed", range(5), indirect=True)
def test_no_step_of_a_fine_grid_is_better_than_the_best_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pools, weights, direction = drawn(rng, 15), rng.normal(size=3), rng.normal(size=3)
    step, gain = best_step(pools, weights, direction)
    assert mean_gain(pools, weights + step * direction) == pytest.approx(gain)
    assert gain >= max(mean_gain(pools, weights + each * direction) for each in np.linspace(-9, 9, 2001)) - 1e-12


def test_lines_that_never_change_places_need_no_step() -> None:
    assert best_step([Candidates(np.ones((2, 3)), np.array([0.5, 0.7]))], np.ones(3), np.ones(3)) == (0.0, 0.5)


def test_weights_that_choose_the_best_outputs_are_found(seed: int) -> None:
    rng, right = np.random.default_rng(seed), np.array([0.2, 1.0, -0.5])
    pools = [Candidates(features, features @ right) for features in rng.normal(size=(30, 8, 3))]
    best = tuned(pools, np.array([1.0, 0.0, 0.0]), 5, np.random.default_rng(seed))
    most = float(np.mean([pool.gains.max() for pool in pools]))
    assert mean_gain(pools, best) > mean_gain(pools, np.array([1.0, 0.0, 0.0]))
    assert mean_gain(pools, best) >= 0.97 * most
    assert np.abs(best).max() == 1.0
    assert np.array_equal(best, tuned(pools, np.array([1.0, 0.0, 0.0]), 5, np.random.default_rng(seed)))
