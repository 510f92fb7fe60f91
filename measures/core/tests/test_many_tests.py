"""Corrections for many tests against statsmodels and by hand."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from measures.core.arrays import FloatArray
from measures.core.many_tests import (
    FamilySize,
    benjamini_hochberg,
    benjamini_yekutieli,
    family_size,
    holm,
    partial_conjunction,
)

P = [0.001, 0.008, 0.012, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212]
HOLM = [0.01, 0.072, 0.096, 0.273, 0.273, 0.273, 0.273, 0.273, 0.41, 0.41]
BH = [0.01, 0.04, 0.04, 0.07, 0.07, 0.07, 0.0857142857, 0.0925, 0.212, 0.212]
BY = [0.0292896825, 0.1171587302, 0.1171587302, *[0.2050277778] * 3, 0.2510544218, 0.2709295635, *[0.6209412698] * 2]

Rule = Callable[[npt.ArrayLike], FloatArray]
RULES = [(holm, "holm", HOLM), (benjamini_hochberg, "fdr_bh", BH), (benjamini_yekutieli, "fdr_by", BY)]

ps = st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.01, 0.05])), min_size=1, max_size=12)


@pytest.mark.parametrize(("rule", "name", "expected"), RULES)
def test_ten_tests(rule: Rule, name: str, expected: list[float]) -> None:
    assert rule(P) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("rule", "name", "expected"), RULES)
@given(p=ps, missing=st.integers(0, 3))
def test_any_family_is_as_in_statsmodels(
    rule: Rule, name: str, expected: list[float], p: list[float], missing: int
) -> None:
    assert rule(p) == pytest.approx(multipletests(p, method=name)[1], abs=1e-12)
    with_gaps = rule(np.array([*[np.nan] * missing, *p])[None, :])
    assert np.isnan(with_gaps[0, :missing]).all()
    assert with_gaps[0, missing:] == pytest.approx(rule(p))
    assert family_size([*[np.nan] * missing, *p]) == FamilySize(len(p), missing)


def test_an_empty_family_has_no_tests() -> None:
    assert holm([]).shape == (0,)
    assert np.isnan(benjamini_yekutieli([np.nan])).all()


def test_partial_conjunction_by_hand() -> None:
    p = [0.0005, 0.004, 0.011, 0.012, 0.02, 0.3]
    found = [float(partial_conjunction(p, at_least=u)) for u in range(1, 7)]
    assert found == pytest.approx([0.003, 0.02, 0.044, 0.036, 0.04, 0.3])
    assert partial_conjunction(p) == pytest.approx(0.04)
    assert partial_conjunction([*p[::-1], np.nan]) == pytest.approx(0.04)
    # Four of five at 80%.
    assert partial_conjunction(p[:5]) == pytest.approx(2 * 0.012)


def test_partial_conjunction_over_rows() -> None:
    found = partial_conjunction([[[0.01, 0.02], [np.nan, np.nan]], [[0.5, np.nan], [0.9, 1.0]]], at_least=1)
    np.testing.assert_allclose(found, [[0.02, np.nan], [0.5, 1.0]])
    assert np.isnan(partial_conjunction(np.empty((3, 0)))).all()


@pytest.mark.parametrize("p", [[1.2], [-0.1]])
def test_what_is_no_p_value_is_refused(p: list[float]) -> None:
    for rule in (holm, benjamini_hochberg, benjamini_yekutieli, family_size, partial_conjunction):
        with pytest.raises(ValueError, match="between 0 and 1"):
            rule(p)


def test_what_is_no_share_or_number_is_refused() -> None:
    for options in ({"share": 0.0}, {"share": 1.5}, {"at_least": 0}):
        with pytest.raises(ValueError, match="share"):
            partial_conjunction([0.5], **options)
    with pytest.raises(ValueError, match="axis"):
        partial_conjunction(0.5)
