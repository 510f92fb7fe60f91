"""Matrices of what was judged and by whom: every rating once, nobody taken for somebody else."""

from collections import Counter
from collections.abc import Sequence
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.rating_matrices import RatingMatrix, crowd_rating_rows, expert_rating_rows, rating_matrix
from corpus.release.records import (
    Ratings,
    ReleasedComparison,
    ReleasedOutput,
    ReleasedRating,
    ReleasedSource,
    ReleasedText,
)
from measures.core.arrays import FloatArray

SCALE = "clarity"
NAMES = ("2", "10", "3", "ann", "bob", "10a", "007")
POINTS = st.integers(1, 7)


def rating(rater: str, point: int) -> ReleasedRating:
    """A rating on the scale in question, and on another one that must not be taken for it."""
    return ReleasedRating(rater, {"other": 8 - point, SCALE: point})


@st.composite
def some_ratings(draw: st.DrawFn) -> Ratings:
    """Ratings of one thing: of known people, each once, and of unknown ones, in any order."""
    known = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=5))
    names = draw(st.permutations([*known, *[""] * draw(st.integers(0, 4))]))
    return tuple(rating(name, draw(POINTS)) for name in names)


THINGS = st.lists(some_ratings(), max_size=6)


def names_in(things: Sequence[Ratings]) -> set[str]:
    return {each.rater for ratings in things for each in ratings if each.rater}


def points_in(row: FloatArray) -> Counter[float]:
    return Counter(row[~np.isnan(row)].tolist())


def said_by(found: RatingMatrix) -> list[dict[str, float]]:
    """Of each thing, who said what."""
    points = found.points(SCALE)
    return [
        {
            found.names[rater]: point
            for rater, point in zip(raters, row, strict=True)
            if rater >= 0 and not np.isnan(point)
        }
        for raters, row in zip(found.raters, points, strict=True)
    ]


@given(things=THINGS)
def test_every_rating_stands_once_in_the_row_of_its_thing(things: list[Ratings]) -> None:
    points = rating_matrix(things).points(SCALE)

    assert points.shape == (len(things), max(map(len, things), default=0))
    for row, ratings in zip(points, things, strict=True):
        assert points_in(row) == Counter(each.scores[SCALE] for each in ratings)


@given(things=THINGS)
def test_who_said_what_is_kept(things: list[Ratings]) -> None:
    found = rating_matrix(things)

    assert found.names == sorted(names_in(things), key=natural)
    assert said_by(found) == [{each.rater: each.scores[SCALE] for each in ratings if each.rater} for ratings in things]


def natural(name: str) -> tuple[bool, int, str]:
    return not name.isdecimal(), int(name) if name.isdecimal() else 0, name


@given(things=THINGS)
def test_who_has_no_name_is_nobody_and_stands_at_last(things: list[Ratings]) -> None:
    found = rating_matrix(things)

    points = found.points(SCALE)
    for raters, row, ratings in zip(found.raters, points, things, strict=True):
        known = sum(bool(each.rater) for each in ratings)
        assert (raters[:known] >= 0).all()
        assert (raters[known:] == -1).all()
        nameless = [each.scores[SCALE] for each in ratings if not each.rater]
        assert row[known : len(ratings)].tolist() == nameless


@given(things=THINGS, data=st.data())
def test_the_order_of_the_things_and_of_the_ratings_moves_nobody(things: list[Ratings], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(things))))
    known = [tuple(each for each in ratings if each.rater) for ratings in things]

    found, turned = rating_matrix(known), rating_matrix([known[place][::-1] for place in order])

    assert turned.names == found.names
    np.testing.assert_array_equal(turned.raters, found.raters[order])
    np.testing.assert_array_equal(turned.points(SCALE), found.points(SCALE)[order])


def test_raters_stand_in_the_order_of_their_numbers_and_then_of_their_names() -> None:
    names = ("bob", "10", "2", "ann", "3")
    found = rating_matrix([tuple(rating(name, point) for point, name in enumerate(names, start=1))])

    assert found.names == ["2", "3", "10", "ann", "bob"]
    assert found.points(SCALE).tolist() == [[3, 5, 2, 4, 1]]


def test_two_people_of_one_name_at_one_thing_are_two() -> None:
    found = rating_matrix([(rating("7", 1), rating("7", 5), rating("8", 3)), (rating("7", 2),)])

    assert said_by(found) == [{"7": 1, "7 (2)": 5, "8": 3}, {"7": 2}]


def test_what_came_before_is_counted_in_the_order_of_the_release() -> None:
    assert rating_matrix([(rating("9", 1), rating("", 5), rating("2", 3)), (rating("2", 2),)]).order.tolist() == [
        [2, 0, 1],
        [0, 0, 0],
    ]


def test_a_day_stands_where_its_rating_stands() -> None:
    early, late = date(2016, 2, 29), date(2026, 11, 22)
    things = [(ReleasedRating("9", {SCALE: 1}, late), ReleasedRating("2", {SCALE: 2}, early)), (rating("2", 3),)]

    assert rating_matrix(things).days.tolist() == [[early.toordinal(), late.toordinal()], [0, 0]]


@pytest.mark.parametrize("scale", [SCALE, "other"])
def test_of_nothing_there_is_an_empty_matrix(scale: str) -> None:
    assert rating_matrix([]).points(scale).shape == (0, 0)
    assert rating_matrix([(), ()]).points(scale).shape == (2, 0)


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

    assert list(crowd_rating_rows(sources)) == [crowd[0], crowd[1], crowd[3]]
    assert list(expert_rating_rows(sources)) == [experts[0], experts[1], experts[3]]
