"""Krippendorff's alpha."""

from typing import Any

import krippendorff
import numpy as np
import pytest

from measures.agreement.krippendorff import AlphaResult, Level, krippendorff_alpha
from measures.core.arrays import FloatArray
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
    result = krippendorff_alpha(matrix, level=level, **{"categories": 5, "seed": 1} | options)
    assert isinstance(result, AlphaResult)
    return result


@pytest.mark.parametrize(("level", "value"), [("nominal", 0.7434211), ("ordinal", 0.8153875), ("interval", 0.8491071)])
def test_the_standard_example(level: Level, value: float) -> None:
    result = alpha(STANDARD, level)
    assert result.alpha == pytest.approx(value, abs=5e-8)
    assert (result.items, result.left_out) == (11, 1)


def plain_replications(matrix: FloatArray, level: Level, replications: int) -> FloatArray:
    rng = np.random.default_rng(55)
    require_pairs = matrix[(~np.isnan(matrix)).sum(axis=1) >= 2]
    return np.array(
        [
            krippendorff.alpha(
                reliability_data=require_pairs[rng.integers(0, len(require_pairs), len(require_pairs))].T,
                value_domain=[1, 2, 3, 4, 5],
                level_of_measurement=level,
            )
            for _ in range(replications)
        ]
    )


@pytest.mark.parametrize("level", LEVELS)
def test_the_replications_have_the_distribution_of_the_plain_loop(level: Level) -> None:
    matrix = np.tile(STANDARD, (3, 1))
    plain = plain_replications(matrix, level, 1500)
    found = alpha(matrix, level, replications=10_000).interval
    assert found.mean == pytest.approx(plain.mean(), abs=4 * plain.std() / np.sqrt(len(plain)))
    assert found.variance == pytest.approx(plain.var(), rel=0.17)
    assert [found.low, found.high] == pytest.approx(np.percentile(plain, [2.5, 97.5]), abs=0.03)


@pytest.mark.parametrize("level", LEVELS)
def test_a_replication_of_one_pattern_is_the_value_itself(level: Level) -> None:
    result = alpha([[1, 3, 2], [2, 1, 3], [3, 2, 1]], level, replications=5)
    assert result.interval.mean == pytest.approx(result.alpha, abs=1e-12)
    assert result.interval.variance == pytest.approx(0, abs=1e-20)


@pytest.mark.parametrize("level", LEVELS)
def test_neither_the_order_of_items_nor_the_names_of_raters_matter(level: Level) -> None:
    rng = np.random.default_rng(8)
    shuffled = rng.permuted(rng.permutation(STANDARD), axis=1)
    assert alpha(shuffled, level) == alpha(STANDARD, level)


def test_full_agreement_is_one_and_full_disagreement_is_below_zero() -> None:
    assert alpha([[1, 1], [2, 2], [5, 5]], "nominal").alpha == 1
    assert alpha([[1, 5], [5, 1]], "nominal").alpha < 0


def test_the_seed_alone_decides() -> None:
    assert alpha(STANDARD, seed=4) == alpha(STANDARD, seed=4)
    assert alpha(STANDARD, seed=4) != alpha(STANDARD, seed=5)


def test_replications_with_one_category_are_counted_apart() -> None:
    result = alpha([[1, 1], [1, 1], [1, 1], [3, 3]], "nominal", replications=2000)
    assert result.undefined_replications == pytest.approx(2000 * (0.75**4 + 0.25**4), abs=80)
    assert result.interval.low == 1


def test_undefined_has_a_reason() -> None:
    def result(matrix: Any, replications: int = 10, seed: int = 1) -> AlphaResult | Undefined:
        return krippendorff_alpha(matrix, level="ordinal", categories=5, replications=replications, seed=seed)

    assert result([[1, _], [_, 2]]) == Undefined("no item has two ratings")
    assert result(np.empty((0, 2))) == Undefined("no item has two ratings")
    assert result([[2, 2], [2, 2], [3, _]]) == Undefined("all ratings are in one category")
    by_chance = {result([[1, 1], [2, 2]], replications=1, seed=seed) for seed in range(20)}
    assert Undefined("all ratings are in one category in every draw") in by_chance


def test_arguments_are_checked() -> None:
    with pytest.raises(ValueError, match="replications"):
        alpha(STANDARD, replications=0)
    with pytest.raises(ValueError, match="level"):
        alpha(STANDARD, "ratio")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not one of"):
        alpha(STANDARD, categories=4)
