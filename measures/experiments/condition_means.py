"""The mean score under each condition of people who meet them all."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import FloatArray
from measures.core.confidence import CONFIDENCE
from measures.core.undefined import Undefined

ONE_SCORE = Undefined("fewer than 2 scores")
SAME_SCORES = Undefined("all scores are the same")


@dataclass(frozen=True)
class ConditionMean:
    """The scores under one condition, of everybody who has one.

    Attributes
    ----------
    mean : float
        Their mean.
    deviation : float or Undefined
        Their standard deviation (divisor n - 1).
    low, high : float or Undefined
        95% interval of the mean by Student's t; undefined for one score, and where all are the same.
    people : int
        How many there are.
    """

    mean: float
    deviation: float | Undefined
    low: float | Undefined
    high: float | Undefined
    people: int


def condition_means(scores: npt.ArrayLike) -> tuple[ConditionMean | Undefined, ...]:
    """Describe the scores under each condition, of all people who have one.

    Parameters
    ----------
    scores : array_like of shape (n, c)
        Scores of people under conditions; NaN where missing.

    Returns
    -------
    tuple of (ConditionMean or Undefined), of length c
        Undefined without a score.

    Raises
    ------
    ValueError
        If the table is not two-dimensional.

    Examples
    --------
    >>> (one, other) = condition_means([[1, 2], [3, np.nan]])
    >>> one.mean, round(one.deviation, 2), round(one.low, 1), other.people, other.deviation.reason
    (2.0, 1.41, -10.7, 1, 'fewer than 2 scores')
    """
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"a table of people by conditions, not of shape {table.shape}")
    return tuple(_mean(column[~np.isnan(column)]) for column in table.T)


def _mean(values: FloatArray) -> ConditionMean | Undefined:
    n = len(values)
    if not n:
        return Undefined("no score")
    mean = float(values.mean())
    if n < 2:
        return ConditionMean(mean, ONE_SCORE, ONE_SCORE, ONE_SCORE, n)
    deviation = float(values.std(ddof=1))
    if (values == values[0]).all():
        return ConditionMean(mean, 0.0, SAME_SCORES, SAME_SCORES, n)
    reach = float(scipy.stats.t.ppf((1 + CONFIDENCE) / 2, n - 1)) * deviation / sqrt(n)
    return ConditionMean(mean, deviation, mean - reach, mean + reach, n)
