"""Scales of different lengths brought to one."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.core.rating_scale import rescaled

lengths = st.lists(st.integers(2, 9), min_size=1, max_size=4)


@given(lengths)
def test_the_ends_and_the_middle_of_every_scale_meet(points: list[int]) -> None:
    ends = np.array([np.ones(len(points)), points, (np.array(points) + 1) / 2])
    np.testing.assert_allclose(rescaled(ends, points), [[row] * len(points) for row in (1, 3, 2)], atol=1e-12)


@given(lengths, st.data())
def test_means_may_be_taken_before_or_after(points: list[int], data: st.DataObject) -> None:
    row = st.tuples(*[st.integers(1, length) for length in points])
    scores = np.array(data.draw(st.lists(row, min_size=1, max_size=8)), dtype=float)
    np.testing.assert_allclose(rescaled(scores, points).mean(axis=0), rescaled(scores.mean(axis=0), points), atol=1e-12)


def test_three_points_stay_what_they_are_to_the_last_bit() -> None:
    thirds = np.array([[1, 4 / 3], [7 / 3, 3]])
    np.testing.assert_array_equal(rescaled(thirds, (3, 3)), thirds)


def test_by_hand() -> None:
    np.testing.assert_array_equal(rescaled([[4, 2, 6]], (5, 2, 11)), [[2.5, 3, 2]])
    np.testing.assert_array_equal(rescaled([4, np.nan], (5, 5)), [2.5, np.nan])
    assert rescaled(np.empty((0, 2)), (3, 5)).shape == (0, 2)


@pytest.mark.parametrize(
    ("scores", "points", "message"),
    [
        ([[1, 2]], (3,), "^points must be one number for each column"),
        ([[1, 2]], (3, 3, 3), "^points must be one number for each column"),
        (1, (3,), "^points must be one number for each column"),
        ([[1, 2]], ((3, 3),), "^points must be one number for each column"),
        ([[1, 2]], (3, 1), "^points must be at least 2"),
    ],
)
def test_points_are_checked(scores: Any, points: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rescaled(scores, points)
