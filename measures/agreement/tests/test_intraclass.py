"""Intraclass correlations against pingouin's, plain sums, and the laws that they keep."""

import numpy as np
import pytest

from measures.agreement.intraclass import (
    EQUAL_MEANS,
    GAPS,
    NOTHING_VARIES,
    ONE_ITEM,
    IntraclassResult,
    TwoWayIntraclass,
    intraclass,
    ratings_needed,
    spearman_brown,
    two_way_intraclass,
)
from measures.core.confidence import ConfidenceInterval
from measures.core.undefined import NO_PAIRS, Undefined

RATINGS = np.array(list(map(int, "332333212222321333331122331121111111121223332222333333333333333"))).reshape(-1, 3)
PINGOUIN = {
    "ICC(1,1)": 0.58557176,
    "ICC(A,1)": 0.58950969,
    "ICC(C,1)": 0.60680751,
    "ICC(1,k)": 0.80911983,
    "ICC(A,k)": 0.81161695,
    "ICC(C,k)": 0.8223754,
}
UNBALANCED = [list(map(int, each)) for each in ["223", "333", "121", "323", "222", "111", "3323", "23"]]


def one_way(matrix: object, **options: object) -> IntraclassResult:
    found = intraclass(matrix, categories=3, **options)  # type: ignore[arg-type]
    assert isinstance(found, IntraclassResult)
    return found


def test_they_are_those_of_pingouin() -> None:
    found, crossed = one_way(RATINGS), two_way_intraclass(RATINGS)
    assert isinstance(crossed, TwoWayIntraclass)
    assert (found.single, found.panel) == pytest.approx((PINGOUIN["ICC(1,1)"], PINGOUIN["ICC(1,k)"]), abs=1e-8)
    ours = (crossed.agreement, crossed.agreement_panel, crossed.consistency, crossed.consistency_panel)
    assert ours == pytest.approx([PINGOUIN[f"ICC({name})"] for name in ("A,1", "A,k", "C,1", "C,k")], abs=1e-8)


def test_unequal_numbers_of_ratings() -> None:
    matrix = np.full((len(UNBALANCED), 4), np.nan)
    for row, given in zip(matrix, UNBALANCED, strict=True):
        row[: len(given)] = given
    found = one_way(matrix)
    assert (found.single, found.ratings) == pytest.approx((0.6860990861, 2.988095238), abs=1e-9)


def test_a_panel_is_as_reliable_as_spearman_and_brown_say() -> None:
    found = one_way(RATINGS)
    assert spearman_brown(found.single, 3) == pytest.approx(found.panel)
    needed = ratings_needed(found.single, 0.9)
    assert isinstance(needed, float)
    assert spearman_brown(found.single, needed) == pytest.approx(0.9)
    assert isinstance(ratings_needed(-0.1, 0.8), Undefined)
    assert ratings_needed(1.0, 0.8) == 1
    with pytest.raises(ValueError, match="between 0 and 1"):
        ratings_needed(0.5, 1.0)


def test_intervals_are_over_sources_and_raters() -> None:
    rng = np.random.default_rng(1)
    seen = rng.normal(size=120)[:, None] + rng.normal(size=(120, 3))
    points, raters = 1 + (seen > -0.5) + (seen > 0.8), rng.integers(0, 9, (120, 3))
    found = one_way(points, sources=np.arange(120) // 3, raters=raters)
    assert isinstance(found.panel, float)
    for value, interval in ((found.single, found.single_interval), (found.panel, found.panel_interval)):
        assert isinstance(interval, ConfidenceInterval)
        assert interval.low < value < interval.high
        assert (interval.sources, interval.raters) == (40, 9)


def test_where_there_is_none_the_reason_is_given() -> None:
    assert intraclass([[1, 2]], categories=3) == ONE_ITEM
    assert intraclass([[1, np.nan], [2, np.nan]], categories=3) == NO_PAIRS
    assert intraclass([[2, 2], [2, 2]], categories=3) == NOTHING_VARIES
    alike = one_way([[1, 3], [3, 1], [2, 2]])
    assert (alike.single < 0, alike.panel, alike.panel_interval) == (True, EQUAL_MEANS, EQUAL_MEANS)
    assert two_way_intraclass(np.array([[1, np.nan], [2, 3]])) == GAPS
    assert two_way_intraclass([[1, 2]]) == ONE_ITEM
    assert two_way_intraclass([[2, 2], [2, 2]]) == NOTHING_VARIES
