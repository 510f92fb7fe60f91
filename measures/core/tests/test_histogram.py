"""How qualities are distributed."""

from math import isnan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.core.histogram import histogram

numbers = st.floats(-100, 100) | st.sampled_from([1.0, 1.5, 2.0, float("nan")])


def test_values_fall_where_they_should() -> None:
    found = histogram([1.0, 1.49, 1.5, 2.0, 2.75, 3.0, np.nan], bins=4, low=1, high=3)
    assert found.edges.tolist() == [1, 1.5, 2, 2.5, 3]
    assert found.counts.tolist() == [2, 1, 1, 2]


@given(st.lists(st.integers(0, 64).map(lambda n: n / 8), max_size=30))
def test_it_is_that_of_numpy_where_edges_are_exact(values: list[float]) -> None:
    found = histogram(values, bins=16, low=0, high=8)
    counts, edges = np.histogram(values, bins=16, range=(0, 8))
    assert found.counts.tolist() == counts.tolist()
    np.testing.assert_array_equal(found.edges, edges)


@given(st.lists(numbers, max_size=30), st.integers(1, 25))
def test_every_known_value_is_counted_once(values: list[float], bins: int) -> None:
    found = histogram(values, bins)
    assert found.counts.sum() == np.count_nonzero(~np.isnan(values))
    assert found.counts.shape == (bins,)
    assert found.edges.shape == (bins + 1,)
    assert (np.diff(found.edges) > 0).all()
    known = [value for value in values if not isnan(value)]
    if known:
        assert found.edges[0] <= min(known) + 1e-9
        assert max(known) - 1e-9 <= found.edges[-1]


@given(st.lists(numbers, max_size=30), st.randoms(use_true_random=False))
def test_neither_order_nor_noise_in_the_last_bits_matters(values: list[float], random: Any) -> None:
    known = np.round(np.array(values, dtype=np.float64), 3)
    noisy = np.array(random.sample(known.tolist(), len(known))) + 1e-13
    one, other = histogram(known), histogram(noisy)
    assert one.counts.tolist() == other.counts.tolist()
    np.testing.assert_allclose(one.edges, other.edges)


@pytest.mark.parametrize("value", [0.0, 1.0, 2.6, -3.0])
def test_equal_values_stand_in_the_middle(value: float) -> None:
    noisy = [value, value + 1e-15, value - 1e-15]
    found = histogram(noisy, bins=5)
    assert (found.edges[0], found.edges[-1]) == (value - 0.5, value + 0.5)
    assert found.counts.tolist() == [0, 0, 3, 0, 0]


@pytest.mark.parametrize("values", [[], [np.nan, np.nan]])
def test_no_values_give_empty_bins(values: list[float]) -> None:
    found = histogram(values, bins=2)
    assert found.edges.tolist() == [0, 0.5, 1]
    assert found.counts.tolist() == [0, 0]


def test_a_value_on_an_edge_lies_in_the_bin_above() -> None:
    values = 0.1 + 0.1 * np.arange(8)  # 0.30000000000000004 and the like among them
    assert histogram(values, bins=10, low=0, high=1).counts.tolist() == [0, 1, 1, 1, 1, 1, 1, 1, 1, 0]


def test_what_lies_outside_is_counted_at_the_ends() -> None:
    assert histogram([-5.0, 0.5, 1.0, 9.0], bins=2, low=0, high=1).counts.tolist() == [1, 3]


@pytest.mark.parametrize(
    ("ends", "first", "last"),
    [
        ({"low": 0}, 0, 3),
        ({"high": 5}, 2, 5),
        ({"low": 3}, 3, 4),
        ({"low": 7}, 7, 8),
        ({"high": 2}, 1, 2),
        ({"high": -4}, -5, -4),
        ({"low": 0, "high": 1}, 0, 1),
    ],
)
def test_an_end_that_is_given_stays(ends: dict[str, float], first: float, last: float) -> None:
    found = histogram([2.0, 3.0], bins=3, **ends)
    assert (found.edges[0], found.edges[-1]) == (first, last)
    assert found.counts.sum() == 2


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([[1.0]], {}, r"^values must be a list of numbers, not of shape \(1, 1\)"),
        ([np.inf, 1.0], {}, "^values must not be infinite"),
        ([1.0], {"bins": 0}, "^bins must be at least 1, not 0"),
        ([1.0], {"low": 1, "high": 1}, "^low must be below high, not 1 and 1"),
        ([1.0], {"low": np.nan, "high": 1}, "^low must be below high"),
        ([1.0], {"low": -np.inf}, "^low and high must be finite"),
        ([1.0], {"high": np.nan}, "^low and high must be finite"),
    ],
)
def test_arguments_are_checked(values: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        histogram(values, **options)
