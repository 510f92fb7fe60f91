"""The Omega index and what stands beside it, against golden values, plain loops and outside libraries."""

from collections.abc import Sequence
from itertools import combinations
from math import log2

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from measures.agreement.krippendorff import AlphaResult
from measures.clustering import cover_agreement
from measures.clustering.cover_agreement import (
    NO_INFORMATION,
    NO_PAIR_TOGETHER,
    overlapping_information,
    together_alpha,
    together_scores,
)
from measures.clustering.covers import together
from measures.clustering.omega import (
    NO_COMPARISON,
    NOTHING_TO_TELL_APART,
    ONE_SENTENCE,
    Omega,
    omega_against,
    omega_among,
    omega_index,
    omega_of_shuffled,
)
from measures.clustering.tests.golden_values import GOLDEN
from measures.core.intervals import Interval
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY, Undefined

NODES = 7
Cover = list[set[int]]
covers: st.SearchStrategy[Cover] = st.lists(
    st.sets(st.integers(0, NODES - 1), min_size=1, max_size=NODES), min_size=1, max_size=5
)
labels = st.lists(st.integers(0, 3), min_size=NODES, max_size=NODES)


def cover_of(of_nodes: Sequence[int]) -> Cover:
    return [{node for node, label in enumerate(of_nodes) if label == each} for each in sorted(set(of_nodes))]


@pytest.mark.parametrize("case", GOLDEN["omega"])
def test_golden_values(case: dict[str, object]) -> None:
    found = omega_index(case["a"], case["b"], case["n"])  # type: ignore[arg-type]
    if case["omega"] is None:
        assert found == NOTHING_TO_TELL_APART
        return
    assert isinstance(found, Omega)
    assert (found.observed, found.expected, found.omega) == pytest.approx(
        (case["observed"], case["expected"], case["omega"]), abs=1e-8
    )


@given(one=labels, other=labels)
def test_without_overlap_it_is_the_adjusted_rand_index(one: list[int], other: list[int]) -> None:
    found = omega_index(cover_of(one), cover_of(other), NODES)
    if isinstance(found, Omega):
        assert found.omega == pytest.approx(adjusted_rand_score(one, other))
    else:
        assert together(cover_of(one), NODES).tolist() == together(cover_of(other), NODES).tolist()


@given(one=covers, other=covers)
def test_plain_loops(one: Cover, other: Cover) -> None:
    pairs = list(combinations(range(NODES), 2))
    first, second = ([sum({*pair} <= each for each in cover) for pair in pairs] for cover in (one, other))
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / len(pairs)
    expected = sum(first.count(j) * second.count(j) for j in range(6)) / len(pairs) ** 2
    found = omega_index(one, other, NODES)
    if expected == 1:
        assert found == NOTHING_TO_TELL_APART
        return
    assert isinstance(found, Omega)
    assert (found.observed, found.omega) == pytest.approx((observed, (observed - expected) / (1 - expected)))


@given(one=covers, other=covers, order=st.permutations(range(NODES)))
def test_neither_the_order_of_communities_nor_the_numbers_of_sentences_count(
    one: Cover, other: Cover, order: list[int]
) -> None:
    turned, too = ([{order[node] for node in each} for each in reversed(cover)] for cover in (one, other))
    assert omega_index(turned, too, NODES) == omega_index(one, other, NODES)
    assert omega_index(other, one, NODES) == omega_index(one, other, NODES)
    ours, theirs = overlapping_information(one, other, NODES), overlapping_information(turned, too, NODES)
    assert ours == (pytest.approx(theirs) if isinstance(theirs, float) else theirs)


@given(cover=covers)
def test_equal_covers_are_as_like_as_can_be(cover: Cover) -> None:
    found = omega_index(cover, cover, NODES)
    assert found == NOTHING_TO_TELL_APART or (isinstance(found, Omega) and found.omega == 1)
    assert overlapping_information(cover, cover, NODES) in (pytest.approx(1), NO_INFORMATION)
    f = together_scores(cover, cover, NODES).f
    assert f in (1, NO_PAIR_TOGETHER)


def test_equal_communities_count_twice() -> None:
    assert omega_index([{0, 1}, {0, 1}, {2, 3}], [{0, 1}, {2, 3}], 4) != omega_index([{0, 1}, {2, 3}], [{0, 1}], 4)
    assert together([{0, 1}, {0, 1}], 2).tolist() == [2]


@pytest.mark.parametrize("nodes", [0, 1])
def test_one_sentence_has_no_pair(nodes: int) -> None:
    alone = [[node] for node in range(nodes)]
    assert omega_index(alone, alone, nodes) == ONE_SENTENCE
    assert omega_of_shuffled(alone, alone, nodes, seed=1) == ONE_SENTENCE
    assert omega_against(alone, [alone], nodes) == NO_COMPARISON


def test_unknown_sentences_are_named() -> None:
    with pytest.raises(ValueError, match="community 1 holds sentence 4, which is not one of 4"):
        omega_index([[0], [4]], [[0]], 4)
    with pytest.raises(ValueError, match="at most 2,000 sentences"):
        omega_index([[0]], [[0]], 2_001)
    with pytest.raises(ValueError, match="shuffles must be at least 1"):
        omega_of_shuffled([[0, 1]], [[0], [1]], 2, shuffles=0, seed=1)


