"""Many tests at once: p-values that control the errors of a family, and "better on at least u of N pairs"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray, FloatArray

_ROUNDING = 1e-9

_Rule: TypeAlias = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class FamilySize:
    """How many tests a family holds.

    Attributes
    ----------
    tests : int
        Number of tests with a p-value: what the corrections correct for.
    undefined : int
        Number of tests without one, which are left out.
    """

    tests: int
    undefined: int


def family_size(p: npt.ArrayLike) -> FamilySize:
    """Count the tests of a family, and those that have no p-value.

    Parameters
    ----------
    p : array_like of any shape
        p-values; NaN for a test that is undefined.

    Returns
    -------
    FamilySize
        The two counts.

    Raises
    ------
    ValueError
        If a p-value is not between 0 and 1.

    Examples
    --------
    >>> family_size([0.01, float("nan"), 0.2])
    FamilySize(tests=2, undefined=1)
    """
    _, defined = _checked(p)
    return FamilySize(int(defined.sum()), int((~defined).sum()))


def holm(p: npt.ArrayLike) -> FloatArray:
    """Adjust p-values so that the chance of any false rejection in the family stays below the level.

    Source: Holm 1979, "A simple sequentially rejective multiple test procedure".

    Parameters
    ----------
    p : array_like of any shape
        p-values of one family; NaN for a test that is undefined, which does not count.

    Returns
    -------
    FloatArray of the same shape
        Adjusted p-values; NaN where the test is undefined.

    Raises
    ------
    ValueError
        If a p-value is not between 0 and 1.

    Examples
    --------
    >>> holm([0.01, 0.04, float("nan"), 0.03]).round(3).tolist()
    [0.03, 0.06, nan, 0.06]
    """
    values, defined = _checked(p)
    return _adjusted(values, defined, _step_down)


def benjamini_hochberg(p: npt.ArrayLike) -> FloatArray:
    """Adjust p-values so that the expected share of false rejections among the rejections stays below the level.

    Holds for independent tests and for those that depend positively on each other.

    Source: Benjamini and Hochberg 1995, "Controlling the false discovery rate".

    Parameters
    ----------
    p : array_like of any shape
        p-values of one family; NaN for a test that is undefined, which does not count.

    Returns
    -------
    FloatArray of the same shape
        Adjusted p-values; NaN where the test is undefined.

    Raises
    ------
    ValueError
        If a p-value is not between 0 and 1.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, float("nan"), 0.03]).round(3).tolist()
    [0.03, 0.04, nan, 0.04]
    """
    values, defined = _checked(p)
    return _adjusted(values, defined, _step_up)


def benjamini_yekutieli(p: npt.ArrayLike) -> FloatArray:
    """Adjust p-values as `benjamini_hochberg` does, for tests that depend on each other in any way.

    Source: Benjamini and Yekutieli 2001, "The control of the false discovery rate in multiple testing under
    dependency".

    Parameters
    ----------
    p : array_like of any shape
        p-values of one family; NaN for a test that is undefined, which does not count.

    Returns
    -------
    FloatArray of the same shape
        Adjusted p-values; NaN where the test is undefined.

    Raises
    ------
    ValueError
        If a p-value is not between 0 and 1.

    Examples
    --------
    >>> benjamini_yekutieli([0.01, 0.04, float("nan"), 0.03]).round(3).tolist()
    [0.055, 0.073, nan, 0.073]
    """
    values, defined = _checked(p)
    return _adjusted(values, defined, _step_up_with_any_dependence)


def partial_conjunction(p: npt.ArrayLike, *, share: float = 0.8, at_least: int | None = None) -> FloatArray:
    """Test whether an effect exists in at least u of N cases, such as data sets or pairs of systems.

    p(u/N) = min(1, (N - u + 1) p_(u)), with p_(u) the u-th smallest p-value: it holds however the tests depend on
    each other.

    Source: Benjamini and Heller 2008, "Screening for partial conjunction hypotheses"; Dror et al. 2017,
    "Replicability analysis for natural language processing".

    Parameters
    ----------
    p : array_like of shape (..., N)
        p-values of the cases; NaN for a case where the test is undefined, which does not count in N.
    share : float, default 0.8
        u is this share of the defined cases, rounded up; above 0, at most 1.
    at_least : int, optional
        u itself, instead of `share`; at least 1.

    Returns
    -------
    FloatArray of shape (...)
        One p-value for each row; NaN where fewer than u cases, or none, are defined.

    Raises
    ------
    ValueError
        If a p-value is not between 0 and 1, or u is out of range.

    Examples
    --------
    >>> partial_conjunction([0.0005, 0.004, 0.011, 0.012, 0.02, 0.3]).round(3).tolist()
    0.04
    >>> partial_conjunction([0.01, float("nan")], at_least=2).tolist()
    nan
    """
    if not 0 < share <= 1 or (at_least is not None and at_least < 1):
        raise ValueError(f"share must be above 0 and at most 1 and at_least at least 1, not {share} and {at_least}")
    values, defined = _checked(p)
    if not values.ndim:
        raise ValueError("p must have at least one axis")
    cases = defined.sum(axis=-1)
    # A share of .8 of five cases is four, whatever binary fractions make of it.
    least = np.ceil(share * cases - _ROUNDING).astype(np.int64) if at_least is None else np.full_like(cases, at_least)
    possible = (cases >= least) & (cases > 0)
    if not values.shape[-1]:
        return np.full(cases.shape, np.nan)
    place = np.where(possible, least - 1, 0)[..., None]
    ordered = np.take_along_axis(np.sort(values, axis=-1), place, axis=-1)[..., 0]
    return np.where(possible, np.minimum(1.0, (cases - least + 1) * ordered), np.nan)


def _checked(p: npt.ArrayLike) -> tuple[FloatArray, BoolArray]:
    values = np.asarray(p, dtype=np.float64)
    defined = ~np.isnan(values)
    if ((values[defined] < 0) | (values[defined] > 1)).any():
        raise ValueError("a p-value is not between 0 and 1")
    return values, defined


def _adjusted(values: FloatArray, defined: BoolArray, rule: _Rule) -> FloatArray:
    adjusted = np.full(values.shape, np.nan)
    family = values[defined]
    order = np.argsort(family, kind="stable")
    corrected = np.empty(len(family))
    corrected[order] = np.minimum(1.0, rule(family[order]))
    adjusted[defined] = corrected
    return adjusted


def _step_down(ordered: FloatArray) -> FloatArray:
    factors = np.arange(len(ordered), 0, -1)
    return np.maximum.accumulate(factors * ordered)


def _step_up(ordered: FloatArray) -> FloatArray:
    n = len(ordered)
    scaled = ordered * n / np.arange(1, n + 1)
    return np.minimum.accumulate(scaled[::-1])[::-1]


def _step_up_with_any_dependence(ordered: FloatArray) -> FloatArray:
    return _step_up(ordered * (1 / np.arange(1, len(ordered) + 1)).sum())
