"""Draws of arms: balance, the same at every call, one by one as all at once, and checks of the draw."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from statsmodels.stats.proportion import proportion_confint

from measures.core.undefined import Undefined
from measures.experiments.arm_checks import count_check, loss_by_arm, standardised_differences
from measures.experiments.arms import arms_of_people, arms_of_tasks, next_arm_of_person, next_arm_of_task

ARMS = st.integers(2, 4).map(lambda number: "abcd"[:number])


def block_sizes(drawn: list[str], arms: str) -> list[int]:
    """The sizes of blocks of A or 2A, each with its arms equally often, that the arms can be cut into."""
    if not drawn:
        return []
    for copies in (1, 2):
        size = copies * len(arms)
        block = drawn[:size]
        whole = len(block) == size and set(Counter(block).values()) == {copies} and len(set(block)) == len(arms)
        begun = len(block) < size and max(Counter(block).values()) <= copies
        if whole or begun:
            try:
                return [size, *block_sizes(drawn[size:], arms)]
            except ValueError:
                continue
    raise ValueError(drawn)


@given(ARMS, st.integers(0, 2**32), st.integers(0, 40))
def test_people_come_in_balanced_blocks(arms: str, seed: int, people: int) -> None:
    drawn = arms_of_people(arms, ["x"] * people, seed=seed)
    block_sizes(drawn, arms)
    counts = [drawn.count(arm) for arm in arms]
    assert max(counts) - min(counts) <= 2


def test_blocks_are_of_both_sizes_and_orders() -> None:
    starts = Counter("".join(arms_of_people("ab", ["x"] * 2, seed=seed)) for seed in range(400))
    # Half the blocks are of two (ab, ba); of those of four a third begin with two of a kind.
    assert starts["aa"] + starts["bb"] == pytest.approx(400 / 6, abs=25)
    assert starts["ab"] == pytest.approx(starts["ba"], abs=50)


@given(ARMS, st.integers(0, 2**32), st.lists(st.sampled_from("xy"), max_size=30))
def test_one_by_one_and_in_any_mix_of_strata_the_draw_is_the_same(arms: str, seed: int, strata: list[str]) -> None:
    drawn: dict[str, list[str]] = {"x": [], "y": []}
    found = []
    for stratum in strata:
        drawn[stratum].append(next_arm_of_person(arms, drawn[stratum], seed=seed, stratum=stratum))
        found.append(drawn[stratum][-1])
    assert found == arms_of_people(arms, strata, seed=seed)
    assert drawn["x"] == arms_of_people(arms, ["x"] * len(drawn["x"]), seed=seed)


def test_strata_and_seeds_draw_otherwise() -> None:
    draws = {tuple(arms_of_people("ab", [stratum] * 30, seed=seed)) for stratum in "xyz" for seed in range(5)}
    assert len(draws) == 15


def test_a_draw_of_another_seed_is_refused() -> None:
    drawn = arms_of_people("ab", ["x"] * 20, seed=1)
    wrong = [*drawn[:3], "a" if drawn[3] == "b" else "b", *drawn[4:]]
    with pytest.raises(ValueError, match="person 4 of stratum 'x'"):
        next_arm_of_person("ab", wrong, seed=1, stratum="x")


@pytest.mark.parametrize("arms", ["", "a", "aa", "aba"])
def test_arms_are_two_or_more_and_distinct(arms: str) -> None:
    with pytest.raises(ValueError, match="two or more distinct arms"):
        arms_of_people(arms, ["x"], seed=1)
    with pytest.raises(ValueError, match="two or more distinct arms"):
        next_arm_of_task(arms, [], {}, seed=1, source="s")


@given(ARMS, st.integers(0, 2**32), st.lists(st.tuples(st.sampled_from("stu"), st.sampled_from("pqr")), max_size=40))
def test_each_source_has_its_arms_in_blocks(arms: str, seed: int, tasks: list[tuple[str, str]]) -> None:
    sources, people = [source for source, _ in tasks], [person for _, person in tasks]
    drawn = arms_of_tasks(arms, sources, people, seed=seed)
    for source in set(sources):
        of_source = [arm for arm, where in zip(drawn, sources, strict=True) if where == source]
        for start in range(0, len(of_source), len(arms)):
            block = of_source[start : start + len(arms)]
            assert len(set(block)) == len(block)
    assert drawn == arms_of_tasks(arms, sources, people, seed=seed)


def worst_gap(arms: list[str], people: list[str]) -> int:
    counts = Counter(zip(people, arms, strict=True))
    return max(abs(counts[person, "a"] - counts[person, "b"]) for person in people)


def test_people_have_their_arms_nearly_equally_often() -> None:
    """Eight people with 30 sources each: the widest gap between their numbers of both arms, beside blocks alone."""
    ours, plain = [], []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        orders = [rng.permutation(30) for _ in range(8)]
        tasks = [(str(orders[person][turn]), str(person)) for turn in range(30) for person in rng.permutation(8)]
        sources, people = [source for source, _ in tasks], [person for _, person in tasks]
        ours.append(worst_gap(arms_of_tasks("ab", sources, people, seed=seed), people))
        blocks = {source: [arm for _ in range(4) for arm in rng.permutation(["a", "b"])] for source in sources}
        plain.append(worst_gap([blocks[source].pop() for source in sources], people))
    assert np.mean(plain) == pytest.approx(9.7, abs=0.8)
    assert np.mean(ours) < 4.6


def test_the_arm_had_least_comes_in_nine_of_ten_tasks_of_two_arms() -> None:
    """With chance .8 for sure, else one of the two."""
    found = Counter(next_arm_of_task("ab", [], {"a": 1}, seed=seed, source="s") for seed in range(2_000))
    assert found["b"] / 2_000 == pytest.approx(0.9, abs=0.025)
    equal = Counter(next_arm_of_task("ab", [], {"a": 1, "b": 1}, seed=seed, source="s") for seed in range(2_000))
    assert equal["b"] / 2_000 == pytest.approx(0.5, abs=0.04)


@pytest.mark.parametrize("drawn", [["c"], ["a", "b", "c"]])
def test_tasks_of_other_arms_are_refused(drawn: list[str]) -> None:
    with pytest.raises(ValueError, match="of source 's' were not drawn in blocks"):
        next_arm_of_task("ab", drawn, {}, seed=1, source="s")


def test_a_block_with_an_arm_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="blocks of a, b, c"):
        next_arm_of_task("abc", ["a", "a"], {}, seed=1, source="s")


def test_counts() -> None:
    found = count_check({"a": 50, "b": 30, "c": 40})
    assert not isinstance(found, Undefined)
    # The test of equal numbers is that of a table beside one of very many equal ones.
    assert found.chi2 == pytest.approx(5.0)
    assert found.df == 2
    assert found.p == pytest.approx(chi2_contingency([[50, 30, 40], [10**9] * 3])[1], rel=1e-4)
    assert not found.drawn_wrongly
    edge = [count_check({"a": 100 + more, "b": 100 - more}) for more in (23, 24)]
    assert [not isinstance(each, Undefined) and each.drawn_wrongly for each in edge] == [False, True]
    assert count_check({"a": 0, "b": 0}) == Undefined("nobody has been drawn")
    for counts in ({"a": 3}, {"a": 3, "b": -1}):
        with pytest.raises(ValueError, match="two or more arms"):
            count_check(counts)


def test_standardised_differences() -> None:
    values = [1.0, 2, 3, 4, 2, 2, 3, float("nan"), 9]
    arms = ["b", "b", "b", "b", "a", "a", "a", "a", "c"]
    found = {(each.first, each.second): each for each in standardised_differences(values, arms)}
    assert list(found) == [("a", "b"), ("a", "c"), ("b", "c")]
    spread = np.sqrt((np.var([2, 2, 3], ddof=1) + np.var([1, 2, 3, 4], ddof=1)) / 2)
    assert found["a", "b"].value == pytest.approx((7 / 3 - 2.5) / spread)
    assert found["a", "b"].marked
    assert found["b", "c"].value == Undefined("an arm has fewer than two people with this value")
    assert not found["b", "c"].marked
    (same,) = standardised_differences([1, 1, 1, 1], list("aabb"))
    assert same.value == Undefined("the value is the same for everybody of both arms")
    (unmarked,) = standardised_differences([0, 10, 0.5, 10.5], list("aabb"))
    assert (round(float(unmarked.value), 3), unmarked.marked) == (-0.071, False)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="an arm for each value"):
        standardised_differences([1, 2], ["a"])


@given(st.lists(st.tuples(st.floats(-100, 100), st.sampled_from("ab")), min_size=4, max_size=20))
def test_differences_ask_for_no_unit(rows: list[tuple[float, str]]) -> None:
    values, arms = np.round([value for value, _ in rows], 3), [arm for _, arm in rows]
    for one, other in zip(
        standardised_differences(values, arms), standardised_differences(7 - 3 * values, arms), strict=True
    ):
        if isinstance(one.value, Undefined) or isinstance(other.value, Undefined):
            assert isinstance(one.value, Undefined)
        else:
            assert other.value == pytest.approx(-one.value, rel=1e-6, abs=1e-6)


def test_loss() -> None:
    first, second = loss_by_arm({"a": 40, "b": 20, "never": 0}, {"a": 30})
    assert [(each.arm, each.drawn, each.lost, each.share) for each in (first, second)] == [
        ("a", 40, 10, 0.25),
        ("b", 20, 20, 1.0),
    ]
    assert (first.low, first.high) == pytest.approx(proportion_confint(10, 40, method="wilson"), abs=1e-9)
    for kept in ({"a": 41}, {"c": 1}, {"a": -1}):
        with pytest.raises(ValueError, match="keeps"):
            loss_by_arm({"a": 40}, kept)
