"""Permutation tests against every possible swap, SciPy, and pairs of metrics one at a time."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, permutation_test, spearmanr

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.permutation import (
    NOTHING_TO_COMPARE,
    compare_input_level,
    compare_input_values,
    compare_system_level,
)
from measures.meta_evaluation.summary_correlations import (
    CONSTANT,
    NO_PAIR_IN_RANGE,
    NONE_DEFINED,
    Grouping,
    Kind,
    grouped_correlation,
    pearson_rows,
    ranged_correlation,
    system_level_correlations,
)
from measures.meta_evaluation.swapped_correlations import Unit, swaps
from measures.meta_evaluation.tests.later_methods import GOLDEN, METRICS, quality, scores

EXPECTED = GOLDEN["permutation_tests"]
SMALL = scores("m1", "m2", "m3")[:, 1:, :4], quality()[1:, :4]
NAMES = ("m1", "m2", "m3")
ORACLES: Any = {"pearson": pearsonr, "spearman": spearmanr, "kendall": kendalltau}


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("unit", ["both", "inputs", "systems"])
def test_all_swaps_equal_enumeration(unit: Unit, single: bool) -> None:
    found = compare_input_level(*SMALL, unit=unit, draws=4096, single=single)
    np.testing.assert_allclose(found.values, EXPECTED["values"], atol=1e-6 if single else 1e-9)
    for name, counts in EXPECTED["one_sided_count_of_all"].items():
        better, worse = (NAMES.index(each) for each in name.split(">"))
        assert [found.greater[better, worse], found.swaps] == counts[unit]
        assert found.p(better, worse) == counts[unit][0] / counts[unit][1]
    for name, counts in EXPECTED["two_sided_count_of_all"].items():
        better, worse = (NAMES.index(each) for each in name.split(">"))
        assert unit != "both" or [found.other_than[better, worse], found.swaps] == counts["both"]


def test_system_level_equals_enumeration() -> None:
    found = compare_system_level(*SMALL, pearson_rows, draws=4096)
    for name, (count, total, difference) in EXPECTED["system_level_pearson_both"].items():
        better, worse = (NAMES.index(each) for each in name.split(">"))
        assert (found.greater[better, worse], found.swaps) == (count, total)
        assert found.difference[better, worse] == pytest.approx(difference, abs=1e-9)


def plain_mean(x: FloatArray, q: FloatArray) -> float:
    pairs = [(a, b) for a in range(len(q)) for b in range(a + 1, len(q))]
    return float(np.mean([pearsonr(x[a] - x[b], q[a] - q[b]).statistic for a, b in pairs]))


@pytest.mark.parametrize("unit", ["both", "inputs", "systems"])
def test_drawn_swaps_equal_a_loop_over_the_same_swaps(unit: Unit) -> None:
    values, q = scores(), quality()
    found = compare_input_level(values, q, unit=unit, draws=30 if unit != "systems" else 10, seed=5, single=False)
    z = (values - values.mean(axis=(1, 2), keepdims=True)) / values.std(axis=(1, 2), keepdims=True)
    drawn = np.concatenate(list(swaps(unit, 4, 12, draws=found.swaps, seed=5)))
    kept = np.concatenate([drawn, ~drawn])
    assert len(kept) == found.swaps
    for i, j in ((0, 1), (1, 3), (3, 2)):
        deltas = [plain_mean(np.where(w, z[i], z[j]), q) - plain_mean(np.where(w, z[j], z[i]), q) for w in kept]
        assert found.greater[i, j] == (np.array(deltas) >= found.difference[i, j] - 1e-9).sum()
        if not found.enumerated:
            assert found.p(i, j) == (1 + found.greater[i, j]) / (1 + found.swaps)
            assert found.p(i, j, sided=2) == (2 + found.other_than[i, j]) / (2 + found.swaps)


@pytest.mark.parametrize("unit", ["both", "inputs", "systems"])
def test_half_of_all_swaps_and_their_complements_are_all_swaps(unit: Unit) -> None:
    half = np.concatenate(list(swaps(unit, 2, 3, draws=64, seed=1)))
    every = {each.tobytes() for each in (*half, *~half)}
    assert len(every) == 2 * len(half) == {"both": 64, "inputs": 8, "systems": 4}[unit]


def test_the_complement_of_a_swap_is_its_mirror_image() -> None:
    values, q = SMALL
    drawn = np.concatenate(list(swaps("both", *q.shape, draws=40, seed=3)))
    z = (values - values.mean(axis=(1, 2), keepdims=True)) / values.std(axis=(1, 2), keepdims=True)
    for kept in drawn:
        swapped, mirrored = ([plain_mean(np.where(w, z[i], z[1 - i]), q) for i in (0, 1)] for w in (kept, ~kept))
        assert swapped == pytest.approx(mirrored[::-1])


def test_p_of_drawn_swaps_is_small_no_more_often_than_it_says() -> None:
    """Where two metrics follow the quality alike, at most a share of alpha of the p-values is below alpha."""
    rng = np.random.default_rng(11)
    below = {1: 0, 2: 0}
    for _ in range(400):
        q = rng.normal(size=(3, 8))
        found = compare_input_level(q + rng.normal(size=(2, 3, 8)), q, draws=38, seed=int(rng.integers(10**6)))
        for sided in below:
            p = found.p(0, 1, sided=sided)
            below[sided] += not isinstance(p, Undefined) and p <= 0.1
    assert all(number <= 40 + 2.6 * 6 for number in below.values()), below


def test_single_precision_is_enough() -> None:
    rng = np.random.default_rng(7)
    q = rng.integers(0, 7, (4, 200)) / 3
    values = q + rng.normal(size=(6, 4, 200)) * np.linspace(0.5, 2, 6)[:, None, None]
    one, other = (compare_input_level(values, q, draws=200, single=single) for single in (True, False))
    np.testing.assert_allclose(one.greater, other.greater, atol=1)


def test_a_metric_twice_never_differs_from_itself() -> None:
    found = compare_input_level(scores("m1", "m1_again", "m3"), quality(), draws=50)
    assert found.p(0, 1) == found.p(1, 0) == 1
    assert found.p(0, 2) == pytest.approx(found.p(1, 2))
    assert found.p(0, 0) == NOTHING_TO_COMPARE


def test_units_and_offsets_of_a_metric_do_not_matter() -> None:
    values = scores()
    one = compare_input_level(values, quality(), draws=100, single=False)
    other = compare_input_level(100 * values + 7, quality(), draws=100, single=False)
    np.testing.assert_array_equal(one.greater, other.greater)


def test_systems_renamed_and_inputs_shuffled() -> None:
    values, q = SMALL
    one = compare_input_level(values, q, draws=4096)
    other = compare_input_level(values[:, [2, 0, 1]][:, :, [3, 1, 0, 2]], q[[2, 0, 1]][:, [3, 1, 0, 2]], draws=4096)
    np.testing.assert_array_equal(one.greater, other.greater)


def test_a_missing_output_leaves_its_pairs() -> None:
    values, q = SMALL[0].copy(), SMALL[1]
    values[0, 0, 3] = np.nan
    found = compare_input_level(values, q, draws=16)
    assert found.values[2] == pytest.approx(
        np.mean(
            [
                pearsonr(values[2, a, k] - values[2, b, k], q[a, k] - q[b, k]).statistic
                for a, b, k in ((0, 1, slice(3)), (0, 2, slice(3)), (1, 2, slice(4)))
            ]
        )
    )


def test_constant_metric_or_quality_is_undefined() -> None:
    found = compare_input_level(scores("m1", "constant"), quality(), draws=20)
    assert np.isnan(found.values[1])
    assert found.p(0, 1) == NOTHING_TO_COMPARE
    assert compare_input_level(scores("m1", "m2"), np.ones((4, 12)), draws=20).p(0, 1) == NOTHING_TO_COMPARE


def test_verdicts_of_inputs_are_scipys_signs() -> None:
    values = np.random.default_rng(2).integers(0, 7, (2, 10)) / 6
    oracle = permutation_test((values[0] - values[1],), np.mean, permutation_type="samples", alternative="greater")
    assert compare_input_values(values, draws=1024).p(0, 1) == pytest.approx(oracle.pvalue)
    with pytest.raises(ValueError, match="metrics by inputs"):
        compare_input_values([1.0])
    with pytest.raises(ValueError, match="draws"):
        compare_input_values(values, draws=0)


@pytest.mark.parametrize("kind", ["pearson", "spearman", "kendall"])
def test_correlations_are_scipys(kind: Kind) -> None:
    by_system = system_level_correlations(scores(), quality(), kind=kind)
    groupings: tuple[Grouping, ...] = ("input", "system", "none")
    by_input = [grouped_correlation(scores(), quality(), by=by, kind=kind) for by in groupings]
    for place in range(len(METRICS)):
        x, q = scores()[place], np.round(quality(), 9)
        assert by_system[place] == pytest.approx(ORACLES[kind](x.mean(axis=1), q.mean(axis=1).round(9)).statistic)
        groups: Any = ((x.T, q.T), (x, q), ([x.ravel()], [q.ravel()]))
        for found, (rows, others) in zip(by_input, groups, strict=True):
            expected = [ORACLES[kind](*each).statistic for each in zip(rows, others, strict=True)]
            assert found[place].value == pytest.approx(np.mean(expected))
            assert found[place].groups == len(expected)


def test_undefined_groups_are_skipped_and_counted() -> None:
    found = grouped_correlation(scores("constant"), quality())[0]
    assert (found.value, found.groups, found.skipped) == (NONE_DEFINED, 0, 12)
    assert system_level_correlations(scores("constant"), quality()) == (CONSTANT,)
    values = scores("m1")
    values[0, 1, 2] = np.nan
    left = grouped_correlation(values, quality())[0]
    assert not isinstance(left.value, Undefined)
    assert left.groups == 12


def test_ranges_of_differences() -> None:
    whole = ranged_correlation(scores(), quality(), 0, np.inf)
    expected = system_level_correlations(scores(), quality(), kind="kendall")
    assert [each.value for each in whole] == pytest.approx(list(expected))
    assert ranged_correlation(scores(), quality(), 9, 10)[0].value == NO_PAIR_IN_RANGE
