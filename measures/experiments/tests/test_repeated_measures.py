"""The analysis of variance against golden values and statsmodels, with its laws and its limits."""

import json
from pathlib import Path
from statistics import NormalDist

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.anova import AnovaRM

from measures.core.drawn_sources import source_draws
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.experiments.complete_cases import FEW_CONDITIONS, FEW_PEOPLE
from measures.experiments.condition_means import ConditionMean, condition_means
from measures.experiments.condition_pairs import ConditionPairs, PairedT, condition_pairs
from measures.experiments.normality import ALL_ALIKE, FEW_VALUES, TOO_MANY_VALUES, Normality, normality
from measures.experiments.repeated_measures import (
    DEPENDENT,
    FEW_FOR_HUYNH_FELDT,
    FEW_FOR_MAUCHLY,
    NOTHING_LEFT,
    TOO_FEW_FOR_SHARES,
    TWO_CONDITIONS,
    ConditionTest,
    Mauchly,
    RepeatedMeasures,
    repeated_measures,
)

GOLDEN = json.loads((Path(__file__).parent / "golden" / "protocols.json").read_text())
QUIZ = GOLDEN["quiz_anova"]
CLOSE = 1e-8


def found(scores: npt.ArrayLike, draws: int = 20) -> RepeatedMeasures:
    anova = repeated_measures(scores, draws=draws, seed=1)
    assert isinstance(anova, RepeatedMeasures)
    return anova


def drawn(seed: int, people: int = 20, conditions: int = 4) -> npt.NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    return 50 + 15 * rng.normal(size=(people, 1)) + 8 * rng.normal(size=(people, conditions)) + np.arange(conditions)


def test_the_quiz_has_the_golden_values() -> None:
    anova = found(QUIZ["scores"])
    assert [anova.ss_condition, anova.ss_person, anova.ss_error] == pytest.approx(QUIZ["ss"], abs=CLOSE)
    assert (anova.f, anova.uncorrected.p) == pytest.approx((QUIZ["F"], QUIZ["p"]), abs=CLOSE)
    assert [anova.uncorrected.numerator_df, anova.uncorrected.df] == QUIZ["df"]
    greenhouse_geisser, huynh_feldt = anova.greenhouse_geisser, anova.huynh_feldt
    assert (greenhouse_geisser.epsilon, greenhouse_geisser.p) == pytest.approx((QUIZ["gg"], QUIZ["p_gg"]), abs=CLOSE)
    assert isinstance(huynh_feldt, ConditionTest)
    assert (huynh_feldt.epsilon, huynh_feldt.p) == pytest.approx((QUIZ["hf"], QUIZ["p_hf"]), abs=CLOSE)
    assert isinstance(anova.mauchly, Mauchly)
    of = anova.mauchly
    assert (of.w, of.chi2, of.df, of.p) == pytest.approx(tuple(QUIZ["pingouin_sphericity"]), abs=CLOSE)
    assert anova.partial_eta2.value == pytest.approx(QUIZ["partial_eta2"], abs=CLOSE)
    assert anova.generalised_eta2.value == pytest.approx(QUIZ["generalised_eta2"], abs=CLOSE)
    assert isinstance(anova.residuals, Normality)
    assert (anova.residuals.w, anova.residuals.p) == pytest.approx(tuple(QUIZ["shapiro_residuals"]), abs=CLOSE)
    assert anova.error_variance == pytest.approx(QUIZ["ss"][2] / 33)


def test_the_published_f_gives_the_published_p_and_effect() -> None:
    published = GOLDEN["published_checks"]
    f, (above, below) = published["F"], published["df"]
    assert scipy.stats.f.sf(f, above, below) == pytest.approx(published["p"], abs=CLOSE)
    assert above * f / (above * f + below) == pytest.approx(published["partial_eta2"], abs=CLOSE)


@pytest.mark.parametrize("seed", range(3))
def test_f_is_that_of_statsmodels(seed: int) -> None:
    scores = drawn(seed)
    frame = pd.DataFrame(scores).reset_index().melt("index", var_name="condition")
    theirs = AnovaRM(frame, "value", "index", within=["condition"]).fit().anova_table.iloc[0]
    anova = found(scores)
    assert (anova.f, anova.uncorrected.p) == pytest.approx((theirs["F Value"], theirs["Pr > F"]), rel=1e-9)


def test_the_epsilon_is_that_of_the_formula_of_covariances() -> None:
    scores = drawn(4)
    s, c = np.cov(scores.T), 4
    above = (c * (np.diag(s).mean() - s.mean())) ** 2
    below = (c - 1) * ((s**2).sum() - 2 * c * (s.mean(axis=1) ** 2).sum() + c**2 * s.mean() ** 2)
    assert found(scores).greenhouse_geisser.epsilon == pytest.approx(above / below)


@given(st.integers(0, 200), st.floats(-100, 100), st.floats(0.1, 50), st.permutations(range(4)))
def test_units_orders_and_levels_of_people_do_not_matter(
    seed: int, shift: float, scale: float, order: list[int]
) -> None:
    scores = drawn(seed, people=6)
    one = found(scores)
    other = found(scale * (scores + shift)[::-1][:, order] + np.arange(6)[:, None])
    for name in ("f", "uncorrected", "greenhouse_geisser", "huynh_feldt", "mauchly"):
        left, right = getattr(one, name), getattr(other, name)
        if name == "f":
            assert right == pytest.approx(left, rel=1e-6)
        elif not isinstance(left, Undefined):
            assert right.p == pytest.approx(left.p, rel=1e-5)
    assert 1 / 3 - 1e-9 <= one.greenhouse_geisser.epsilon <= 1 + 1e-9
    assert 0 <= one.generalised_eta2.value <= one.partial_eta2.value <= 1


