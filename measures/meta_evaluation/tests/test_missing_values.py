"""Values that are missing take the same outputs away from whatever compares systems."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr

from measures.core.undefined import Undefined
from measures.meta_evaluation import (
    JudgedOutputs,
    PairDifferences,
    bootstrap_input_level,
    calibrated_accuracy,
    compare_input_level,
    input_level,
    pair_differences,
    pairwise_accuracy,
    soft_pairwise_accuracy,
    system_tests,
    verdicts,
)
from measures.meta_evaluation.tests.golden import made_outputs


def gappy(seed: int) -> JudgedOutputs:
    """Lack single scores and ratings, and one metric for one system."""
    outputs, rng = made_outputs(seed, metrics=4, systems=4, inputs=25), np.random.default_rng(seed)
    scores, quality = outputs.scores.copy(), outputs.quality.copy()
    scores[rng.random(scores.shape) < 0.05] = np.nan
    quality[rng.random(quality.shape) < 0.1] = np.nan
    scores[2, 3] = np.nan
    return replace(outputs, scores=scores, quality=quality)


def plain_places(outputs: JudgedOutputs, a: int, b: int) -> tuple[list[int], list[int]]:
    """Metrics with any value on a pair, and the inputs where both outputs have a quality and all of these."""
    rated = [i for i in range(len(outputs.inputs)) if not np.isnan(outputs.quality[[a, b], i]).any()]
    metrics = [m for m, each in enumerate(outputs.scores) if any(not np.isnan(each[[a, b], i]).any() for i in rated)]
    return metrics, [i for i in rated if not np.isnan(outputs.scores[np.ix_(metrics, [a, b], [i])]).any()]


def filled(outputs: JudgedOutputs, a: int, b: int, metric: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores and quality of two systems on the inputs of the pair only."""
    inputs = plain_places(outputs, a, b)[1]
    return outputs.scores[np.ix_([metric], [a, b], inputs)], outputs.quality[np.ix_([a, b], inputs)]


@given(st.integers(0, 1000))
def test_every_part_takes_the_same_inputs(seed: int) -> None:
    outputs = gappy(seed)
    found: PairDifferences = pair_differences(outputs.scores, outputs.quality)
    level, soft = input_level(outputs), soft_pairwise_accuracy(outputs.scores, outputs.quality, p="normal")
    for place, (a, b) in enumerate(outputs.pairs):
        metrics, inputs = plain_places(outputs, a, b)
        one = outputs.differences(a, b)
        assert one.inputs.tolist() == inputs == np.flatnonzero(found.used[place]).tolist()
        assert level.inputs[place] == len(inputs)
        for metric in range(4):
            if metric not in metrics:
                assert np.isnan([level.r[metric, place], soft.p[metric, place], *one.scores[metric]]).all()
                continue
            scores, quality = filled(outputs, a, b, metric)
            d, q = scores[0, 0] - scores[0, 1], np.round(quality[0] - quality[1], 9)
            np.testing.assert_allclose(one.scores[metric], d, atol=1e-11)
            assert level.r[metric, place] == pytest.approx(pearsonr(d, q).statistic)
            alone = soft_pairwise_accuracy(scores, quality, p="normal")
            assert soft.p[metric, place] == pytest.approx(alone.p[0, 0])
            assert soft.quality_p[place] == pytest.approx(alone.quality_p[0])


@given(st.integers(0, 1000))
def test_order_of_systems_is_that_of_the_means_over_these_inputs(seed: int) -> None:
    outputs = gappy(seed)
    for metric, found in enumerate(pairwise_accuracy(outputs.scores, outputs.quality)):
        pairs = [(a, b) for a, b in outputs.pairs if metric in plain_places(outputs, a, b)[0]]
        alone = [pairwise_accuracy(*filled(outputs, a, b, metric))[0].agreeing for a, b in pairs]
        assert (found.agreeing, found.pairs) == (sum(alone), len(pairs))


@given(st.integers(0, 1000))
def test_permutations_test_the_correlations_of_the_input_level(seed: int) -> None:
    outputs = gappy(seed)
    level, found = input_level(outputs), compare_input_level(outputs.scores, outputs.quality, draws=5, single=False)
    np.testing.assert_allclose(found.values, level.means, atol=1e-9)
    # The third metric lacks the last system: it is compared with another on the pairs that both have.
    both = ~np.isnan(level.r[2])
    assert both.tolist() == [True, True, False, True, False, False]
    assert found.difference[0, 2] == pytest.approx(level.r[0, both].mean() - level.r[2, both].mean())
    assert found.difference[0, 1] == pytest.approx(level.means[0] - level.means[1])


def test_swaps_leave_out_the_pairs_that_one_of_two_metrics_lacks() -> None:
    outputs = gappy(3)
    every = compare_input_level(outputs.scores, outputs.quality, draws=60, single=False, unit="inputs", seed=4)
    known = outputs.quality.copy()
    known[3] = np.nan
    without = replace(outputs, quality=known)
    # Inputs of the first three systems are the same once the fourth is no metric's; only the scale may differ.
    fewer = compare_input_level(without.scores, without.quality, draws=60, single=False, unit="inputs", seed=4)
    assert every.difference[0, 2] == pytest.approx(fewer.difference[0, 2])
    assert abs(int(every.greater[0, 2]) - int(fewer.greater[0, 2])) <= 6


def test_judges_and_bootstrap_follow_as_well() -> None:
    outputs = gappy(1)
    found = verdicts(outputs)
    for place, (a, b) in enumerate(outputs.pairs):
        q = outputs.differences(a, b).quality
        assert found.difference[0, place] == pytest.approx(q.mean())
    middle = bootstrap_input_level(outputs, seed=1, draws=200, resampled="inputs").intervals
    for interval, mean in zip(middle, input_level(outputs).means, strict=True):
        assert not isinstance(interval, Undefined)
        assert interval.low < mean < interval.high


def test_a_judgement_alone_lacks_nothing_of_the_metrics() -> None:
    outputs = gappy(1)
    people, metrics = system_tests(outputs)
    for place, (a, b) in enumerate(outputs.pairs):
        rated = ~np.isnan(outputs.quality[a]) & ~np.isnan(outputs.quality[b])
        assert people.inputs[0, place] == rated.sum()
        for metric, each in enumerate(outputs.scores):
            assert metrics.inputs[metric, place] == (rated & ~np.isnan(each[a] - each[b])).sum()
    assert np.isnan(metrics.t[2, 2])


def test_complete_inputs_are_those_with_everything() -> None:
    outputs = gappy(2)
    scores = np.where(np.isnan(outputs.scores[2, 3]), 0.0, outputs.scores[2, 3])
    full = outputs.scores.copy()
    full[2, 3] = scores
    found = pair_differences(full, outputs.quality, missing="complete")
    complete = ~np.isnan(full).any(axis=(0, 1)) & ~np.isnan(outputs.quality).any(axis=0)
    assert complete.any()
    assert (found.used == complete).all()
    assert not pair_differences(outputs.scores, outputs.quality, missing="complete").used.any()


def test_ties_are_calibrated_on_these_inputs() -> None:
    outputs = gappy(5)
    found = calibrated_accuracy(outputs.scores, outputs.quality)
    for metric in (0, 2):
        pairs = [(a, b) for a, b in outputs.pairs if metric in plain_places(outputs, a, b)[0]]
        inputs = {i for a, b in pairs for i in plain_places(outputs, a, b)[1]}
        assert found[metric].inputs == len(inputs)
