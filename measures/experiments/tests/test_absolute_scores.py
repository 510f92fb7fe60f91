"""Scores of single texts: means over items, and the mixed model by its own definition."""

from typing import Any

import numpy as np
import pytest

from measures.agreement.krippendorff import AlphaResult
from measures.core.item_means import ItemMean
from measures.core.many_tests import holm
from measures.core.undefined import Undefined
from measures.experiments.absolute_scores import ONE_SCORE, ONE_SYSTEM, AbsoluteModel, absolute_means, absolute_model
from measures.experiments.crossed_model import CrossedModel, crossed_model
from measures.experiments.small_samples import TTest


def study(seed: int, n: int = 240) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    items, judges, arms = rng.integers(0, 24, n), rng.integers(0, 8, n), rng.integers(0, 2, n)
    systems = rng.integers(0, 3, n)
    y = 3 + 0.5 * systems - 0.4 * arms + 0.4 * rng.normal(size=24)[items] + 0.3 * rng.normal(size=8)[judges]
    return {
        "scores": y + 0.6 * rng.normal(size=n),
        "systems": [f"s{each}" for each in systems],
        "items": items,
        "judges": judges,
        "arms": ["without reference" if each else "with reference" for each in arms],
    }


def test_a_mean_is_of_items_and_of_an_item_the_mean_of_its_scores() -> None:
    means = absolute_means([1, 3, 4, 5, 5], ["s", "s", "s", "t", "t"], ["a", "a", "b", "a", "b"])
    one, other = means.by_system["s"], means.by_system["t"]
    assert isinstance(one, ItemMean)
    assert isinstance(other, ItemMean)
    assert (one.value, one.items, other.value) == (3, 2, 5)
    assert isinstance(other.interval, Undefined)
    assert isinstance(means.alpha, AlphaResult)
    assert (means.alpha.items, means.alpha.left_out) == (1, 3)


def test_agreement_needs_two_scores_of_a_text() -> None:
    assert absolute_means([1, 2], ["s", "t"], [1, 1]).alpha is ONE_SCORE


def test_every_pair_of_systems_has_the_test_of_its_own_model(seed: int) -> None:
    data = study(seed)
    model = absolute_model(**data)
    assert isinstance(model, AbsoluteModel)
    assert [(each.first, each.second) for each in model.contrasts] == [("s0", "s1"), ("s0", "s2"), ("s1", "s2")]
    names = np.array(data["systems"])
    predictors = {name: names == name for name in ("s0", "s2")} | {"arm": np.array(data["arms"]) == "without reference"}
    plain = crossed_model(data["scores"], predictors, data["items"], data["judges"])
    assert isinstance(plain, CrossedModel)
    last = model.contrasts[2].difference
    assert isinstance(last.test, TTest)
    expected = plain.coefficients["s2"]
    assert isinstance(expected.test, TTest)
    assert (last.value, last.test.p) == pytest.approx((expected.value, expected.test.p), rel=1e-4)
    assert model.arms["without reference"].value == pytest.approx(plain.coefficients["arm"].value, abs=1e-4)
    raw = [each.difference.test.p for each in model.contrasts if isinstance(each.difference.test, TTest)]
    assert [each.holm_p for each in model.contrasts] == pytest.approx(holm(raw).tolist())


def test_the_base_arm_can_be_chosen_and_turns_the_sign(seed: int) -> None:
    data = study(seed)
    one, other = absolute_model(**data), absolute_model(**data, base_arm="without reference")
    assert isinstance(one, AbsoluteModel)
    assert isinstance(other, AbsoluteModel)
    assert one.arms["without reference"].value == pytest.approx(-other.arms["with reference"].value, abs=1e-4)


def test_without_arms_there_is_no_term_and_few_items_have_no_test() -> None:
    data = study(1)
    del data["arms"]
    data["items"] = data["items"] % 4
    model = absolute_model(**data)
    assert isinstance(model, AbsoluteModel)
    assert model.arms == {}
    assert "4 sources" in str(model.contrasts[0].holm_p)


def test_what_is_undefined_says_why() -> None:
    assert absolute_model([1, 2], ["s", "s"], [1, 2], [1, 2]) is ONE_SYSTEM
    assert isinstance(absolute_model([1, 2, 3], ["s", "t", "s"], [1, 1, 1], [1, 2, 1]), Undefined)


def test_impossible_input_is_refused() -> None:
    with pytest.raises(ValueError, match="one length"):
        absolute_means([1], ["s", "t"], [1])
    with pytest.raises(ValueError, match="missing"):
        absolute_means([np.nan], ["s"], [1])
    with pytest.raises(ValueError, match="no score is of the arm c"):
        absolute_model([1, 2], ["s", "t"], [1, 2], [1, 2], arms=["a", "b"], base_arm="c")
    with pytest.raises(ValueError, match="one length"):
        absolute_model([1, 2], ["s", "t"], [1, 2], [1, 2], arms=["a"])
