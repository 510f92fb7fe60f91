"""A mean over items with its interval by Student's t."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, sqrt

import numpy as np
import numpy.typing as npt

from measures.core.confidence import ConfidenceInterval, interval_ends
from measures.core.undefined import Undefined

ONE_ITEM = Undefined("no interval from one item")
NO_VARIANCE = Undefined("no interval: all items have the same value")

# Sums in another order differ by less.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class ItemMean:
    """A mean over items.

    Attributes
    ----------
    value : float
        The mean, in units of the values.
    interval : ConfidenceInterval or Undefined
        95%, by Student's t over the items; undefined for one item, and where all have the same value.
    items, left_out : int
        Numbers of items with a value, and of those without.
    """

    value: float
    interval: ConfidenceInterval | Undefined
    items: int
    left_out: int


def item_mean(
    values: npt.ArrayLike, *, bounds: tuple[float, float] = (-inf, inf), nothing: str
) -> ItemMean | Undefined:
    """Compute the mean of items of which each has one value, or none.

    Parameters
    ----------
    values : array_like of shape (n,)
        The value of each item, NaN where it has none.
    bounds : tuple of float, default (-inf, inf)
        The smallest and the largest possible value, both finite or neither: the interval does not pass them, as in
        `interval_ends`.
    nothing : str
        The reason to give if no item has a value.

    Returns
    -------
    ItemMean or Undefined
        The mean; undefined if no item has a value.

    Raises
    ------
    ValueError
        If `values` is not a list of numbers, one of them is infinite, or one of the bounds alone is.

    Examples
    --------
    >>> mean = item_mean([0.5, 0.7, 0.6, float("nan")], nothing="no item has a score")
    >>> round(mean.value, 3), round(mean.interval.low, 3), round(mean.interval.high, 3), mean.items, mean.left_out
    (0.6, 0.352, 0.848, 3, 1)
    """
    given = np.asarray(values, dtype=np.float64)
    if given.ndim != 1 or np.isinf(given).any():
        raise ValueError("values must be a list of finite numbers or NaN")
    if isfinite(bounds[0]) != isfinite(bounds[1]):
        raise ValueError(f"bounds must be both finite or neither, not {bounds}")
    known = given[~np.isnan(given)]
    n = len(known)
    if not n:
        return Undefined(nothing)
    value = float(known.mean())
    interval: ConfidenceInterval | Undefined = ONE_ITEM if n == 1 else NO_VARIANCE
    if np.ptp(known) > _ROUNDING:
        error = float(known.std(ddof=1)) / sqrt(n)
        interval = ConfidenceInterval(*interval_ends(value, error, n - 1, bounds), error, n)
    return ItemMean(value, interval, n, len(given) - n)
