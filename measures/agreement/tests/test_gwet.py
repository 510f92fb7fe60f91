"""Gwet's coefficients: a published value, a plain computation beside it, and what must not matter."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.agreement.cohen import Weights
from measures.agreement.gwet import ONE_POINT, GwetResult, gwet_agreement
from measures.agreement.two_way import ONE_SOURCE_DECIDES
from measures.core.confidence import ConfidenceInterval
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY, Undefined

N = np.nan
# Krippendorff's example of 4 coders and 12 units; Gwet 2014 and the R package irrCAC compute AC1 from it, too.
FOUR_RATERS = [
    [1, 1, N, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [N, 5, 5, 5],
    [N, N, 1, 1],
    [N, N, 3, N],
]
WEIGHTS: list[Weights] = ["none", "linear", "quadratic"]
matrices = st.integers(2, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from([1.0, 2.0, 3.0, N]), min_size=raters, max_size=raters), min_size=1, max_size=12
    )
)


def gwet(matrix: Any, weights: Weights = "none", categories: int = 3) -> GwetResult | Undefined:
    return gwet_agreement(matrix, categories=categories, weights=weights)


def defined(matrix: Any, weights: Weights = "none", categories: int = 3) -> GwetResult:
    result = gwet(matrix, weights, categories)
    assert isinstance(result, GwetResult)
    return result


def likeness(a: float, b: float, weights: Weights) -> float:
    distance = abs(a - b) / 2
    return {"none": float(a == b), "linear": 1 - distance, "quadratic": 1 - distance**2}[weights]


def plainly(matrix: list[list[float]], weights: Weights) -> tuple[float, float] | None:
    """Agreement and chance by the definition, pair by pair."""
    rated = [[x for x in row if not np.isnan(x)] for row in matrix]
    pairs = [list(combinations(row, 2)) for row in rated if len(row) > 1]
    if not pairs:
        return None
    agreement = np.mean([np.mean([likeness(a, b, weights) for a, b in each]) for each in pairs])
    used = [np.mean([row.count(x) / len(row) for row in rated if row]) for x in (1, 2, 3)]
    total = sum(likeness(a, b, weights) for a in (1, 2, 3) for b in (1, 2, 3))
    return float(agreement), float(total / (3 * 2) * sum(p * (1 - p) for p in used))


def alike(one: GwetResult | Undefined, other: GwetResult | Undefined) -> bool:
    """Whether two results are equal but for rounding errors of sums in another order."""
    if isinstance(one, Undefined) or isinstance(other, Undefined):
        return one == other
    pairs = [(one.agreement, other.agreement), (one.chance, other.chance)]
    for a, b in (
        (one.agreement_interval, other.agreement_interval),
        (one.coefficient_interval, other.coefficient_interval),
    ):
        if isinstance(a, Undefined) or isinstance(b, Undefined):
            if a != b:
                return False
        else:
            pairs += [(a.low, b.low), (a.high, b.high)]
    return all(a == pytest.approx(b, abs=1e-9) for a, b in pairs) and one.items == other.items


def test_the_published_value() -> None:
    result = defined(FOUR_RATERS, categories=5)
    values = [result.coefficient, result.agreement, result.chance]
    assert values == pytest.approx([0.77544, 0.81818, 0.19032], abs=5e-6)
    assert (result.items, result.left_out) == (11, 1)


@given(matrices, st.sampled_from(WEIGHTS))
def test_it_is_what_the_definition_says(matrix: list[list[float]], weights: Weights) -> None:
    plain, result = plainly(matrix, weights), gwet(matrix, weights)
    if plain is None:
        assert result == NO_PAIRS
        return
    assert isinstance(result, GwetResult)
    assert (result.agreement, result.chance) == pytest.approx(plain)
    if len({point for row in matrix for point in row if not np.isnan(point)}) == 1:
        assert (result.coefficient, result.coefficient_interval) == (ONE_CATEGORY, ONE_CATEGORY)
    else:
        assert result.coefficient == pytest.approx((plain[0] - plain[1]) / (1 - plain[1]))


@given(matrices, st.sampled_from(WEIGHTS), st.randoms(use_true_random=False))
def test_the_order_of_items_and_the_names_of_raters_do_not_matter(
    matrix: list[list[float]], weights: Weights, rng: Any
) -> None:
    shuffled = [rng.sample(row, len(row)) for row in rng.sample(matrix, len(matrix))]
    assert alike(gwet(shuffled, weights), gwet(matrix, weights))


@pytest.mark.parametrize("weights", WEIGHTS)
def test_where_all_ratings_are_alike_they_agree_and_there_is_no_coefficient(weights: Weights) -> None:
    result = defined([[3, 3], [3, 3]], weights)
    assert (result.agreement, result.coefficient, result.coefficient_interval) == (1, ONE_CATEGORY, ONE_CATEGORY)


def test_where_one_source_alone_shows_a_second_category_there_is_no_interval() -> None:
    assert defined([[3, 3], [3, 3], [3, 2]]).coefficient_interval == ONE_SOURCE_DECIDES


def test_it_stays_high_where_kappa_falls() -> None:
    """Ninety-four items of a hundred are good to both; on the others they differ."""
    result = defined([[3.0, 3.0]] * 94 + [[3.0, 2.0]] * 3 + [[2.0, 3.0]] * 3)
    assert result.agreement == 0.94
    assert isinstance(result.coefficient, float)
    assert result.coefficient > 0.93
    assert isinstance(result.coefficient_interval, ConfidenceInterval)
    assert result.coefficient_interval.low < result.coefficient < result.coefficient_interval.high


def test_without_pairs_or_categories_it_is_undefined_with_the_reason() -> None:
    assert gwet([[3, N], [N, 2]]) == NO_PAIRS
    assert gwet([[1, 1]], categories=1) == ONE_POINT


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"weights": "cubic"}, "weights"),
        ({"categories": 2}, "rating 3"),
        ({"sources": [1, 2]}, "a source for each item"),
        ({"raters": [[1, 2], [1, 2]]}, "a rater for each rating"),
    ],
)
def test_what_makes_no_sense_is_refused(changed: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        gwet_agreement([[3, 3]], **{"categories": 3} | changed)
