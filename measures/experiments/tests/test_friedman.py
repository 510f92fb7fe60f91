"""Friedman's test against golden values, SciPy and all permutations."""

import json
from itertools import permutations, product
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from measures.core.undefined import Undefined
from measures.experiments.complete_cases import FEW_CONDITIONS, FEW_PEOPLE
from measures.experiments.friedman import ALL_TIED, ONE_ORDER, ConoverTest, Friedman, friedman

GOLDEN = json.loads((Path(__file__).parent / "golden" / "protocols.json").read_text())
tables = st.lists(st.lists(st.integers(1, 4), min_size=3, max_size=3), min_size=2, max_size=9)


def found(scores: npt.ArrayLike, shuffles: int = 20) -> Friedman:
    test = friedman(scores, shuffles=shuffles, seed=1)
    assert isinstance(test, Friedman)
    return test


def test_the_quiz_has_the_golden_values() -> None:
    golden = GOLDEN["quiz_anova"]
    test = found(golden["scores"], 10_000)
    assert (test.chi2, test.p, test.kendall_w) == pytest.approx(
        (golden["friedman_chi2"], golden["friedman_p"], golden["kendall_W"]), abs=1e-8
    )
    for pair in test.pairs:
        assert pair.nemenyi == pytest.approx(golden["nemenyi_p"][pair.a][pair.b], abs=1e-8)
        assert isinstance(pair.conover, ConoverTest)
        assert pair.conover.holm == pytest.approx(golden["conover_holm_p"][pair.a][pair.b], abs=1e-8)
    assert (test.people, test.left_out, test.df, len(test.pairs)) == (12, 0, 3, 6)
    assert test.permutation_p < 0.005


def test_rankings_with_ties_have_the_golden_values() -> None:
    golden = GOLDEN["rankings"]
    test = found(golden["given"])
    assert (test.chi2, test.p, test.kendall_w) == pytest.approx(
        (golden["friedman_chi2"], golden["friedman_p"], golden["kendall_W"]), abs=1e-8
    )
    assert test.mean_ranks == pytest.approx(np.mean(golden["midranks"], axis=0))
    for pair in test.pairs:
        assert pair.nemenyi == pytest.approx(golden["nemenyi_p"][pair.a][pair.b], abs=1e-8)


def test_w_of_a_published_chi_squared() -> None:
    golden = GOLDEN["published_checks"]
    assert golden["chi2"] / (48 * 3) == pytest.approx(golden["kendall_W"], abs=1e-8)
    assert scipy.stats.chi2.sf(golden["chi2"], 3) == pytest.approx(golden["p_chi2"], abs=1e-8)


@given(tables)
def test_it_is_that_of_scipy(table: list[list[int]]) -> None:
    test = friedman(table, shuffles=5, seed=1)
    if isinstance(test, Undefined):
        assert test == ALL_TIED
        assert all(len(set(row)) == 1 for row in table)
        return
    theirs = scipy.stats.friedmanchisquare(*np.array(table).T)
    assert (test.chi2, test.p) == pytest.approx(tuple(theirs), abs=1e-9)
    assert 0 <= test.kendall_w <= 1 + 1e-12
    assert 0 < test.permutation_p <= 1


@given(tables, st.permutations(range(3)))
def test_orders_of_people_and_conditions_and_the_scale_do_not_matter(table: list[list[int]], order: list[int]) -> None:
    one = friedman(table, shuffles=5, seed=1)
    other = friedman([[10 * row[place] ** 3 + 2 for place in order] for row in reversed(table)], shuffles=5, seed=1)
    if isinstance(one, Undefined) or isinstance(other, Undefined):
        assert one == other
        return
    assert other.chi2 == pytest.approx(one.chi2)
    assert other.mean_ranks == tuple(one.mean_ranks[place] for place in order)
    assert sorted(abs(pair.difference) for pair in one.pairs) == pytest.approx(
        sorted(abs(pair.difference) for pair in other.pairs)
    )


def test_the_permutation_p_is_near_that_of_all_permutations() -> None:
    table = [[1, 2, 3], [1, 3, 2], [2, 2, 3], [1, 2, 3]]
    own = found(table, 10_000)
    every = [
        test.chi2
        for rows in product(*(permutations(row) for row in table))
        if isinstance(test := friedman(rows, shuffles=1, seed=1), Friedman)
    ]
    exact = np.mean(np.array(every) >= own.chi2 - 1e-9)
    assert own.permutation_p == pytest.approx(exact, abs=0.015)
    assert own.permutation_p == found(table, 10_000).permutation_p


def test_two_conditions_are_a_sign_test_and_sums_of_floats_tie() -> None:
    test = found([*[[1.0, 2.0]] * 7, [2.0, 1.0]])
    assert test.chi2 == pytest.approx(6**2 / 8)
    tied = found([[0.1 + 0.2, 0.3, 0.1], [1.0, 2.0, 3.0]])
    assert tied.mean_ranks == (1.75, 2.25, 2.0)


def test_people_with_gaps_are_left_out_and_counted() -> None:
    whole = [[1.0, 2.0, 3.0], [2.0, 1.0, 3.0], [1.0, 3.0, 2.0]]
    test = found([*whole, [1.0, np.nan, 2.0]])
    assert test.left_out == 1
    assert test.chi2 == found(whole).chi2


def test_where_there_is_no_test_the_reason_is_given() -> None:
    assert friedman([[1, 1], [2, 2]], seed=1) == ALL_TIED
    assert friedman([[1.0, 2.0], [np.nan, 2.0]], seed=1) == FEW_PEOPLE
    assert friedman([[1], [2]], seed=1) == FEW_CONDITIONS
    assert {pair.conover for pair in found([[1, 2, 3], [4, 5, 6]]).pairs} == {ONE_ORDER}
    for table, shuffles, message in (
        ([1, 2], 5, "people by conditions"),
        ([[1, np.inf]], 5, "finite"),
        ([[1]], 0, "0"),
    ):
        with pytest.raises(ValueError, match=message):
            friedman(table, shuffles=shuffles, seed=1)
