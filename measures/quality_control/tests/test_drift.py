"""The first third of the work against the last."""

import statistics
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.core.arrays import FloatArray
from measures.quality_control.drift import Drift, drift

differences = st.lists(st.integers(-8, 8).map(lambda quarters: quarters / 4), min_size=6, max_size=40)


@given(differences)
def test_drift_is_what_a_plain_loop_computes(values: list[float]) -> None:
    texts = len(values) // 3
    first, last = values[:texts], values[len(values) - texts :]
    error = sqrt(statistics.variance(first) / texts + statistics.variance(last) / texts)
    found = drift(np.array(values))
    assert found.texts == texts
    assert [found.first, found.last] == pytest.approx([statistics.mean(first), statistics.mean(last)], abs=1e-12)
    assert found.error == pytest.approx(error, abs=1e-12)


@given(differences)
def test_backwards_it_is_the_opposite(values: list[float]) -> None:
    one, other = drift(np.array(values)), drift(np.array(values[::-1]))
    assert (other.first, other.last) == pytest.approx((one.last, one.first))
    assert other.change == pytest.approx(-one.change)
    assert other.error == pytest.approx(one.error)


@given(differences, st.sampled_from([-1.0, 0.5, 3.0]))
def test_who_is_always_milder_does_not_drift(values: list[float], shift: float) -> None:
    one, other = drift(np.array(values)), drift(np.array(values) + shift)
    assert other.change == pytest.approx(one.change)
    assert other.error == pytest.approx(one.error)


@given(differences, st.floats(-99, 99))
def test_the_middle_does_not_count(values: list[float], other: float) -> None:
    changed = np.array(values)
    changed[len(values) // 3 : len(values) - len(values) // 3] = other
    assert drift(changed) == drift(np.array(values))


def test_by_hand() -> None:
    # Variances 1/3 and 4/3: sqrt((1/3 + 4/3) / 4).
    values = np.array([0.0, 1.0, 0.0, 1.0, *[7.0] * 6, 1.0, 3.0, 1.0, 3.0])
    found = drift(values)
    assert found == Drift(texts=4, first=0.5, last=2.0, error=found.error)
    assert found.error == pytest.approx(sqrt(5 / 12))
    assert found.change == 1.5


@pytest.mark.parametrize("values", [np.zeros(5), np.zeros((6, 1)), np.array([0.0] * 5 + [np.nan])])
def test_wrong_input_is_refused(values: FloatArray) -> None:
    with pytest.raises(ValueError, match=r"^differences must be "):
        drift(values)
