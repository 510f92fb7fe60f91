"""The model of quizzes against golden values and tests with fixed people and quizzes, which are exact if balanced."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.experiments.latin_rows import latin_rows
from measures.experiments.quiz_model import (
    CONFOUNDED,
    FEW_CONDITIONS,
    FEW_PEOPLE,
    FEW_TYPES,
    NOTHING_LEFT,
    ONE_EACH,
    ONE_LEVEL,
    QuizModel,
    TypeByCondition,
    quiz_model,
    type_by_condition,
)
from measures.experiments.small_samples import FTest, TTest

GOLDEN = json.loads((Path(__file__).parent / "golden" / "protocols.json").read_text())["quiz_mixed"]
ROWS = np.array(GOLDEN["rows"])
WHO, LECTURE, CONDITION, PLACE = ROWS[:, :4].astype(np.int64).T
SCORES = ROWS[:, 4]


def fitted(scores: FloatArray, chosen: IntArray | slice = slice(None), **others: IntArray) -> QuizModel:
    factors = {"conditions": CONDITION, "texts": LECTURE, "places": PLACE, "people": WHO, **others}
    found = quiz_model(scores[chosen], **{name: each[chosen] for name, each in factors.items()})
    assert isinstance(found, QuizModel)
    return found


def test_the_model_has_the_golden_values() -> None:
    model, close = fitted(SCORES), GOLDEN["tolerance"]
    fixed = GOLDEN["reml_fixed"]
    for effect in model.effects:
        assert effect.coefficient.value == pytest.approx(fixed[f"C(cond)[T.{effect.condition}]"], abs=close)
    assert model.variances.error == pytest.approx(GOLDEN["var_residual"], rel=close)
    assert model.variances.person == pytest.approx(GOLDEN["var_participant"], rel=close)
    assert (model.scores, model.people, model.left_out, model.method) == (96, 24, 0, "Kenward-Roger")


def test_f_in_a_balanced_design_is_that_with_fixed_people() -> None:
    model = fitted(SCORES)
    assert isinstance(model.condition, FTest)
    assert model.condition.f == pytest.approx(GOLDEN["fixed_participant_F_condition"], abs=1e-6)
    assert model.condition.p == pytest.approx(GOLDEN["fixed_participant_p"], abs=1e-8)
    assert [model.condition.numerator_df, model.condition.df] == pytest.approx([3, GOLDEN["residual_df"]], abs=1e-6)
    for name, values in (("text", LECTURE), ("place", PLACE)):
        test = getattr(model, name)
        others = [each for each in (CONDITION, LECTURE, PLACE) if each is not values]
        assert test.f == pytest.approx(fixed_f(SCORES, [WHO, *others], [values]), abs=1e-6)


def fixed_f(scores: FloatArray, known: list[IntArray], tested: list[IntArray]) -> float:
    """F of the cells of `tested` beside the levels of `known`, by least squares."""

    def left(factors: list[IntArray]) -> tuple[float, int]:
        columns = np.hstack([each[:, None] == np.unique(each) for each in factors]).astype(float)
        beta, _, rank, _ = np.linalg.lstsq(columns, scores, rcond=None)
        return float(((scores - columns @ beta) ** 2).sum()), int(rank)

    few, many = left(known), left([*known, *tested])
    return (few[0] - many[0]) / (many[1] - few[1]) / (many[0] / (len(scores) - many[1]))


def test_text_and_place_take_variance_out_of_the_error() -> None:
    model = fitted(SCORES)
    table = np.full((24, 4), np.nan)
    table[WHO, CONDITION] = SCORES
    residuals = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean()
    assert model.error_without_order == pytest.approx((residuals**2).sum() / 69, rel=1e-4)
    assert model.variances.error < 0.8 * float((residuals**2).sum()) / 69


@given(st.integers(0, 95), st.floats(-50, 50))
def test_who_left_early_counts_and_shifts_do_not(gap: int, shift: float) -> None:
    gaps = np.where(np.arange(96) == gap, np.nan, SCORES + shift)
    model = fitted(gaps)
    kept = fitted(SCORES, np.flatnonzero(np.arange(96) != gap))
    assert (model.scores, model.people, model.left_out) == (95, 24, 1)
    for one, other in zip(model.effects, kept.effects, strict=True):
        assert one.coefficient.value == pytest.approx(other.coefficient.value, abs=1e-4)


def test_any_reference_and_names_give_the_same_differences() -> None:
    names = np.array(["none", "generic", "primed", "mmr"])
    model = fitted(SCORES)
    other = quiz_model(
        SCORES, conditions=names[CONDITION], texts=LECTURE, places=PLACE, people=WHO + 7, reference="none"
    )
    assert isinstance(other, QuizModel)
    ours = {names[int(each.condition)]: each for each in model.effects}
    assert {each.condition for each in other.effects} == set(ours)
    for each in other.effects:
        assert each.coefficient.value == pytest.approx(ours[str(each.condition)].coefficient.value, abs=1e-6)
        assert each.holm == pytest.approx(ours[str(each.condition)].holm, abs=1e-6)
    two = fitted(SCORES, np.flatnonzero(CONDITION < 2))
    assert isinstance(two.condition, FTest)
    (only,) = two.effects
    assert isinstance(only.coefficient.test, TTest)
    assert two.condition.f == pytest.approx(only.coefficient.test.t**2)
    assert only.holm == two.condition.p == only.coefficient.test.p


def test_where_there_is_no_model_the_reason_is_given() -> None:
    alike = np.zeros(96, dtype=np.int64)
    factors = {"conditions": CONDITION, "texts": LECTURE, "places": PLACE, "people": WHO}
    for change, reason in (
        ({"conditions": alike}, FEW_CONDITIONS),
        ({"people": alike}, FEW_PEOPLE),
        ({"people": np.arange(96)}, ONE_EACH),
        ({"texts": CONDITION}, CONFOUNDED),
    ):
        assert quiz_model(SCORES, **{**factors, **change}) == reason
    assert quiz_model(5.0 * CONDITION, **factors) == NOTHING_LEFT
    assert quiz_model(SCORES * np.nan, **factors) == FEW_CONDITIONS
    assert fitted(SCORES, texts=alike).text == ONE_LEVEL
    few = fitted(SCORES, np.flatnonzero(WHO < 5))
    assert few.condition == Undefined("5 people, at least 6 are needed for a test and an interval")
    assert few.effects[0].holm == few.effects[0].coefficient.test == few.condition
    with pytest.raises(ValueError, match="one length"):
        quiz_model(SCORES[1:], **factors)
    with pytest.raises(ValueError, match="finite"):
        quiz_model(SCORES + np.inf, **factors)
    with pytest.raises(ValueError, match="condition 9"):
        quiz_model(SCORES, **factors, reference=9)


def quizzes_with_types(seed: int, of_last: float) -> dict[str, npt.NDArray[Any]]:
    """Scores of two types in each of three quizzes of 18 people, where the last condition lowers the last type."""
    rng, rows = np.random.default_rng(seed), latin_rows(3)
    cells = [(who, *cell, place) for who in range(18) for place, cell in enumerate(rows[who % 6])]
    who, text, condition, place = np.repeat(np.array(cells), 2, axis=0).T
    kind, sitting = np.tile([0, 1], 54), np.repeat(np.arange(54), 2)
    scores = 50 + 10 * rng.normal(size=18)[who] + 8 * rng.normal(size=54)[sitting] + 5 * rng.normal(size=108)
    scores -= of_last * (condition == 2) * kind
    return {"scores": scores, "conditions": condition, "texts": text, "places": place, "people": who, "types": kind}


def test_type_by_condition_is_that_with_fixed_quizzes() -> None:
    data = quizzes_with_types(1, 12)
    found = type_by_condition(**data)
    assert isinstance(found, TypeByCondition)
    sitting, kind = np.repeat(np.arange(54), 2), data["types"]
    cell = kind + 2 * data["conditions"]
    assert isinstance(found.interaction, FTest)
    exact = fixed_f(data["scores"], [sitting, kind], [cell])
    assert found.interaction.f == pytest.approx(exact, rel=1e-5)
    assert [found.interaction.numerator_df, found.interaction.df] == pytest.approx([2, 51], rel=1e-4)
    assert found.interaction.p < 0.001
    first, last = found.by_type
    assert isinstance(last.condition, FTest)
    assert isinstance(first.condition, FTest)
    own = kind == 1
    alone = fixed_f(
        data["scores"][own], [data[name][own] for name in ("people", "texts", "places")], [data["conditions"][own]]
    )
    assert last.condition.f == pytest.approx(alone, rel=1e-5)
    assert last.holm == pytest.approx(2 * last.condition.p)
    assert first.holm == first.condition.p
    assert (found.scores, found.people, found.left_out) == (108, 18, 0)
    assert found.variances.at_zero == ()


def test_types_need_two_and_gaps_are_counted() -> None:
    data = quizzes_with_types(2, 0)
    assert type_by_condition(**{**data, "types": np.zeros(108, dtype=np.int64)}) == FEW_TYPES
    gaps = np.where(np.arange(108) < 3, np.nan, data["scores"])
    found = type_by_condition(**{**data, "scores": gaps})
    assert isinstance(found, TypeByCondition)
    assert (found.scores, found.left_out) == (105, 3)
    assert type_by_condition(**{**data, "conditions": np.zeros(108)}) == FEW_CONDITIONS


@pytest.mark.slow
def test_intervals_hold_planted_differences() -> None:
    """In 100 simulated studies of 24 people each interval holds what was planted in at least 90."""
    held, rows = np.zeros(3, dtype=np.int64), latin_rows(4)
    planted = np.array([0.0, 4.0, -6.0])
    cells = np.array([(who, *cell, place) for who in range(24) for place, cell in enumerate(rows[who % 12])])
    who, text, condition, place = cells.T
    for seed in range(100):
        rng = np.random.default_rng([2012, seed])
        scores = 48 + 11 * rng.normal(size=24)[who] + 7 * rng.normal(size=96) + 5 * rng.normal(size=4)[text]
        found = quiz_model(
            scores + np.append(0, planted)[condition], conditions=condition, texts=text, places=place, people=who
        )
        assert isinstance(found, QuizModel)
        tests = [each.coefficient.test for each in found.effects]
        held += [
            isinstance(test, TTest) and test.low <= true <= test.high for test, true in zip(tests, planted, strict=True)
        ]
    assert held.min() >= 90, held