def test_means_leave_out_what_is_undefined() -> None:
    split, alone = [[0, 1], [2, 3]], [[0], [1], [2], [3]]
    one = omega_index(split, alone, 4)
    assert isinstance(one, Omega)
    assert omega_against(split, [split, alone], 4) == pytest.approx((1 + one.omega) / 2)
    assert omega_against(alone, [alone, split], 4) == pytest.approx(one.omega)
    assert omega_among([split, split, alone], 4) == pytest.approx((1 + 2 * one.omega) / 3)
    assert omega_among([split], 4) == NO_COMPARISON


def test_shuffled_sentences_give_the_mean_over_all_orders() -> None:
    halves, parts = [[0, 1, 2], [2, 3, 4]], [[0, 1], [2, 3, 4]]
    band = omega_of_shuffled(halves, parts, 5, shuffles=4_000, seed=7)
    assert isinstance(band, Interval)
    orders = [[0, 1, 2, 3, 4], *np.random.default_rng(3).permuted(np.tile(np.arange(5), (3_000, 1)), axis=1).tolist()]
    every = [omega_index(halves, [[order[node] for node in each] for each in parts], 5) for order in orders]
    values = [each.omega for each in every if isinstance(each, Omega)]
    assert band.mean == pytest.approx(np.mean(values), abs=0.03)
    assert band.mean == pytest.approx(0, abs=0.03)
    assert omega_of_shuffled(halves, parts, 5, shuffles=4_000, seed=7) == band


def plain_information(one: Cover, other: Cover) -> float | None:
    """McDaid et al. 2011, section 3, word by word."""

    def h(count: int) -> float:
        return -count * log2(count / NODES) if count else 0.0

    def entropy(community: set[int]) -> float:
        return h(len(community)) + h(NODES - len(community))

    def left(x: set[int], y: set[int]) -> float:
        a, b, c, d = NODES - len(x | y), len(y - x), len(x - y), len(x & y)
        return h(a) + h(b) + h(c) + h(d) - entropy(y) if h(a) + h(d) >= h(b) + h(c) else entropy(x)

    of_one, of_other = sum(map(entropy, one)), sum(map(entropy, other))
    if max(of_one, of_other) == 0:
        return None
    of_one_left = sum(min(left(x, y) for y in other) for x in one)
    of_other_left = sum(min(left(y, x) for x in one) for y in other)
    return (of_one - of_one_left + of_other - of_other_left) / 2 / max(of_one, of_other)


@given(one=covers, other=covers, block=st.sampled_from([1, 4, 10**6]))
def test_shared_information_is_that_of_the_paper(one: Cover, other: Cover, block: int) -> None:
    expected = plain_information(one, other)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cover_agreement, "_BLOCK", block)
        found = overlapping_information(one, other, NODES)
    assert found == (NO_INFORMATION if expected is None else pytest.approx(expected, abs=1e-9))


def test_information_of_covers_that_say_nothing() -> None:
    whole = [set(range(NODES))]
    assert overlapping_information(whole, whole, NODES) == NO_INFORMATION
    assert overlapping_information(whole, [], NODES) == NO_INFORMATION
    assert overlapping_information([{0, 1}], whole, NODES) == pytest.approx(0)
    assert overlapping_information([{0, 1}], [], NODES) == pytest.approx(0)
    assert overlapping_information([], [], 0) == NO_INFORMATION


@given(one=covers, other=covers)
def test_pairs_together_are_those_of_sets(one: Cover, other: Cover) -> None:
    first, second = ({pair for each in cover for pair in combinations(sorted(each), 2)} for cover in (one, other))
    found = together_scores(one, other, NODES)
    assert found.precision == (len(first & second) / len(first) if first else NO_PAIR_TOGETHER)
    assert found.recall == (len(first & second) / len(second) if second else NO_PAIR_TOGETHER)
    assert found.f == (2 * len(first & second) / (len(first) + len(second)) if first or second else NO_PAIR_TOGETHER)


@given(annotators=st.lists(covers, min_size=2, max_size=4))
def test_alpha_is_that_of_the_outside_library(annotators: list[Cover]) -> None:
    found = together_alpha([annotators], [NODES])
    counts = np.array([together(each, NODES) for each in annotators], dtype=np.float64)
    if len(np.unique(counts)) == 1:
        assert found == ONE_CATEGORY
        return
    assert isinstance(found, AlphaResult)
    assert found.alpha == pytest.approx(krippendorff.alpha(counts, level_of_measurement="nominal"))


def test_alpha_has_an_interval_over_documents() -> None:
    rng = np.random.default_rng(5)
    documents = [[cover_of(rng.integers(0, 3, 6).tolist()) for _ in range(2 + number % 2)] for number in range(8)]
    found = together_alpha(documents, [6] * 8)
    assert isinstance(found, AlphaResult)
    assert not isinstance(found.interval, Undefined)
    assert (found.interval.sources, found.items) == (8, 8 * 15)
    assert found.interval.low < found.alpha < found.interval.high
    assert together_alpha([], []) == NO_PAIRS
    assert together_alpha([[]], [3]) == NO_PAIRS
