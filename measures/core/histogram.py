"""Histograms with bins of equal width."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.core.rating_scale import DECIMALS


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts of values in bins of equal width.

    Attributes
    ----------
    edges : FloatArray of shape (b + 1,)
        Edges of the bins in increasing order, equally spaced.
    counts : IntArray of shape (b,)
        Number of values in each bin.
    """

    edges: FloatArray
    counts: IntArray


def histogram(values: npt.ArrayLike, bins: int = 20, low: float | None = None, high: float | None = None) -> Histogram:
    """Count values in bins of equal width.

    A value on an edge belongs to the bin above it; a value on the last edge belongs to the last bin. Values
    outside `low` to `high` are counted in the first or last bin. Values equal to nine decimals share a bin.

    Parameters
    ----------
    values : array_like of shape (n,)
        The values; NaN are ignored.
    bins : int, default 20
        Number of bins, at least 1.
    low, high : float or None
        First and last edge; None takes the minimum and the maximum of the values. If that range is empty,
        as it is for equal values, it becomes 1 wide: centred on the values, or beginning or ending at the
        edge that is given. Without values a missing edge is 0 or 1.

    Returns
    -------
    Histogram
        Edges and counts; the counts sum to the number of non-NaN values.

    Raises
    ------
    ValueError
        If a value is infinite, `values` is not one-dimensional, `bins` is below 1, `low` is not below `high`, or
        one of them is not finite.

    Examples
    --------
    >>> found = histogram([1.0, 1.5, 2.9, np.nan, 3.0], bins=4, low=1, high=3)
    >>> found.edges, found.counts
    (array([1. , 1.5, 2. , 2.5, 3. ]), array([1, 1, 0, 2]))
    """
    known = np.asarray(values, dtype=np.float64)
    if known.ndim != 1:
        raise ValueError(f"values must be a list of numbers, not of shape {known.shape}")
    known = np.round(known[~np.isnan(known)], DECIMALS)
    if np.isinf(known).any():
        raise ValueError("values must not be infinite")
    if bins < 1:
        raise ValueError(f"bins must be at least 1, not {bins}")
    first, last = _range(known, low, high)
    if not (isfinite(first) and isfinite(last)):
        raise ValueError(f"low and high must be finite, not {low} and {high}")
    # Rounded so that floating-point error cannot push a value on an edge into the bin below.
    bin_numbers = np.floor(np.round((known - first) / (last - first) * bins, DECIMALS))
    counts = np.bincount(np.clip(bin_numbers, 0, bins - 1).astype(np.int64), minlength=bins)
    return Histogram(edges=np.linspace(first, last, bins + 1), counts=counts.astype(np.int64))


def _range(known: FloatArray, low: float | None, high: float | None) -> tuple[float, float]:
    if low is not None and high is not None:
        if not low < high:
            raise ValueError(f"low must be below high, not {low} and {high}")
        return low, high
    least, greatest = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    if low is not None:
        return low, greatest if greatest > low else low + 1
    if high is not None:
        return least if least < high else high - 1, high
    return (least, greatest) if least < greatest else (least - 0.5, greatest + 0.5)
