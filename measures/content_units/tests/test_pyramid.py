"""Pyramid scores by hand, with their laws, and the order of systems by fewer references."""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from measures.content_units.pyramid import (
    EMPTY_PYRAMID,
    NO_UNITS,
    JudgedPeers,
    PyramidScore,
    judged_peers,
    pyramid_means,
    pyramid_score,
    reference_as_peer,
    subset_ranks,
)
from measures.core.arrays import BoolArray
from measures.core.item_means import ItemMean
from measures.core.undefined import Undefined

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden.json").read_text())
PYRAMID = GOLDEN["pyramid"]
MODELS = ["m1", "m2", "m3", "m4"]
UNITS = list(PYRAMID["contributors"])
CONTRIBUTORS = np.array([[model in PYRAMID["contributors"][unit] for model in MODELS] for unit in UNITS])
pyramids = arrays(np.bool_, (6, 4)), arrays(np.bool_, (6,)), st.integers(0, 3)


def assert_golden(score: PyramidScore, golden: dict[str, Any]) -> None:
    assert (score.weight, score.units, score.most) == (golden["D"], golden["X"], golden["max_X"])
    assert score.reference_units == pytest.approx(golden["X_mean"], abs=1e-8)
    assert score.most_for_references == golden["max_X_a"]
    for mine, theirs in ((score.original, golden["original"]), (score.modified, golden["modified"])):
        assert isinstance(mine, Undefined) if theirs is None else mine == pytest.approx(theirs, abs=1e-8)


@pytest.mark.parametrize("peer", PYRAMID["peers"])
def test_peers_have_the_golden_scores(peer: str) -> None:
    units, further = PYRAMID["peers"][peer]
    score = pyramid_score(CONTRIBUTORS, [unit in units for unit in UNITS], further)
    assert_golden(score, PYRAMID["scores"][peer])


@pytest.mark.parametrize("model", MODELS)
def test_references_as_peers_have_the_golden_scores(model: str) -> None:
    assert_golden(reference_as_peer(CONTRIBUTORS, MODELS.index(model)), PYRAMID["left_out"][model])


def test_factoids_are_units() -> None:
    golden = GOLDEN["factoids"]
    table = np.array(golden["matrix"])
    models = [golden["names"].index(name) for name in golden["pyramid"]["models"]]
    score = pyramid_score(table[:, models], table[:, golden["names"].index("sys")])
    assert table[:, models].sum(axis=1).tolist() == golden["pyramid"]["weights"]
    assert (score.weight, score.units) == (golden["pyramid"]["D"], golden["pyramid"]["X"])
    assert score.original == pytest.approx(golden["pyramid"]["original"], abs=1e-8)
    assert score.modified == pytest.approx(golden["pyramid"]["modified"], abs=1e-8)
    assert score.reference_units == golden["pyramid"]["X_mean"]


@settings(max_examples=60, deadline=None)
@given(*pyramids)
def test_the_most_is_that_of_any_choice_of_units(contributors: BoolArray, has: BoolArray, further: int) -> None:
    score, weights = pyramid_score(contributors, has, further), contributors.sum(axis=1)
    size = min(int(has.sum()) + further, 6)
    assert score.most == max(sum(weights[list(each)]) for each in combinations(range(6), size))
    # By tiers, as in the paper: all units of the heavy tiers, and of the lightest that are needed as many as fit.
    tiers = [int((weights == weight).sum()) for weight in range(5)]
    left, total = score.units, 0
    for weight in range(4, 0, -1):
        taken = min(left, tiers[weight])
        left, total = left - taken, total + weight * taken
    assert score.most == total
    if not isinstance(score.original, Undefined):
        assert 0 <= score.original <= 1


@settings(max_examples=60, deadline=None)
@given(*pyramids)
def test_padding_lowers_the_original_score_only(contributors: BoolArray, has: BoolArray, further: int) -> None:
    one, other = (pyramid_score(contributors, has, further + more) for more in (0, 1))
    assert one.modified == other.modified
    if not isinstance(one.original, Undefined):
        assert not isinstance(other.original, Undefined)
        assert other.original <= one.original


def test_what_is_undefined_says_why() -> None:
    assert pyramid_score([[1]], [0]).original is NO_UNITS
    empty = pyramid_score(np.zeros((0, 2)), [], further=2)
    assert (empty.original, empty.modified) == (EMPTY_PYRAMID, EMPTY_PYRAMID)
    nobody = pyramid_means([judged_peers([[1]], [[1]], judged=[False])])[0]
    assert isinstance(nobody.original, Undefined)


def drawn_sources(rng: np.random.Generator, sources: int = 5) -> list[JudgedPeers]:
    return [
        judged_peers(rng.random((7, 3)) < 0.5, rng.random((4, 7)) < 0.5, rng.integers(0, 3, 4), rng.random(4) < 0.8)
        for _ in range(sources)
    ]


def test_means_are_over_sources_that_have_a_score(seed: int) -> None:
    sources = drawn_sources(np.random.default_rng(seed))
    for peer, means in enumerate(pyramid_means(sources)):
        scores = [
            pyramid_score(s.contributors, s.expressed[peer], int(s.further[peer])) for s in sources if s.judged[peer]
        ]
        originals = [each.original for each in scores if not isinstance(each.original, Undefined)]
        assert isinstance(means.original, ItemMean)
        assert means.original.value == pytest.approx(np.mean(originals))
        assert means.original.items + means.original.left_out == len(sources)


def test_subsets_rank_as_their_pyramids_do(seed: int) -> None:
    sources = drawn_sources(np.random.default_rng(seed))
    ranks = subset_ranks(sources)
    assert ranks.subsets == ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
    for subset, row in zip(ranks.subsets, ranks.modified, strict=True):
        fewer = [judged_peers(s.contributors[:, list(subset)], s.expressed, s.further, s.judged) for s in sources]
        means = [each.modified for each in pyramid_means(fewer)]
        for peer, mine in enumerate(means):
            assert not isinstance(mine, Undefined)
            better = sum(each.value > mine.value + 1e-9 for each in means if not isinstance(each, Undefined))
            assert row[peer] >= 1 + better


def test_impossible_input_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        judged_peers(np.zeros((2, 0)), [[0, 0]])
    with pytest.raises(ValueError, match="do not fit"):
        pyramid_score([[1]], [1, 0])
    with pytest.raises(ValueError, match="at least 0"):
        pyramid_score([[1]], [1], further=-1)
    with pytest.raises(ValueError, match="another one"):
        reference_as_peer([[1]], 0)
    one, other = judged_peers([[1, 1]], [[1]]), judged_peers([[1, 1, 1]], [[1]])
    with pytest.raises(ValueError, match="number of references"):
        subset_ranks([one, other])
    with pytest.raises(ValueError, match="2 to 10"):
        subset_ranks([judged_peers([[1]], [[1]])])
    with pytest.raises(ValueError, match="number of peers"):
        pyramid_means([one, judged_peers([[1, 1]], [[1], [1]])])
    with pytest.raises(ValueError, match="must be a source"):
        subset_ranks([])
