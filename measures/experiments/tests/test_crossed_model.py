"""The crossed mixed model against statsmodels and a dense one, with the laws that it keeps."""

import warnings

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given, settings
from hypothesis import strategies as st

from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.experiments.crossed_model import CrossedModel, crossed_model


def drawn(seed: int, n: int = 240, of_source: float = 0.7, of_editor: float = 0.4) -> tuple[FloatArray, ...]:
    rng = np.random.default_rng(seed)
    source, editor = rng.integers(0, 30, n), rng.integers(0, 8, n)
    one, two = rng.integers(0, 2, n).astype(float), rng.normal(size=n)
    y = 2 + 0.4 * one - 0.2 * two + of_source * rng.normal(size=30)[source] + of_editor * rng.normal(size=8)[editor]
    return y + 0.5 * rng.normal(size=n), one, two, source.astype(float), editor.astype(float)


def fitted(y: FloatArray, one: FloatArray, two: FloatArray, source: FloatArray, editor: FloatArray) -> CrossedModel:
    model = crossed_model(y, {"one": one, "two": two}, source, editor)
    assert isinstance(model, CrossedModel)
    return model


@pytest.mark.parametrize("seed", range(3))
def test_it_is_that_of_statsmodels(seed: int) -> None:
    data = drawn(seed)
    frame = pd.DataFrame(dict(zip(["y", "one", "two", "source", "editor"], data, strict=True))).assign(group=1)
    parts = {"source": "0 + C(source)", "editor": "0 + C(editor)"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = smf.mixedlm("y ~ one + two", frame, groups="group", re_formula="0", vc_formula=parts).fit(reml=True)
    ours = fitted(*data)
    for name, of_them in (("intercept", "Intercept"), ("one", "one"), ("two", "two")):
        assert ours.coefficients[name].value == pytest.approx(theirs.fe_params[of_them], abs=1e-3)
        assert ours.coefficients[name].standard_error == pytest.approx(theirs.bse_fe[of_them], rel=5e-3)
    assert ours.variances.error == pytest.approx(theirs.scale, rel=5e-3)
    editor, source = theirs.vcomp
    assert (ours.variances.source, ours.variances.editor) == pytest.approx((source, editor), rel=2e-2)


def dense(y: FloatArray, x: FloatArray, levels: list[IntArray], ratios: tuple[float, float], error: float) -> float:
    v = np.eye(len(y)) * error
    for level, ratio in zip(levels, ratios, strict=True):
        v += ratio * (level[:, None] == level[None, :])
    inverse = np.linalg.inv(v)
    beta = np.linalg.solve(x.T @ inverse @ x, x.T @ inverse @ y)
    left = y - x @ beta
    logs = np.linalg.slogdet(v)[1] + np.linalg.slogdet(x.T @ inverse @ x)[1]
    return float(-0.5 * ((len(y) - x.shape[1]) * np.log(2 * np.pi) + logs + left @ inverse @ left))


def test_the_likelihood_is_that_of_the_dense_model_and_is_the_greatest() -> None:
    y, one, two, source, editor = drawn(7, n=90)
    model, x = fitted(y, one, two, source, editor), np.column_stack([np.ones(90), one, two])
    levels = [source.astype(np.int64), editor.astype(np.int64)]
    of = model.variances
    here = dense(y, x, levels, (of.source, of.editor), of.error)
    assert model.log_likelihood == pytest.approx(here, abs=1e-6)
    for factor in (0.9, 1.1):
        assert dense(y, x, levels, (of.source * factor, of.editor), of.error) < here
        assert dense(y, x, levels, (of.source, of.editor * factor), of.error) < here
        assert dense(y, x, levels, (of.source, of.editor), of.error * factor) < here


@pytest.mark.parametrize("factors", [1, 2])
def test_one_factor_and_a_nested_one_are_those_of_the_dense_model(factors: int) -> None:
    rng, person = np.random.default_rng(3), np.repeat(np.arange(15), 6)
    sitting, one = np.arange(90) // 3, np.arange(90) % 3 * 1.0
    y = 2 + 0.3 * one + rng.normal(size=15)[person] + 0.7 * rng.normal(size=30)[sitting] + 0.5 * rng.normal(size=90)
    editors = sitting if factors == 2 else None
    model = crossed_model(y, {"one": one}, person, editors)
    assert isinstance(model, CrossedModel)
    of, x = model.variances, np.column_stack([np.ones(90), one])
    assert (of.editor > 0) == (factors == 2)
    assert (model.sources, model.editors) == (15, 30 if factors == 2 else 0)
    levels = [person, sitting]
    here = dense(y, x, levels, (of.source, of.editor), of.error)
    assert model.log_likelihood == pytest.approx(here, abs=1e-6)
    for factor in (0.9, 1.1):
        assert dense(y, x, levels, (of.source * factor, of.editor), of.error) < here
        assert dense(y, x, levels, (of.source, of.editor), of.error * factor) < here
    frame = pd.DataFrame({"y": y, "one": one, "person": person, "sitting": sitting})
    parts = {"sitting": "0 + C(sitting)"} if factors == 2 else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = smf.mixedlm("y ~ one", frame, groups="person", re_formula="1", vc_formula=parts).fit(reml=True)
    assert of.source == pytest.approx(float(theirs.cov_re.iloc[0, 0]), rel=1e-2)
    assert of.error == pytest.approx(theirs.scale, rel=1e-2)


@settings(max_examples=15, deadline=None)
@given(st.floats(-50, 50), st.floats(0.1, 20), st.integers(0, 50))
def test_units_and_names_do_not_matter(shift: float, scale: float, seed: int) -> None:
    y, one, two, source, editor = drawn(seed, n=120)
    model = fitted(y, one, two, source, editor)
    other = fitted(y + shift, one, two * scale + shift, 31 - source, editor * 7)
    assert other.coefficients["one"].value == pytest.approx(model.coefficients["one"].value, abs=1e-4)
    assert other.coefficients["two"].value * scale == pytest.approx(model.coefficients["two"].value, abs=1e-4)
    assert other.variances.error == pytest.approx(model.variances.error, rel=1e-3)
    turned = fitted(y, one, two, editor, source)
    assert turned.variances.editor == pytest.approx(model.variances.source, rel=1e-3, abs=1e-5)


def test_a_variance_of_nothing_is_0() -> None:
    model = fitted(*drawn(5, of_editor=0.0, of_source=0.0))
    shares = model.variances.source_share, model.variances.editor_share
    assert max(shares) < 0.1
    level = np.tile(np.arange(8.0), 30)
    alternating = np.repeat(np.tile([1.0, -1.0], 15), 8) + np.random.default_rng(1).normal(size=240) / 10
    balanced = alternating - np.repeat(alternating.reshape(30, 8).mean(axis=0)[None, :], 30, axis=0).ravel()
    found = crossed_model(balanced, {}, np.repeat(np.arange(30), 8), level)
    assert isinstance(found, CrossedModel)
    assert found.variances.at_zero == ("editor",)


def test_where_there_is_no_model_the_reason_is_given() -> None:
    y, one, _two, source, editor = drawn(1)
    assert crossed_model(y, {}, source * 0, editor) == Undefined("fewer than 2 sources")
    assert crossed_model(y, {}, source, np.arange(240)) == Undefined("every text has an editor of its own")
    assert crossed_model(y, {"x": one * 0}, source, editor) == Undefined("x is the same for all texts")
    assert crossed_model(y, {"a": one, "b": 1 - one}, source, editor) == Undefined(
        "a predictor follows from the others"
    )
    assert isinstance(crossed_model(2 * one, {"a": one}, source, editor), Undefined)
    assert isinstance(crossed_model([1.0, 2, 3], {"a": [1, 2, 1]}, [1, 1, 2], [1, 2, 2]), Undefined)
    with pytest.raises(ValueError, match="one length"):
        crossed_model(y, {"a": one[1:]}, source, editor)
    with pytest.raises(ValueError, match="finite"):
        crossed_model(y + np.inf, {}, source, editor)
    with pytest.raises(ValueError, match="intercept"):
        crossed_model(y, {"intercept": one}, source, editor)


def test_texts_without_a_rating_do_not_count() -> None:
    y, one, two, source, editor = drawn(2)
    gaps = np.where(np.arange(240) % 5 == 0, np.nan, y)
    kept = ~np.isnan(gaps)
    assert fitted(gaps, one, two, source, editor) == fitted(*(each[kept] for each in (y, one, two, source, editor)))