def test_the_intervals_are_those_of_a_plain_loop_over_draws() -> None:
    scores = drawn(7)
    anova = found(scores, draws=200)
    partial, generalised = [], []
    for times in source_draws(20, 200, 1):
        for row in times.astype(int):
            again = found(np.repeat(scores, row, axis=0), draws=1)
            partial.append(again.partial_eta2.value)
            generalised.append(again.generalised_eta2.value)
    for effect, values in ((anova.partial_eta2, partial), (anova.generalised_eta2, generalised)):
        own, bias = effect.interval, 2 * NormalDist().inv_cdf(float(np.mean(np.array(values) < effect.value)))
        low, high = np.quantile(values, [NormalDist().cdf(bias + reach) for reach in (-1.959964, 1.959964)])
        assert isinstance(own, Interval)
        assert (own.low, own.high, own.mean) == pytest.approx((low, high, np.mean(values)), rel=1e-6)


def test_people_with_gaps_are_left_out_and_counted() -> None:
    scores = drawn(2)
    gaps = np.vstack([scores, [[1, 2, np.nan, 4]]])
    assert found(gaps).left_out == 1
    assert found(gaps).f == found(scores).f
    few = found(scores[:19])
    assert (few.people, few.partial_eta2.interval) == (19, TOO_FEW_FOR_SHARES)


def test_two_conditions_are_a_paired_t() -> None:
    scores = drawn(3, conditions=2)
    anova, t = found(scores), scipy.stats.ttest_rel(*scores.T)
    assert (anova.f, anova.uncorrected.p) == pytest.approx((t.statistic**2, t.pvalue))
    assert anova.greenhouse_geisser.epsilon == pytest.approx(1)
    assert anova.mauchly == TWO_CONDITIONS


def test_where_there_is_no_value_the_reason_is_given() -> None:
    assert repeated_measures([[1, 2], [2, 3], [5, 6]], seed=1) == NOTHING_LEFT
    assert repeated_measures([[0.1, 0.3], [0.2, 0.4], [0.7, 0.9]], seed=1) == NOTHING_LEFT
    assert repeated_measures([[1, 2]], seed=1) == FEW_PEOPLE
    assert repeated_measures([[1], [2]], seed=1) == FEW_CONDITIONS
    assert found(drawn(1, people=3)).mauchly == FEW_FOR_MAUCHLY
    assert found(drawn(1, people=2)).huynh_feldt == FEW_FOR_HUYNH_FELDT
    twice = drawn(1, conditions=3)[:, [0, 1, 2, 2]]
    assert found(twice).mauchly == DEPENDENT
    for scores, draws, message in (
        ([1, 2], 1, "people by conditions"),
        ([[1, np.inf]], 1, "finite"),
        ([[1]], 0, "not 0"),
    ):
        with pytest.raises(ValueError, match=message):
            repeated_measures(scores, draws=draws, seed=1)


def test_means_are_of_everybody_who_has_a_score() -> None:
    scores = np.array([[1.0, 2.0, np.nan], [3.0, np.nan, np.nan], [8.0, np.nan, np.nan]])
    first, second, third = condition_means(scores)
    assert isinstance(first, ConditionMean)
    interval = scipy.stats.ttest_1samp(scores[:, 0], 0).confidence_interval()
    assert (first.mean, first.deviation) == pytest.approx((4, np.std([1, 3, 8], ddof=1)))
    assert (first.low, first.high, first.people) == pytest.approx((interval.low, interval.high, 3))
    assert isinstance(second, ConditionMean)
    assert (second.mean, second.people, second.low) == (2.0, 1, Undefined("fewer than 2 scores"))
    assert third == Undefined("no score")
    with pytest.raises(ValueError, match="people by conditions"):
        condition_means([1.0])


def test_skewness_and_kurtosis_have_the_errors_of_normal_values() -> None:
    rng = np.random.default_rng(1)
    many = [normality(rng.normal(size=40)) for _ in range(400)]
    for name in ("skewness_z", "kurtosis_z"):
        z = [getattr(each, name) for each in many]
        assert np.std(z) == pytest.approx(1, abs=0.1)
        assert np.mean(z) == pytest.approx(0, abs=0.12)
    assert normality([1, 2, 3]) == FEW_VALUES
    assert normality([2] * 9) == ALL_ALIKE
    large = normality(rng.normal(size=5001))
    assert isinstance(large, Normality)
    assert large.p == TOO_MANY_VALUES


@pytest.mark.slow
def test_intervals_hold_planted_effects() -> None:
    """In 100 simulated studies of 30 people each interval holds what was planted in at least 90."""
    planted, of_person, of_error = np.array([0.0, 0.0, 4.0, -6.0]), 11.0, 9.0
    of_condition, within = 4 * planted.var(), 4 * planted.var() + 3 * of_error**2
    true = of_condition / within, of_condition / (within + 4 * of_person**2 + of_error**2)
    held = np.zeros(3, dtype=np.int64)
    for seed in range(100):
        rng = np.random.default_rng([2012, seed])
        scores = 48 + planted + of_person * rng.normal(size=(30, 1)) + of_error * rng.normal(size=(30, 4))
        anova, pairs = found(scores, draws=500), condition_pairs(scores)
        assert isinstance(pairs, ConditionPairs)
        test = pairs.pairs[2].test
        assert isinstance(test, PairedT)
        held[0] += test.low <= 6 <= test.high
        for place, effect in enumerate((anova.partial_eta2, anova.generalised_eta2)):
            assert isinstance(effect.interval, Interval)
            held[place + 1] += effect.interval.low <= true[place] <= effect.interval.high
    assert held.min() >= 90, held
