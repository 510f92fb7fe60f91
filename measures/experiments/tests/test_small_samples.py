"""Kenward and Roger's and Satterthwaite's tests against pbkrtest, lmerTest, and the exact ones of balanced designs."""

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy

from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.experiments.crossed_model import CrossedModel, crossed_model
from measures.experiments.small_samples import FTest, TTest

GOLDEN: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "golden" / "mixed_model.json").read_text())
MODULE = importlib.import_module("measures.experiments.crossed_model")  # not the function of the same name
TERMS = ("intercept", "operation")


def fitted_golden(name: str) -> CrossedModel:
    y, operation, source, editor = np.array(GOLDEN[name]["rows"]).T
    model = crossed_model(y, {"operation": operation}, source, editor)
    assert isinstance(model, CrossedModel)
    return model


def t_of(model: CrossedModel, name: str) -> TTest:
    test = model.coefficients[name].test
    assert isinstance(test, TTest)
    return test


@pytest.mark.parametrize("name", GOLDEN)
def test_kenward_and_roger_are_those_of_pbkrtest(name: str) -> None:
    theirs, model = GOLDEN[name]["R"], fitted_golden(name)
    assert model.method == "Kenward-Roger"
    variances = model.variances.source, model.variances.editor, model.variances.error
    assert variances == pytest.approx(theirs["var"], abs=1e-6)
    assert model.log_likelihood == pytest.approx(theirs["reml"], abs=1e-8)
    for place, term in enumerate(TERMS):
        test, coefficient = t_of(model, term), model.coefficients[term]
        assert coefficient.value == pytest.approx(theirs["beta"][place], abs=1e-6)
        assert coefficient.standard_error == pytest.approx(theirs["se_kr"][place], abs=1e-6)
        assert test.df == pytest.approx(theirs["df_kr"][place], rel=1e-6)
        assert (test.t, test.p) == pytest.approx((theirs["t_kr"][place], theirs["p_kr"][place]), abs=1e-6)


@pytest.mark.parametrize("name", GOLDEN)
def test_satterthwaite_is_that_of_lmertest(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "KENWARD_ROGER_TEXTS", 0)
    theirs, model = GOLDEN[name]["R"], fitted_golden(name)
    assert model.method == "Satterthwaite"
    for place, term in enumerate(TERMS):
        test = t_of(model, term)
        assert model.coefficients[term].standard_error == pytest.approx(theirs["se"][place], abs=1e-6)
        assert test.df == pytest.approx(theirs["df_satterthwaite"][place], rel=1e-4)  # theirs by differences, too
        assert test.t == pytest.approx(theirs["t"][place], abs=3e-6)
        assert test.p == pytest.approx(theirs["p_satterthwaite"][place], abs=1e-6)


def balanced(seed: int, sources: int = 8, editors: int = 4) -> tuple[FloatArray, IntArray, IntArray]:
    rng = np.random.default_rng(seed)
    source, editor = np.repeat(np.arange(sources), editors), np.tile(np.arange(editors), sources)
    quality = rng.normal(size=sources)[source] + rng.normal(size=editors)[editor] + rng.normal(size=len(source)) / 2
    return quality, source, editor


@pytest.mark.parametrize("method_texts", [600, 0])
def test_several_operations_between_sources_are_tested_as_by_an_analysis_of_variance(
    method_texts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MODULE, "KENWARD_ROGER_TEXTS", method_texts)
    y, source, editor = balanced(3, sources=12)
    group = source % 3
    model = crossed_model(y, {"b": group == 1, "c": group == 2}, source, editor, together=["b", "c"])
    assert isinstance(model, CrossedModel)
    assert min(model.variances.source, model.variances.editor) > 0
    means = y.reshape(12, 4).mean(axis=1)
    classic = scipy.stats.f_oneway(*(means[each::3] for each in range(3)))
    assert isinstance(model.together, FTest)
    assert (model.together.f, model.together.p) == pytest.approx(tuple(classic), rel=1e-5)
    assert model.together.numerator_df == 2
    assert model.together.df == pytest.approx(9, rel=1e-5)
    assert t_of(model, "b").df == pytest.approx(9, rel=1e-5)


