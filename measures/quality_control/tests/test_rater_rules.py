"""The rules of what stands out in the work of one rater: from which answers on each is met."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.quality_control.rater_rules import (
    answer_times,
    by_full_stop,
    by_length,
    change_point,
    constant,
    gold_wrong,
    late_wrong,
    no_relation,
    relation_z,
    run_of_answers,
)
from measures.quality_control.tests.works import STRAIGHT, UNKNOWN, column, flags, work

# Times

MINUTE = 60_000.0


@pytest.mark.parametrize(
    ("page", "server", "taken"),
    [
        (9_000.0, 20_000.0, 9_000.0),
        (9_000.0, 40.0, 40.0),
        (UNKNOWN, 40.0, 40.0),
        (9_000.0, UNKNOWN, 9_000.0),
        (UNKNOWN, UNKNOWN, UNKNOWN),
    ],
)
def test_the_smaller_of_two_clocks_counts_and_the_server_s_alone_if_the_page_tells_nothing(
    page: float, server: float, taken: float
) -> None:
    found = answer_times(np.array([page]), np.array([server]), np.array([40]), np.array([7]))
    np.testing.assert_equal(found, [taken])


def test_texts_of_one_page_share_the_server_s_time_by_their_words() -> None:
    page = np.array([UNKNOWN, 2_000, UNKNOWN, UNKNOWN])
    server, words = np.full(4, MINUTE), np.array([10, 20, 30, 0])
    np.testing.assert_allclose(
        answer_times(page, server, words, np.array([1, 1, 1, 2])), [10_000, 2_000, 30_000, MINUTE]
    )


# Gold


def gold_of(wrong: int, right: int, points: int = 3) -> dict[int, tuple[list[int], ...]]:
    """Gold questions that the answer 3 gets wrong by two points, and such as it gets right."""
    return {row: ([1] if row < wrong else [points],) for row in range(wrong + right)}


@pytest.mark.parametrize(
    ("wrong", "right", "is_met"),
    [(2, 2, False), (3, 1, True), (3, 0, False), (4, 0, True), (5, 2, False), (6, 2, True)],
)
def test_how_many_gold_questions_must_be_wrong(wrong: int, right: int, is_met: bool) -> None:
    found = gold_wrong(work([[3]] * (wrong + right), gold=gold_of(wrong, right)))
    assert (found is not None) == is_met
    assert not found or found.startswith(f"{wrong} of {wrong + right} gold questions answered wrong")


def test_one_point_off_is_enough_only_if_all_are_wrong() -> None:
    one_off = {row: ([2],) for row in range(4)}
    assert gold_wrong(work([[3]] * 4, gold=one_off)) == "4 of 4 gold questions answered wrong, 0 of them two points off"
    assert gold_wrong(work([[3]] * 4, gold=one_off | {3: ([3],)})) is None
    assert gold_wrong(work([[3]] * 4, gold=one_off | {3: ([3],), 2: ([1],)})) is not None


def test_a_question_is_wrong_on_one_scale_and_right_by_any_accepted_point() -> None:
    right = {0: ([3], [1]), 1: ([1], [3]), 2: ([3], [1]), 3: ([2, 3], [3])}
    assert (
        gold_wrong(work([[3, 3]] * 4, gold=right)) == "3 of 4 gold questions answered wrong, 3 of them two points off"
    )


def test_who_agrees_with_the_others_is_mild_and_does_not_fail_gold() -> None:
    others = [[1.0], [2.0], [3.0]] * 6 + [[UNKNOWN]] * 4
    gold = {18: ([1],), 19: ([2],), 20: ([2],), 21: ([3],)}
    answers = [[1], [2], [3]] * 6 + [[3], [3], [3], [3]]
    assert (relation_z(work(answers, others, gold)) or 0) > 3
    assert gold_wrong(work(answers, others, gold)) is None
    assert gold_wrong(work([[3], [1], [2]] * 6 + [[3]] * 4, others, gold)) is not None


# One answer


@pytest.mark.parametrize(("other", "wrong", "is_met"), [(0, 2, True), (1, 2, True), (2, 2, False), (0, 1, False)])
def test_one_answer_to_everything(other: int, wrong: int, is_met: bool) -> None:
    found = constant(work([[3]] * (12 - other) + [[2]] * other, gold=gold_of(wrong, 4 - wrong)))
    assert (found is not None) == is_met


def test_a_run_with_two_wrong_gold_questions_is_told() -> None:
    scores = [[1, 2]] * 3 + [[3, 2]] * 8 + [[3, 1]] * 2
    right = {5: ([3], [3]), 10: ([1], [2]), 12: ([1], [3])}
    assert flags(work(scores, gold=right)) == {
        STRAIGHT: "the same answer (3, 2) to 8 texts in a row, 4 to 11; 2 gold questions among them are wrong"
    }


@pytest.mark.parametrize(("length", "wrong", "is_met"), [(7, 2, False), (8, 2, True), (8, 1, False), (30, 1, False)])
def test_from_what_length_on_a_run_counts(length: int, wrong: int, is_met: bool) -> None:
    scores = [[3]] * length + [[2], [1]] * 3
    found = run_of_answers(work(scores, gold=gold_of(wrong, 2 - wrong)), least=8, least_alone=20)
    assert (found is not None) == is_met


@pytest.mark.parametrize(
    ("others", "evidence"),
    [
        ([3] * 20, None),
        ([2] * 5 + [3] * 15, None),
        ([2] * 6 + [3] * 14, "others rated 20 of these and judged 6 otherwise"),
        ([2.5] * 20, None),  # rounded half up, these are 3
        ([2.4] * 6 + [2.5] * 14, "others rated 20 of these and judged 6 otherwise"),
        ([UNKNOWN] * 18 + [2] * 2, None),
        ([UNKNOWN] * 17 + [2] * 3, "others rated 3 of these and judged 3 otherwise"),
        ([UNKNOWN] * 20, None),
    ],
)
def test_without_gold_a_run_is_held_against_the_others(others: list[float], evidence: str | None) -> None:
    found = flags(work([[3]] * 20, column(others))).get(STRAIGHT)
    assert found == (evidence and f"the same answer (3) to 20 texts in a row, 1 to 20; {evidence}")
    assert STRAIGHT not in flags(work([[3]] * 19, column(others[1:])))


def test_one_scale_that_differs_is_enough() -> None:
    others = [[3, 2], [2, 3], [2, 2]] * 2 + [[3, 3]] * 14
    assert "judged 6 otherwise" in flags(work([[3, 3]] * 20, others))[STRAIGHT]


@given(st.lists(st.sampled_from([(1, 1), (1, 2), (2, 1)]), max_size=30), st.integers(3, 6))
def test_runs_are_what_a_plain_loop_finds(answers: list[tuple[int, int]], least: int) -> None:
    longest = length = 0
    for place, answer in enumerate(answers):
        length = length + 1 if place and answer == answers[place - 1] else 1
        longest = max(longest, length)
    own = np.array(answers, dtype=float).reshape(-1, 2)
    found = run_of_answers(work(own, np.full(own.shape, 3)), least=2, least_alone=least)
    assert (found is not None) == (longest >= least)
    assert found is None or f" to {longest} texts in a row" in found


# What answers follow

LENGTHS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.72]
A_WRONG_ONE = {0: ([3],)}


@pytest.mark.parametrize(
    ("answers", "is_met"),
    [([1, 1, 2, 3, 3, 3], True), ([2, 2, 3, 2, 3, 3], False), ([1, 1, 1, 1, 3, 3], False), ([3, 3, 3, 1, 1, 1], False)],
)
def test_top_points_for_the_longest(answers: list[int], is_met: bool) -> None:
    found = work([[each, 2] for each in answers], gold={0: ([2], [1])}, length_ratio=LENGTHS)
    assert (by_length(found) is not None) == is_met


def test_who_gets_gold_right_may_follow_length_and_full_stops() -> None:
    answers, stops = [[1], [1], [1], [3], [3], [3]], [False] * 3 + [True] * 3
    for rule in (by_length, by_full_stop):
        shown: dict[str, Any] = {"length_ratio": LENGTHS, "full_stop": stops}
        assert rule(work(answers, gold=A_WRONG_ONE, **shown)) is not None
        assert rule(work(answers, gold={0: ([1],)}, **shown)) is None


@pytest.mark.parametrize(
    ("stops", "is_met"), [([0, 0, 1, 1], True), ([0, 1, 1, 1], False), ([1, 1, 0, 0], False), ([1, 1, 1, 1], False)]
)
def test_top_points_for_full_stops(stops: list[int], is_met: bool) -> None:
    assert (by_full_stop(work([[1], [2], [3], [3]], gold=A_WRONG_ONE, full_stop=stops)) is not None) == is_met


# From some text on

EARLY, LATER = [[3.0], [2.0]] * 5, [[3.0]] * 8


@pytest.mark.parametrize(
    ("right", "is_met"),
    [({18: ([3],)}, True), ({18: ([1],)}, False), ({0: ([1],)}, False), ({}, False)],
)
def test_a_change_needs_a_wrong_gold_question_after_it(right: dict[int, tuple[list[int]]], is_met: bool) -> None:
    others = [*EARLY, *LATER, [UNKNOWN]]
    for row in right:
        others[row] = [UNKNOWN]
    found = change_point(work([[3], [2]] * 5 + [[1]] * 9, others, right), edge=5, seed=1)
    assert (found is not None) == is_met


def test_a_change_is_told_the_same_each_time_and_stands_where_it_is() -> None:
    turned = work([[3], [2]] * 5 + [[1]] * 9, [*EARLY, *LATER, [UNKNOWN]], {18: ([3],)})
    found = {change_point(turned, edge=5, seed=seed) for seed in (1, 1, 2, 3)}
    assert found == {
        "from text 11 on 2.00 points from the others on average, before that 0.00; 1 of 1 later gold questions wrong"
    }


def test_few_texts_show_no_change() -> None:
    turned = work([[3], [2]] * 5 + [[1]] * 9, [*EARLY, *LATER, [UNKNOWN]], {18: ([3],)})
    assert change_point(turned, edge=9, seed=1) is not None
    assert change_point(turned, edge=10, seed=1) is None


def test_whose_distance_does_not_grow_has_not_changed() -> None:
    others = [[3.0], [2.0]] * 9 + [[UNKNOWN]]
    assert change_point(work([[3], [3]] * 9 + [[1]], others, {18: ([3],)}), edge=5, seed=1) is None


@pytest.mark.parametrize(
    ("late", "is_met"),
    [({8: ([1],), 9: ([2],)}, True), ({8: ([1],), 9: ([3],)}, False), ({8: ([1],)}, False)],
)
def test_the_second_half_is_told_by_all_of_its_gold_questions(late: dict[int, tuple[list[int]]], is_met: bool) -> None:
    others = [[3.0], [2.0], [1.0], [3.0], [2.0], [1.0], [2.0], [3.0], [UNKNOWN], [UNKNOWN]]
    found = late_wrong(work([[3], [2], [1], [3], [2], *[[3]] * 5], others, late))
    assert (found is not None) == is_met


def test_who_agrees_in_both_halves_or_in_none_did_not_stop() -> None:
    others = [[3.0], [2.0], [1.0], [3.0], [2.0], [1.0], [2.0], [3.0], [UNKNOWN], [UNKNOWN]]
    late = {8: ([1],), 9: ([2],)}
    assert late_wrong(work([[3], [2], [1], [3], [2], [1], [2], [3], [3], [3]], others, late)) is None
    assert late_wrong(work([[1], [2], [3], [1], [2], *[[3]] * 5], others, late)) is None


def test_no_relation_where_nothing_is_known() -> None:
    assert relation_z(work([[3], [1]])) is None
    same = work([[3]] * 4, [[2]] * 4)
    assert no_relation(same, least=4, below=2.0, least_alone=4, below_alone=1.0) is None
