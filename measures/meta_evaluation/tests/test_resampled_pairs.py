"""Resampled pairs of systems against plain loops."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau
from sklearn.isotonic import IsotonicRegression

from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.meta_evaluation.judged_outputs import JudgedOutputs
from measures.meta_evaluation.pair_verdicts import verdicts
from measures.meta_evaluation.resampled_directions import bootstrap_direction
from measures.meta_evaluation.significance_agreement import NO_SCORES, agreements
from measures.meta_evaluation.smallest_trusted_difference import LEVELS, trusted_difference, trusted_differences
from measures.meta_evaluation.summary_correlations import kendall_rows
from measures.meta_evaluation.tests.golden import made_outputs

Drawn = tuple[list[int], list[int]]


def share_of_pairs(outputs: JudgedOutputs, metric: int, drawn: Drawn, among: list[bool]) -> float:
    """The share of pairs of drawn systems whose direction is that of people on drawn inputs, with plain loops."""
    systems, inputs = drawn
    places = {pair: place for place, pair in enumerate(outputs.pairs)}
    right = []
    for one, a in enumerate(systems):
        for b in systems[one + 1 :]:
            if a == b or not among[places[min(a, b), max(a, b)]]:
                continue
            used = [each for each in inputs if not np.isnan(outputs.quality[[a, b], each]).any()]
            if used:
                signs = [
                    np.sign(round(float(np.mean(values[a, used] - values[b, used])), 9))
                    for values in (outputs.scores[metric], outputs.quality)
                ]
                right.append(signs[0] == signs[1])
    return float(np.mean(right)) if right else np.nan


@pytest.mark.parametrize("among", [None, [True, False, True, True, False, True]])
def test_the_direction_on_drawn_systems_and_inputs(among: list[bool] | None) -> None:
    outputs = made_outputs(3, metrics=3, inputs=8)
    quality = outputs.quality.copy()
    quality[1, :4] = np.nan
    outputs = replace(outputs, quality=quality)
    found = bootstrap_direction(outputs, 1, seed=5, draws=40, among=among)
    # The same draws: first of inputs, then of systems.
    rng = np.random.default_rng(5)
    inputs, systems = rng.integers(8, size=(40, 8)).tolist(), rng.integers(4, size=(40, 4)).tolist()
    for metric in range(3):
        values = [
            share_of_pairs(outputs, metric, drawn, among or [True] * 6)
            - share_of_pairs(outputs, 1, drawn, among or [True] * 6)
            for drawn in zip(systems, inputs, strict=True)
        ]
        known = np.array(values)[~np.isnan(values)]
        assert found.undefined[metric] == 40 - len(known)
        interval = found.intervals[metric]
        assert isinstance(interval, Interval)
        assert (interval.low, interval.high) == pytest.approx(tuple(np.percentile(known, [2.5, 97.5])))


def test_a_baseline_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no metric at place 5"):
        bootstrap_direction(made_outputs(1), 5, seed=1)
    with pytest.raises(ValueError, match="draws must be at least 1"):
        bootstrap_direction(made_outputs(1), 0, seed=1, draws=0)


def test_without_pairs_nothing_is_drawn() -> None:
    outputs = made_outputs(1, systems=1)
    assert all(isinstance(each, Undefined) for each in bootstrap_direction(outputs, 0, seed=1, draws=5).intervals)


@given(
    pairs=st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=12),
    seed=st.integers(0, 100),
)
@settings(max_examples=50, deadline=None)
def test_the_smallest_difference_is_where_the_fitted_curve_reaches_the_level(
    pairs: list[tuple[int, bool]], seed: int
) -> None:
    size, right = np.array([each for each, _ in pairs], dtype=float), np.array([each for _, each in pairs])
    found = trusted_difference(size, right, seed=seed, draws=10)
    weights = np.random.default_rng(seed).multinomial(len(size), np.full(len(size), 1 / len(size)), size=10)
    for level in LEVELS:
        reached = [_by_regression(size, right, each.astype(float), level) for each in weights]
        known = [each for each in reached if each is not None]
        assert found.missed[level] == 10 - len(known)
        interval = found.intervals[level]
        if known:
            assert isinstance(interval, Interval)
            assert (interval.low, interval.high) == pytest.approx(tuple(np.percentile(known, [2.5, 97.5])))
        whole = _by_regression(size, right, np.ones(len(size)), level)
        assert found.smallest[level] == whole or (whole is None and isinstance(found.smallest[level], Undefined))


def _by_regression(
    size: np.ndarray[tuple[int], np.dtype[np.float64]],
    right: np.ndarray[tuple[int], np.dtype[np.bool_]],
    weights: np.ndarray[tuple[int], np.dtype[np.float64]],
    level: float,
) -> float | None:
    there = weights > 0
    fitted = IsotonicRegression().fit(size[there], right[there].astype(float), sample_weight=weights[there])
    reached = [each for each in np.unique(size[there]) if fitted.predict([each])[0] >= level - 1e-9]
    return float(reached[0]) if reached else None


def test_metrics_with_gaps_keep_their_own_pairs() -> None:
    d = np.array([[0.1, 0.2, 0.3], [0.1, np.nan, 0.3], [np.nan] * 3])
    agree = np.array([[False, True, True]] * 3)
    found = trusted_differences(d, agree, seed=1, draws=20)
    alone = trusted_difference([0.1, 0.3], [False, True], seed=1, draws=20)
    assert (found[1].smallest, found[1].intervals) == (alone.smallest, alone.intervals)
    assert isinstance(found[2].smallest[0.8], Undefined)


def test_a_metric_without_scores_on_any_pair_has_no_share() -> None:
    outputs = made_outputs(1, metrics=2)
    scores = outputs.scores.copy()
    scores[1] = np.nan
    first, second = agreements(verdicts(replace(outputs, scores=scores)))
    assert first.shares == agreements(verdicts(outputs))[0].shares
    assert set(second.shares.values()) == {NO_SCORES}


def test_a_metric_counts_on_the_pairs_that_it_has_scores_for() -> None:
    outputs = made_outputs(1, metrics=2)
    scores = outputs.scores.copy()
    scores[1, 3] = np.nan
    found = agreements(verdicts(replace(outputs, scores=scores)))
    assert [int(each.table.sum()) for each in found] == [6, 3]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 3)), min_size=31, max_size=60))
@settings(max_examples=30, deadline=None)
def test_kendall_of_many_values(values: list[tuple[int, int]]) -> None:
    x, y = np.array(values, dtype=float).T
    (found,) = kendall_rows(x[None], y)
    expected = kendalltau(x, y).statistic
    assert found == pytest.approx(expected, nan_ok=True)
