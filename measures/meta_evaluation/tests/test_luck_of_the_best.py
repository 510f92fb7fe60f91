"""The best of many metrics is lucky: seeded worlds in which the truth is known."""

from dataclasses import replace

import numpy as np
import pytest

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.judged_outputs import JudgedOutputs
from measures.meta_evaluation.luck_of_the_best import BestOfMany, best_of_many

METRICS, SYSTEMS = 30, 3


def world(seed: int, inputs: int = 40, spread: float = 0.0) -> tuple[JudgedOutputs, FloatArray]:
    """Metrics whose true correlations with the judgement are .4, more or less, and the truth."""
    rng = np.random.default_rng(seed)
    truth = 0.4 + spread * np.linspace(-1, 1, METRICS)
    quality = rng.normal(size=(SYSTEMS, inputs))
    noise = rng.normal(size=(METRICS, SYSTEMS, inputs))
    scores = truth[:, None, None] * quality + np.sqrt(1 - truth**2)[:, None, None] * noise
    names = tuple(f"m{number:02}" for number in range(METRICS)), tuple("ABC"), tuple(map(str, range(inputs)))
    return JudgedOutputs(*names, scores, quality), truth


@pytest.mark.parametrize("spread", [0.0, 0.1])
def test_the_adjustment_takes_away_most_of_what_is_too_high(spread: float) -> None:
    plain, adjusted = [], []
    for seed in range(60):
        outputs, truth = world(seed, spread=spread)
        found = best_of_many(outputs, seed=seed, splits=40)
        assert isinstance(found, BestOfMany)
        plain.append(found.r - truth[found.metric])
        adjusted.append(found.adjusted - truth[found.metric])
    assert np.mean(plain) > 0.09
    assert abs(np.mean(adjusted)) < np.mean(plain) / 4


def test_the_group_holds_the_truly_best_metric() -> None:
    held, sizes = 0, []
    for seed in range(60):
        outputs, truth = world(seed, inputs=60, spread=0.2)
        found = best_of_many(outputs, seed=seed, splits=40)
        assert isinstance(found, BestOfMany)
        held += int(np.argmax(truth)) in found.group
        sizes.append(len(found.group))
    assert held >= 57
    assert 1 < np.mean(sizes) < METRICS


def test_the_best_is_the_first_of_its_group_and_adjusted_by_its_luck() -> None:
    outputs, _truth = world(3)
    found = best_of_many(outputs, seed=1)
    assert isinstance(found, BestOfMany)
    assert found.group[0] == found.metric
    assert found.adjusted == pytest.approx(found.r - found.luck)
    assert (found.metrics, found.splits) == (METRICS, 200)
    assert found == best_of_many(outputs, seed=1)


def test_a_metric_that_follows_people_exactly_is_alone_and_owes_nothing_to_luck() -> None:
    outputs, _truth = world(3)
    scores = outputs.scores.copy()
    scores[7] = outputs.quality
    found = best_of_many(replace(outputs, scores=scores), seed=1)
    assert isinstance(found, BestOfMany)
    assert (found.metric, found.group) == (7, (7,))
    assert found.luck == pytest.approx(0, abs=1e-9)


def test_what_cannot_be_told_is_undefined() -> None:
    outputs, _truth = world(3)
    alone = replace(outputs, metrics=("m",), scores=outputs.scores[:1])
    assert best_of_many(alone, seed=1) == Undefined("there are fewer than two metrics to choose from")
    few, _truth = world(3, inputs=19)
    assert best_of_many(few, seed=1) == Undefined("there are fewer than 20 inputs")
    with pytest.raises(ValueError, match="splits must be at least 1"):
        best_of_many(outputs, seed=1, splits=0)


def test_metrics_without_values_and_inputs_without_ratings_are_no_hindrance() -> None:
    outputs, _truth = world(3)
    scores, quality = outputs.scores.copy(), outputs.quality.copy()
    scores[4], quality[0, :7] = np.nan, np.nan
    found = best_of_many(replace(outputs, scores=scores, quality=quality), seed=1)
    assert isinstance(found, BestOfMany)
    assert found.metrics == METRICS - 1
    assert 4 not in found.group
