"""Strengths of systems against values from elsewhere, and when there are none."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from measures.core.arrays import FloatArray, IntArray
from measures.core.drawn_sources import NO_SPREAD, TOO_FEW_SOURCES
from measures.core.undefined import Undefined
from measures.experiments.davidson import ALL_TIED, NO_PAIR, NO_STRENGTH, PSEUDO_WINS, Davidson, davidson
from measures.experiments.pair_strengths import (
    LONE_DRAWS,
    PairStrengths,
    circular_triads,
    pair_results,
    pair_strengths,
)

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden" / "rankings.json").read_text())
tables = arrays(np.int64, (4, 4), elements=st.integers(0, 2))


def fitted(*args: Any, **options: Any) -> Davidson:
    fit = davidson(*args, **options)
    assert isinstance(fit, Davidson)
    return fit


def golden_pairs() -> tuple[IntArray, IntArray]:
    wins, ties = np.zeros((4, 4), dtype=np.int64), np.zeros((4, 4), dtype=np.int64)
    for _, _, a, b, outcome in GOLDEN["pairs"]:
        if outcome:
            wins[(a, b) if outcome == 1 else (b, a)] += 1
        else:
            ties[a, b] += 1
            ties[b, a] += 1
    return wins, ties


def test_half_wins_are_the_golden_ones() -> None:
    mine = pair_results(np.array(GOLDEN["given"], dtype=np.float64)[None]).half_wins
    theirs = np.array(GOLDEN["wins_half_for_ties"])
    np.fill_diagonal(theirs, 0)
    assert mine.tolist() == theirs.tolist()


def test_strengths_are_those_of_evalica_and_psychotools() -> None:
    fit, theirs = fitted(*golden_pairs()), GOLDEN["davidson"]
    assert fit.log_strengths == pytest.approx(theirs["theta"], abs=1e-6)
    assert fit.tie == pytest.approx(theirs["nu"], abs=1e-6)
    assert fit.log_likelihood == pytest.approx(theirs["loglik"], abs=1e-6)


def negative_log_likelihood(parameters: FloatArray, wins: IntArray, ties: IntArray) -> float:
    theta, nu = parameters[:-1], np.exp(parameters[-1])
    total = 0.0
    for i in range(len(theta)):
        for j in range(i):
            one, other = np.exp(theta[i]), np.exp(theta[j])
            between = nu * np.sqrt(one * other)
            rest = np.log(one + other + between)
            total += wins[i, j] * (theta[i] - rest) + wins[j, i] * (theta[j] - rest)
            total += ties[i, j] * (np.log(between) - rest) if ties[i, j] else 0.0
    return -total


def may_grow_for_ever(wins: IntArray, ties: IntArray) -> bool:
    """Whether a direction of the parameters never lowers the likelihood of a result, by linear programming.

    Of a pair, i before j adds (t_i - t_j) / 2 to the score of the outcome, j before i the opposite and a tie log nu.
    """
    rows = []
    for i, j in zip(*np.triu_indices(len(wins), 1), strict=True):
        half = np.zeros(len(wins) + 1)
        half[[i, j]] = 0.5, -0.5
        tie = np.eye(len(wins) + 1)[-1]
        outcomes = {"i": half, "j": -half, "tie": tie}
        seen = {"i": wins[i, j], "j": wins[j, i], "tie": ties[i, j]}
        rows += [outcomes[a] - outcomes[b] for a in outcomes for b in outcomes if seen[a] and a != b]
    better = np.array(rows)
    found = scipy.optimize.linprog(-better.sum(axis=0), A_ub=-better, b_ub=np.zeros(len(better)), bounds=(-1, 1))
    # Directions that change nothing but the level of all strengths are none.
    return bool(-found.fun > 1e-7 or np.linalg.matrix_rank(better) < len(wins))


@settings(max_examples=60, deadline=None)
@given(tables, tables)
def test_the_maximum_is_there_when_it_should_be_and_no_step_leads_higher(wins: IntArray, upper: IntArray) -> None:
    ties = np.triu(upper, 1) + np.triu(upper, 1).T
    np.fill_diagonal(wins, 0)
    fit = davidson(wins, ties)
    if not wins.any():
        assert fit in {NO_PAIR, ALL_TIED}
        return
    if not ties.any():
        return
    assert (fit is NO_STRENGTH) == may_grow_for_ever(wins, ties)
    if isinstance(fit, Undefined):
        return
    here = np.array([*fit.log_strengths, np.log(fit.tie)])
    assert negative_log_likelihood(here, wins, ties) == pytest.approx(-fit.log_likelihood, abs=1e-8)
    for step in np.concatenate([np.eye(5), -np.eye(5)]) * 0.01:
        assert negative_log_likelihood(here + step, wins, ties) >= -fit.log_likelihood - 1e-9


@settings(max_examples=40, deadline=None)
@given(tables, tables, st.permutations(range(4)))
def test_order_of_systems_does_not_matter_and_pseudo_wins_always_give_strengths(
    wins: IntArray, upper: IntArray, order: list[int]
) -> None:
    ties = np.triu(upper, 1) + np.triu(upper, 1).T
    if not (wins * (1 - np.eye(4)) + ties).any():
        return
    fit = fitted(wins, ties, pseudo_wins=PSEUDO_WINS)
    other = fitted(wins[order][:, order], ties[order][:, order], pseudo_wins=PSEUDO_WINS)
    assert other.log_strengths == pytest.approx([fit.log_strengths[each] for each in order], abs=1e-6)
    assert sum(fit.log_strengths) == pytest.approx(0, abs=1e-9)


def test_without_ties_it_is_bradley_and_terry() -> None:
    fit = fitted([[0, 3], [1, 0]], np.zeros((2, 2)))
    assert fit.log_strengths[0] - fit.log_strengths[1] == pytest.approx(np.log(3))
    assert fit.tie == 0


def test_what_is_undefined_says_why() -> None:
    nothing = np.zeros((2, 2))
    assert davidson(nothing, nothing) is NO_PAIR
    assert davidson(nothing, [[0, 2], [2, 0]]) is ALL_TIED
    assert davidson([[0, 1], [0, 0]], nothing) is NO_STRENGTH
    # With a tie beside the wins, strength and nu grow together.
    assert davidson([[0, 5], [0, 0]], [[0, 2], [2, 0]]) is NO_STRENGTH
    assert pair_strengths(pair_results([[[1, 2]]]), seed=1) is NO_STRENGTH


@pytest.mark.parametrize(
    ("wins", "ties"),
    [
        ([[0, 1]], [[0, 1]]),
        ([[0, -1], [0, 0]], [[0, 0], [0, 0]]),
        ([[0, 1], [0, 0]], [[0, 1], [0, 0]]),
        ([[0, np.nan], [0, 0]], [[0, 0], [0, 0]]),
    ],
)
def test_impossible_tables_are_refused(wins: list[list[float]], ties: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="wins"):
        davidson(wins, ties)


def test_intervals_need_items_and_draws_that_have_strengths() -> None:
    few = pair_strengths(pair_results([[[1, 2]], [[2, 1]]]), seed=1)
    assert isinstance(few, PairStrengths)
    assert few.intervals == (TOO_FEW_SOURCES, TOO_FEW_SOURCES)
    rare = pair_results([[[1, 2]]] * 19 + [[[2, 1]]])
    without, given_some = (pair_strengths(rare, pseudo_wins=each, draws=300, seed=1) for each in (0, PSEUDO_WINS))
    assert isinstance(without, PairStrengths)
    assert isinstance(given_some, PairStrengths)
    assert without.intervals[0] is LONE_DRAWS
    assert without.undefined_draws > 0
    assert not isinstance(given_some.intervals[0], Undefined)
    assert given_some.undefined_draws == 0


def test_without_ties_their_parameter_has_no_interval() -> None:
    found = pair_strengths(pair_results([[[1, 2]], [[2, 1]], [[1, 2]]] * 5), draws=100, seed=1)
    assert isinstance(found, PairStrengths)
    assert found.tie_interval is NO_SPREAD
    assert not isinstance(found.intervals[0], Undefined)


def test_how_many_draws_are_fitted_together_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    results = pair_results(np.random.default_rng(1).integers(1, 4, (15, 2, 3)))
    together = pair_strengths(results, draws=200, seed=1)
    # By its full name: the package hands out the function of the same name.
    monkeypatch.setattr(sys.modules["measures.experiments.pair_strengths"], "_BLOCK", 50)
    apart = pair_strengths(results, draws=200, seed=1)
    assert isinstance(together, PairStrengths)
    assert isinstance(apart, PairStrengths)
    for one, other in zip(together.intervals, apart.intervals, strict=True):
        assert not isinstance(one, Undefined)
        assert not isinstance(other, Undefined)
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-9)


def test_circles_are_counted_by_majority() -> None:
    circle = np.array([[0, 2, 1, 3], [1, 0, 2, 3], [2, 1, 0, 3], [0, 0, 0, 0]])
    found = circular_triads(circle)
    assert (found.circular, found.decided, found.triads, found.share) == (1, 4, 4, 0.25)
    assert isinstance(circular_triads(np.ones((3, 3))).share, Undefined)
    with pytest.raises(ValueError, match="square"):
        circular_triads([[0, 1]])
