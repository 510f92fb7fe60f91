"""Krippendorff's alpha."""

from typing import Any

import krippendorff
import numpy as np
import pytest

from measures.agreement.krippendorff import AlphaResult, Level, krippendorff_alpha
from measures.agreement.two_way import ONE_SOURCE, ONE_SOURCE_DECIDES
from measures.core.confidence import ConfidenceInterval
from measures.core.undefined import Undefined

_ = np.nan
STANDARD = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
        [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ]
).T
LEVELS: list[Level] = ["nominal", "ordinal", "interval"]


def alpha(matrix: Any, level: Level = "interval", **options: Any) -> AlphaResult:
    result = krippendorff_alpha(matrix, level=level, **{"categories": 5} | options)
    assert isinstance(result, AlphaResult)
    return result


@pytest.mark.parametrize(("level", "value"), [("nominal", 0.7434211), ("ordinal", 0.8153875), ("interval", 0.8491071)])
def test_the_standard_example(level: Level, value: float) -> None:
    result = alpha(STANDARD, level)
    assert result.alpha == pytest.approx(value, abs=5e-8)
    assert (result.items, result.left_out) == (11, 1)


@pytest.mark.parametrize("level", LEVELS)
def test_the_interval_is_the_jackknife_over_items_where_each_has_its_own_source(level: Level) -> None:
    rated = STANDARD[(~np.isnan(STANDARD)).sum(axis=1) >= 2]
    without = np.array(
        [
            krippendorff.alpha(
                reliability_data=np.delete(rated, item, axis=0).T,
                value_domain=[1, 2, 3, 4, 5],
                level_of_measurement=level,
            )
            for item in range(len(rated))
        ]
    )
    result = alpha(STANDARD, level)
    assert isinstance(result.interval, ConfidenceInterval)
    squares = ((without - result.alpha) ** 2).sum()
    assert result.interval.standard_error == pytest.approx((squares * (len(rated) - 1) / len(rated)) ** 0.5)
    assert (result.interval.sources, result.interval.raters) == (11, 0)
    assert result.interval.low < result.alpha < result.interval.high


@pytest.mark.parametrize("level", LEVELS)
def test_neither_the_order_of_items_nor_the_names_of_raters_matter(level: Level) -> None:
    rng = np.random.default_rng(8)
    shuffled = rng.permuted(rng.permutation(STANDARD), axis=1)
    one, other = alpha(shuffled, level), alpha(STANDARD, level)
    assert one.alpha == other.alpha
    assert isinstance(one.interval, ConfidenceInterval)
    assert isinstance(other.interval, ConfidenceInterval)
    assert one.interval.standard_error == pytest.approx(other.interval.standard_error)


def test_full_agreement_is_one_and_full_disagreement_is_below_zero() -> None:
    assert alpha([[1, 1], [2, 2], [5, 5]], "nominal").alpha == 1
    assert alpha([[1, 5], [5, 1]], "nominal").alpha < 0


def test_undefined_has_a_reason() -> None:
    def result(matrix: Any) -> AlphaResult | Undefined:
        return krippendorff_alpha(matrix, level="ordinal", categories=5)

    assert result([[1, _], [_, 2]]) == Undefined("no item has two ratings")
    assert result(np.empty((0, 2))) == Undefined("no item has two ratings")
    assert result([[2, 2], [2, 2], [3, _]]) == Undefined("all ratings are in one category")


def test_without_a_second_source_or_category_there_is_no_interval() -> None:
    assert alpha([[1, 1], [2, 3]], sources=["a", "a"]).interval == ONE_SOURCE
    assert alpha([[1, 1], [1, 1], [3, 3]]).interval == ONE_SOURCE_DECIDES


def test_arguments_are_checked() -> None:
    with pytest.raises(ValueError, match="a source for each item"):
        alpha(STANDARD, sources=[1, 2])
    with pytest.raises(ValueError, match="level"):
        alpha(STANDARD, "ratio")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not one of"):
        alpha(STANDARD, categories=4)
