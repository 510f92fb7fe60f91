"""Whether values could be normally distributed: their shape, and Shapiro and Wilk's test."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.undefined import Undefined

MOST_SHAPIRO = 5_000
TOO_MANY_VALUES = Undefined(f"more than {MOST_SHAPIRO:,} values")
FEW_VALUES = Undefined("fewer than 4 values")
ALL_ALIKE = Undefined("all values are the same")

# Sums in another order differ by less, relative to the whole.
_NOTHING = 1e-12


@dataclass(frozen=True)
class Normality:
    """How far values are from normal. To be looked at; it chooses no test.

    Attributes
    ----------
    w, p : float or Undefined
        Shapiro and Wilk's statistic and its p-value; undefined for more than 5,000 values, for which p is not exact.
    skewness, kurtosis : float
        Skewness and excess kurtosis, corrected for bias; 0 for normal values.
    skewness_z, kurtosis_z : float
        The same divided by their standard errors under normality.
    """

    w: float | Undefined
    p: float | Undefined
    skewness: float
    kurtosis: float
    skewness_z: float
    kurtosis_z: float


def normality(values: npt.ArrayLike) -> Normality | Undefined:
    """Describe how far values are from normal.

    Source: Shapiro and Wilk 1965; Joanes and Gill 1998 (G1 and G2) with their standard errors.

    Parameters
    ----------
    values : array_like of any shape
        The values, none missing.

    Returns
    -------
    Normality or Undefined
        Undefined for fewer than 4 values, or if all are the same.

    Examples
    --------
    >>> found = normality([1, 2, 2, 3, 9])
    >>> round(found.p, 3), round(found.skewness, 2), round(found.skewness_z, 2)
    (0.03, 1.97, 2.16)
    """
    flat = np.asarray(values, dtype=np.float64).ravel()
    n = len(flat)
    if n < 4:
        return FEW_VALUES
    if np.ptp(flat) <= _NOTHING * np.abs(flat).max():
        return ALL_ALIKE
    skewness = float(scipy.stats.skew(flat, bias=False))
    kurtosis = float(scipy.stats.kurtosis(flat, bias=False))
    of_skewness = sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))
    of_kurtosis = 2 * of_skewness * sqrt((n * n - 1) / ((n - 3) * (n + 5)))
    z = skewness / of_skewness, kurtosis / of_kurtosis
    if n > MOST_SHAPIRO:
        return Normality(TOO_MANY_VALUES, TOO_MANY_VALUES, skewness, kurtosis, *z)
    w, p = scipy.stats.shapiro(flat)
    return Normality(float(w), float(p), skewness, kurtosis, *z)
