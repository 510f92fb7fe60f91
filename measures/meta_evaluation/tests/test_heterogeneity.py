"""Heterogeneity-based ranking against plain loops, and its laws."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.corroborated_pairs import corroboration_curve
from measures.meta_evaluation.tests.later_methods import GOLDEN, METRICS, quality, scores
from measures.meta_evaluation.unlike_measures import (
    HeterogeneityRanking,
    PairSample,
    corroboration,
    heterogeneity,
    heterogeneity_ranking,
    sample_pairs,
)

N = np.nan
SCORES = st.tuples(st.integers(1, 5), st.integers(2, 4), st.integers(1, 4)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(0, 4).map(lambda value: value / 4))
)


def sample_of(values: FloatArray) -> PairSample:
    found = sample_pairs(values)
    assert isinstance(found, PairSample)
    return found


def ranking(values: FloatArray) -> HeterogeneityRanking:
    found = heterogeneity_ranking(values)
    assert isinstance(found, HeterogeneityRanking)
    return found


def plain_h(values: FloatArray, chosen: set[int]) -> float:
    """H by its definition, over all pairs of outputs."""
    pairs = [(a, b, i) for a, b in combinations(range(values.shape[1]), 2) for i in range(values.shape[2])]
    signs = [{np.sign(values[m, a, i] - values[m, b, i]) for m in chosen} for a, b, i in pairs]
    return float(np.mean([{1.0, -1.0} <= each for each in signs]))


def plain_hbr(values: FloatArray, system: int, place: int) -> float:
    others = [other for other in range(values.shape[1]) if other != system]
    sets = [{m for m in range(len(values)) if values[m, system, place] >= values[m, other, place]} for other in others]
    return float(np.mean([plain_h(values, each) for each in sets]))


@pytest.mark.parametrize("name", GOLDEN["hbr"]["heterogeneity_of_sets"])
def test_heterogeneity_of_sets(name: str) -> None:
    part, whole = GOLDEN["hbr"]["heterogeneity_of_sets"][name]
    sample = sample_of(scores())
    chosen = [[each in name.split("+") for each in METRICS]]
    assert sample.pairs == whole
    assert heterogeneity(sample, chosen)[0] == pytest.approx(part / whole, abs=1e-12)


def test_ranking_of_outputs_and_systems() -> None:
    expected = np.array([GOLDEN["hbr"]["hbr"][each] for each in "ABCD"])
    found = ranking(scores())
    np.testing.assert_allclose(found.outputs, expected, atol=1e-9)
    assert found.systems == pytest.approx(tuple(expected.mean(axis=1)), abs=1e-9)


@settings(max_examples=60)
@given(SCORES)
def test_equals_plain_loops(values: FloatArray) -> None:
    found = ranking(values)
    for system, place in product(range(values.shape[1]), range(values.shape[2])):
        assert found.outputs[system, place] == pytest.approx(plain_hbr(values, system, place), abs=1e-12)


@settings(max_examples=30)
@given(SCORES, st.integers(0, 2**32 - 1))
def test_measures_beyond_one_word_of_bits(values: FloatArray, seed: int) -> None:
    """Of 64 and more measures the later ones decide as well: copies change nothing, and noise among them does."""
    many = np.concatenate([np.repeat(values[:1], 70, axis=0), values])
    np.testing.assert_allclose(ranking(many).outputs, ranking(values).outputs, atol=1e-12)
    noise = np.random.default_rng(seed).integers(0, 3, (66, *values.shape[1:])).astype(np.float64)
    wide = np.concatenate([noise, values])
    assert ranking(wide).outputs[0, 0] == pytest.approx(plain_hbr(wide, 0, 0), abs=1e-12)


@settings(max_examples=60)
@given(SCORES, st.randoms(use_true_random=False))
def test_laws(values: FloatArray, random: object) -> None:
    found = ranking(values).outputs
    assert ((found >= 0) & (found <= 1)).all()
    grown = values.copy()
    grown[0] = np.exp(3 * values[0]) - 7
    np.testing.assert_allclose(ranking(grown).outputs, found, atol=1e-12)
    twice = np.concatenate([values, values[:1]])
    np.testing.assert_allclose(ranking(twice).outputs, found, atol=1e-12)
    systems, places = values.shape[1:]
    by_system, by_place = list(range(systems)), list(range(places))
    random.shuffle(by_system)  # type: ignore[attr-defined]
    random.shuffle(by_place)  # type: ignore[attr-defined]
    moved = values[:, by_system][:, :, by_place]
    np.testing.assert_allclose(ranking(moved).outputs, found[by_system][:, by_place], atol=1e-12)


def test_one_measure_is_never_heterogeneous() -> None:
    assert not ranking(scores("m1")).outputs.any()


def test_an_output_without_a_score_is_left_out() -> None:
    values = scores()
    values[1, 0, 3] = N
    found = ranking(values)
    assert np.isnan(found.outputs[0, 3])
    assert np.isfinite(found.outputs).sum() == 47
    assert found.pairs == 72 - 3


def test_without_pairs_nothing_is_defined() -> None:
    found = heterogeneity_ranking(np.ones((2, 1, 5)))
    assert isinstance(found, Undefined)
    assert "two outputs" in found.reason


def test_many_pairs_are_sampled_with_a_seed() -> None:
    values = np.random.default_rng(1).random((5, 4, 50))
    small = heterogeneity_ranking(values, max_pairs=100, sampled=80, seed=1)
    again = heterogeneity_ranking(values, max_pairs=100, sampled=80, seed=1)
    assert isinstance(small, HeterogeneityRanking)
    assert isinstance(again, HeterogeneityRanking)
    assert small.pairs == 80
    np.testing.assert_array_equal(small.outputs, again.outputs)
    assert np.abs(small.outputs - ranking(values).outputs).max() < 0.25


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="sets must be of 4 measures"):
        heterogeneity(sample_of(scores()), [[True]])
    with pytest.raises(ValueError, match="metrics by systems by inputs"):
        sample_pairs([[1.0]])


def test_curve_of_corroboration() -> None:
    found = corroboration_curve(scores(), quality(), sample_of(scores()), parts=9)
    assert not isinstance(found, Undefined)
    assert found.pairs == 144
    pairs = [(a, b, i) for a in range(4) for b in range(4) if a != b for i in range(12)]
    h, q = corroboration(scores(), sample_of(scores())), np.round(quality(), 9)
    parts = np.array_split(np.sort([h[each] for each in pairs]), 9)
    np.testing.assert_allclose(found.heterogeneity, [part.mean() for part in parts])
    # Whatever the parts, the pairs as a whole are not worse as often as they are.
    sizes = [len(part) for part in parts]
    not_worse = np.mean([q[a, i] >= q[b, i] for a, b, i in pairs])
    better = np.mean([q[a, i] > q[b, i] for a, b, i in pairs])
    assert np.average(found.not_worse, weights=sizes) == pytest.approx(not_worse)
    assert np.average(found.better, weights=sizes) == pytest.approx(better)
    # With the best three measures, heterogeneous corroboration goes with people's preference.
    assert found.better[-1] > found.better[0]


def test_curve_does_not_change_with_the_order_of_inputs() -> None:
    order = np.random.default_rng(4).permutation(12)
    curves = [
        corroboration_curve(scores()[:, :, each], quality()[:, each], sample_of(scores()), parts=20)
        for each in (np.arange(12), order)
    ]
    assert not any(isinstance(each, Undefined) for each in curves)
    np.testing.assert_allclose(curves[0].better, curves[1].better)  # type: ignore[union-attr]


def test_curve_without_ratings_is_undefined() -> None:
    found = corroboration_curve(scores(), np.full((4, 12), N), sample_of(scores()))
    assert isinstance(found, Undefined)
