"""Kappa of two raters, against scikit-learn and by hand."""

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from measures.agreement.cohen import Weights, kappa_of_table, pair_table, weighted_kappa
from measures.core.rating_scale import category_indices, category_values
from measures.core.undefined import Undefined

A, B = [3, 3, 2, 1, 3, 2, 3, 1, 2, 3], [3, 2, 2, 1, 3, 3, 3, 2, 2, 3]
ALL_WEIGHTS: list[Weights] = ["quadratic", "linear", "none"]
paired = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), max_size=30)


def value(result: float | Undefined) -> float:
    assert isinstance(result, float)
    return result


@pytest.mark.parametrize(("weights", "kappa"), [("quadratic", 0.7169811), ("linear", 0.6052632), ("none", 0.5081967)])
def test_published_values(weights: Weights, kappa: float) -> None:
    assert value(weighted_kappa(A, B, categories=3, weights=weights)) == pytest.approx(kappa, abs=5e-8)


def test_a_category_that_nobody_used_counts() -> None:
    a, b = [1, 4, 4, 1, 4, 2], [1, 4, 2, 1, 4, 1]
    assert value(weighted_kappa(a, b, categories=4)) == pytest.approx(0.7887, abs=5e-5)
    assert value(weighted_kappa(a, b, categories=[1, 2, 4])) == pytest.approx(0.8065, abs=5e-5)


def test_hundreds_of_tables_agree_with_scikit_learn() -> None:
    rng = np.random.default_rng(5)
    compared = 0
    for _ in range(300):
        k = int(rng.integers(2, 6))
        a, b = rng.integers(1, rng.integers(2, k + 2), (2, int(rng.integers(1, 40))))
        for weights in ALL_WEIGHTS:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                theirs = cohen_kappa_score(a, b, labels=range(1, k + 1), weights=None if weights == "none" else weights)
            ours = weighted_kappa(a, b, categories=k, weights=weights)
            if isinstance(ours, Undefined):
                assert len({*a, *b}) == 1
                continue
            assert ours == pytest.approx(theirs, abs=1e-12)
            compared += 1
    assert compared > 600


def test_many_tables_at_once_are_the_same_as_one_by_one() -> None:
    tables = np.random.default_rng(1).integers(0, 4, (5, 7, 3, 3))
    together = kappa_of_table(tables, "linear")
    assert together.shape == (5, 7)
    for index in np.ndindex(5, 7):
        np.testing.assert_allclose(together[index], kappa_of_table(tables[index], "linear"), atol=1e-12)


@given(paired, st.sampled_from(ALL_WEIGHTS))
def test_kappa_is_symmetric_and_at_most_one(rows: list[tuple[int, int]], weights: Weights) -> None:
    a, b = [row[0] for row in rows], [row[1] for row in rows]
    kappa = weighted_kappa(a, b, categories=4, weights=weights)
    if isinstance(kappa, Undefined):
        assert len({*a, *b}) <= 1
        return
    assert kappa == pytest.approx(value(weighted_kappa(b, a, categories=4, weights=weights)), abs=1e-12)
    upside_down = weighted_kappa([5 - x for x in a], [5 - x for x in b], categories=4, weights=weights)
    assert kappa == pytest.approx(value(upside_down), abs=1e-12)
    assert kappa <= 1
    assert (kappa == 1) == (a == b)


@given(paired, st.randoms(use_true_random=False))
def test_the_order_of_the_items_does_not_matter(rows: list[tuple[int, int]], random: Any) -> None:
    shuffled = rows[:]
    random.shuffle(shuffled)
    one, other = (
        weighted_kappa([a for a, _ in order], [b for _, b in order], categories=4) for order in (rows, shuffled)
    )
    assert one == other


def test_two_weights_are_one_on_two_categories() -> None:
    kappas = {value(weighted_kappa([1, 2, 2, 1], [1, 2, 1, 1], categories=2, weights=w)) for w in ALL_WEIGHTS}
    assert kappas == {0.5}


def test_two_constant_raters_who_differ_have_a_kappa_of_zero() -> None:
    assert weighted_kappa([1, 1], [3, 3], categories=3) == 0


def test_undefined_has_a_reason() -> None:
    assert weighted_kappa([], [], categories=3) == Undefined("no item has two ratings")
    assert weighted_kappa([2, 2], [2, 2], categories=3) == Undefined("all ratings are in one category")
    assert weighted_kappa([1], [1], categories=1) == Undefined("all ratings are in one category")


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1, 2], [1], "of the same items"),
        ([[1]], [[1]], "of the same items"),
        ([4], [1], "rating 4 is not one of"),
        ([0], [1], "rating 0 is not one of"),
        ([1.5], [1], "rating 1.5 is not one of"),
        ([np.nan], [1], "missing"),
        ([1], [np.nan], "missing"),
    ],
)
def test_wrong_ratings_are_refused(a: Any, b: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pair_table(a, b, 3)


@pytest.mark.parametrize("categories", [0, -1, [], [2, 1], [1, 1], [[1, 2]]])
def test_wrong_scales_are_refused(categories: Any) -> None:
    with pytest.raises(ValueError, match="categories must be"):
        category_values(categories)


def test_a_scale_may_have_any_rising_values() -> None:
    assert category_indices([[0.5, np.nan], [-1.0, 7.0]], [-1, 0.5, 7]).tolist() == [[1, -1], [0, 2]]


def test_wrong_tables_and_weights_are_refused() -> None:
    with pytest.raises(ValueError, match="square"):
        kappa_of_table([[1, 2]])
    with pytest.raises(ValueError, match="square"):
        kappa_of_table([1, 2])
    with pytest.raises(ValueError, match="weights"):
        kappa_of_table([[1, 2], [3, 4]], "cubic")  # type: ignore[arg-type]
