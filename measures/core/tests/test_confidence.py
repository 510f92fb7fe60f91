"""Confidence intervals: Student's t against SciPy, and intervals that stay within their bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

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


def test_an_interval_is_symmetric_and_cut_at_its_bounds() -> None:
    reach = stats.t.ppf(0.975, 50) * 0.1
    assert interval_ends(2.5, 0.1, 50) == pytest.approx((2.5 - reach, 2.5 + reach))
    assert interval_ends(0.95, 0.1, 50, COEFFICIENT) == pytest.approx((0.95 - reach, 1.0))
    assert interval_ends(0.05, 0.1, 50, (0, 1)) == pytest.approx((0.0, 0.05 + reach))


def test_the_smaller_number_of_clusters_counts() -> None:
    assert [degrees_of_freedom(*each) for each in ((300, 25), (10, 25), (300,), (1, 0))] == [24, 9, 299, 1]
    assert ConfidenceInterval(0.25, 0.75, 0.1, 10).width == 0.5
