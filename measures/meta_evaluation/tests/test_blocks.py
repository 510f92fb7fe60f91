"""Many systems are tested in blocks, which must not show in the results."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from measures.core import signed_rank as ranks
from measures.meta_evaluation import pair_verdicts, system_correlations, system_tests, verdicts
from measures.meta_evaluation.judged_outputs import JudgedOutputs


def made_outputs() -> JudgedOutputs:
    rng = np.random.default_rng(3)
    quality = np.rint(rng.normal(2, 1, (5, 30)))
    scores = quality + rng.normal(size=(4, 5, 30))
    scores[1, 2], scores[2, 0, :5], quality[3, 7] = np.nan, np.nan, np.nan
    return JudgedOutputs(tuple("RSTU"), tuple("ABCDE"), tuple(f"{n:02}" for n in range(30)), scores, quality)


def assert_same(found: Any, other: Any) -> None:
    for each in fields(found):
        np.testing.assert_array_equal(getattr(found, each.name), getattr(other, each.name))


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (ranks, pair_verdicts, system_correlations):
        monkeypatch.setattr(module, "_BLOCK", 31)


WHOLE = made_outputs()
TESTED = system_tests(WHOLE)
OPTIONS: tuple[dict[str, Any], ...] = ({"over_pairs": "holm"}, {"test": "paired t", "direction": "median"})
VERDICTS = tuple(verdicts(WHOLE, **each) for each in OPTIONS)


@pytest.mark.usefixtures("small_blocks")
def test_blocks_do_not_show_in_tests_of_systems() -> None:
    for found, other in zip(system_tests(WHOLE), TESTED, strict=True):
        assert_same(found, other)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_blocks_do_not_show_in_verdicts(number: int) -> None:
    assert_same(verdicts(WHOLE, **OPTIONS[number]), VERDICTS[number])


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("systems", [0, 1])
def test_without_a_pair_of_systems_there_is_nothing_to_test(systems: int) -> None:
    outputs = replace(
        WHOLE, systems=WHOLE.systems[:systems], scores=WHOLE.scores[:, :systems], quality=WHOLE.quality[:systems]
    )
    people, metrics = system_tests(outputs)
    assert people.t_p.shape == (1, 0)
    assert metrics.t_p.shape == (4, 0)
    assert verdicts(outputs).p.shape == (5, 0)


def test_without_metrics_people_are_tested() -> None:
    people, metrics = system_tests(WHOLE.of_metrics([]))
    assert_same(people, TESTED[0])
    assert metrics.t_p.shape == (0, 10)
