"""Worker against worker, compared with a plain loop over items and draws."""

import time
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.agreement import simulated_pairs
from measures.agreement.cohen import Weights, kappa_of_table
from measures.agreement.mean_rounding import Rounding, rounded, rounded_means
from measures.agreement.rating_patterns import Patterns, count_patterns
from measures.agreement.simulated_pairs import PairAgreement, expected_table, simulated_pair_agreement
from measures.core.arrays import FloatArray
from measures.core.intervals import Interval
from measures.core.undefined import Undefined

Item = list[int]


def ratings(items: int = 60, seed: int = 0) -> FloatArray:
    """Three to five ratings by nine raters who mostly follow the quality of the item; a few have fewer."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(2.3, 0.7, (items, 1))
    scores = np.clip(np.round(quality + rng.normal(0, 0.6, (items, 9))), 1, 3)
    wanted = rng.integers(1, 6, (items, 1))
    scores[rng.permuted(np.tile(np.arange(9), (items, 1)), axis=1) >= wanted] = np.nan
    return np.asarray(scores)


def rounded_mean(item: Item, rounding: Rounding) -> int:
    mean = Fraction(sum(item), len(item))
    return floor(mean + Fraction(1, 2)) if rounding is Rounding.HALF_UP else round(mean)


def plain_tables(matrix: FloatArray, draws: int, rounding: Rounding, resample: bool) -> FloatArray:
    rng = np.random.default_rng(77)
    items = [[int(score) for score in row if score > 0] for row in matrix]
    items = [item for item in items if len(item) >= 2]
    tables = np.zeros((draws, 3, 3))
    for table in tables:
        for index in range(len(items)):
            item = items[rng.integers(len(items)) if resample else index]
            chosen = rng.integers(len(item))
            others = item[:chosen] + item[chosen + 1 :]
            table[item[chosen] - 1, rounded_mean(others, rounding) - 1] += 1
    return tables


def simulate(data: Any, **options: Any) -> PairAgreement:
    result = simulated_pair_agreement(data, **{"categories": 3, "seed": 1} | options)
    assert isinstance(result, PairAgreement)
    return result


def of_kappa(result: PairAgreement) -> Interval:
    assert isinstance(result.kappa, Interval)
    return result.kappa


@pytest.mark.parametrize("resample", [False, True])
@pytest.mark.parametrize("rounding", list(Rounding))
def test_the_draws_have_the_distribution_of_the_plain_loop(rounding: Rounding, resample: bool) -> None:
    matrix = ratings()
    tables = plain_tables(matrix, 1500, rounding, resample)
    agreement, kappa = tables.trace(axis1=1, axis2=2) / tables[0].sum(), kappa_of_table(tables)
    result = simulate(matrix, draws=20_000, rounding=rounding, resample_items=resample)
    for found, plain in ((result.agreement, agreement), (of_kappa(result), kappa)):
        error = 4 * np.sqrt(np.var(plain) / len(plain))
        assert found.mean == pytest.approx(np.mean(plain), abs=error)
        assert found.variance == pytest.approx(np.var(plain), rel=0.17)
        assert [found.low, found.high] == pytest.approx(np.percentile(plain, [2.5, 97.5]), abs=0.03)


@given(st.lists(st.lists(st.integers(1, 4), max_size=5), min_size=1, max_size=15), st.sampled_from(Rounding))
def test_the_expected_table_is_exact(items: list[Item], rounding: Rounding) -> None:
    expected = [[Fraction(0)] * 4 for _ in range(4)]
    for item in items:
        for index, score in enumerate(item if len(item) > 1 else []):
            others = item[:index] + item[index + 1 :]
            expected[score - 1][rounded_mean(others, rounding) - 1] += Fraction(1, len(item))
    matrix = [[*item, *[np.nan] * (5 - len(item))] for item in items]
    found = expected_table(count_patterns(matrix, 4), categories=4, rounding=rounding)
    np.testing.assert_allclose(found, np.array(expected, dtype=float), atol=1e-12)


def test_the_mean_of_the_draws_tends_to_the_expected_table() -> None:
    matrix = ratings()
    expected = expected_table(count_patterns(matrix, 3), categories=3)
    result = simulate(matrix, draws=20_000)
    assert result.agreement.mean == pytest.approx(expected.trace() / expected.sum(), abs=0.001)


@given(st.lists(st.tuples(st.integers(-40, 40), st.integers(1, 8)), min_size=1), st.sampled_from(Rounding))
def test_rounding_is_exact(means: list[tuple[int, int]], rounding: Rounding) -> None:
    totals, counts = zip(*means, strict=True)
    wanted = [
        floor(Fraction(t, n) + Fraction(1, 2)) if rounding is Rounding.HALF_UP else round(Fraction(t, n))
        for t, n in means
    ]
    assert rounded(totals, counts, rounding).tolist() == wanted


def test_half_to_even_goes_by_the_category_and_not_by_its_index() -> None:
    matrix = [[1, 2, 3, 3]]
    table = expected_table(count_patterns(matrix, 3), categories=3, rounding=Rounding.HALF_EVEN)
    assert table.tolist() == [[0, 0, 0.25], [0, 0.25, 0], [0, 0.5, 0]]
    shifted = expected_table(
        count_patterns(np.array(matrix) - 1, [0, 1, 2]), categories=[0, 1, 2], rounding=Rounding.HALF_EVEN
    )
    assert shifted.tolist() == [[0, 0, 0.25], [0, 0.25, 0], [0, 0.5, 0]]


def test_neither_the_order_of_items_nor_the_names_of_raters_matter() -> None:
    matrix = ratings()
    rng = np.random.default_rng(8)
    assert simulate(rng.permutation(matrix)) == simulate(matrix) == simulate(rng.permuted(matrix, axis=1))


def test_patterns_that_were_counted_before_give_the_same() -> None:
    matrix = ratings()
    assert simulate(count_patterns(matrix, 3)) == simulate(matrix)


def test_blocks_of_patterns_do_not_change_the_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = ratings()
    whole = simulate(matrix, draws=20_000)
    monkeypatch.setattr(simulated_pairs, "_BLOCK", 3 * 20_000 * 3)
    blocks = simulate(matrix, draws=20_000)
    assert blocks != whole
    assert blocks.items == whole.items
    assert of_kappa(blocks).mean == pytest.approx(of_kappa(whole).mean, abs=0.003)
    assert of_kappa(blocks).variance == pytest.approx(of_kappa(whole).variance, rel=0.06)


def test_the_seed_alone_decides() -> None:
    assert simulate(ratings(), seed=3) == simulate(ratings(), seed=3)
    assert simulate(ratings(), seed=3) != simulate(ratings(), seed=4)


def test_what_is_used_and_left_out_is_counted() -> None:
    matrix = ratings()
    enough = int(((~np.isnan(matrix)).sum(axis=1) >= 2).sum())
    result = simulate(matrix, draws=10)
    assert 0 < enough < 60
    assert (result.items, result.left_out, result.draws, result.undefined_draws) == (
        enough,
        60 - enough,
        10,
        0,
    )


def test_draws_without_a_kappa_are_counted_apart() -> None:
    matrix = [[3, 3, 3], [3, 3, 2]]
    result = simulate(matrix, draws=3000, rounding=Rounding.HALF_UP)
    assert result.undefined_draws == pytest.approx(2000, abs=120)
    assert of_kappa(result).mean == 0
    assert result.kappas.tolist() == [0] * (3000 - result.undefined_draws)
    assert result.agreement.mean == pytest.approx(1 - 1 / 6, abs=0.02)


@pytest.mark.parametrize("resample", [False, True])
def test_the_kappas_are_those_of_the_interval(resample: bool) -> None:
    result = simulate(ratings(), draws=50, weights="none", resample_items=resample)
    assert Interval.of(result.kappas) == result.kappa


@pytest.mark.parametrize(("weights", "kappa"), [("quadratic", 4 / 5), ("linear", 5 / 7), ("none", 7 / 11)])
def test_disagreement_weighs_as_it_is_asked_to(weights: Weights, kappa: float) -> None:
    """Whichever rater of the last item is drawn, the table is the same or its mirror image."""
    result = simulate([[1, 1], [2, 2], [3, 3], [1, 2]], draws=20, weights=weights)
    assert result.kappas == pytest.approx([kappa] * 20)
    assert (of_kappa(result).low, of_kappa(result).high) == pytest.approx((kappa, kappa))


def test_unanimous_items_agree_for_sure() -> None:
    result = simulate([[1, 1], [2, 2], [3, 3]])
    assert (result.agreement.mean, result.agreement.variance, of_kappa(result).low) == (1, 0, 1)


def test_undefined_has_a_reason() -> None:
    alone = simulated_pair_agreement([[1, np.nan], [2, np.nan]], categories=3, seed=1)
    assert alone == Undefined("no item has two ratings")
    empty = simulated_pair_agreement(np.empty((0, 3)), categories=3, seed=1)
    assert empty == Undefined("no item has two ratings")
    same = simulate([[2, 2], [2, 2]])
    assert same.kappa == Undefined("all ratings are in one category in every draw")
    assert (same.agreement.mean, same.agreement.variance, len(same.kappas)) == (1, 0, 0)


def test_arguments_are_checked() -> None:
    with pytest.raises(ValueError, match="draws"):
        simulate(ratings(), draws=0)
    with pytest.raises(ValueError, match="successive"):
        simulate([[1, 2]], categories=[1, 2, 4])
    with pytest.raises(ValueError, match="successive"):
        simulate([[0.5, 1.5]], categories=[0.5, 1.5])
    with pytest.raises(ValueError, match="do not fit"):
        simulate(Patterns(np.array([[1, 1]]), np.array([1]), 0))
    with pytest.raises(ValueError, match="not one of"):
        simulate([[1, 4]])
    with pytest.raises(ValueError, match="matrix"):
        simulate([1, 2])


def test_a_whole_corpus_takes_a_moment() -> None:
    patterns = count_patterns(ratings(26_000), 3)
    began = time.process_time()
    simulate(patterns)
    assert time.process_time() - began < 2


def test_items_that_nobody_else_rated_are_refused() -> None:
    few = count_patterns(np.array([[1, np.nan], [1, 2]]), 3, min_ratings=1)
    with pytest.raises(ValueError, match="fewer than two ratings"):
        simulate(few)
    with pytest.raises(ValueError, match="fewer than two ratings"):
        expected_table(few, categories=3)


def test_means_of_what_is_no_whole_number_are_refused() -> None:
    with pytest.raises(ValueError, match="whole numbers"):
        rounded_means([[2.9, 2.0]])
