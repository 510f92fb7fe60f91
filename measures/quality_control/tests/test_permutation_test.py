"""Agreement against shuffled answers, with every shuffle there is."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.core.arrays import FloatArray
from measures.quality_control.permutation_test import ChanceComparison, permutation_z


def tables(n: st.SearchStrategy[int], s: st.SearchStrategy[int]) -> st.SearchStrategy[tuple[FloatArray, FloatArray]]:
    """Own scores in whole points, and means of others, of n texts on s scales."""
    score = st.tuples(st.integers(1, 5), st.integers(4, 20).map(lambda quarters: quarters / 4))

    def split(shape: tuple[int, int], pairs: list[tuple[int, float]]) -> tuple[FloatArray, FloatArray]:
        own, others = np.array(pairs, dtype=float).reshape(*shape, 2).transpose(2, 0, 1)
        return own, others

    def pair(shape: tuple[int, int]) -> st.SearchStrategy[tuple[FloatArray, FloatArray]]:
        size = shape[0] * shape[1]
        return st.lists(score, min_size=size, max_size=size).map(lambda pairs: split(shape, pairs))

    return st.tuples(n, s).flatmap(pair)


def squared(own: FloatArray, others: FloatArray) -> float:
    return float(((own - others) ** 2).mean())


@given(tables(st.integers(2, 6), st.integers(1, 3)))
def test_the_moments_are_those_of_all_shuffles(pair: tuple[FloatArray, FloatArray]) -> None:
    own, others = pair
    every = [squared(own[list(order)], others) for order in permutations(range(len(own)))]
    found = permutation_z(own, others)
    assert found.observed == pytest.approx(squared(own, others), abs=1e-12)
    assert found.expected == pytest.approx(np.mean(every), abs=1e-12)
    assert found.deviation == pytest.approx(np.std(every), abs=1e-7)


@given(tables(st.integers(2, 30), st.integers(1, 4)))
def test_the_trace_is_the_sum_over_the_doubly_centred_table(pair: tuple[FloatArray, FloatArray]) -> None:
    own, others = pair
    n, s = own.shape
    table = -2 / (n * s) * (own @ others.T)
    centred = table - table.mean(axis=0) - table.mean(axis=1)[:, None] + table.mean()
    assert permutation_z(own, others).deviation == pytest.approx(np.sqrt((centred**2).sum() / (n - 1)), abs=1e-7)


@given(tables(st.integers(2, 30), st.just(1)))
def test_one_scale_has_the_plain_formulas(pair: tuple[FloatArray, FloatArray]) -> None:
    own, others = pair
    found = permutation_z(own, others)
    expected = (own**2).mean() + (others**2).mean() - 2 * own.mean() * others.mean()
    assert found.expected == pytest.approx(expected, abs=1e-9)
    assert found.deviation == pytest.approx(2 * own.std() * others.std() / np.sqrt(len(own) - 1), abs=1e-9)
    if found.z is None:
        assert min(np.ptp(own), np.ptp(others)) == 0
    else:
        correlation = np.corrcoef(own[:, 0], others[:, 0])[0, 1]
        assert found.z == pytest.approx(correlation * np.sqrt(len(own) - 1), abs=1e-6)


@given(tables(st.integers(2, 12), st.integers(1, 3)), st.randoms(use_true_random=False), st.sampled_from([1, -1]))
def test_what_does_not_matter(pair: tuple[FloatArray, FloatArray], random: Any, sign: int) -> None:
    """The order of the texts and of the scales, and which end of the scales is the good one."""
    own, others = pair
    rows, columns = (random.sample(range(size), size) for size in own.shape)
    one = permutation_z(own, others)
    other = permutation_z(sign * own[rows][:, columns], sign * others[rows][:, columns])
    assert [other.observed, other.expected] == pytest.approx([one.observed, one.expected], abs=1e-9)
    assert other.deviation == pytest.approx(one.deviation, abs=1e-7)


@given(tables(st.integers(2, 12), st.integers(1, 3)), st.sampled_from([0.25, 1.0, 3.0]))
def test_a_rater_who_is_always_a_bit_milder_agrees_as_well(pair: tuple[FloatArray, FloatArray], shift: float) -> None:
    """The distance grows by the same for every order, so that z stays."""
    one, other = permutation_z(*pair), permutation_z(pair[0] + shift, pair[1])
    assert other.z == (None if one.z is None else pytest.approx(one.z, abs=1e-6))


@pytest.mark.parametrize(
    ("own", "others"),
    [
        ([[7 / 3], [7 / 3], [7 / 3]], [[1.0], [2.0], [3.0]]),
        ([[1.0], [2.0], [3.0]], [[7 / 3], [7 / 3], [7 / 3]]),
        # The rater varies on the one scale only, the others on the other.
        ([[1.0, 2.0], [2.0, 2.0], [3.0, 2.0]], [[1.1, 1.0], [1.1, 3.0], [1.1, 2.0]]),
    ],
)
def test_where_shuffling_changes_nothing_there_is_no_z(own: list[list[float]], others: list[list[float]]) -> None:
    found = permutation_z(np.array(own), np.array(others))
    assert found.z is None
    assert found.observed == pytest.approx(found.expected)


def test_by_hand() -> None:
    # Orders of (1, 3) against (1, 2): as it is ((0 + 1) / 2), and turned round ((4 + 1) / 2).
    found = permutation_z(np.array([[1.0], [3.0]]), np.array([[1.0], [2.0]]))
    assert found == ChanceComparison(observed=0.5, expected=1.5, deviation=1.0)
    assert found.z == 1


def test_shuffled_answers_have_a_z_of_mean_0_and_deviation_1() -> None:
    rng = np.random.default_rng(5)
    own, others = rng.integers(1, 4, (60, 2)).astype(float), rng.uniform(1, 3, (60, 2))
    found = [permutation_z(rng.permutation(own), others).z for _ in range(3000)]
    assert np.mean(np.array(found)) == pytest.approx(0, abs=0.06)
    assert np.std(np.array(found)) == pytest.approx(1, abs=0.05)


def test_a_hundred_thousand_texts_take_no_table_of_their_pairs() -> None:
    own = np.tile([[1.0, 2.0], [3.0, 1.0]], (50_000, 1))
    assert (permutation_z(own, own).z or 0) > 300


@pytest.mark.parametrize(
    ("own", "others", "message"),
    [
        (np.ones((3, 1)), np.ones((3, 2)), "of one shape"),
        (np.ones(3), np.ones(3), "of one shape"),
        (np.ones((1, 2)), np.ones((1, 2)), "of one shape"),
        (np.ones((3, 0)), np.ones((3, 0)), "of one shape"),
        (np.ones((2, 1)), np.array([[1.0], [np.nan]]), "finite"),
        (np.array([[1.0], [np.inf]]), np.ones((2, 1)), "finite"),
    ],
)
def test_wrong_input_is_refused(own: FloatArray, others: FloatArray, message: str) -> None:
    with pytest.raises(ValueError, match=f"^own and others must be {message}"):
        permutation_z(own, others)
