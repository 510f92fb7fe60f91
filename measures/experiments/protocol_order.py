"""Do ways of judging put systems in the same order?"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import FloatArray
from measures.core.rating_scale import DECIMALS
from measures.core.undefined import Undefined

LEAST_SYSTEMS = 5
ALL_ORDERS = 8
"""Up to so many systems p is found from all orders, ties or not."""

TOO_FEW_SYSTEMS = Undefined(f"fewer than {LEAST_SYSTEMS} systems are only shown, not tested")
CONSTANT = Undefined("one of the two ties all systems")
ONE_SYSTEM = Undefined("fewer than two systems")

Method = Literal["exact", "normal"]


@dataclass(frozen=True)
class OrderAgreement:
    """How far two ways of judging order systems alike.

    Attributes
    ----------
    first, second : str
        The two.
    tau_b : float or Undefined
        Kendall's tau-b over systems, 1 if both have the same best first.
    p : float or Undefined
        Two-sided; undefined for fewer than 5 systems.
    method : {"exact", "normal"}
        Where p comes from: normal with ties among more than 8 systems.
    systems : int
        Number of systems that both have a value for.
    """

    first: str
    second: str
    tau_b: float | Undefined
    p: float | Undefined
    method: Method
    systems: int


def order_agreement(
    values: Mapping[str, npt.ArrayLike], *, small_is_best: Collection[str] = ()
) -> tuple[OrderAgreement, ...]:
    """Compare the orders of the systems by each two ways of judging.

    Source: Kendall 1945, "The treatment of ties in ranking problems".

    Parameters
    ----------
    values : mapping of str to array_like of shape (systems,)
        By the way of judging: the value of each system, NaN where it has none. Values are compared to nine decimals.
    small_is_best : collection of str
        The ways in which 1 is best, such as ranks.

    Returns
    -------
    tuple of OrderAgreement
        One for each pair, in the order given.

    Raises
    ------
    ValueError
        If lengths differ, a value is infinite, or `small_is_best` names what is not there.

    Examples
    --------
    >>> ranks, f = [1.2, 2.5, 3.1, 4.0, 4.2], [0.9, 0.8, 0.6, 0.7, 0.1]
    >>> (found,) = order_agreement({"ranks": ranks, "factoids": f}, small_is_best=["ranks"])
    >>> round(found.tau_b, 3), round(found.p, 3), found.method
    (0.8, 0.083, 'exact')
    """
    turned = _turned(values, small_is_best)
    return tuple(_agreement(*pair) for pair in combinations(turned.items(), 2))


def winners(values: Mapping[str, npt.ArrayLike], *, small_is_best: Collection[str] = ()) -> dict[str, tuple[int, ...]]:
    """Return which systems would win by each way of judging.

    Parameters
    ----------
    values, small_is_best
        As for `order_agreement`.

    Returns
    -------
    dict
        By the way of judging: the places of the best systems, more than one if they tie, none without a value.

    Raises
    ------
    ValueError
        As `order_agreement`.

    Examples
    --------
    >>> winners({"ranks": [1.2, 2.5, 1.2], "factoids": [0.8, 0.9, 0.1]}, small_is_best=["ranks"])
    {'ranks': (0, 2), 'factoids': (1,)}
    """
    best = {}
    for name, row in _turned(values, small_is_best).items():
        known = row[~np.isnan(row)]
        best[name] = tuple(np.flatnonzero(row == known.max()).tolist()) if len(known) else ()
    return best


def _turned(values: Mapping[str, npt.ArrayLike], small_is_best: Collection[str]) -> dict[str, FloatArray]:
    """Return the values, rounded, with the largest as the best."""
    unknown = [name for name in small_is_best if name not in values]
    if unknown:
        raise ValueError(f"there are no values of {unknown[0]}")
    rows = {name: np.asarray(each, dtype=np.float64).round(DECIMALS) for name, each in values.items()}
    shapes = {row.shape for row in rows.values()}
    if len(shapes) > 1 or any(row.ndim != 1 or np.isinf(row).any() for row in rows.values()):
        raise ValueError("all must have one finite value, or NaN, for each system")
    return {name: -row if name in small_is_best else row for name, row in rows.items()}


def _agreement(first: tuple[str, FloatArray], second: tuple[str, FloatArray]) -> OrderAgreement:
    both = ~np.isnan(first[1]) & ~np.isnan(second[1])
    x, y = first[1][both], second[1][both]
    n = len(x)
    has_ties = min(len(np.unique(x)), len(np.unique(y))) < n
    method: Method = "normal" if has_ties and n > ALL_ORDERS else "exact"
    tau: float | Undefined = ONE_SYSTEM if n < 2 else CONSTANT if min(np.ptp(x), np.ptp(y)) == 0 else 0.0
    if isinstance(tau, Undefined):
        return OrderAgreement(first[0], second[0], tau, tau, method, n)
    found = scipy.stats.kendalltau(x, y, method="asymptotic" if has_ties else "exact")
    p: float | Undefined = float(found.pvalue)
    if n < LEAST_SYSTEMS:
        p = TOO_FEW_SYSTEMS
    elif n <= ALL_ORDERS:
        p = _share_of_orders(x, y)
    return OrderAgreement(first[0], second[0], float(found.statistic), p, method, n)


def _share_of_orders(x: FloatArray, y: FloatArray) -> float:
    """Return the share of all orders of y in which the two agree, or disagree, at least as far."""
    orders = np.array(list(permutations(range(len(x)))))
    of_x, of_y = (np.sign(each[:, None] - each[None, :]).astype(np.int64) for each in (x, y))
    sums = np.einsum("ij,pij->p", of_x, of_y[orders[:, :, None], orders[:, None, :]])
    return float((np.abs(sums) >= abs(sums[0])).mean())
