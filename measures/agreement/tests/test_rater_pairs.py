"""Kappa of pairs of raters, beside kappa of two lists."""

import numpy as np
import pytest

from measures.agreement.cohen import weighted_kappa
from measures.agreement.rater_pairs import pairwise_kappa
from measures.agreement.tests.test_cohen import value
from measures.core.undefined import Undefined


def test_pairwise_is_kappa_of_each_pair_on_common_items() -> None:
    rng = np.random.default_rng(2)
    matrix = rng.integers(1, 4, (40, 5)).astype(float)
    matrix[rng.random(matrix.shape) < 0.4] = np.nan
    found = pairwise_kappa(matrix, categories=3, weights="linear")
    assert [(pair.rater_a, pair.rater_b) for pair in found] == [(a, b) for a in range(5) for b in range(a + 1, 5)]
    for pair in found:
        common = matrix[:, [pair.rater_a, pair.rater_b]]
        common = common[~np.isnan(common).any(axis=1)]
        a, b = common.T
        assert pair.items == len(common)
        assert pair.agreement == pytest.approx(np.mean(a == b), abs=1e-12)
        assert value(pair.kappa) == pytest.approx(
            value(weighted_kappa(a, b, categories=3, weights="linear")), abs=1e-12
        )


def test_pairwise_leaves_out_pairs_with_few_items_and_names_undefined_ones() -> None:
    matrix = [[1.0, 1.0, np.nan], [1.0, 1.0, 2.0]]
    assert [(p.rater_a, p.rater_b) for p in pairwise_kappa(matrix, categories=2)] == [(0, 1)]
    found = pairwise_kappa(matrix, categories=2, min_items=1)
    assert found[0].kappa == Undefined("all ratings are in one category")
    assert [p.agreement for p in found] == [1, 0, 0]
    with pytest.raises(ValueError, match="pairwise"):
        pairwise_kappa(matrix, categories=2, min_items=0)
    with pytest.raises(ValueError, match="pairwise"):
        pairwise_kappa([1, 2], categories=2)


def test_whose_the_ratings_are_may_be_said_apart() -> None:
    rng = np.random.default_rng(3)
    wide = rng.integers(1, 4, (60, 9)).astype(float)
    wide[rng.random(wide.shape) < 0.6] = np.nan
    most = int((~np.isnan(wide)).sum(axis=1).max())
    narrow, raters = np.full((60, most), np.nan), np.full((60, most), -1)
    for row, said in enumerate(wide):
        people = rng.permutation(np.flatnonzero(~np.isnan(said)))
        narrow[row, : len(people)], raters[row, : len(people)] = said[people], people

    found = pairwise_kappa(narrow, raters=raters, categories=3)

    assert found == pairwise_kappa(wide, categories=3)
    assert len(found) > 20


def test_ratings_of_nobody_known_are_left_out() -> None:
    assert pairwise_kappa([[1, 2], [2, 2]], raters=[[0, -1], [0, -1]], categories=2, min_items=1) == []


@pytest.mark.parametrize(
    ("raters", "message"),
    [([[0, 0], [0, 1]], "a rater stands twice at one item"), ([[0], [1]], "a rater for each rating")],
)
def test_wrong_raters_are_refused(raters: list[list[int]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pairwise_kappa([[1, 2], [2, 2]], raters=raters, categories=2)


def test_of_nothing_there_are_no_pairs() -> None:
    assert pairwise_kappa(np.zeros((0, 3)), categories=2) == []
    assert pairwise_kappa([[np.nan, np.nan]], categories=2) == []


def test_numbers_of_raters_may_be_large() -> None:
    (pair,) = pairwise_kappa([[1, 1], [2, 2]], raters=[[2**33, 2**33 + 1], [2**33 + 1, 2**33]], categories=2)
    assert (pair.rater_a, pair.rater_b) == (2**33, 2**33 + 1)
