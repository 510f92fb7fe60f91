"""Correlations over texts, with intervals that draw the sources."""

import numpy as np
import pytest
from scipy.stats import pearsonr

from measures.core.drawn_correlation import CONSTANT, FEW_TEXTS, drawn_correlation
from measures.core.drawn_sources import NEVER_DEFINED, TOO_FEW_SOURCES
from measures.core.intervals import Interval
from measures.core.undefined import Undefined


def test_the_value_is_pearsons() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=300) + 1e6
    y = x + rng.normal(size=300)
    found = drawn_correlation(x, y, np.arange(300) // 3, seed=1)
    assert not isinstance(found, Undefined)
    assert found.value == pytest.approx(pearsonr(x, y).statistic, abs=1e-9)
    assert (found.texts, found.sources) == (300, 100)


def test_texts_of_one_source_widen_the_interval() -> None:
    rng = np.random.default_rng(2)
    x = np.repeat(rng.normal(size=40), 10)
    y = x + np.repeat(rng.normal(size=40), 10)
    alone, together = (drawn_correlation(x, y, of, seed=1) for of in (np.arange(400), np.arange(400) // 10))
    assert not isinstance(alone, Undefined)
    assert not isinstance(together, Undefined)
    assert isinstance(alone.interval, Interval)
    assert isinstance(together.interval, Interval)
    assert together.interval.width > 2 * alone.interval.width


def test_undefined_correlations_say_why() -> None:
    assert drawn_correlation([1, 2, np.nan], [1, 2, 3], [1, 2, 3], seed=1) == FEW_TEXTS
    assert drawn_correlation([1, 2, 3], [2, 2, 2], [1, 2, 3], seed=1) == CONSTANT
    found = drawn_correlation([1, 2, 4], [1, 2, 3], [1, 1, 1], seed=1)
    assert not isinstance(found, Undefined)
    assert found.interval == TOO_FEW_SOURCES


def test_draws_without_spread_leave_no_trace() -> None:
    found = drawn_correlation([1] * 11 + [2], [1] * 11 + [2], range(12), seed=1, draws=50)
    assert not isinstance(found, Undefined)
    assert isinstance(found.interval, Interval)
    assert found.interval.low == pytest.approx(1)
    assert drawn_correlation([1, 2] * 6, [1, 2] * 6, range(12), seed=3, draws=1) != NEVER_DEFINED


def test_lengths_must_fit() -> None:
    with pytest.raises(ValueError, match="must be as many"):
        drawn_correlation([1, 2], [1, 2, 3], [1, 2], seed=1)
