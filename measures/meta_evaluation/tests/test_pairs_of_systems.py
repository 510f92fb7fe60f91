"""Pairwise accuracy, soft and plain, and accuracy with ties, against golden values and plain loops."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import permutation_test

from measures.core.arrays import FloatArray
from measures.meta_evaluation.soft_system_order import soft_pairwise_accuracy
from measures.meta_evaluation.system_order import NO_PAIR_OF_SYSTEMS, pairwise_accuracy
from measures.meta_evaluation.tests.later_methods import GOLDEN, METRICS, quality, scores
from measures.meta_evaluation.tie_calibration import (
    FEW_INPUTS,
    NO_OUTPUT_PAIR,
    TieCalibration,
    calibrated_accuracy,
    input_shares,
)

N = np.nan
MODERN, TIES = GOLDEN["modern"]["metrics"], GOLDEN["tie_calibration"]
QUARTERS = st.integers(0, 4).map(lambda value: value / 4)


def column(name: str) -> Any:
    return [MODERN[each][name] for each in METRICS]


def test_pairwise_accuracy() -> None:
    found = pairwise_accuracy(scores(), quality())
    assert [[each.agreeing, each.pairs] for each in found] == column("pairwise_accuracy")


def test_pairwise_accuracy_of_some_pairs() -> None:
    found = pairwise_accuracy(scores(), quality(), among=[False] * 6)
    assert {each.share for each in found} == {NO_PAIR_OF_SYSTEMS}
    with pytest.raises(ValueError, match="6 pairs"):
        pairwise_accuracy(scores(), quality(), among=[True])


def test_soft_pairwise_accuracy_with_all_signs() -> None:
    found = soft_pairwise_accuracy(scores(), quality())
    np.testing.assert_allclose(found.quality_p, GOLDEN["modern"]["judge_p_exact"], atol=1e-9)
    np.testing.assert_allclose(found.p, column("p_exact"), atol=1e-9)
    assert found.values == pytest.approx(column("spa_exact"), abs=1e-9)
    assert not found.ties.any()


def test_soft_pairwise_accuracy_in_closed_form_and_by_draws() -> None:
    normal = soft_pairwise_accuracy(scores(), quality(), p="normal").values
    assert normal == pytest.approx(column("spa_normal"), abs=1e-9)
    values, q = np.tile(scores(), 4), np.tile(quality(), 4)
    drawn = soft_pairwise_accuracy(values, q, draws=4000).values
    assert drawn == pytest.approx(soft_pairwise_accuracy(values, q, p="normal").values, abs=0.02)
    assert drawn == soft_pairwise_accuracy(values, q, draws=4000).values


def test_p_is_scipys() -> None:
    d = scores()[0, 0] - scores()[0, 1]
    oracle = permutation_test((d,), np.sum, permutation_type="samples", alternative="greater", n_resamples=10_000)
    assert soft_pairwise_accuracy(scores(), quality()).p[0, 0] == pytest.approx(oracle.pvalue)


def test_equal_systems_are_a_tie() -> None:
    found = soft_pairwise_accuracy(scores("m1", "constant"), quality())
    assert found.ties.tolist() == [[False] * 6, [False] * 6, [True] * 6]
    assert (found.p[1] == 1).all()


def test_a_metric_that_lacks_a_system() -> None:
    values = scores()
    values[2, 3] = N
    found = soft_pairwise_accuracy(values, quality())
    assert np.isnan(found.p[2]).tolist() == [False, False, True, False, True, True]
    assert found.values[0] == pytest.approx(MODERN["m1"]["spa_exact"])
    assert pairwise_accuracy(values, quality())[2].pairs == 3
    assert soft_pairwise_accuracy(np.full((1, 2, 3), N), np.ones((2, 3))).values == (NO_PAIR_OF_SYSTEMS,)


@settings(max_examples=40)
@given(arrays(np.float64, (2, 3, 5), elements=QUARTERS), st.permutations(range(5)), st.permutations(range(3)))
def test_orders_and_scales_do_not_matter(values: FloatArray, inputs: list[int], systems: list[int]) -> None:
    q = values[0] + values[1, ::-1]
    moved, moved_q = values[:, systems][:, :, inputs], q[systems][:, inputs]
    before, after = (pairwise_accuracy(*each) for each in ((values, q), (moved, moved_q)))
    assert before == after
    tied, moved_tied = (calibrated_accuracy(*each) for each in ((values, q), (8 * moved, moved_q)))
    for one, other in zip(tied, moved_tied, strict=True):
        assert one.accuracy == pytest.approx(other.accuracy)
        assert one.epsilon * 8 == pytest.approx(other.epsilon)  # type: ignore[operator]
    # p of a pair the other way round is of the other tail, so only inputs may be shuffled.
    soft = soft_pairwise_accuracy(values, q).values
    assert soft == pytest.approx(soft_pairwise_accuracy(values[:, :, inputs], q[:, inputs]).values)
    assert soft == pytest.approx(soft_pairwise_accuracy(4 * values, q).values)


@pytest.mark.parametrize("place", range(4))
def test_calibrated_accuracy_of_the_metrics(place: int) -> None:
    expected, found = MODERN[METRICS[place]], calibrated_accuracy(scores(), quality())[place]
    assert found.accuracy == pytest.approx(expected["acc_eq"], abs=1e-9)
    assert found.epsilon == pytest.approx(expected["epsilon"], abs=1e-9)
    assert found.accuracy_at_zero == pytest.approx(expected["acc_at_0"], abs=1e-9)


def test_an_epsilon_above_zero_and_a_missing_rating() -> None:
    metric, judge = np.array([TIES["metric"]]).astype(float), np.array(TIES["judge"])
    (found,) = calibrated_accuracy(metric, judge)
    assert found.accuracy == pytest.approx(TIES["acc_eq"])
    assert found.epsilon == pytest.approx(TIES["epsilon"])
    assert found.accuracy_at_zero == pytest.approx(TIES["acc_at_0"], abs=1e-9)
    judge[2, 4] = N
    (found,) = calibrated_accuracy(metric, judge)
    expected = TIES["without_the_judgement_of_system_3_input_5"]
    assert (found.accuracy, found.epsilon) == pytest.approx((expected["acc_eq"], expected["epsilon"]))


def plain_accuracy(x: FloatArray, q: FloatArray, epsilon: float) -> list[float]:
    """By its definition, input by input."""
    pairs = list(combinations(range(len(x)), 2))
    verdicts = [
        [np.sign(d) * (abs(d) > epsilon) == np.sign(q[a, i] - q[b, i]) for a, b in pairs for d in [x[a, i] - x[b, i]]]
        for i in range(x.shape[1])
    ]
    return [float(np.mean(each)) for each in verdicts]


@settings(max_examples=50)
@given(arrays(np.float64, (2, 3, 5), elements=QUARTERS))
def test_calibration_equals_plain_loops(values: FloatArray) -> None:
    x, q = values
    (found,) = calibrated_accuracy(x[None], q, folds=5)
    limits = sorted({0.0, *(abs(x[a, i] - x[b, i]) for a, b in combinations(range(3), 2) for i in range(5))})
    accuracies = [float(np.mean(plain_accuracy(x, q, each))) for each in limits]
    best = max(accuracies)
    assert found.accuracy == pytest.approx(best)
    assert found.epsilon == limits[[round(each, 9) for each in accuracies].index(round(best, 9))]
    # With five inputs and five folds, each input has the threshold of the other four.
    shares = np.array([plain_accuracy(x, q, each) for each in limits])
    others = [[np.delete(row, i).mean().round(9) for row in shares] for i in range(5)]
    held_out = np.mean([shares[int(np.argmax(others[i])), i] for i in range(5)])
    assert found.held_out == pytest.approx(held_out)
    assert isinstance(found.epsilon, float)
    np.testing.assert_allclose(input_shares(x[None], q, [found.epsilon])[0].mean(), best)


def test_folds_go_by_the_names_of_inputs() -> None:
    order = np.random.default_rng(3).permutation(12)
    names = [f"input {place}" for place in range(12)]
    found = calibrated_accuracy(scores(), quality(), names=names)
    moved = calibrated_accuracy(scores()[:, :, order], quality()[:, order], names=[names[each] for each in order])
    for one, other in zip(found, moved, strict=True):
        assert one.held_out == pytest.approx(other.held_out)
        assert one.held_out <= one.accuracy + 1e-12  # type: ignore[operator]


def test_calibration_without_pairs_or_with_few_inputs() -> None:
    assert calibrated_accuracy(np.ones((1, 1, 3)), np.ones((1, 3))) == (TieCalibration(*(NO_OUTPUT_PAIR,) * 4, 0),)
    assert calibrated_accuracy(scores()[:1, :, :3], quality()[:, :3])[0].held_out == FEW_INPUTS
    for wrong in (
        lambda: calibrated_accuracy(scores(), quality(), folds=1),
        lambda: input_shares([[[1.0]]], [[1]], []),
    ):
        with pytest.raises(ValueError, match="must"):
            wrong()
