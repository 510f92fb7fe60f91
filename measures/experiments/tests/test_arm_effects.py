"""What an arm does: the mixed model with its floors, ordered categories beside it, and the draw repeated."""

from collections.abc import Sequence

import numpy as np
import pytest

from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.experiments.arm_effects import ArmEffects, LikelihoodRatio, arm_effects
from measures.experiments.arms import arms_of_people
from measures.experiments.crossed_model import CrossedModel, crossed_model
from measures.experiments.ordered_model import OrderedModel, ordered_model

NAMES = ("five", "seven", "three")


def drawn(
    seed: int, people: int, sources: int, effect: float, arms: Sequence[str] = NAMES[::2]
) -> tuple[FloatArray, list[str], IntArray, IntArray]:
    rng = np.random.default_rng(seed)
    person, source = np.repeat(np.arange(people), sources), np.tile(np.arange(sources), people)
    arm = np.repeat(arms_of_people(arms, [""] * people, seed=seed), sources)
    latent = rng.normal(size=people)[person] / 2 + rng.normal(size=sources)[source] + rng.normal(size=len(person))
    return np.clip(np.round(3 + latent + effect * (arm == "five")), 1, 5), arm.tolist(), source, person


def found(points: FloatArray, arms: list[str], sources: IntArray, people: IntArray, draws: int = 99) -> ArmEffects:
    number = people.max() + 1

    def redraw(draw: int) -> Sequence[str]:
        again = arms_of_people(sorted(set(arms)), [""] * number, seed=1000 + draw)
        return [again[person] for person in people]

    result = arm_effects(points, arms, sources, people, reference="three", redraw=redraw, draws=draws)
    assert isinstance(result, ArmEffects)
    return result


def test_it_is_the_mixed_model_with_one_coefficient_for_each_other_arm() -> None:
    points, arms, sources, people = drawn(1, 21, 12, 1.0, NAMES)
    result = found(points, arms, sources, people)
    predictors = {name: np.array(arms) == name for name in ("five", "seven")}
    assert result.model == crossed_model(points, predictors, sources, people, ("five", "seven"))
    assert result.ordered == ordered_model(points, predictors, sources, people)
    assert (result.reference, result.people, result.sources, result.few) == (
        "three",
        {"five": 7, "seven": 7, "three": 7},
        12,
        None,
    )
    without = ordered_model(points, {}, sources, people)
    assert isinstance(result.ordered, OrderedModel)
    assert isinstance(without, OrderedModel)
    assert isinstance(result.likelihood_ratio, LikelihoodRatio)
    assert result.likelihood_ratio.g == 2 * (result.ordered.log_likelihood - without.log_likelihood)
    assert result.likelihood_ratio.df == 2


def test_a_planted_effect_is_found_by_all_three_and_none_by_none() -> None:
    p = {}
    for effect in (0.0, 1.2):
        result = found(*drawn(5, 24, 12, effect))
        assert isinstance(result.model, CrossedModel)
        assert isinstance(result.likelihood_ratio, LikelihoodRatio)
        test = result.model.coefficients["five"].test
        assert not isinstance(test, Undefined)
        p[effect] = (test.p, result.likelihood_ratio.p, result.redraw_p)
    assert all(each > 0.1 for each in p[0.0])  # type: ignore[operator]
    assert all(each <= 0.01 for each in p[1.2])  # type: ignore[operator]


@pytest.mark.parametrize(
    ("people", "sources", "reason"),
    [(11, 12, "no test with fewer than 6 people in an arm"), (12, 11, "no test with fewer than 12 sources")],
)
def test_few_people_or_sources_leave_an_estimate_without_a_test(people: int, sources: int, reason: str) -> None:
    points, _, source, person = drawn(2, people, sources, 0.5)
    arms = np.where(person % 2 == 0, "three", "five").tolist()
    result = arm_effects(points, arms, source, person, reference="three", redraw=lambda _: arms)
    assert isinstance(result, ArmEffects)
    few = Undefined(reason)
    assert result.few == few
    assert isinstance(result.model, CrossedModel)
    assert [each.test for each in result.model.coefficients.values()] == [few, few]
    assert (result.model.together, result.ordered, result.likelihood_ratio, result.redraw_p) == (few, few, few, few)
    plain = crossed_model(points, {"five": np.array(arms) == "five"}, source, person)
    assert isinstance(plain, CrossedModel)
    assert result.model.coefficients["five"].value == plain.coefficients["five"].value


def test_the_same_arms_again_count_as_as_far() -> None:
    points, arms, sources, people = drawn(2, 12, 12, 0.5)
    others = np.where(people < 6, "three", "five").tolist()
    assert found(points, arms, sources, people).few is None
    result = arm_effects(
        points, arms, sources, people, reference="three", redraw=lambda draw: arms if draw < 4 else others, draws=9
    )
    assert isinstance(result, ArmEffects)
    left = points - np.array([points[sources == source].mean() for source in range(12)])[sources]

    def apart(names: list[str]) -> float:
        return abs(float(left[np.array(names) == "five"].mean() - left[np.array(names) == "three"].mean()))

    assert result.redraw_p == (1 + 4 + 5 * (apart(others) >= apart(arms))) / 10
    without = arm_effects(points, arms, sources, people, reference="three")
    assert isinstance(without, ArmEffects)
    assert without.redraw_p == Undefined("the draw was not repeated")


def test_numbers_that_are_no_categories_have_no_ordered_model() -> None:
    points, arms, sources, people = drawn(2, 12, 12, 0.5)
    result = arm_effects(points / 2, arms, sources, people, reference="three")
    assert isinstance(result, ArmEffects)
    assert result.ordered == result.likelihood_ratio == Undefined("only whole points are ordered categories")


def test_what_cannot_be() -> None:
    points, arms, sources, people = drawn(2, 12, 12, 0.5)
    assert arm_effects([1, 2], ["a", "a"], [1, 2], [1, 2], reference="a") == Undefined("only the arm 'a' has ratings")
    with pytest.raises(ValueError, match="one length"):
        arm_effects(points, arms[1:], sources, people, reference="three")
    with pytest.raises(ValueError, match="finite"):
        arm_effects([np.nan, *points[1:]], arms, sources, people, reference="three")
    with pytest.raises(ValueError, match="no rating is of the arm 'four'"):
        arm_effects(points, arms, sources, people, reference="four")
    with pytest.raises(ValueError, match="repeated draw 0 has arms of shape"):
        arm_effects(points, arms, sources, people, reference="three", redraw=lambda _: ["three"])
