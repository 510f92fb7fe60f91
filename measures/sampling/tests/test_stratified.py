"""Samples in proportion, and bands of scores."""

import hashlib
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.sampling.stratified import score_bands, stratified_sample

strata_lists = st.lists(st.sampled_from(["news|1", "news|2", "letters|1", "ä"]), max_size=60)
sizes = st.integers(0, 70)


def hashed(seed: int, one: int | str) -> str:
    return hashlib.sha256(f"{seed}:{one}".encode()).hexdigest()


@given(strata_lists, sizes, st.integers(0, 5))
def test_every_stratum_has_its_share_and_the_total_is_exact(strata: list[str], size: int, seed: int) -> None:
    sample = stratified_sample(range(len(strata)), strata, size, seed)
    assert len(sample) == len(set(sample)) == min(size, len(strata))
    drawn, held = Counter(strata[one] for one in sample), Counter(strata)
    for stratum, count in held.items():
        share = Fraction(len(sample) * count, len(strata))
        assert abs(drawn[stratum] - share) < 1
        assert drawn[stratum] <= count


@given(strata_lists, sizes, st.integers(0, 5))
def test_a_stratum_gives_its_smallest_hashes(strata: list[str], size: int, seed: int) -> None:
    sample = stratified_sample(range(len(strata)), strata, size, seed)
    assert sample == sorted(sample, key=lambda one: hashed(seed, one))
    for stratum in set(strata):
        ordered = sorted((i for i, own in enumerate(strata) if own == stratum), key=lambda one: hashed(seed, one))
        drawn = [one for one in sample if strata[one] == stratum]
        assert drawn == ordered[: len(drawn)]


@given(strata_lists, sizes, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(strata: list[str], size: int, random: Any) -> None:
    pairs = [(f"text {index}", stratum) for index, stratum in enumerate(strata)]
    shuffled = random.sample(pairs, len(pairs))
    first, second = (
        stratified_sample([one for one, _ in rows], [stratum for _, stratum in rows], size, seed=7)
        for rows in (pairs, shuffled)
    )
    assert first == second


def test_any_machine_draws_the_same() -> None:
    assert stratified_sample(range(12), ["a", "b", "b"] * 4, 6, seed=1) == [7, 11, 4, 8, 6, 3]
    assert stratified_sample(["p", "q", "r", "s"], ["a", "a", "b", "b"], 2, seed=1) == ["p", "r"]


def test_the_seed_changes_who_is_drawn() -> None:
    one, other = (stratified_sample(range(50), ["a"] * 50, 10, seed) for seed in (1, 2))
    assert set(one) != set(other)


@pytest.mark.parametrize("size", [4, 5, 100])
def test_more_than_there_is_gives_all_in_the_order_of_the_hash(size: int) -> None:
    everything = stratified_sample([1, 2, 3, 4], ["a", "b", "a", "a"], size, seed=3)
    assert everything == sorted([1, 2, 3, 4], key=lambda one: hashed(3, one))


def test_nothing_gives_nothing() -> None:
    assert stratified_sample([], [], 5, seed=0) == []
    assert stratified_sample([1, 2], ["a", "b"], 0, seed=0) == []


@pytest.mark.parametrize("strata", [["b", "a"], ["a", "b"]])
def test_equal_remainders_go_by_the_name_of_the_stratum(strata: list[str]) -> None:
    (drawn,) = stratified_sample([1, 2], strata, 1, seed=0)
    assert strata[drawn - 1] == "a"


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^ids must differ, but 3 comes twice"):
        stratified_sample([1, 3, 3], ["a"] * 3, 1, seed=0)
    with pytest.raises(ValueError, match=r"^strata must be one for each of the 2 ids, not 1"):
        stratified_sample([1, 2], ["a"], 1, seed=0)
    with pytest.raises(ValueError, match=r"^size must be at least 0, not -1"):
        stratified_sample([1], ["a"], -1, seed=0)


# Bands

points = st.floats(1, 5, allow_nan=False)


@given(st.lists(points, max_size=40), st.integers(1, 5))
def test_bands_rise_with_the_scores_and_equal_scores_share_one(scores: list[float], bands: int) -> None:
    near = np.round(scores, 9)
    found = score_bands(np.array(scores), bands)
    assert found.shape == (len(scores),)
    assert found.dtype == np.int64
    assert ((found >= 0) & (found < bands)).all()
    for i in range(len(scores)):
        assert (found[near == near[i]] == found[i]).all()
        assert (found[near > near[i]] >= found[i]).all()


@given(st.sets(st.integers(0, 1000), max_size=40), st.integers(1, 5))
def test_without_equal_scores_bands_differ_by_one_at_most(scores: set[int], bands: int) -> None:
    held = np.bincount(score_bands(np.array(list(scores), dtype=float), bands), minlength=bands)
    assert held.max() - held.min() <= 1


@given(st.lists(st.integers(1, 5), min_size=1, max_size=30), st.integers(1, 5))
def test_a_score_goes_where_its_mid_rank_lies(scores: list[int], bands: int) -> None:
    wanted = [
        bands * (sum(other < own for other in scores) + Fraction(scores.count(own), 2)) // len(scores) for own in scores
    ]
    assert score_bands(np.array(scores, dtype=float), bands).tolist() == wanted


@given(st.lists(points, max_size=30), st.randoms(use_true_random=False))
def test_the_order_of_the_scores_does_not_matter(scores: list[float], random: Any) -> None:
    order = random.sample(range(len(scores)), len(scores))
    values = np.array(scores)
    np.testing.assert_array_equal(score_bands(values[order]), score_bands(values)[order])


def test_bands_by_hand() -> None:
    assert score_bands(np.array([3.0, 3.0, 3.0, 3.0, 2.0, 1.0])).tolist() == [2, 2, 2, 2, 0, 0]
    assert score_bands(np.array([3.0, 3.0, 3.0])).tolist() == [1, 1, 1]
    assert score_bands(np.array([1.0, 2.0, 3.0, 4.0]), 2).tolist() == [0, 0, 1, 1]
    assert score_bands(np.array([1.0, np.inf, -np.inf])).tolist() == [1, 2, 0]
    assert score_bands(np.array([2.0, 1.0]), 1).tolist() == [0, 0]
    assert score_bands(np.array([])).tolist() == []


def test_noise_in_the_last_bits_does_not_part_equal_scores() -> None:
    assert len(set(score_bands(np.array([0.3, 0.1 + 0.2])).tolist())) == 1


def test_wrong_scores_and_bands_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^scores must not hold NaN"):
        score_bands(np.array([1.0, np.nan]))
    with pytest.raises(ValueError, match=r"^scores must be a list of numbers, not of shape \(1, 2\)"):
        score_bands(np.array([[1.0, 2.0]]))
    with pytest.raises(ValueError, match=r"^bands must be at least 1, not 0"):
        score_bands(np.array([1.0]), 0)
