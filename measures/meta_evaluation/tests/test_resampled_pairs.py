"""Resampled pairs of systems against plain loops."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, kendalltau

from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.meta_evaluation.judged_outputs import JudgedOutputs
from measures.meta_evaluation.pair_verdicts import verdicts
from measures.meta_evaluation.resampled_directions import bootstrap_direction
from measures.meta_evaluation.significance_agreement import NO_SCORES, agreements
from measures.meta_evaluation.smallest_trusted_difference import ALL_TIED, LEVELS, NEVER, trusted_differences
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


def systems_apart(systems: int, *, turned: int = 0, inputs: int = 40, noise: float = 0.05) -> JudgedOutputs:
    """Systems in order, by a metric that follows people except that it turns the lowest systems' order about."""
    rng = np.random.default_rng(3)
    place = np.arange(systems, dtype=float)[:, None]
    quality = place + noise * rng.normal(size=(systems, inputs))
    order = np.concatenate([np.arange(turned)[::-1], np.arange(turned, systems)])[:, None]
    scores = order + noise * rng.normal(size=(systems, inputs))
    names = tuple(f"s{number:02}" for number in range(systems)), tuple(str(number) for number in range(inputs))
    return JudgedOutputs(("R",), *names, scores[None], quality)


def test_six_systems_have_too_few_pairs_and_seven_enough() -> None:
    (six,) = trusted_differences(systems_apart(6), verdicts(systems_apart(6)), seed=1, draws=20)
    assert set(six.smallest.values()) == {Undefined("15 pairs of systems, 20 wanted")}
    (seven,) = trusted_differences(systems_apart(7), verdicts(systems_apart(7)), seed=1, draws=20)
    # 21 pairs that all agree: Clopper and Pearson's lower end is .867.
    assert seven.smallest[0.8] == pytest.approx(1, abs=0.1)
    assert seven.pairs[0.8] == 21


def plain_lower(outputs: JudgedOutputs, tail: list[tuple[int, int]], seed: int, draws: int) -> float:
    """The lower end of the agreement of some pairs, with plain loops over drawn systems and inputs."""
    rng = np.random.default_rng(seed)
    inputs = rng.integers(len(outputs.inputs), size=(draws, len(outputs.inputs))).tolist()
    systems = rng.integers(len(outputs.systems), size=(draws, len(outputs.systems))).tolist()
    among = [pair in tail for pair in outputs.pairs]
    shares = [share_of_pairs(outputs, 0, drawn, among) for drawn in zip(systems, inputs, strict=True)]
    return float(np.nanquantile(shares, 0.05))


@pytest.mark.parametrize("turned", [0, 2, 3, 6])
def test_the_smallest_difference_by_plain_loops(turned: int) -> None:
    outputs = systems_apart(9, turned=turned)
    found = verdicts(outputs)
    (trusted,) = trusted_differences(outputs, found, seed=4, draws=60)
    agree = np.sign(found.difference[0]) == np.sign(found.difference[1])
    size = np.abs(found.difference[1])
    for level in LEVELS:
        smallest = None
        for cut in sorted(set(size.tolist()), reverse=True):
            tail = [pair for pair, each in zip(outputs.pairs, size.tolist(), strict=True) if each >= cut]
            if len(tail) < 20:
                continue
            right = int(agree[size >= cut].sum())
            if len(tail) < 30:
                wanted = min(level, 0.05 ** (1 / len(tail)))
                reaches = binomtest(right, len(tail)).proportion_ci(0.9).low >= wanted - 1e-9
            else:
                reaches = plain_lower(outputs, tail, 4, 60) >= level
            if not reaches:
                break
            smallest = cut
        assert trusted.smallest[level] == (NEVER if smallest is None else smallest)


def test_a_higher_level_never_has_a_smaller_difference() -> None:
    (found,) = trusted_differences(systems_apart(12, turned=4), verdicts(systems_apart(12, turned=4)), seed=1)
    values = [value for value in found.smallest.values() if isinstance(value, float)]
    assert values
    assert values == sorted(values)
    assert [found.pairs[level] for level in LEVELS] == sorted(found.pairs.values(), reverse=True)


@pytest.mark.parametrize("systems", [4, 6, 10, 24])
def test_noise_has_no_smallest_difference(systems: int) -> None:
    """In the benchmark 2,000 runs of each are counted; see docs/methods.md."""
    rng = np.random.default_rng(systems)
    names = tuple(f"s{number:02}" for number in range(systems)), tuple(str(number) for number in range(20))
    shown = 0
    for _run in range(10):
        scores, quality = (rng.normal(size=(n, systems, 1)) + rng.normal(size=(n, systems, 20)) for n in (10, 1))
        outputs = JudgedOutputs(tuple("ABCDEFGHIJ"), *names, scores, quality[0])
        found = trusted_differences(outputs, verdicts(outputs), seed=1, draws=50)
        shown += sum(not isinstance(each.smallest[0.8], Undefined) for each in found)
    assert shown <= 5


def test_metrics_with_gaps_keep_their_own_pairs() -> None:
    outputs = systems_apart(9)
    scores = np.repeat(outputs.scores, 3, axis=0)
    scores[1, 8] = np.nan
    scores[2] = np.nan
    three = replace(outputs, metrics=("R", "S", "T"), scores=scores)
    found = trusted_differences(three, verdicts(three), seed=1, draws=20)
    assert found[0].pairs[0.8] == 36
    assert found[1].pairs[0.8] == 28
    assert found[2].smallest[0.8] == Undefined("0 pairs of systems, 20 wanted")


def test_ratings_that_never_differ_show_nothing() -> None:
    tied = replace(systems_apart(8), quality=np.ones((8, 40)))
    (found,) = trusted_differences(tied, verdicts(tied), seed=1, draws=20)
    assert set(found.smallest.values()) == {ALL_TIED}


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
