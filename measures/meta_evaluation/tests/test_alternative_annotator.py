"""The alternative annotator test against its authors' code and SciPy."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.alternative_annotator import NONE_TESTED, alternative_annotator_test, epsilon_curve
from measures.meta_evaluation.rater_contests import contests
from measures.meta_evaluation.tests.later_methods import GOLDEN

DATA = GOLDEN["alternative_annotator"]
NAMES = list(DATA["humans"])
SCORES: Any = {"accuracy": "accuracy", "neg_rmse": "-RMSE"}


def ratings() -> FloatArray:
    return np.array(list(DATA["humans"].values()), dtype=np.float64).T


def model() -> FloatArray:
    return np.array(DATA["model"], dtype=np.float64)


@pytest.mark.parametrize("case", DATA["results"], ids=lambda each: f"{each['score']} {each['epsilon']}")
def test_equals_the_authors_code(case: dict[str, Any]) -> None:
    found = contests(model(), ratings(), score=SCORES[case["score"]])
    result = alternative_annotator_test(found, epsilon=case["epsilon"])
    assert result.winning_rate == case["winning_rate"]
    assert result.advantage == pytest.approx(case["advantage_probability"], abs=1e-9)
    assert result.may_replace is (case["winning_rate"] >= 0.5)
    for each in result.raters:
        expected = case["raters"][NAMES[each.rater]]
        assert (each.items, each.rejected) == (expected["items"], expected["rejected"])
        assert each.model_advantage == pytest.approx(expected["model_advantage"], abs=1e-9)
        assert each.rater_advantage == pytest.approx(expected["human_advantage"], abs=1e-9)
        assert each.p == pytest.approx(expected["p"], abs=1e-9)
        # Each item its own source: the cluster t is the plain one.
        assert each.p_sources == pytest.approx(expected["p"], abs=1e-9)


def test_p_is_scipys() -> None:
    found = contests(model(), ratings())
    there = found.counted[:, 2]
    d = found.rater_wins[there, 2].astype(int) - found.model_wins[there, 2].astype(int)
    expected = ttest_1samp(d, 0.1, alternative="less").pvalue
    assert alternative_annotator_test(found, epsilon=0.1).raters[2].p == pytest.approx(expected)


def test_raters_with_few_items_are_named() -> None:
    result = alternative_annotator_test(contests(model(), ratings()), min_items=35)
    assert result.not_tested == {3: 32}
    assert [each.rater for each in result.raters] == [0, 1, 2]
    nobody = alternative_annotator_test(contests(model(), ratings()), min_items=100)
    assert nobody.may_replace == nobody.advantage == NONE_TESTED
    assert nobody.is_coarse


def test_items_twice_gain_nothing_once_sources_are_drawn() -> None:
    once = alternative_annotator_test(contests(model(), ratings()), min_items=20, sources=list(range(40)))
    found = contests(np.tile(model(), 2), np.tile(ratings(), (2, 1)))
    twice = alternative_annotator_test(found, min_items=20, sources=list(range(40)) * 2)
    for one, two in zip(once.raters, twice.raters, strict=True):
        assert one.p_sources == pytest.approx(two.p_sources)
        assert two.p < one.p  # type: ignore[operator]
    assert (once.low, once.high) == pytest.approx((twice.low, twice.high))
    assert once.low < once.advantage < once.high  # type: ignore[operator]


def test_the_order_of_items_and_the_scale_do_not_matter() -> None:
    order = np.random.default_rng(1).permutation(40)
    for score in SCORES.values():
        one = alternative_annotator_test(contests(model(), ratings(), score=score))
        other = alternative_annotator_test(contests(5 * model()[order] - 2, 5 * ratings()[order] - 2, score=score))
        assert [each.p for each in one.raters] == pytest.approx([each.p for each in other.raters])


def test_a_winning_rate_grows_with_epsilon() -> None:
    curve = epsilon_curve(contests(model(), ratings()))
    rates = [rate for _, rate in curve if not isinstance(rate, Undefined)]
    assert [epsilon for epsilon, _ in curve][::10] == [0.0, 0.1, 0.2, 0.3]
    assert rates == sorted(rates)
    assert rates[-1] > rates[0] == 0


def test_without_variance_the_model_wins_or_nothing_is_known() -> None:
    same = np.tile([[1.0], [2.0]], (20, 3))
    found = contests(same[:, 0], same)
    assert {each.p for each in alternative_annotator_test(found, epsilon=0.1).raters} == {0.0}
    assert all(isinstance(each.p, Undefined) for each in alternative_annotator_test(found, epsilon=0).raters)


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="items by raters"):
        contests([1, 2], [[1, 2]])
    with pytest.raises(ValueError, match="sources must"):
        alternative_annotator_test(contests(model(), ratings()), sources=[1])
