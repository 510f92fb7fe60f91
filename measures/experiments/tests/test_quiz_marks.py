"""Marks by key, by two markers and a third, scores and the agreement of markers."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.agreement import weighted_kappa
from measures.core.undefined import NO_PAIRS, Undefined
from measures.experiments.quiz_marks import (
    FEW_SHARED,
    MARKS,
    NO_QUESTIONS,
    combined_mark,
    marker_agreement,
    markers_wanted,
    matches_key,
    quiz_score,
)

marks = st.sampled_from(MARKS)


@pytest.mark.parametrize(
    ("answer", "accepted"),
    [
        ("Straße", "STRASSE"),
        ("e\u0301te\u0301", "ÉTÉ"),
        ("two\n  words ", "two words"),
        ("so\u00adft", "soft"),
        ("ΣΑΣ", "σας"),
    ],
)
def test_case_space_and_form_do_not_matter(answer: str, accepted: str) -> None:
    assert matches_key(answer, ["other", accepted])
    assert not matches_key(answer + " x", [accepted])


@given(st.text(max_size=12))
def test_every_answer_matches_itself_in_any_form(text: str) -> None:
    for form in ("NFC", "NFD"):
        assert matches_key(f" {unicodedata.normalize(form, text)}x ", [f"{text}X"])
    assert not matches_key("\u200b \n", [text, ""])


def test_accents_and_other_words_matter() -> None:
    assert not matches_key("resume", ["résumé"])
    assert not matches_key("a b", ["ab"])
    assert not matches_key("a", [])


@given(marks, marks, marks)
def test_a_third_marker_comes_when_two_are_apart(first: float, second: float, third: float) -> None:
    apart = abs(first - second) > 0.5
    assert markers_wanted([first, second]) == apart
    assert combined_mark([first, second]) == (
        Undefined("the answer wants 1 more marker") if apart else (first + second) / 2
    )
    assert combined_mark([first, second, third]) == sorted([first, second, third])[1]


def test_until_two_have_marked_there_is_no_mark() -> None:
    assert [markers_wanted([1.0] * number) for number in range(4)] == [2, 1, 0, 0]
    assert combined_mark([]) == Undefined("the answer wants 2 more markers")
    for wrong in ([1.0] * 4, [0.25], [2.5], [float("nan")]):
        with pytest.raises(ValueError, match="0 to 2 in halves"):
            combined_mark(wrong)


def test_a_score_is_the_share_of_what_is_possible() -> None:
    assert quiz_score([2, 1, 0, 0.5], [2, 2, 2, 2]) == 43.75
    assert quiz_score([1], [4]) == 25
    assert quiz_score([], []) == NO_QUESTIONS
    for given_marks, possible in (([1], []), ([3], [2]), ([-1], [2]), ([0], [0]), ([float("nan")], [2])):
        with pytest.raises(ValueError, match="from 0 to the highest"):
            quiz_score(given_marks, possible)


def test_agreement_is_of_the_first_two_marks_of_each_pair_of_markers() -> None:
    rng = np.random.default_rng(1)
    first = rng.integers(0, 5, 60)
    second = np.clip(first + rng.integers(-1, 2, 60), 0, 4)
    table = np.column_stack([first, second, np.where(abs(first - second) > 1, first, np.nan)]) / 2
    who = np.column_stack([np.repeat([1, 3], 30), np.full(60, 2), np.full(60, 7)])
    found = marker_agreement(table, who)
    of_pairs = [
        weighted_kappa(table[part, 0], table[part, 1], categories=MARKS) for part in (slice(0, 30), slice(30, 60))
    ]
    assert found.kappa == pytest.approx(np.mean(of_pairs))  # type: ignore[arg-type]
    assert found.alpha == marker_agreement(table[:, :2], who[:, :2]).alpha
    assert (found.pairs, found.answers, found.apart) == (2, 60, 0)
    assert marker_agreement([[0.0, 1.0], [2.0, np.nan]], [[1, 2], [1, -1]]).apart == 1


def test_without_pairs_of_marks_there_is_no_agreement() -> None:
    found = marker_agreement([[1.0, np.nan]], [[1, -1]])
    assert (found.kappa, found.alpha, found.answers) == (FEW_SHARED, NO_PAIRS, 0)
    assert marker_agreement(np.full((1, 1), 2.0), np.zeros((1, 1), dtype=np.int64)).answers == 0
    with pytest.raises(ValueError, match="who gave each"):
        marker_agreement([[1.0, 2.0]], [[1]])
