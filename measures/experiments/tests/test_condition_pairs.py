"""Pairs of conditions against golden values, SciPy and statsmodels."""

import json
from pathlib import Path

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from measures.core.undefined import Undefined
from measures.experiments.complete_cases import FEW_PEOPLE
from measures.experiments.condition_pairs import (
    SAME_DIFFERENCE,
    ConditionPairs,
    Equivalence,
    PairedT,
    condition_pairs,
    equivalence_tests,
    smallest_paired_difference,
)

QUIZ = json.loads((Path(__file__).parent / "golden" / "protocols.json").read_text())["quiz_anova"]


def paired(pair: object) -> PairedT:
    assert isinstance(pair, PairedT)
    return pair


def test_the_pairs_have_the_golden_values() -> None:
    found = condition_pairs(QUIZ["scores"])
    assert isinstance(found, ConditionPairs)
    for pair, golden in zip(found.pairs, QUIZ["pairs"], strict=True):
        test = paired(pair.test)
        assert (QUIZ["conditions"][pair.a], QUIZ["conditions"][pair.b]) == (golden["a"], golden["b"])
        assert [pair.difference, test.t, test.p, test.g, test.d_z, test.bonferroni, test.holm] == pytest.approx(
            [golden[name] for name in ("diff", "t", "p", "g", "dz", "p_bonferroni", "p_holm")], abs=1e-8
        )
        assert [test.low, test.high] == pytest.approx(golden["ci"], abs=1e-8)
        assert [test.simultaneous_low, test.simultaneous_high] == pytest.approx(golden["ci_bonferroni"], abs=1e-8)
        assert [test.d_z_low, test.d_z_high] == pytest.approx(golden["dz_ci"], abs=1e-8)
    assert (found.people, found.left_out) == (12, 0)


@given(st.integers(0, 500), st.floats(-4, 4), st.integers(2, 60))
def test_the_interval_of_d_z_inverts_the_noncentral_t(seed: int, effect: float, people: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(people, 2)) + np.array([effect, 0])
    found = condition_pairs(scores)
    assert isinstance(found, ConditionPairs)
    test, root = paired(found.pairs[0].test), np.sqrt(people)
    for end, probability in ((test.d_z_low, 0.975), (test.d_z_high, 0.025)):
        assert scipy.stats.nct.cdf(test.t, people - 1, end * root) == pytest.approx(probability, abs=1e-7)
    assert test.d_z_low < test.d_z < test.d_z_high
    assert test.simultaneous_low == pytest.approx(test.low)


def test_a_pair_without_variance_is_left_out_of_the_family() -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(10, 3))
    scores[:, 1] = scores[:, 0] + 0.1
    found = condition_pairs(scores)
    assert isinstance(found, ConditionPairs)
    assert found.pairs[0].test == SAME_DIFFERENCE
    assert found.pairs[0].difference == pytest.approx(-0.1)
    one = paired(found.pairs[1].test)
    assert one.bonferroni == pytest.approx(min(1, 2 * one.p))
    everybody_alike = condition_pairs([[1, 2], [2, 3]])
    assert isinstance(everybody_alike, ConditionPairs)
    assert everybody_alike.pairs[0].test == SAME_DIFFERENCE
    assert condition_pairs([[1.0, 2.0], [2.0, np.nan]]) == FEW_PEOPLE


@given(st.integers(0, 500), st.floats(0.5, 30))
def test_equivalence_is_two_one_sided_tests(seed: int, bound: float) -> None:
    scores = 10 * np.random.default_rng(seed).normal(size=(15, 4))
    found = equivalence_tests(scores, control=1, bound=bound)
    assert not isinstance(found, Undefined)
    assert [each.condition for each in found if isinstance(each, Equivalence)] == [0, 2, 3]
    for each in found:
        assert isinstance(each, Equivalence)
        differences = scores[:, each.condition] - scores[:, 1]
        low = scipy.stats.ttest_1samp(differences, -bound, alternative="greater")
        high = scipy.stats.ttest_1samp(differences, bound, alternative="less")
        assert each.p == pytest.approx(max(low.pvalue, high.pvalue))
        assert each.difference == pytest.approx(differences.mean())
        assert (each.p < 0.05) == (-bound < each.low and each.high < bound)
        assert each.holm >= each.p


def test_equivalence_needs_a_control_a_bound_and_some_variance() -> None:
    assert equivalence_tests([[1, 2], [2, 3]], control=0, bound=5) == (SAME_DIFFERENCE,)
    assert equivalence_tests([[1, 2]], control=0, bound=5) == FEW_PEOPLE
    for control, bound, message in ((2, 5.0, "no condition 2"), (0, 0.0, "above 0"), (0, np.inf, "finite")):
        with pytest.raises(ValueError, match=message):
            equivalence_tests([[1, 2], [2, 3]], control=control, bound=bound)


@pytest.mark.parametrize(("people", "alpha", "power"), [(12, 0.05, 0.8), (48, 0.05 / 6, 0.8), (200, 0.05, 0.95)])
def test_power_is_that_of_statsmodels(people: int, alpha: float, power: float) -> None:
    found = smallest_paired_difference(people, 14.0, alpha=alpha, power=power)
    theirs = TTestPower().power(effect_size=found / 14, nobs=people, alpha=alpha)
    assert theirs == pytest.approx(power, abs=1e-6)


def test_power_out_of_range_is_refused() -> None:
    for people, deviation, alpha in ((1, 1.0, 0.05), (9, -1.0, 0.05), (9, 1.0, 0.0)):
        with pytest.raises(ValueError, match="out of range"):
            smallest_paired_difference(people, deviation, alpha=alpha)
