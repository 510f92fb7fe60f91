"""What must not matter to ranks, verdicts and intervals."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from measures.core.undefined import Undefined
from measures.meta_evaluation import (
    bootstrap_corpus_level,
    ceilings,
    cluster_ranks,
    corpus_level,
    rater_sentinel,
    smallest_difference,
    text_sentinels,
    verdicts,
    williams_power,
)
from measures.meta_evaluation.difference_correlations import input_level
from measures.meta_evaluation.judged_outputs import JudgedOutputs
from measures.meta_evaluation.tests.golden import made_outputs


@given(st.integers(0, 10_000))
def test_the_order_of_inputs_does_not_matter_to_verdicts(seed: int) -> None:
    outputs = made_outputs(seed)
    shuffled = outputs.of_inputs(np.random.default_rng(seed).permutation(30))
    np.testing.assert_array_equal(verdicts(outputs).verdict, verdicts(shuffled).verdict)


@given(st.integers(0, 10_000))
def test_ranks_do_not_change_where_all_means_grow(seed: int) -> None:
    outputs = made_outputs(seed, systems=6)
    one_input = outputs.of_inputs([0])
    grown = replace(one_input, scores=np.exp(one_input.scores))
    for method in ("spearman", "kendall"):
        assert corpus_level(one_input, method=method) == corpus_level(grown, method=method)


def test_intervals_hold_the_correlation_over_systems() -> None:
    outputs = made_outputs(1, systems=8)
    found = bootstrap_corpus_level(outputs, seed=1, draws=200, method="kendall")
    for each, interval in zip(corpus_level(outputs, method="kendall"), found.intervals, strict=True):
        assert not isinstance(interval, Undefined)
        assert not isinstance(each.r, Undefined)
        assert interval.low <= each.r <= interval.high


def test_the_length_of_the_source_is_undefined_at_input_level() -> None:
    outputs = made_outputs(1)
    texts = [["word " * (place % 5 + 1) for place in range(30)]] * 4
    found = text_sentinels(["a text of its own " * (place + 1) for place in range(30)], texts, seed=1)
    lengths = JudgedOutputs(
        ("n",), outputs.systems, outputs.inputs, found["length of the source, characters"][None], outputs.quality
    )
    assert isinstance(input_level(lengths).over_pairs(0), Undefined)


def test_one_rater_is_not_among_the_others() -> None:
    one, others = rater_sentinel([[[1.0, 2, 3]]], seed=4)
    assert one + 2 * others == 6


def test_where_nobody_rated_there_is_neither_one_rater_nor_others() -> None:
    one, others = rater_sentinel(np.zeros((2, 3, 0)), seed=4)
    assert one.shape == others.shape == (2, 3)
    assert np.isnan(one).all()
    assert np.isnan(others).all()


def test_the_smallest_difference_has_the_power_that_was_asked_for() -> None:
    found = smallest_difference(0.5, 0.7, 200)
    assert not isinstance(found, Undefined)
    power = williams_power(0.5, 0.5 - found, 0.7, 200)
    assert not isinstance(power, Undefined)
    assert abs(power - 0.8) < 1e-6
    assert isinstance(smallest_difference(0.5, 0.7, 3), Undefined)


def test_raters_who_answer_by_chance_leave_no_ceiling() -> None:
    (found,) = ceilings(np.full((2, 10, 4), 2.0), seed=1, splits=3)
    assert isinstance(found.ceiling, Undefined)


def test_metrics_without_a_number_have_no_rank() -> None:
    assert cluster_ranks([0.1, float("nan")], np.zeros((2, 2), dtype=bool)) == [1, None]
