"""Signed-rank tests against SciPy, and the laws that they keep."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from measures.core.hodges_lehmann import Shift, ShiftInterval, hodges_lehmann
from measures.core.rank_sums import rank_sum_counts
from measures.core.signed_rank import Zeros, signed_rank, signed_rank_test
from measures.core.undefined import Undefined

GOLDEN = [0.933333333, 0.45, 0.3, 0.3, -1.0, 0.0, -0.6]

thirds = st.integers(-6, 6).map(lambda each: each / 3)
reals = st.floats(-3, 3, allow_subnormal=False).map(lambda each: round(each, 6))
samples = st.one_of(st.lists(thirds, min_size=1, max_size=60), st.lists(reals, min_size=1, max_size=60, unique=True))


def test_the_example_worked_by_hand() -> None:
    test = signed_rank_test(GOLDEN, method="normal")
    assert not isinstance(test, Undefined)
    assert (test.w_plus, test.w_minus, test.n, test.zeros) == (11, 10, 7, 1)
    assert test.z == pytest.approx(-0.1051176662)
    assert test.p == pytest.approx(0.9162824413)
    assert test.rank_biserial == pytest.approx(0.0476190476)
    shift = hodges_lehmann(GOLDEN)
    assert isinstance(shift, Shift)
    assert shift.estimate == pytest.approx(0.15)


@given(samples, st.sampled_from(["wilcox", "pratt"]))
def test_p_is_that_of_scipy(differences: list[float], zeros: Zeros) -> None:
    found, rounded = signed_rank(differences, zeros=zeros), np.round(differences, 9)
    if not rounded.any():
        assert (float(found.p), str(found.method), str(found.z)) == (1.0, "none", "nan")
        return
    expected = stats.wilcoxon(rounded, zero_method=zeros, correction=False, method="auto")
    assert float(found.p) == pytest.approx(expected.pvalue, rel=1e-9)
    assert min(found.w_plus, found.w_minus) == expected.statistic
    normal = stats.wilcoxon(rounded, zero_method=zeros, correction=False, method="asymptotic")
    assert float(found.z) == pytest.approx(normal.zstatistic, abs=1e-12)
    assert float(signed_rank(differences, zeros=zeros, method="normal").p) == pytest.approx(normal.pvalue)


@given(st.lists(st.lists(st.one_of(thirds, st.just(np.nan)), min_size=9, max_size=9), min_size=1, max_size=6))
def test_rows_do_not_touch_each_other_and_missing_ones_do_not_count(rows: list[list[float]]) -> None:
    together = signed_rank(rows)
    for place, row in enumerate(rows):
        alone = signed_rank([each for each in row if not np.isnan(each)])
        for name in ("n", "zeros", "w_plus", "w_minus", "z", "p", "rank_biserial"):
            np.testing.assert_equal(getattr(together, name)[place], getattr(alone, name)[()])


@given(samples)
def test_the_other_direction_changes_the_sign_alone(differences: list[float]) -> None:
    there, back = signed_rank(differences), signed_rank([-each for each in differences])
    assert there.p == back.p
    assert (there.w_plus, there.w_minus) == (back.w_minus, back.w_plus)
    np.testing.assert_equal(there.rank_biserial, -back.rank_biserial)


def test_any_shape_any_size_and_thirds_that_tie() -> None:
    assert signed_rank(np.ones((2, 3, 4))).p.shape == (2, 3)
    assert np.isnan(signed_rank(np.empty((2, 0))).p).all()
    # A third less two thirds and a third less nothing are not quite of one size in binary.
    assert signed_rank([1 / 3, -(2 / 3 - 1 / 3), 0.1 + 0.2, -0.3]).rank_biserial == 0
    large = np.random.default_rng(1).normal(size=30)
    assert signed_rank(large * 1e15).p == signed_rank(large).p
    assert signed_rank([1e15, -1e15, 2e15, 0.0]).zeros == 1


def test_without_differences_there_is_no_test() -> None:
    assert signed_rank_test([]) == signed_rank_test([np.nan]) == Undefined("there are no differences")
    assert hodges_lehmann([np.nan]) == Undefined("there are no differences")
    zeros = signed_rank_test([0.0, 1e-12])
    assert not isinstance(zeros, Undefined)
    assert (zeros.p, zeros.z, zeros.rank_biserial) == (1, *[Undefined("all differences are 0")] * 2)


@pytest.mark.parametrize("differences", [[np.inf], 3.0])
def test_what_is_no_row_of_differences_is_refused(differences: npt.ArrayLike) -> None:
    with pytest.raises(ValueError, match="axis"):
        signed_rank(differences)
    with pytest.raises(ValueError, match="unknown"):
        signed_rank([1.0], zeros="zsplit")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="finite"):
        hodges_lehmann([1e12, np.inf])


@given(st.lists(st.one_of(thirds, reals), min_size=1, max_size=70))
def test_the_shift_is_the_median_of_all_means_of_pairs(differences: list[float]) -> None:
    shift = hodges_lehmann(differences)
    assert isinstance(shift, Shift)
    values = np.round(differences, 9)
    i, j = np.triu_indices(len(values))
    means = np.sort((values[i] + values[j]) / 2)
    assert shift.estimate == pytest.approx(np.median(means), abs=1e-8)
    if len(values) < 6:
        assert isinstance(shift.interval, Undefined)
        return
    assert isinstance(shift.interval, ShiftInterval)
    assert shift.interval.low <= shift.estimate <= shift.interval.high
    assert np.abs(means - shift.interval.low).min() < 1e-8


@given(st.lists(reals, min_size=6, max_size=14, unique=True))
def test_the_exact_interval_holds_what_the_test_does_not_reject(differences: list[float]) -> None:
    shift = hodges_lehmann(differences)
    assert isinstance(shift, Shift)
    assert isinstance(shift.interval, ShiftInterval)
    assert shift.interval.method == "exact"
    for end, outwards in ((shift.interval.low, -1), (shift.interval.high, 1)):
        just = 1e-7 * outwards
        outside = stats.wilcoxon(np.array(differences) - (end + just), method="exact").pvalue
        inside = stats.wilcoxon(np.array(differences) - (end - just), method="exact").pvalue
        assert outside <= 0.05 or shift.interval.low == shift.interval.high
        assert inside > 0.05 or np.isclose(shift.interval.low, shift.interval.high, atol=1e-6)


def test_counts_of_rank_sums_are_exact() -> None:
    counts = rank_sum_counts(50)
    assert counts.sum() == 2.0**50
    assert (counts == counts[::-1]).all()


def test_thousands_of_differences_take_no_list_of_pairs() -> None:
    values = np.random.default_rng(2).normal(0.3, 1, 20_000)
    shift = hodges_lehmann(values)
    assert isinstance(shift, Shift)
    assert isinstance(shift.interval, ShiftInterval)
    assert shift.interval.method == "normal"
    assert shift.interval.low < 0.3 < shift.interval.high
    assert shift.estimate == pytest.approx(values.mean(), abs=0.01)