def test_one_operation_within_sources_is_tested_as_by_paired_differences() -> None:
    rng = np.random.default_rng(4)
    source = np.repeat(np.arange(9), 2)
    has = np.tile([0.0, 1.0], 9)
    y = rng.normal(size=9)[source] + has + rng.normal(size=18) / 3
    alone = crossed_model(y, {"has": has}, source, np.repeat([0, 1, 2], 6))  # whole sources: the editors cancel out
    assert isinstance(alone, CrossedModel)
    paired = scipy.stats.ttest_rel(y[1::2], y[::2])
    test = t_of(alone, "has")
    assert (test.t, test.p, test.df) == pytest.approx((paired.statistic, paired.pvalue, 8), rel=1e-5)
    interval = paired.confidence_interval()
    assert (test.low, test.high) == pytest.approx((interval.low, interval.high), rel=1e-5)


def test_six_sources_give_no_tiny_p() -> None:
    """Six texts, few editors, an operation that varies between them: p was 3e-19."""
    rng = np.random.default_rng(6)
    source = np.repeat(np.arange(6), 5)
    has = source % 2
    y = 1.5 * has + 0.4 * rng.normal(size=6)[source] + rng.normal(size=30) / 3
    model = crossed_model(y, {"has": has}, source, np.tile(np.arange(5), 6))
    assert isinstance(model, CrossedModel)
    test = t_of(model, "has")
    means = y.reshape(6, 5).mean(axis=1)
    classic = scipy.stats.ttest_ind(means[1::2], means[::2])
    assert (test.df, test.p) == pytest.approx((4, classic.pvalue), rel=1e-4)


@pytest.mark.parametrize(
    ("sources", "editors", "reason"),
    [
        (5, 4, "5 sources, at least 6 are needed for a test and an interval"),
        (8, 2, "2 editors, at least 3 are needed for a test and an interval"),
    ],
)
def test_few_sources_or_editors_give_an_estimate_without_a_test(sources: int, editors: int, reason: str) -> None:
    y, source, editor = balanced(1, sources, editors)
    has = (source + editor) % 2
    model = crossed_model(y, {"has": has, "wide": editor == 0}, source, editor, together=["has", "wide"])
    assert isinstance(model, CrossedModel)
    assert np.isfinite(model.coefficients["has"].value)
    assert model.coefficients["has"].standard_error > 0
    assert model.coefficients["has"].test == Undefined(reason)
    assert model.together == Undefined(reason)


def test_sources_that_are_editors_too_are_not_tested() -> None:
    y, source, _editor = balanced(2)
    model = crossed_model(y, {"has": np.tile([0, 1], 16)}, source, source)
    assert isinstance(model, CrossedModel)
    test = model.coefficients["has"].test
    assert test == Undefined("the variances of sources, editors and texts cannot be told apart")


def test_both_methods_say_nearly_the_same_of_many_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    y, source, editor = balanced(5, sources=100, editors=6)
    has = (source // 3 + editor) % 2
    found = []
    for texts in (600, 599):
        monkeypatch.setattr(MODULE, "KENWARD_ROGER_TEXTS", texts)
        model = crossed_model(y, {"has": has}, source, editor)
        assert isinstance(model, CrossedModel)
        found.append((model.method, t_of(model, "has")))
    assert [method for method, _ in found] == ["Kenward-Roger", "Satterthwaite"]
    assert found[0][1].df == pytest.approx(found[1][1].df, rel=0.02)
    assert found[0][1].p == pytest.approx(found[1][1].p, rel=0.02)


def test_only_predictors_are_tested_at_once() -> None:
    y, source, editor = balanced(1)
    with pytest.raises(ValueError, match="no predictor is called shorter"):
        crossed_model(y, {"has": editor % 2}, source, editor, together=["has", "shorter"])
