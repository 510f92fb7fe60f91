"""Matrices of what was judged and by whom: every rating once, nobody taken for somebody else."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.content import Ratings, ReleasedComparison, ReleasedOutput, ReleasedRating, ReleasedSource, ReleasedText
from corpus.matrices import crowd_ratings, expert_ratings, rating_matrix
from measures.arrays import FloatArray

SCALE = "clarity"
NAMES = ("2", "10", "3", "ann", "bob", "10a", "007")
POINTS = st.integers(1, 7)


def rating(rater: str, point: int) -> ReleasedRating:
    """A rating on the scale in question, and on another one that must not be taken for it."""
    return ReleasedRating(rater, {"other": 8 - point, SCALE: point})


@st.composite
def judgements(draw: st.DrawFn) -> Ratings:
    """Ratings of one thing: of known people, each once, and of unknown ones, in any order."""
    known = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=5))
    names = draw(st.permutations([*known, *[""] * draw(st.integers(0, 4))]))
    return tuple(rating(name, draw(POINTS)) for name in names)


THINGS = st.lists(judgements(), max_size=6)
NAMELESS = st.lists(st.lists(POINTS.map(lambda point: rating("", point)), max_size=5).map(tuple), max_size=6)


def names_in(things: Sequence[Ratings]) -> set[str]:
    return {each.rater for ratings in things for each in ratings if each.rater}


def most_nameless(things: Sequence[Ratings]) -> int:
    return max((sum(not each.rater for each in ratings) for ratings in things), default=0)


def points_in(row: FloatArray) -> Counter[float]:
    return Counter(row[~np.isnan(row)].tolist())


@given(things=THINGS)
def test_every_rating_stands_once_in_the_row_of_its_thing(things: list[Ratings]) -> None:
    matrix = rating_matrix(things, SCALE)

    assert len(matrix) == len(things)
    for row, ratings in zip(matrix, things, strict=True):
        assert points_in(row) == Counter(each.scores[SCALE] for each in ratings)


@given(things=THINGS)
def test_there_is_a_column_for_each_name_and_as_many_more_as_ratings_without_one_meet(things: list[Ratings]) -> None:
    matrix = rating_matrix(things, SCALE)

    assert matrix.shape[1] == len(names_in(things)) + most_nameless(things)


@given(things=THINGS)
def test_a_column_of_a_name_holds_what_that_person_said_and_nothing_else(things: list[Ratings]) -> None:
    said = [{each.rater: each.scores[SCALE] for each in ratings if each.rater} for ratings in things]
    wanted = {tuple(row.get(name) for row in said) for name in names_in(things)}

    known = rating_matrix(things, SCALE)[:, : len(names_in(things))]

    found = {tuple(None if np.isnan(point) else point for point in column) for column in known.T}
    assert found == wanted


@given(things=THINGS)
def test_who_has_no_name_is_nobody_who_has_one(things: list[Ratings]) -> None:
    without = [tuple(each for each in ratings if each.rater) for ratings in things]

    matrix, known = rating_matrix(things, SCALE), rating_matrix(without, SCALE)

    np.testing.assert_array_equal(matrix[:, : known.shape[1]], known)
    for row, ratings in zip(matrix[:, known.shape[1] :], things, strict=True):
        nameless = [each.scores[SCALE] for each in ratings if not each.rater]
        assert row[: len(nameless)].tolist() == nameless
        assert np.isnan(row[len(nameless) :]).all()


@given(things=NAMELESS)
def test_two_ratings_of_one_thing_without_a_name_are_never_of_one_person(things: list[Ratings]) -> None:
    matrix = rating_matrix(things, SCALE)

    rated = np.count_nonzero(~np.isnan(matrix), axis=1)
    assert rated.tolist() == [len(ratings) for ratings in things]


@given(things=THINGS, data=st.data())
def test_the_order_of_the_things_and_of_the_ratings_moves_nobody_to_another_column(
    things: list[Ratings], data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(things))))
    known = [tuple(each for each in ratings if each.rater) for ratings in things]
    turned = [known[place][::-1] for place in order]

    matrix = rating_matrix(known, SCALE)

    np.testing.assert_array_equal(rating_matrix(turned, SCALE), matrix[order])


def test_raters_stand_in_the_order_of_their_numbers_and_then_of_their_names() -> None:
    names = ("bob", "10", "2", "ann", "3")
    things = [tuple(rating(name, point) for point, name in enumerate(names, start=1))]

    assert rating_matrix(things, SCALE).tolist() == [[3, 5, 2, 4, 1]]


def test_two_people_of_one_name_at_one_thing_are_both_counted() -> None:
    matrix = rating_matrix([(rating("7", 1), rating("7", 5), rating("8", 3))], SCALE)

    assert points_in(matrix[0]) == Counter([1, 5, 3])


@pytest.mark.parametrize("scale", [SCALE, "other"])
def test_of_nothing_there_is_an_empty_matrix(scale: str) -> None:
    assert rating_matrix([], scale).shape == (0, 0)
    assert rating_matrix([(), ()], scale).shape == (2, 0)


def test_texts_and_pairs_are_judged_by_the_crowd_and_by_experts_in_one_order_and_outputs_are_apart() -> None:
    crowd, experts = [[(rating(f"{who}{n}", n),) for n in range(1, 5)] for who in ("crowd", "expert")]
    sources = [
        ReleasedSource("1", "News", "A b.", 1, "", "1", texts=[ReleasedText("A.", ("1",), crowd[0], experts[0])]),
        ReleasedSource(
            "2",
            "News",
            "C d.",
            1,
            "",
            "2",
            texts=[ReleasedText("C.", ("1",), crowd[1], experts[1])],
            outputs=[ReleasedOutput("t3", "D.", crowd[2], experts[2])],
            comparisons=[ReleasedComparison("C.", "D.", crowd[3], experts[3])],
        ),
    ]

    assert list(crowd_ratings(sources)) == [crowd[0], crowd[1], crowd[3]]
    assert list(expert_ratings(sources)) == [experts[0], experts[1], experts[3]]
