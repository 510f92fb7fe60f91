"""Intervals of rankings and scores hold what was planted, in at least 90 of 100 simulated studies each."""

from collections.abc import Callable

import numpy as np
import pytest

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.experiments.absolute_scores import AbsoluteModel, absolute_means, absolute_model
from measures.experiments.pair_strengths import PairStrengths, pair_results, pair_strengths
from measures.experiments.rank_agreement import rank_agreement
from measures.experiments.rankings import dense_ranks, mean_ranks, place_slope
from measures.experiments.small_samples import TTest

pytestmark = pytest.mark.slow

STUDIES, DRAWS = 100, 1_000
STRENGTHS = np.array([0.9, 0.3, -0.2, -1.0])


def times_held(truth: float, ends: Callable[[int], tuple[float, float]]) -> int:
    intervals = [ends(study) for study in range(STUDIES)]
    return sum(low <= truth <= high for low, high in intervals)


def ends_of(interval: object) -> tuple[float, float]:
    assert hasattr(interval, "low")
    assert hasattr(interval, "high")
    return float(interval.low), float(interval.high)


def answers(seed: int, items: int, of_place: float = 0.0) -> tuple[FloatArray, FloatArray]:
    """Three judges who see the same peculiarities of a text, who tie what is about as good, and places."""
    rng = np.random.default_rng(seed)
    places = np.argsort(rng.random((items, 3, 4)), axis=2) + 1.0
    quality = STRENGTHS + rng.normal(size=(items, 1, 4)) + 0.8 * rng.normal(size=(items, 3, 4))
    return dense_ranks(-(quality - of_place * places).round()), np.asarray(places, dtype=np.float64)


def test_mean_midranks() -> None:
    truth = [each.midrank for each in mean_ranks(answers(10_000, 20_000)[0], draws=1, seed=1)]
    for system in (0, 3):
        true = truth[system]
        assert not isinstance(true, Undefined)

        def ends(study: int, system: int = system) -> tuple[float, float]:
            found = mean_ranks(answers(study, 25)[0], draws=DRAWS, seed=study)[system].midrank
            assert not isinstance(found, Undefined)
            return ends_of(found.interval)

        assert times_held(true.value, ends) >= 90


def test_agreement_within_items() -> None:
    truth = rank_agreement(answers(10_000, 3_000)[0])
    for name in ("w", "spearman", "tau_b"):

        def ends(study: int, name: str = name) -> tuple[float, float]:
            return ends_of(getattr(rank_agreement(answers(study, 25)[0]), name).interval)

        assert times_held(getattr(truth, name).value, ends) >= 90


def test_the_slope_of_places() -> None:
    truth = place_slope(*answers(10_000, 20_000, 0.3), draws=1, seed=1)
    assert not isinstance(truth, Undefined)
    assert truth.value > 0.1

    def ends(study: int) -> tuple[float, float]:
        found = place_slope(*answers(study, 25, 0.3), draws=DRAWS, seed=study)
        assert not isinstance(found, Undefined)
        return ends_of(found.interval)

    assert times_held(truth.value, ends) >= 90


def test_strengths() -> None:
    """Scores with Gumbel's noise win as Bradley and Terry say."""
    truth = STRENGTHS - STRENGTHS.mean()

    def strengths(study: int) -> PairStrengths:
        rng = np.random.default_rng(study)
        found = pair_strengths(pair_results(-STRENGTHS - rng.gumbel(size=(30, 3, 4))), draws=DRAWS, seed=study)
        assert isinstance(found, PairStrengths)
        return found

    studies = [strengths(study) for study in range(STUDIES)]
    for system in range(4):
        assert times_held(truth[system], lambda study, system=system: ends_of(studies[study].intervals[system])) >= 90  # type: ignore[misc]


def test_the_tie_parameter() -> None:
    truth, pairs = 0.7, [(0, 1), (0, 2), (1, 2)]

    def ends(study: int) -> tuple[float, float]:
        rng, given = np.random.default_rng(study), []
        for one, other in pairs * 30:
            p, q = np.exp(STRENGTHS[[one, other]])
            chances = np.array([p, truth * np.sqrt(p * q), q])
            outcome = int(rng.choice(3, p=chances / chances.sum())) - 1
            given.append([[{one: outcome, other: 0}.get(system, np.nan) for system in range(3)]])
        found = pair_strengths(pair_results(given), draws=DRAWS, seed=study)
        assert isinstance(found, PairStrengths)
        return ends_of(found.tie_interval)

    assert times_held(truth, ends) >= 90


def test_systems_and_arms_of_absolute_scores() -> None:
    def study(number: int) -> AbsoluteModel:
        rng, n = np.random.default_rng(number), 140
        items, judges, arms = rng.integers(0, 20, n), rng.integers(0, 8, n), rng.integers(0, 2, n)
        systems = rng.integers(0, 2, n)
        of_items, of_judges = 0.5 * rng.normal(size=20)[items], 0.4 * rng.normal(size=8)[judges]
        scores = 3 + 0.5 * systems - 0.4 * arms + of_items + of_judges + 0.7 * rng.normal(size=n)
        names = [f"s{each}" for each in systems]
        model = absolute_model(scores, names, items, judges, arms=[f"a{each}" for each in arms])
        assert isinstance(model, AbsoluteModel)
        return model

    models = [study(number) for number in range(STUDIES)]

    def of_systems(number: int) -> tuple[float, float]:
        test = models[number].contrasts[0].difference.test
        assert isinstance(test, TTest)
        return test.low, test.high

    def of_arms(number: int) -> tuple[float, float]:
        test = models[number].arms["a1"].test
        assert isinstance(test, TTest)
        return test.low, test.high

    assert times_held(0.5, of_systems) >= 90
    assert times_held(-0.4, of_arms) >= 90


def test_means_of_absolute_scores() -> None:
    def scores(seed: int, items: int) -> tuple[FloatArray, list[int]]:
        rng = np.random.default_rng(seed)
        points = 3 + rng.normal(size=(items, 1)) + 0.7 * rng.normal(size=(items, 2))
        return np.clip(points.round(), 1, 5).ravel(), np.repeat(np.arange(items), 2).tolist()

    truth = float(scores(10_000, 100_000)[0].mean())

    def ends(study: int) -> tuple[float, float]:
        points, items = scores(study, 20)
        found = absolute_means(points, ["s"] * len(points), items).by_system["s"]
        assert not isinstance(found, Undefined)
        return ends_of(found.interval)

    assert times_held(truth, ends) >= 90
