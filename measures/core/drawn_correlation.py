"""A correlation over texts with an interval from draws of whole sources."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray
from measures.core.drawn_sources import LEAST_SOURCES, NEVER_DEFINED, TOO_FEW_SOURCES
from measures.core.intervals import Interval
from measures.core.undefined import Undefined

DRAWS = 1_000
LEAST_TEXTS = 3

FEW_TEXTS = Undefined(f"fewer than {LEAST_TEXTS} texts")
CONSTANT = Undefined("the values of one side are all the same")

# Values that are the same can differ in their last bits after sums in another order.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class DrawnCorrelation:
    """Pearson's correlation over texts.

    Attributes
    ----------
    value : float
        The correlation.
    interval : Interval or Undefined
        Over draws of the sources.
    texts, sources : int
        Number of texts and of their sources.
    """

    value: float
    interval: Interval | Undefined
    texts: int
    sources: int


def drawn_correlation(
    x: npt.ArrayLike, y: npt.ArrayLike, sources: npt.ArrayLike, *, draws: int = DRAWS, seed: int
) -> DrawnCorrelation | Undefined:
    """Correlate two values of texts, with a 95% percentile interval that draws the sources with all their texts.

    Source: Field and Welsh 2007, "Bootstrapping clustered data".

    Parameters
    ----------
    x, y : array_like of shape (t,)
        The values; texts with a NaN are left out.
    sources : array_like of shape (t,)
        The source of each text, as a number or a name.
    draws : int, default 1_000
        Number of draws.
    seed : int
        Seed of the draws.

    Returns
    -------
    DrawnCorrelation or Undefined
        Undefined for fewer than 3 texts, or if the values of one side are all the same. Draws in which they are leave
        no trace in the interval.

    Raises
    ------
    ValueError
        If the shapes differ or `draws` < 1.

    Examples
    --------
    >>> found = drawn_correlation([1, 2, 3, 4], [1, 3, 2, 4], ["a", "a", "b", "c"], seed=1)
    >>> round(found.value, 2), found.sources
    (0.8, 3)
    >>> drawn_correlation([1, 2, 3], [1, 1, 1], [1, 2, 3], seed=1).reason
    'the values of one side are all the same'
    """
    a, b, of = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64), np.asarray(sources)
    if not a.shape == b.shape == of.shape or a.ndim != 1 or draws < 1:
        raise ValueError("x, y and sources must be as many, and draws at least 1")
    known = np.isfinite(a) & np.isfinite(b)
    a, b = a[known], b[known]
    if len(a) < LEAST_TEXTS:
        return FEW_TEXTS
    if np.ptp(a) <= _ROUNDING or np.ptp(b) <= _ROUNDING:
        return CONSTANT
    labels, place = np.unique(of[known], return_inverse=True)
    sums = _sums(a - a.mean(), b - b.mean(), place.reshape(-1), len(labels))
    value = float(_correlations(sums.sum(axis=0)[None])[0])
    return DrawnCorrelation(value, _interval(sums, draws, seed), len(a), len(labels))


def _sums(x: FloatArray, y: FloatArray, place: npt.NDArray[np.intp], number: int) -> FloatArray:
    """Return the number of texts and the sums of x, y, x², y² and xy of each source."""
    columns = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=1)
    sums = np.zeros((number, columns.shape[1]))
    np.add.at(sums, place, columns)
    return sums


def _correlations(sums: FloatArray) -> FloatArray:
    n, x, y, xx, yy, xy = sums.T
    spread = (n * xx - x * x) * (n * yy - y * y)
    defined = spread > _ROUNDING
    found = (n * xy - x * y) / np.sqrt(np.where(defined, spread, 1.0))
    return np.where(defined, np.clip(found, -1, 1), np.nan)


def _interval(sums: FloatArray, draws: int, seed: int) -> Interval | Undefined:
    number = len(sums)
    if number < LEAST_SOURCES:
        return TOO_FEW_SOURCES
    times = np.random.default_rng(seed).multinomial(number, np.full(number, 1 / number), size=draws)
    found = _correlations(times @ sums)
    defined = found[np.isfinite(found)]
    if not len(defined):
        return NEVER_DEFINED
    return Interval.of(defined)
