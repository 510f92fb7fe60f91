"""Correlations given the length of the output, and metrics that are no better than the length."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.core.undefined import Undefined
from measures.meta_evaluation import PartialLevel, beside_length, input_level, partial_input_level
from measures.meta_evaluation.difference_correlations import CONSTANT_METRIC, CONSTANT_QUALITY, ONE_SYSTEM
from measures.meta_evaluation.partial import NO_LENGTHS, NOTHING_LEFT, SAME_LENGTHS
from measures.meta_evaluation.tests.golden import made_outputs


def found_in(outputs: object) -> PartialLevel:
    found = partial_input_level(outputs)  # type: ignore[arg-type]
    assert isinstance(found, PartialLevel)
    return found


@given(st.integers(0, 1000))
def test_it_is_the_correlation_of_what_a_regression_on_length_leaves(seed: int) -> None:
    outputs = made_outputs(seed)
    assert outputs.lengths is not None
    found = found_in(outputs)
    for pair, (a, b) in enumerate(outputs.pairs):
        lengths = outputs.lengths[a] - outputs.lengths[b]
        left = []
        for values in (outputs.scores[1], outputs.quality):
            d = values[a] - values[b]
            left.append(d - np.polyval(np.polyfit(lengths, d, 1), lengths))
        assert found.at(1, pair) == pytest.approx(np.corrcoef(*left)[0, 1])
    assert found.over_pairs(1) == pytest.approx(found.r[1].mean())


def test_each_undefined_value_says_why() -> None:
    outputs = made_outputs(1)
    assert outputs.lengths is not None
    assert partial_input_level(replace(outputs, lengths=None)) == NO_LENGTHS
    assert beside_length(replace(outputs, lengths=None)) == NO_LENGTHS
    same = found_in(replace(outputs, lengths=outputs.lengths[[0] * 4]))
    assert same.at(0, 0) == same.over_pairs(0) == SAME_LENGTHS
    explained = found_in(replace(outputs, lengths=outputs.scores[0] * 2))
    assert explained.over_pairs(0) == NOTHING_LEFT
    assert not isinstance(explained.over_pairs(1), Undefined)
    assert found_in(replace(outputs, quality=np.ones((4, 30)))).over_pairs(0) == CONSTANT_QUALITY
    scores = outputs.scores.copy()
    scores[0] = 0.5
    assert found_in(replace(outputs, scores=scores)).over_pairs(0) == CONSTANT_METRIC
    lengths = outputs.scores[1].copy()
    lengths[:2] = outputs.lengths[0]
    mixed = found_in(replace(outputs, lengths=lengths))
    assert {mixed.at(1, 0), mixed.at(1, 5)} == {SAME_LENGTHS, NOTHING_LEFT}
    alone = found_in(replace(outputs, systems=("A",), scores=scores[:, :1], quality=lengths[:1], lengths=lengths[:1]))
    assert alone.over_pairs(0) == ONE_SYSTEM


def test_the_length_is_not_better_than_itself() -> None:
    outputs = made_outputs(2, inputs=100)
    assert outputs.lengths is not None
    scores = np.concatenate([outputs.scores[:1], outputs.lengths[None], np.ones((1, 4, 100))])
    rows = beside_length(replace(outputs, metrics=("good", "length", "constant"), scores=scores))
    assert not isinstance(rows, Undefined)
    assert [each.not_better for each in rows][:2] == [False, True]
    assert isinstance(rows[2].not_better, Undefined)
    assert rows[1].partial == NOTHING_LEFT
    assert rows[0].r == pytest.approx(input_level(outputs).over_pairs(0))
    assert rows[0].r_length == rows[1].r


def test_a_metric_without_error_cannot_be_compared_with_the_length() -> None:
    outputs = made_outputs(2)
    assert outputs.lengths is not None
    scores = outputs.quality[None] * np.array([1, -1])[:, None, None]
    rows = beside_length(replace(outputs, metrics=("same", "turned"), scores=scores))
    assert not isinstance(rows, Undefined)
    assert isinstance(rows[0].not_better, Undefined)
    assert rows[1].not_better is True


def test_without_a_correlation_of_the_length_nothing_is_marked() -> None:
    outputs = made_outputs(2)
    rows = beside_length(replace(outputs, lengths=np.full((4, 30), 7.0)))
    assert not isinstance(rows, Undefined)
    assert {type(each.not_better) for each in rows} == {Undefined}
