"""The mean over items against SciPy's t interval, and where there is none."""

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from measures.core.item_means import NO_VARIANCE, ONE_ITEM, ItemMean, item_mean
from measures.core.undefined import Undefined


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(-30, 30), min_size=2, max_size=20))
def test_the_interval_is_students(values: list[int]) -> None:
    mean = item_mean(values, nothing="none")
    assert isinstance(mean, ItemMean)
    assert mean.value == pytest.approx(np.mean(values))
    if len(set(values)) == 1:
        assert mean.interval is NO_VARIANCE
        return
    assert not isinstance(mean.interval, Undefined)
    theirs = scipy.stats.ttest_1samp(values, 0).confidence_interval()
    assert (mean.interval.low, mean.interval.high) == pytest.approx(tuple(theirs), abs=1e-6)


def test_items_without_a_value_are_left_out_and_counted() -> None:
    mean = item_mean([1, np.nan, 3, np.nan, 5], nothing="none")
    assert isinstance(mean, ItemMean)
    assert (mean.value, mean.items, mean.left_out) == (3, 3, 2)


def test_what_is_undefined_says_why() -> None:
    assert item_mean([np.nan], nothing="no item was judged") == Undefined("no item was judged")
    one = item_mean([4], nothing="none")
    assert isinstance(one, ItemMean)
    assert one.interval is ONE_ITEM


def test_an_interval_keeps_within_bounds() -> None:
    mean = item_mean([0.99, 1, 1, 0.7], bounds=(0, 1), nothing="none")
    assert isinstance(mean, ItemMean)
    assert not isinstance(mean.interval, Undefined)
    assert 0 < mean.interval.low < mean.interval.high <= 1


def test_one_bound_alone_is_refused() -> None:
    with pytest.raises(ValueError, match="both finite or neither"):
        item_mean([1, 2], bounds=(0, np.inf), nothing="none")


@pytest.mark.parametrize("values", [[np.inf], [[1, 2]]])
def test_bad_values_are_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="finite"):
        item_mean(values, nothing="none")
