"""What a marker sees and may answer."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.experiments import MARKS
from protocols.quiz.marks import MARKING
from protocols.task import AnswerRefused, Subject

BODY = {
    "question_id": "q1",
    "question": "Why?",
    "key": ["because"],
    "marks": 2,
    "answers": {"aa": "Because of that.", "bb": "No idea", "cc": "It was so"},
}
SUBJECT = Subject("q1", BODY, "", "1", "7", "marks")
GIVEN = {"mark-aa": "2", "mark-bb": "0", "mark-cc": "1.5"}


def test_marks_in_halves_are_read_and_pass_their_check() -> None:
    answer = MARKING.read({**GIVEN, "mark-zz": "2"}, SUBJECT, {})

    assert answer == {"marks": {"aa": 2, "bb": 0, "cc": 1.5}}
    MARKING.check(answer, SUBJECT, {})
    assert MARKING.said(SUBJECT, answer) == ("Why?", "3 answers: 2, 0, 1½")


@pytest.mark.parametrize("mark", ["", "3", "-1", "0.25", "two", "1,5", "nan"])
def test_an_answer_without_a_mark_is_pointed_at(mark: str) -> None:
    with pytest.raises(AnswerRefused) as refusal:
        MARKING.read({**GIVEN, "mark-bb": mark}, SUBJECT, {})

    assert refusal.value.problems == [("mark-bb", "1 answer has no marks yet. Give each answer some, or 0.")]


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"marks": [2, 0, 1]},
        {"marks": {"aa": 2, "bb": 0}},
        {"marks": {"aa": 2, "bb": 0, "cc": 1, "dd": 1}},
        {"marks": {"aa": 2, "bb": 0, "cc": 0.7}},
        {"marks": {"aa": 2, "bb": 0, "cc": True}},
        {"marks": {"aa": 2, "bb": 0, "cc": "1"}},
    ],
)
def test_what_is_no_answer_is_refused(answer: dict[str, object]) -> None:
    with pytest.raises(AnswerRefused):
        MARKING.check(answer, SUBJECT, {})


def test_marks_of_an_erased_answer_stay() -> None:
    answer = MARKING.read(GIVEN, SUBJECT, {})
    left = {key: text for key, text in BODY["answers"].items() if key != "bb"}  # type: ignore[attr-defined]

    MARKING.check(answer, Subject("q1", {**BODY, "answers": left, "erased": ["bb"]}, "", "1", "7", "marks"), {})


@given(st.integers(0, 10**6))
def test_the_order_is_drawn_for_each_marker_and_simulated_marks_are_taken(seed: int) -> None:
    subject = Subject("q1", BODY, "", "1", str(seed), "marks")

    shown, again = (MARKING.shown(subject, {})["answers"] for _ in range(2))
    answer = MARKING.simulated(subject, {}, 0.5, random.Random(seed))

    assert shown == again
    assert sorted(shown) == sorted((f"mark-{key}", key, text) for key, text in BODY["answers"].items())  # type: ignore[attr-defined]
    MARKING.check(answer, subject, {})
    assert set(answer["marks"].values()) <= set(MARKS)
