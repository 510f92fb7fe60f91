"""What is flagged in the work of one rater: answers in a row, haste, all flags together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.quality_control.attention_flags import AttentionFlagName, AttentionThresholds, RaterWork, attention_flags
from measures.quality_control.tests.works import DRIFTS, FAST, STRAIGHT, UNKNOWN, column, flags, work

# The same answer again and again


def test_a_run_that_nobody_else_rated_is_flagged() -> None:
    scores = [[1, 2]] * 3 + [[3, 2]] * 20 + [[3, 1]] * 2
    assert flags(work(scores)) == {
        STRAIGHT: "the same answer (3, 2) to 20 texts in a row, 4 to 23; nobody else rated any of these"
    }


@pytest.mark.parametrize(("length", "is_flagged"), [(19, False), (20, True), (21, True)])
def test_from_what_length_on_a_run_is_flagged(length: int, is_flagged: bool) -> None:
    assert (STRAIGHT in flags(work([[3, 3]] * length + [[3, 2]] * 5))) == is_flagged


def test_a_run_is_one_of_whole_answers() -> None:
    assert flags(work([[3, 1], [3, 2]] * 20)) == {}


@pytest.mark.parametrize(
    ("others", "evidence"),
    [
        ([3] * 20, None),
        ([2] * 2 + [3] * 18, None),
        ([2] * 3 + [3] * 17, "others rated 20 of these and judged 3 otherwise"),
        ([2.5] * 20, None),  # rounded half up, these are 3
        ([2.4] * 3 + [2.5] * 17, "others rated 20 of these and judged 3 otherwise"),
        ([UNKNOWN] * 18 + [2] * 2, None),
        ([UNKNOWN] * 17 + [2] * 3, "others rated 3 of these and judged 3 otherwise"),
        ([UNKNOWN] * 19 + [3], None),
        ([UNKNOWN] * 20, "nobody else rated any of these"),
    ],
)
def test_a_run_that_the_others_bear_out_is_not_flagged(others: list[float], evidence: str | None) -> None:
    found = flags(work([[3]] * 20, column(others))).get(STRAIGHT)
    assert found == (evidence and f"the same answer (3) to 20 texts in a row, 1 to 20; {evidence}")


def test_one_scale_that_differs_is_enough() -> None:
    others = [[3, 2], [2, 3], [2, 2]] + [[3, 3]] * 17
    assert "judged 3 otherwise" in flags(work([[3, 3]] * 20, others))[STRAIGHT]


def test_the_longest_run_that_tells_something_is_named() -> None:
    scores = [[1]] * 20 + [[2]] * 21 + [[1]] * 21 + [[3]] * 40
    others = column([UNKNOWN] * 62 + [3] * 40)
    assert "(2) to 21 texts in a row, 21 to 41;" in flags(work(scores, others))[STRAIGHT]


def test_what_others_say_outside_the_run_does_not_count() -> None:
    scores, others = [[1]] * 5 + [[3]] * 20, column([3] * 5 + [3] * 20)
    assert STRAIGHT not in flags(work(scores, others))


@given(st.lists(st.sampled_from([(1, 1), (1, 2), (2, 1)]), max_size=30), st.integers(2, 5))
def test_runs_are_what_a_plain_loop_finds(answers: list[tuple[int, int]], least: int) -> None:
    longest = length = 0
    for place, answer in enumerate(answers):
        length = length + 1 if place and answer == answers[place - 1] else 1
        longest = max(longest, length)
    evidence = flags(work(np.array(answers).reshape(-1, 2)), run=least).get(STRAIGHT)
    assert (evidence is not None) == (longest >= least)
    assert evidence is None or f" to {longest} texts in a row" in evidence


# Too fast


def test_reading_too_fast_is_flagged() -> None:
    fast = work([[1], [2]] * 10, milliseconds=[2_400, 1_000, *[20_000] * 6, *[2_400] * 4, *[UNKNOWN] * 8])
    assert flags(fast) == {
        FAST: "6 of 12 texts with a known time answered at more than 12 words a second; "
        "the quickest, text 2, at 30.0 words a second"
    }


@pytest.mark.parametrize(("at_ms", "is_flagged"), [(2_500, False), (2_499.9, True), (0, True)])
def test_what_time_is_too_short(at_ms: float, is_flagged: bool) -> None:
    assert (FAST in flags(work([[1], [2]] * 3, milliseconds=at_ms))) == is_flagged


@pytest.mark.parametrize(
    ("fast", "slow", "is_flagged"), [(4, 0, False), (5, 0, True), (5, 20, True), (5, 21, False), (6, 24, True)]
)
def test_how_many_have_to_be_too_fast(fast: int, slow: int, is_flagged: bool) -> None:
    times = [1_000.0] * fast + [60_000.0] * slow + [UNKNOWN] * 40
    scores = column([1 + place % 2 for place in range(len(times))])
    assert (FAST in flags(work(scores, milliseconds=times))) == is_flagged


@given(st.integers(1, 200), st.integers(1, 100))
def test_a_share_is_read_as_a_decimal(known: int, percent: int) -> None:
    fast = -(-known * percent // 100)
    times = np.array([1.0] * fast + [60_000.0] * (known - fast))
    scores = column([1 + place % 2 for place in range(known)])
    assert FAST in flags(work(scores, milliseconds=times), fast_texts=1, fast_share=percent / 100)
    times[0] = 60_000
    assert FAST not in flags(work(scores, milliseconds=times), fast_texts=1, fast_share=percent / 100)


def test_an_answer_in_no_time_is_the_quickest() -> None:
    found = flags(work([[1], [2]] * 3, milliseconds=[1, 1, 1, 1, 0, 0]))[FAST]
    assert found.endswith("the quickest, text 5, in no time at all")


def test_a_text_without_words_is_never_too_fast() -> None:
    assert flags(work([[1], [2]] * 10, milliseconds=0, words=0)) == {}


def test_times_that_are_not_known_are_no_evidence() -> None:
    assert flags(work([[1], [2]] * 10)) == {}


# All flags


def test_flags_come_in_order_and_once() -> None:
    scores = np.array([[3.0]] * 20 + [[1.0], [3.0]] * 10)
    others = np.array([[1.0], [2.0]] * 10 + [[3.0], [2.0]] * 10)
    found = attention_flags(work(scores, others, milliseconds=100))
    assert [flag.name for flag in found] == list(AttentionFlagName)


@pytest.mark.parametrize("texts", [0, 1])
def test_hardly_any_work_is_not_flagged(texts: int) -> None:
    assert flags(work(np.ones((texts, 2)), np.ones((texts, 2)), milliseconds=0)) == {}


answers = st.lists(st.tuples(st.integers(1, 3), st.integers(1, 5), st.integers(2, 6), st.integers(2, 10)), max_size=40)
LOW = AttentionThresholds(run=3, run_disagreed=1, fast_texts=1, min_shared=4, drift_z=1, drift_points=0.1)
Answers = list[tuple[int, int, int, int]]


def two_scales(rows: Answers) -> RaterWork:
    table = np.array(rows, dtype=float).reshape(-1, 4)
    return work(table[:, :2], table[:, 2:] / 2, milliseconds=1_000, points=(3, 5))


@given(answers)
def test_the_order_of_the_scales_does_not_matter(rows: Answers) -> None:
    one = two_scales(rows)
    other = work(one.scores[:, ::-1], one.others[:, ::-1], milliseconds=1_000, points=(5, 3))
    names, turned = ([flag.name for flag in attention_flags(found, LOW)] for found in (one, other))
    assert names == turned


@given(answers)
def test_backwards_milder_is_stricter_and_the_rest_is_the_same(rows: Answers) -> None:
    one, other = (
        {flag.name: flag.evidence for flag in attention_flags(two_scales(found), LOW)} for found in (rows, rows[::-1])
    )
    assert set(one) == set(other)
    if DRIFTS in one:
        assert ("grew milder" in one[DRIFTS]) == ("grew stricter" in other[DRIFTS])


# Thresholds


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("run", [1, 0]),
        ("run_disagreed", [-1]),
        ("fast_texts", [0]),
        ("fast_words_per_second", [0, -1, np.nan, np.inf]),
        ("fast_share", [-0.1, 1.1, np.nan]),
        ("min_shared", [3]),
        ("chance_z", [np.nan, np.inf]),
        ("drift_z", [-0.1, np.nan]),
        ("drift_points", [0, -1, np.nan, np.inf]),
    ],
)
def test_thresholds_are_checked(name: str, values: list[float]) -> None:
    for value in values:
        with pytest.raises(ValueError, match=f"^{name} must be .*, not {value}"):
            AttentionThresholds(**{name: value})  # type: ignore[arg-type]


def test_the_least_thresholds_are_allowed() -> None:
    least = {"run": 2, "run_disagreed": 0, "fast_texts": 1, "fast_share": 0, "min_shared": 4, "drift_z": 0}
    found = flags(work([[3]] * 2, [[3]] * 2), **least)
    assert found == {
        STRAIGHT: "the same answer (3) to 2 texts in a row, 1 to 2; others rated 2 of these and judged 0 otherwise"
    }
    assert AttentionThresholds(fast_share=1, chance_z=-3.0).fast_share == 1
