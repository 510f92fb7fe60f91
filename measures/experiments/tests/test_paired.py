"""Tests of paired differences against SciPy's and their own laws."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from measures.core.undefined import Undefined
from measures.experiments.paired import PairedTests, paired_tests, standardised_difference
from measures.experiments.small_samples import TTest

HALVES = st.lists(st.integers(-6, 6).map(lambda whole: whole / 2), min_size=2, max_size=12)


def compared(differences: list[float], draws: int = 50) -> PairedTests:
    found = paired_tests(differences, draws=draws, seed=1)
    assert isinstance(found, PairedTests)
    return found


@given(HALVES)
def test_they_are_scipy_s(differences: list[float]) -> None:
    found, values = compared(differences), np.array(differences)
    assert (found.better, found.worse) == ((values > 0).sum(), (values < 0).sum())
    assert found.pairs == len(values)
    assert found.superiority.value == pytest.approx((found.better + found.equal / 2) / len(values))
    if np.ptp(values) == 0:
        assert found.t == found.effect == Undefined("all differences are the same")
    else:
        theirs = scipy.stats.ttest_1samp(values, 0)
        ends = theirs.confidence_interval()
        assert isinstance(found.t, TTest)
        assert (found.t.t, found.t.p, found.t.low, found.t.high) == pytest.approx(
            (theirs.statistic, theirs.pvalue, ends.low, ends.high), abs=1e-9
        )
        flips = scipy.stats.permutation_test(
            (values,), np.mean, permutation_type="samples", n_resamples=np.inf, vectorized=True
        )
        assert found.permutation_p == pytest.approx(flips.pvalue, abs=1e-9)
    if not values.any():
        assert found.sign_p == Undefined("all pairs are equal")
    else:
        assert found.signed_rank.p == pytest.approx(scipy.stats.wilcoxon(values[values != 0], method="auto").pvalue)
        assert found.sign_p == pytest.approx(scipy.stats.binomtest(found.better, found.better + found.worse).pvalue)


@given(HALVES)
def test_the_other_way_round_all_turns(differences: list[float]) -> None:
    one, other = compared(differences), compared([-each for each in differences])
    assert (one.better, one.mean, one.sign_p) == (other.worse, -other.mean, other.sign_p)
    assert one.permutation_p == other.permutation_p
    assert one.superiority.value == pytest.approx(1 - other.superiority.value)
    if not isinstance(one.effect, Undefined) and not isinstance(other.effect, Undefined):
        assert (one.effect.low, one.effect.g_high) == pytest.approx((-other.effect.high, -other.effect.g_low), abs=1e-6)


@pytest.mark.parametrize(
    ("t", "pairs"), [(3.0, 16), (-2.0, 3), (0.0, 10), (29.9, 4), (30.1, 4), (90.0, 900), (700.0, 30)]
)
def test_at_the_ends_t_is_a_percentile(t: float, pairs: int) -> None:
    effect = standardised_difference(t, pairs)
    found = [scipy.stats.nct.cdf(t, pairs - 1, end * pairs**0.5) for end in (effect.low, effect.high)]
    assert found == pytest.approx([0.975, 0.025], abs=2e-5)
    assert effect.d_z == t / pairs**0.5
    factor = 1 - 3 / (4 * (pairs - 1) - 1)
    assert (effect.g, effect.g_low, effect.g_high) == pytest.approx(
        (factor * effect.d_z, factor * effect.low, factor * effect.high)
    )


def test_it_is_that_of_pingouin() -> None:
    effect = standardised_difference(0.379243544, 12)
    assert (effect.d_z, effect.g) == pytest.approx((0.109478181, 0.101840169), abs=1e-8)
    assert (effect.low, effect.high) == pytest.approx((-0.460558609, 0.674632651), abs=1e-7)


def test_thirds_in_another_order_are_no_difference() -> None:
    assert compared([0.1 + 0.2 - 0.3, 1.0, -1.0]).equal == 1


def test_the_interval_of_the_superiority_draws_ten_pairs_at_least() -> None:
    assert isinstance(compared([1.0, -1.0] * 4 + [1.0]).superiority.interval, Undefined)
    drawn = compared([1.0, -1.0] * 5, draws=4_000).superiority.interval
    assert not isinstance(drawn, Undefined)
    # Ten draws of one half: the percentiles of the binomial distribution.
    assert (drawn.low, drawn.high) == (0.2, 0.8)


def test_what_cannot_be() -> None:
    assert paired_tests([], seed=1) == Undefined("there are no pairs")
    assert compared([1.0]).t == compared([1.0]).effect == Undefined("fewer than two pairs")
    with pytest.raises(ValueError, match="finite"):
        paired_tests([1.0, float("nan")], seed=1)
    with pytest.raises(ValueError, match="draws"):
        paired_tests([1.0], draws=0, seed=1)
