"""Axes of plots."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from common.plots import linear_axis, logarithmic_axis

NUMBERS = st.floats(-1e6, 1e6)


def labels(axis: object) -> list[str]:
    return [tick.label for tick in axis.ticks]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (1, 3, ["1.0", "1.5", "2.0", "2.5", "3.0"]),
        (-0.3, 0.2, ["−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2"]),
        (0, 12_000, ["0", "2,500", "5,000", "7,500", "10,000"]),
        (2, 2, ["2.00"]),
    ],
)
def test_ticks_are_round_numbers(low: float, high: float, expected: list[str]) -> None:
    assert labels(linear_axis("", low, high)) == expected


@pytest.mark.parametrize(("most", "expected"), [(1, "0 1"), (3, "0 1 2 3"), (12, "0 5 10"), (13, "0 5 10"), (0, "0")])
def test_counts_are_whole(most: int, expected: str) -> None:
    assert labels(linear_axis("", 0, most, whole=True)) == expected.split()


@given(NUMBERS, NUMBERS, st.booleans(), st.booleans())
def test_ticks_lie_in_the_frame_at_what_they_say(one: float, other: float, whole: bool, percent: bool) -> None:
    low, high = sorted((one, other))
    assume(high - low > 1e-3)
    axis = linear_axis("", low, high, whole=whole, percent=percent)

    assert len(axis.ticks) <= 7
    for tick in axis.ticks:
        assert -1e-2 <= tick.at <= 100 + 1e-2
        said = float(re.sub("[,%]", "", tick.label).replace("−", "-")) / (100 if percent else 1)
        assert said == pytest.approx(low + (high - low) * tick.at / 100, abs=1e-3 * (high - low) + 1e-5)


@given(st.floats(1e-3, 1e6), st.floats(1, 1e4))
def test_a_logarithmic_axis_has_two_ticks_or_its_one_number(low: float, factor: float) -> None:
    axis = logarithmic_axis("", low, low * factor)

    assert len(axis.ticks) >= (2 if factor > 1.01 else 1)
    places = [tick.at for tick in axis.ticks]
    assert places == sorted(places)
    assert all(-1e-2 <= place <= 100 + 1e-2 for place in places)


def test_upwards_the_largest_is_at_the_top() -> None:
    axis = linear_axis("Ratings", 0, 10, whole=True)

    assert [tick.at for tick in axis.upwards.ticks] == [100 - tick.at for tick in axis.ticks]
