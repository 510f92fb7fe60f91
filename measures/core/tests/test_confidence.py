"""Confidence intervals: Student's t against SciPy, and intervals that stay within their bounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit, logit

from measures.core.confidence import ConfidenceInterval, degrees_of_freedom, interval_ends, student_t_quantile

COEFFICIENT = (-1.0, 1.0)


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 24, 25, 99, 199, 200, 999, 1000, 1001, 1002, 12_345, 10**7])
@pytest.mark.parametrize("probability", [0.5, 0.6, 0.9, 0.975, 0.999])
def test_quantiles_are_those_of_scipy(degrees: int, probability: float) -> None:
    assert student_t_quantile(probability, degrees) == pytest.approx(stats.t.ppf(probability, degrees), abs=1e-6)


@pytest.mark.parametrize(("probability", "degrees"), [(0.4, 3), (1.0, 3), (0.9, 0)])
def test_what_has_no_quantile_is_refused(probability: float, degrees: int) -> None:
    with pytest.raises(ValueError, match="out of range"):
        student_t_quantile(probability, degrees)


@given(st.floats(-0.999, 0.999), st.floats(1e-6, 2), st.integers(1, 500), st.sampled_from([COEFFICIENT, (-3.0, 1.0)]))
def test_an_interval_holds_its_value_and_stays_within_its_bounds(
    value: float, standard_error: float, degrees: int, bounds: tuple[float, float]
) -> None:
    low, high = interval_ends(value, standard_error, degrees, bounds)
    assert bounds[0] <= low <= value <= high <= bounds[1]


def test_without_bounds_an_interval_is_symmetric() -> None:
    reach = stats.t.ppf(0.975, 50) * 0.1
    assert interval_ends(2.5, 0.1, 50) == pytest.approx((2.5 - reach, 2.5 + reach))


@pytest.mark.parametrize(
    ("value", "bounds"), [(0.95, (0.0, 1.0)), (0.05, (0.0, 1.0)), (0.7, COEFFICIENT), (1.2, (1, 3))]
)
def test_between_bounds_an_interval_is_symmetric_on_the_logit_scale(value: float, bounds: tuple[float, float]) -> None:
    span = bounds[1] - bounds[0]
    share = (value - bounds[0]) / span
    reach = stats.t.ppf(0.975, 20) * 0.02 / span / (share * (1 - share))
    expected = [bounds[0] + span * expit(logit(share) + sign * reach) for sign in (-1, 1)]
    assert interval_ends(value, 0.02, 20, bounds) == pytest.approx(expected)


def test_for_a_coefficient_that_is_fishers_scale() -> None:
    reach = stats.t.ppf(0.975, 20) * 0.1 / (1 - 0.6**2)
    expected = [np.tanh(np.arctanh(0.6) + sign * reach) for sign in (-1, 1)]
    assert interval_ends(0.6, 0.1, 20, COEFFICIENT) == pytest.approx(expected)


def test_at_a_bound_it_is_cut() -> None:
    reach = stats.t.ppf(0.975, 50) * 0.1
    assert interval_ends(1.0, 0.1, 50, COEFFICIENT) == pytest.approx((1 - reach, 1.0))
    assert interval_ends(0.0, 0.1, 50, (0, 1)) == pytest.approx((0.0, reach))


def test_raters_count_for_a_third_and_for_half_of_the_variance_at_least() -> None:
    assert [degrees_of_freedom(*each) for each in ((300,), (1, 0), (300, 25), (300, 25, 0.1))] == [299, 1, 16, 16]
    assert degrees_of_freedom(300, 25, 1.0) == 8
    assert degrees_of_freedom(300, 25, 0.75) == int(1 / (0.75 / (25 / 3) + 0.25 / 299))
    assert [degrees_of_freedom(*each) for each in ((4, 90), (300, 2), (300, 3, 1.0), (300, 6, 1.0))] == [3, 1, 2, 2]
    assert ConfidenceInterval(0.25, 0.75, 0.1, 10).width == 0.5


@given(st.integers(1, 1000), st.floats(0.5, 500), st.floats(0, 1))
def test_degrees_lie_between_those_of_the_parts(sources: int, raters: float, share: float) -> None:
    assert 1 <= degrees_of_freedom(sources, raters, share) <= degrees_of_freedom(sources)
