"""Intervals of factoids and pyramids hold what was planted, in at least 90 of 100 simulated studies each."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from measures.content_units.factoids import FactoidAgreement, factoid_agreement, factoid_overlap
from measures.content_units.pyramid import JudgedPeers, judged_peers, pyramid_means
from measures.core.arrays import FloatArray, IntArray
from measures.core.item_means import ItemMean
from measures.core.undefined import Undefined

pytestmark = pytest.mark.slow

STUDIES, DRAWS = 100, 1_000


def times_held(truth: float, interval: Callable[[int], Any]) -> int:
    found = [interval(study) for study in range(STUDIES)]
    return sum(each.low <= truth <= each.high for each in found)


def factoids(seed: int, items: int) -> tuple[IntArray, IntArray, IntArray]:
    """Eight factoids of each item, which are the more common the longer its reference is."""
    rng = np.random.default_rng(seed)
    common = rng.uniform(0.3, 0.8, size=(items, 1))
    gold = rng.random((items, 8)) < common
    mine = np.where(rng.random((items, 8)) < rng.uniform(0.1, 0.4, size=(items, 1)), rng.random((items, 8)) < 0.5, gold)
    return mine.ravel().astype(np.int64), gold.ravel().astype(np.int64), np.repeat(np.arange(items), 8)


def agreement(seed: int, items: int, draws: int = DRAWS) -> FactoidAgreement:
    found = factoid_agreement(*factoids(seed, items), draws=draws, seed=seed)
    assert isinstance(found, FactoidAgreement)
    return found


@pytest.mark.parametrize(("value", "interval"), [("kappa", "kappa_interval"), ("ac1", "ac1_interval")])
def test_pooled_agreement(value: str, interval: str) -> None:
    truth = getattr(agreement(10_000, 20_000, draws=1), value)
    assert times_held(truth, lambda study: getattr(agreement(study, 30), interval)) >= 90


@pytest.mark.parametrize("kind", ["micro", "macro"])
@pytest.mark.parametrize("value", ["precision", "recall", "f"])
def test_overlap(kind: str, value: str) -> None:
    def overlap(seed: int, items: int, draws: int) -> Any:
        return getattr(getattr(factoid_overlap(*factoids(seed, items), draws=draws, seed=seed), kind), value)

    truth = overlap(10_000, 20_000, 1).value
    assert times_held(truth, lambda study: overlap(study, 30, DRAWS).interval) >= 90


def sources(seed: int, number: int) -> list[JudgedPeers]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(number):
        common: FloatArray = rng.uniform(0.1, 0.9, size=10)
        contributors = rng.random((10, 4)) < common[:, None]
        found.append(judged_peers(contributors, rng.random((1, 10)) < 0.7 * common, rng.integers(0, 3, 1)))
    return found


@pytest.mark.parametrize("kind", ["original", "modified"])
def test_pyramid_means(kind: str) -> None:
    truth = getattr(pyramid_means(sources(10_000, 20_000))[0], kind)
    assert not isinstance(truth, Undefined)

    def interval(study: int) -> Any:
        mean = getattr(pyramid_means(sources(study, 15))[0], kind)
        assert isinstance(mean, ItemMean)
        return mean.interval

    assert times_held(truth.value, interval) >= 90
