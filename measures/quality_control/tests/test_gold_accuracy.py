"""Accuracy of raters on gold items."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.quality_control.gold_accuracy import GoldAnswers, gold_accuracy

N_RATERS = 4
Row = tuple[int, int, int, int]
"""Rater, right answers, questions, items."""


@st.composite
def row(draw: st.DrawFn) -> Row:
    questions = draw(st.integers(0, 6))
    return (
        draw(st.integers(0, N_RATERS - 1)),
        draw(st.integers(0, questions)),
        questions,
        draw(st.integers(min(questions, 1), questions)),
    )


def table(rows: list[Row]) -> GoldAnswers:
    return GoldAnswers(*np.array(rows, dtype=np.int64).reshape(-1, 4).T)


def test_accuracy_is_the_share_of_right_answers() -> None:
    measured = gold_accuracy(table([(0, 5, 12, 6), (2, 4, 4, 4), (3, 0, 2, 1)]), N_RATERS)
    accuracy, items = measured.quality, measured.items
    assert accuracy[[0, 2, 3]].tolist() == [pytest.approx(5 / 12), 1.0, 0.0]
    assert np.isnan(accuracy[1])
    assert items.tolist() == [6, 0, 4, 1]
    assert items.dtype == np.int64


@given(st.lists(row(), max_size=12))
def test_accuracy_is_what_a_plain_loop_computes(rows: list[Row]) -> None:
    measured = gold_accuracy(table(rows), N_RATERS)
    accuracy, items = measured.quality, measured.items
    for rater in range(N_RATERS):
        own = [one for one in rows if one[0] == rater]
        right, questions = sum(one[1] for one in own), sum(one[2] for one in own)
        np.testing.assert_equal(accuracy[rater], right / questions if questions else np.nan)
        assert items[rater] == sum(one[3] for one in own)


@given(st.lists(row(), max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(rows: list[Row], random: Any) -> None:
    shuffled = random.sample(rows, len(rows))
    one, other = (gold_accuracy(table(each), N_RATERS) for each in (rows, shuffled))
    for name in ("quality", "items", "standard_error"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_no_answers_give_no_accuracy() -> None:
    measured = gold_accuracy(table([]), 2)
    accuracy, items = measured.quality, measured.items
    assert np.isnan(accuracy).all()
    assert items.tolist() == [0, 0]
    assert gold_accuracy(table([]), 0).quality.shape == (0,)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ((0, 3, 2, 1), "^right must be between 0 and the number of questions"),
        ((0, -1, 2, 1), "^right must be between 0"),
        ((0, 1, 2, 3), "^items must be between 0 and the number of questions"),
        ((0, 1, 2, -1), "^items must be between 0"),
    ],
)
def test_numbers_must_fit_the_questions(row: Row, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        table([row])


def test_columns_are_equally_long() -> None:
    one, two = np.array([0]), np.array([0, 0])
    for columns in [(one, one, one, two), (two, one, one, one), (one, two, two, one)]:
        with pytest.raises(ValueError, match="gold answers differ in shape"):
            GoldAnswers(*columns)


@pytest.mark.parametrize("rater", [-1, N_RATERS])
def test_a_rater_out_of_range_is_an_error(rater: int) -> None:
    with pytest.raises(ValueError, match="rater out of range 0 to 3"):
        gold_accuracy(table([(rater, 1, 1, 1)]), N_RATERS)
