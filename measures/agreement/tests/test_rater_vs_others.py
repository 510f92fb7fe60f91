"""Each rater against the others, beside a plain loop."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.agreement.cohen import Weights, weighted_kappa
from measures.agreement.mean_rounding import Rounding, rounded
from measures.agreement.rater_vs_others import NO_OTHER_RATINGS, group_agreement, rater_agreement
from measures.core.undefined import ONE_CATEGORY

N = np.nan
matrices = st.integers(1, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from([1.0, 2.0, 3.0, N]), min_size=raters, max_size=raters), min_size=1, max_size=10
    )
)


def plainly(matrix: list[list[float]], rater: int, rounding: Rounding) -> tuple[list[float], list[int], list[float]]:
    """The rater's own points, the rounded means of the others, and the differences from the means."""
    own, meant, biases = [], [], []
    for row in matrix:
        others = [x for column, x in enumerate(row) if column != rater and not np.isnan(x)]
        if not np.isnan(row[rater]) and others:
            own.append(row[rater])
            meant.append(int(rounded(int(sum(others)), len(others), rounding)))
            biases.append(row[rater] - sum(others) / len(others))
    return own, meant, biases


@given(matrices, st.sampled_from(Rounding), st.sampled_from(["quadratic", "linear", "none"]))
def test_it_is_what_a_loop_finds(matrix: list[list[float]], rounding: Rounding, weights: Weights) -> None:
    found = rater_agreement(matrix, categories=3, rounding=rounding, weights=weights)
    assert [each.group for each in found] == list(range(len(matrix[0])))
    for each in found:
        own, meant, biases = plainly(matrix, each.group, rounding)
        assert each.ratings == len(own)
        if own:
            assert each.agreement == pytest.approx(np.mean(np.equal(own, meant)))
            assert each.bias == pytest.approx(np.mean(biases))
            assert each.kappa == weighted_kappa(own, meant, categories=3, weights=weights)
        else:
            assert (each.agreement, each.bias, each.kappa) == (None, None, NO_OTHER_RATINGS)


@given(matrices, st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_matter(matrix: list[list[float]], rng: Any) -> None:
    shuffled = rng.sample(matrix, len(matrix))
    for one, other in zip(rater_agreement(matrix, categories=3), rater_agreement(shuffled, categories=3), strict=True):
        assert (one.ratings, one.agreement, one.kappa) == (other.ratings, other.agreement, other.kappa)
        assert one.bias == pytest.approx(other.bias)


def test_points_may_begin_at_another_number() -> None:
    (one, other) = rater_agreement([[0, 1], [-1, -1]], categories=[-1, 0, 1])
    assert (one.ratings, one.agreement, other.bias) == (2, 0.5, 0.5)


def test_who_gives_one_answer_like_everybody_has_no_kappa() -> None:
    assert rater_agreement([[3, 3], [3, 3]], categories=3)[0].kappa == ONE_CATEGORY


def test_a_list_is_no_matrix() -> None:
    with pytest.raises(ValueError, match="a matrix of items by raters"):
        rater_agreement([3, 2], categories=3)


@given(matrices, st.integers(0, 2**32), st.sampled_from(Rounding))
def test_a_group_has_the_pairs_of_its_ratings(matrix: list[list[float]], seed: int, rounding: Rounding) -> None:
    groups = np.random.default_rng(seed).integers(-1, 3, np.shape(matrix))
    expected: dict[int, list[tuple[float, int]]] = {0: [], 1: [], 2: []}
    for row, of_row in zip(matrix, groups, strict=True):
        for column, point in enumerate(row):
            others = [x for place, x in enumerate(row) if place != column and not np.isnan(x)]
            if not np.isnan(point) and others and of_row[column] >= 0:
                meant = int(rounded(int(sum(others)), len(others), rounding))
                expected[int(of_row[column])].append((point, meant))

    found = group_agreement(matrix, groups, categories=3, rounding=rounding)

    assert [each.group for each in found] == list(range(int(groups.max()) + 1))
    for each in found:
        pairs = expected[each.group]
        assert each.ratings == len(pairs)
        if pairs:
            assert each.agreement == pytest.approx(np.mean([own == meant for own, meant in pairs]))
            assert each.kappa == weighted_kappa(*zip(*pairs, strict=True), categories=3)


def test_a_group_is_wanted_for_each_rating() -> None:
    with pytest.raises(ValueError, match="a group for each rating"):
        group_agreement([[1, 2]], [[0]], categories=3)


def test_a_scale_whose_means_cannot_be_rounded_to_it_is_refused() -> None:
    with pytest.raises(ValueError, match="successive"):
        rater_agreement([[1, 5], [5, 5]], categories=[1, 5])
