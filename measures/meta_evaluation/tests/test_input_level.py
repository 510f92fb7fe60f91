"""Correlations of differences, Williams' test and dominance: golden values, other programs, what must not matter."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr

from measures.core.many_tests import holm
from measures.core.undefined import Undefined
from measures.meta_evaluation.difference_correlations import InputLevel, input_level
from measures.meta_evaluation.dominating_metrics import dominance, group_bests
from measures.meta_evaluation.judged_outputs import JudgedOutputs
from measures.meta_evaluation.tests.golden import GOLDEN, METRICS, golden_outputs, made_outputs
from measures.meta_evaluation.williams import WilliamsTests, williams_t, williams_test, williams_tests

NAMED = METRICS[:4]


def level_of(outputs: JudgedOutputs) -> InputLevel:
    return input_level(outputs)


def compare(outputs: JudgedOutputs) -> WilliamsTests:
    return williams_tests(input_level(outputs))


@pytest.mark.parametrize("metric", METRICS[:5])
def test_correlations_are_the_golden_ones(metric: str) -> None:
    level, place = level_of(golden_outputs()), METRICS.index(metric)
    expected = GOLDEN["input_level"][metric]
    np.testing.assert_allclose(level.r[place], expected["by_pair"], atol=1e-9)
    assert level.over_pairs(place) == pytest.approx(expected["mean"], abs=1e-9)
    assert level.over_pairs(place, "fisher") == pytest.approx(expected["fisher_mean"], abs=1e-9)
    assert level.over_pairs(place, "pooled") == pytest.approx(expected["pooled_pairwise_difference"], abs=1e-9)


def test_a_constant_metric_has_no_correlation() -> None:
    level, place = level_of(golden_outputs()), METRICS.index("constant")
    assert level.at(place, 0) == Undefined("the difference in the metric is the same for every input")
    assert level.over_pairs(place) == Undefined("the difference in the metric is the same for every input")
    assert level.over_pairs(place, "fisher") == level.over_pairs(place)
    assert isinstance(level.over_pairs(place, "pooled"), Undefined)
    assert np.isnan(level.means[place])


def test_each_undefined_correlation_says_why() -> None:
    scores, quality = np.random.default_rng(1).random((2, 3, 6)), np.ones((3, 6))
    scores[1, 2] = np.nan
    quality[2] = [1, 2, 3, np.nan, np.nan, 1]
    quality[1, 2:] = np.nan
    level = level_of(JudgedOutputs(("m", "n"), ("A", "B", "C"), tuple("uvwxyz"), scores, quality))
    assert level.inputs.tolist() == [2, 4, 2]
    assert level.at(0, 0) == Undefined("the difference in quality is the same for every input")
    assert level.at(1, 1) == Undefined("the metric has no values for this pair of systems")
    alone = level_of(JudgedOutputs(("m", "n"), ("A", "B", "C"), ("u",), scores[..., :1], quality[:, :1]))
    assert level.over_pairs(1) == Undefined("the correlation is not defined for any pair of systems")
    assert alone.over_pairs(0) == alone.at(0, 0)
    one = level_of(JudgedOutputs(("m",), ("A",), tuple("uvwxyz"), scores[:1, :1], quality[:1]))
    assert one.over_pairs(0) == Undefined("there are fewer than 2 systems")
    assert alone.at(0, 0) == Undefined("the two systems share fewer than 2 inputs with all that is compared")


def test_williams_is_the_golden_one() -> None:
    tests, expected = compare(golden_outputs()), GOLDEN["williams"]
    for first, second in permutations(range(4), 2):
        key = f"{NAMED[first]}>{NAMED[second]}"
        np.testing.assert_allclose(tests.p[:, first, second], expected["one_sided_p"][key], atol=1e-9)
        if key in expected["t"]:
            np.testing.assert_allclose(tests.t[:, first, second], expected["t"][key], atol=1e-8)


def test_williams_has_the_size_that_it_says() -> None:
    rng = np.random.default_rng(3)
    judge, noise = rng.normal(size=(4000, 30)), rng.normal(size=(2, 4000, 30))
    first, second = judge + noise

    def correlations(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return np.asarray(pearsonr(one, other, axis=1).statistic)

    t = williams_t(correlations(judge, first), correlations(judge, second), correlations(first, second), 30)
    assert (t > 1.7033).mean() == pytest.approx(0.05, abs=0.012)  # t of 27 degrees of freedom


def test_one_test_is_as_one_of_many() -> None:
    tests = compare(golden_outputs())
    level = tests.level
    one = williams_test(level.r[0, 2], level.r[3, 2], level.between[2, 0, 3], 12)
    many = tests.at(0, 3, 2)
    assert not isinstance(one, Undefined)
    assert not isinstance(many, Undefined)
    assert (one.t, one.p, one.degrees) == pytest.approx((many.t, many.p, many.degrees))
    both = williams_tests(level, sided=2)
    assert both.p[2, 0, 3] == both.p[2, 3, 0] == pytest.approx(2 * one.p)


def test_a_metric_that_correlates_negatively_is_worse() -> None:
    test = williams_test(-0.6, 0.2, 0.1, 100)
    assert not isinstance(test, Undefined)
    assert test.t < 0
    assert test.p > 0.99


@pytest.mark.parametrize(
    ("r12", "r13", "r23", "inputs", "reason"),
    [
        (0.5, 0.4, 0.3, 3, "Williams' test needs at least 4 inputs"),
        (0.5, 0.5, 1.0, 50, "the two metrics correlate perfectly with each other"),
        (0.5, -0.5, -1.0, 50, "the three correlations leave nothing that varies"),
        (0.9, -0.9, 0.9, 50, "the three correlations leave nothing that varies"),
        (float("nan"), 0.4, 0.3, 50, "one of the correlations is not defined"),
    ],
)
def test_williams_without_a_value_says_why(r12: float, r13: float, r23: float, inputs: int, reason: str) -> None:
    assert williams_test(r12, r13, r23, inputs) == Undefined(reason)


def test_no_correlation_is_above_one() -> None:
    with pytest.raises(ValueError, match="not between -1 and 1"):
        williams_test(1.1, 0.5, 0.5, 10)


def test_dominance_is_the_golden_one() -> None:
    found, expected = dominance(compare(golden_outputs())), GOLDEN["dominance"]
    for first, second in permutations(range(4), 2):
        key = f"{NAMED[first]}>{NAMED[second]}"
        shares = expected["share_of_pairs_better_p05"]
        assert found.share_won(first, second) == pytest.approx(shares[key], abs=1e-9)
        assert found.partial_conjunction[first, second] == pytest.approx(
            expected["partial_conjunction_p"][key]["5"], abs=1e-9
        )
    twice = METRICS.index("m1_again")
    assert isinstance(found.share_won(0, twice), Undefined)
    assert isinstance(found.share_won(0, METRICS.index("constant")), Undefined)
    assert np.isnan(found.holm[0, twice])
    np.testing.assert_allclose(found.holm, holm(found.partial_conjunction))
    assert METRICS.index("constant") not in found.top + found.top_literal


def made_tests(p: np.ndarray) -> WilliamsTests:
    """Return tests of which only the p-values matter."""
    pairs, metrics = p.shape[:2]
    r = np.tile(np.linspace(0.9, 0.1, metrics)[:, None], pairs)
    empty = np.zeros((metrics, pairs), dtype=bool)
    names = tuple((str(pair), "x") for pair in range(pairs))
    level = InputLevel(
        tuple(map(str, range(metrics))), names, r, p, np.full(pairs, 99), r[:, 0], np.zeros(pairs, dtype=bool), empty
    )
    return WilliamsTests(level, p, p, 1)


def test_five_of_six_dominate_and_four_do_not() -> None:
    p = np.full((6, 3, 3), 0.5)
    p[:5, 0, 1] = p[:4, 0, 2] = 0.01
    p[5, 0, 2] = 0.05  # not below
    found = dominance(made_tests(p))
    assert found.dominates.tolist() == [[False, True, False], [False] * 3, [False] * 3]
    assert (found.top, found.top_literal) == ((0, 2), (0,))


def test_the_two_readings_differ_where_different_metrics_win() -> None:
    p = np.full((6, 3, 3), 0.5)
    p[:3, 0, 2] = p[3:, 1, 2] = 0.01
    found = dominance(made_tests(p))
    assert (found.top, found.top_literal) == ((0, 1, 2), (0, 1))


def test_a_table_marks_the_dominated_and_those_that_dominate_them() -> None:
    p = np.full((5, 4, 4), 0.5)
    p[:, 3, 1] = p[:, 0, 2] = 0.01
    tests = made_tests(p)
    rows = group_bests(tests, dominance(tests), ["a", "b", "c", None])
    assert [(row.label, row.metric, row.dominated, row.dominates_group) for row in rows] == [
        ("a", 0, False, True),
        ("b", 1, True, False),  # by a metric outside of the table
        ("c", 2, True, False),
    ]
    with pytest.raises(ValueError, match="a label for each metric"):
        group_bests(tests, dominance(tests), ["a"])


def test_dominance_wants_one_sided_tests_and_a_share() -> None:
    level = level_of(golden_outputs())
    with pytest.raises(ValueError, match="one-sided"):
        dominance(williams_tests(level, sided=2))
    with pytest.raises(ValueError, match="share above 0"):
        dominance(williams_tests(level), share=0)


@given(st.integers(0, 10_000))
def test_names_order_and_a_line_do_not_matter(seed: int) -> None:
    outputs, rng = made_outputs(seed), np.random.default_rng(seed)
    before = compare(outputs)
    shuffled = outputs.of_inputs(rng.permutation(30))
    moved = replace(shuffled, scores=3 * shuffled.scores + rng.normal(size=(5, 1, 1)))
    after = compare(moved)
    np.testing.assert_allclose(before.level.r, after.level.r, atol=1e-9)
    np.testing.assert_allclose(before.p, after.p, atol=1e-7)
    order = rng.permutation(4)
    renamed = compare(replace(outputs, scores=outputs.scores[:, order], quality=outputs.quality[order]))
    np.testing.assert_allclose(before.level.means, renamed.level.means)
    assert dominance(before).top == dominance(renamed).top


@given(st.integers(0, 10_000))
def test_a_metric_given_twice_is_neither_better_nor_worse_than_itself(seed: int) -> None:
    outputs = made_outputs(seed)
    doubled = outputs.of_metrics(["m0", "m1", "m2", "m3", "m4"])
    doubled = replace(
        doubled, metrics=(*doubled.metrics, "again"), scores=np.concatenate([doubled.scores, doubled.scores[:1]])
    )
    before, after = dominance(compare(outputs)), dominance(compare(doubled))
    assert not after.dominates[0, 5]
    assert not after.dominates[5, 0]
    np.testing.assert_array_equal(after.dominates[:5, :5], before.dominates)
    np.testing.assert_array_equal(after.dominates[5, :5], after.dominates[0, :5])


@given(st.integers(0, 10_000))
def test_correlations_are_those_of_scipy(seed: int) -> None:
    outputs = made_outputs(seed)
    level = level_of(outputs)
    for pair, (a, b) in enumerate(outputs.pairs):
        difference = outputs.quality[a] - outputs.quality[b]
        for metric in range(5):
            expected = pearsonr(outputs.scores[metric, a] - outputs.scores[metric, b], difference).statistic
            assert level.r[metric, pair] == pytest.approx(expected, abs=1e-9)
