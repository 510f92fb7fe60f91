"""The cumulative logit model against `clmm` of R's package ordinal, a dense computation, and its laws."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy

from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.experiments.ordered_likelihood import Laplace
from measures.experiments.ordered_model import OrderedModel, ordered_model

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden" / "ordered.json").read_text())


def of_golden(**predictors: FloatArray) -> OrderedModel:
    points, _, text, rater = np.array(GOLDEN["rows"]).T
    model = ordered_model(points, predictors, text, rater)
    assert isinstance(model, OrderedModel)
    return model


def test_it_is_that_of_clmm() -> None:
    theirs, operation = GOLDEN["clmm"], np.array(GOLDEN["rows"])[:, 1]
    model = of_golden(operation=operation)
    assert model.log_likelihood == pytest.approx(theirs["loglik"], abs=1e-6)
    found = [*model.thresholds.values(), model.coefficients["operation"].value]
    assert found == pytest.approx(theirs["coef"], abs=1e-5)
    assert model.coefficients["operation"].standard_error == pytest.approx(theirs["se"][2], abs=1e-5)
    assert [model.deviations["text"], model.deviations["rater"]] == pytest.approx(theirs["sd"], abs=1e-5)
    ratio = 2 * (model.log_likelihood - of_golden().log_likelihood)
    assert ratio == pytest.approx(theirs["lr_operation"]["stat"], abs=1e-5)


def drawn(seed: int, sources: int = 8) -> tuple[FloatArray, FloatArray, IntArray, IntArray, IntArray]:
    rng = np.random.default_rng(seed)
    text: IntArray = np.repeat(np.arange(3 * sources), 4)
    source: IntArray = text // 3
    rater: IntArray = rng.integers(0, 6, len(text))
    has = rng.integers(0, 2, 3 * sources)[text]
    seen = rng.normal(size=sources)[source] + 0.7 * rng.normal(size=3 * sources)[text] + 0.6 * rng.normal(size=6)[rater]
    seen += has + rng.logistic(size=len(text))
    points = np.asarray(1.0 + (seen > -1) + (seen > 0.5) + (seen > 2))
    return points, has.astype(float), text, rater, source


def test_the_likelihood_is_that_of_a_dense_matrix() -> None:
    points, has, text, rater, source = drawn(1)
    model = ordered_model(points, {"has": has}, text, rater, source)
    assert isinstance(model, OrderedModel)
    thresholds = np.array([-np.inf, *model.thresholds.values(), np.inf])
    z = np.concatenate(
        [
            model.deviations[name] * (level[:, None] == np.unique(level))
            for name, level in (("text", text), ("source", source), ("rater", rater))
        ],
        axis=1,
    )
    place = points.astype(int)

    def probabilities(effects: FloatArray) -> FloatArray:
        eta = model.coefficients["has"].value * has + z @ effects
        return np.asarray(
            scipy.special.expit(thresholds[place] - eta) - scipy.special.expit(thresholds[place - 1] - eta)
        )

    def joint(effects: FloatArray) -> float:
        return float(-np.log(probabilities(effects)).sum() + effects @ effects / 2)

    mode = scipy.optimize.minimize(joint, np.zeros(z.shape[1]), options={"gtol": 1e-7}).x
    eta = model.coefficients["has"].value * has + z @ mode
    above, below = (scipy.special.expit(thresholds[place - by] - eta) for by in (0, 1))
    weight = above * (1 - above) + below * (1 - below)
    determinant = np.linalg.slogdet(np.eye(z.shape[1]) + z.T @ (weight[:, None] * z))[1]
    assert model.log_likelihood == pytest.approx(-joint(mode) - determinant / 2, abs=1e-5)


def test_the_gradient_is_that_of_differences() -> None:
    points, has, text, rater, source = drawn(2)
    likelihood = Laplace((points - 1).astype(np.int64), 4, (has - has.mean())[:, None], text, source, rater)
    at = np.array([-1.2, 0.3, 0.2, 0.6, -0.4, -0.1, -0.7])
    _, gradient = likelihood(at)
    for place, found in enumerate(gradient):
        ahead, behind = at.copy(), at.copy()
        ahead[place] += 1e-4
        behind[place] -= 1e-4
        assert found == pytest.approx((likelihood(ahead)[0] - likelihood(behind)[0]) / 2e-4, abs=1e-5)


def test_a_reversed_scale_reverses_the_effects_and_the_order_of_rows_does_not_matter() -> None:
    points, has, text, rater, source = drawn(3)
    model, other = (ordered_model(each, {"has": has}, text, rater, source) for each in (points, 5 - points))
    turned = np.random.default_rng(1).permutation(len(points))
    mixed = ordered_model(*(points[turned], {"has": has[turned]}, text[turned], rater[turned], source[turned]))
    assert isinstance(model, OrderedModel)
    assert isinstance(other, OrderedModel)
    assert isinstance(mixed, OrderedModel)
    assert other.coefficients["has"].value == pytest.approx(-model.coefficients["has"].value, abs=1e-6)
    assert [-each for each in other.thresholds.values()][::-1] == pytest.approx([*model.thresholds.values()], abs=1e-6)
    assert mixed.coefficients["has"].value == pytest.approx(model.coefficients["has"].value, abs=1e-6)
    assert mixed.log_likelihood == pytest.approx(model.log_likelihood, abs=1e-8)


def test_texts_that_do_not_differ_have_no_deviation() -> None:
    rng = np.random.default_rng(5)
    text, rater = np.repeat(np.arange(30), 3), rng.permutation(np.arange(90) % 5)
    points = np.tile([1, 2, 3], 30)
    model = ordered_model(points, {"has": text % 2}, text, rater)
    assert isinstance(model, OrderedModel)
    assert model.deviations["text"] == 0
    assert model.coefficients["has"].value == pytest.approx(0, abs=0.3)


def test_p_and_interval_take_z_as_t_with_the_degrees_of_freedom_between_sources() -> None:
    points, has, text, rater, source = drawn(1, sources=14)
    other = np.random.default_rng(2).normal(size=len(points))
    of_sources = ordered_model(points, {"has": has, "other": other}, text, rater, source)
    of_texts = ordered_model(points, {"has": has, "other": other}, text, rater)
    assert isinstance(of_sources, OrderedModel)
    assert isinstance(of_texts, OrderedModel)

    for model, number in ((of_sources, 14), (of_texts, 42)):
        found, t = model.coefficients["has"], scipy.stats.t(number - 1 - 2)
        assert found.df == number - 1 - 2
        assert found.p == pytest.approx(2 * t.sf(abs(found.z)))
        assert found.high - found.value == pytest.approx(t.ppf(0.975) * found.standard_error)


def test_sources_are_few_where_they_leave_no_degree_of_freedom() -> None:
    points, has, text, rater, source = drawn(1, sources=12)
    rng = np.random.default_rng(2)
    many = {"has": has} | {f"other {number}": rng.normal(size=len(points)) for number in range(11)}
    model = ordered_model(points, many, text, rater, source)
    assert isinstance(model, OrderedModel)
    assert model.few == Undefined("12 sources, at least 14 are needed for a test and an interval")


def test_few_texts_or_raters_are_said() -> None:
    points, has, text, rater, source = drawn(1, sources=11)
    of_few = ordered_model(points, {"has": has}, text, rater, source)
    assert isinstance(of_few, OrderedModel)
    assert of_few.few == Undefined("11 sources, at least 12 are needed for a test and an interval")
    points, has, text, rater, source = drawn(1, sources=12)
    by_two = ordered_model(points, {"has": has}, text, rater % 2, source)
    assert isinstance(by_two, OrderedModel)
    assert by_two.few == Undefined("2 raters, at least 3 are needed for a test and an interval")


def test_where_there_is_no_model_the_reason_is_given() -> None:
    points, has, text, rater, source = drawn(4)
    assert ordered_model([], {}, [], []) == Undefined("no ratings")
    assert ordered_model(points * 0, {}, text, rater) == Undefined("all ratings are in one category")
    assert ordered_model(points, {}, text, rater * 0) == Undefined("fewer than 2 raters")
    assert ordered_model(points, {}, text, rater, source * 0) == Undefined("fewer than 2 sources")
    assert ordered_model(points, {"has": has * 0}, text, rater) == Undefined("has is the same for all ratings")
    assert ordered_model(points, {"a": has, "b": 1 - has}, text, rater) == Undefined(
        "a predictor follows from the others"
    )
    assert ordered_model(points, {"high": points >= 3}, text, rater) == Undefined(
        "the predictors tell points apart without error"
    )
    with pytest.raises(ValueError, match="two sources"):
        ordered_model(points, {}, text, rater, rater)
    with pytest.raises(ValueError, match="finite"):
        ordered_model(points + np.inf, {}, text, rater)
    with pytest.raises(ValueError, match="one length"):
        ordered_model(points, {"has": has[1:]}, text, rater)
