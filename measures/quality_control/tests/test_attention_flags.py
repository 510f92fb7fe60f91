"""What is flagged in the work of one rater: answers in a row, haste, all flags together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.quality_control.attention_flags import AttentionFlagName, AttentionThresholds, RaterWork, attention_flags
from measures.quality_control.tests.works import DISAGREES, DRIFTS, FAST, STRAIGHT, UNKNOWN, column, flags, work

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
    scores, others = np.array([[3.0]] * 60), np.array([[2.0]] * 30 + [[1.0]] * 30)
    scores[50] = 1
    right = {2: ([1],), 3: ([1],), 40: ([2],), 41: ([2],)}
    others[list(right)] = np.nan
    found = [flag.name for flag in attention_flags(work(scores, others, right, milliseconds=100))]
    assert found == [name for name in AttentionFlagName if name in found]
    assert {STRAIGHT, DISAGREES, FAST, DRIFTS} <= set(found)


@pytest.mark.parametrize("texts", [0, 1])
def test_hardly_any_work_is_not_flagged(texts: int) -> None:
    assert flags(work(np.ones((texts, 2)), np.ones((texts, 2)), milliseconds=0)) == {}


answers = st.lists(st.tuples(st.integers(1, 3), st.integers(1, 5), st.integers(2, 6), st.integers(2, 10)), max_size=40)
LOW = AttentionThresholds(run_alone=3, fast_texts=1, min_shared_alone=4, min_drift=6, drift_z=1, drift_points=0.1)
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
        ("run_alone", [1]),
        ("edge", [1]),
        ("fast_texts", [0]),
        ("fast_words_per_second", [0, -1, np.nan, np.inf]),
        ("fast_share", [-0.1, 1.1, np.nan]),
        ("min_shared", [3]),
        ("min_shared_alone", [3]),
        ("min_drift", [5]),
        ("chance_z", [np.nan, np.inf]),
        ("chance_z_alone", [np.nan, -np.inf]),
        ("drift_z", [-0.1, np.nan]),
        ("drift_points", [0, -1, np.nan, np.inf]),
    ],
)
def test_thresholds_are_checked(name: str, values: list[float]) -> None:
    for value in values:
        with pytest.raises(ValueError, match=f"^{name} must be .*, not {value}"):
            AttentionThresholds(**{name: value})  # type: ignore[arg-type]


def test_the_least_thresholds_are_allowed() -> None:
    least = {"run": 2, "run_alone": 2, "edge": 2, "fast_texts": 1, "fast_share": 0, "min_drift": 6, "drift_z": 0}
    found = flags(work([[3]] * 3, [[1]] * 3), min_shared=4, min_shared_alone=4, **least)
    assert found == {
        STRAIGHT: "the same answer (3) to 3 texts in a row, 1 to 3; others rated 3 of these and judged 3 otherwise"
    }
    assert AttentionThresholds(fast_share=1, chance_z=-3.0).fast_share == 1


@pytest.mark.parametrize(
    ("texts", "run", "run_alone", "min_shared", "edge"),
    [(1, 6, 20, 6, 3), (10, 6, 20, 6, 3), (20, 8, 20, 12, 5), (40, 16, 20, 12, 10), (100, 40, 40, 12, 10)],
)
def test_thresholds_follow_the_length_of_a_visit(
    texts: int, run: int, run_alone: int, min_shared: int, edge: int
) -> None:
    found = AttentionThresholds.of_visit(texts)
    assert (found.run, found.run_alone, found.min_shared, found.edge) == (run, run_alone, min_shared, edge)
