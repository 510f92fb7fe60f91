"""The order of systems by several ways of judging."""

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from measures.core.undefined import Undefined
from measures.experiments.protocol_order import CONSTANT, TOO_FEW_SYSTEMS, order_agreement, winners


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(6)))
def test_p_is_scipys_exact_one_where_there_are_no_ties(order: list[int]) -> None:
    (found,) = order_agreement({"a": range(6), "b": order})
    theirs = scipy.stats.kendalltau(range(6), order, method="exact")
    assert found.tau_b == pytest.approx(theirs.statistic)
    assert found.p == pytest.approx(theirs.pvalue)
    assert found.method == "exact"


def test_with_ties_p_is_the_share_of_all_orders() -> None:
    x, y = [1, 1, 2, 3, 4], [1, 2, 2, 4, 3]
    (found,) = order_agreement({"a": x, "b": y})
    from_scipy = scipy.stats.permutation_test(
        (x,),
        lambda each: abs(scipy.stats.kendalltau(each, y).statistic),
        permutation_type="pairings",
        alternative="greater",
    )
    assert found.p == pytest.approx(from_scipy.pvalue)


def test_the_direction_of_a_scale_is_turned_where_one_is_best() -> None:
    values: dict[str, list[float]] = {
        "ranks": [1, 2, 3, 4, 5],
        "points": [1, 2, 3, 4, 5],
        "factoids": [0.9, 0.8, 0.7, 0.6, 0.5],
    }
    one, other, last = order_agreement(values, small_is_best=["ranks", "points"])
    assert (one.tau_b, other.tau_b, last.tau_b) == pytest.approx((1, 1, 1))
    assert winners(values, small_is_best=["ranks", "points"]) == {"ranks": (0,), "points": (0,), "factoids": (0,)}


def test_many_systems_with_ties_have_a_normal_p() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 5, 12), rng.integers(0, 5, 12)
    (found,) = order_agreement({"a": x, "b": y})
    assert (found.method, found.systems) == ("normal", 12)
    assert found.p == pytest.approx(scipy.stats.kendalltau(x, y, method="asymptotic").pvalue)


def test_what_is_undefined_says_why() -> None:
    (few,) = order_agreement({"a": [1, 2, 3, 4, np.nan], "b": [1, 2, 3, 4, 5]})
    assert (few.systems, few.p) == (4, TOO_FEW_SYSTEMS)
    assert few.tau_b == pytest.approx(1)
    (flat,) = order_agreement({"a": [1, 1, 1, 1, 1 + 1e-12], "b": [1, 2, 3, 4, 5]})
    assert flat.tau_b is CONSTANT
    (nothing,) = order_agreement({"a": [np.nan], "b": [1]})
    assert isinstance(nothing.tau_b, Undefined)
    assert winners({"a": [np.nan]}) == {"a": ()}


def test_impossible_input_is_refused() -> None:
    with pytest.raises(ValueError, match="no values of c"):
        order_agreement({"a": [1]}, small_is_best=["c"])
    with pytest.raises(ValueError, match="each system"):
        winners({"a": [1], "b": [1, 2]})
