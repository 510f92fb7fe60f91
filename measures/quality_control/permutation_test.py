"""How far scores stand from those of others, and how far they would stand if they were shuffled."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from measures.core.arrays import FloatArray
from measures.core.rating_scale import DECIMALS


@dataclass(frozen=True)
class ChanceComparison:
    """Mean squared difference from the others, and its distribution when the answers are shuffled.

    Attributes
    ----------
    observed : float
        The mean over texts and scales, in squared points.
    expected : float
        Its mean over all orders of the answers.
    deviation : float
        Its standard deviation over all orders.

    Examples
    --------
    >>> ChanceComparison(observed=0.5, expected=1.0, deviation=0.25).z
    2.0
    """

    observed: float
    expected: float
    deviation: float

    @property
    def z(self) -> float | None:
        """Standard deviations by which the answers are better than shuffled; None where shuffling changes nothing."""
        if round(self.deviation, DECIMALS) == 0:
            return None
        return (self.expected - self.observed) / self.deviation


def permutation_z(own: FloatArray, others: FloatArray) -> ChanceComparison:
    """Compare the scores of a rater with those of the others, and with what a shuffle would give.

    A shuffle gives each text the answer to some text, with all its scales together; all orders are equally
    likely, and mean and deviation over them are exact, without drawing any. In a shuffle the mean squared
    difference is a constant minus 2 / (n s) times the sum of ``own[i] @ others[shuffle[i]]``. With own scores
    x and others' scores y of one scale, the mean is mean(x²) + mean(y²) - 2 mean(x) mean(y), the deviation is
    2 sd(x) sd(y) / sqrt(n - 1), and z is their correlation times sqrt(n - 1).

    Source: Hoeffding 1951, "A combinatorial central limit theorem", theorem 2: the variance of the sum of
    ``a[i, shuffle[i]]`` is the sum of the squared, doubly centred ``a`` over n - 1. Here ``a`` is ``own @ others.T``,
    and that sum is the trace of the product of two s × s matrices: ``a`` is never built.

    Parameters
    ----------
    own, others : FloatArray of shape (n, s)
        Scores of the same n texts, at least 2, on s scales, at least 1, of the same length; none missing.

    Returns
    -------
    ChanceComparison
        In squared points, averaged over the scales. Takes linear time.

    Raises
    ------
    ValueError
        If the shapes differ or are too small, or a score is not a finite number.

    Examples
    --------
    >>> found = permutation_z(np.array([[1.0], [2.0], [3.0]]), np.array([[1.0], [3.0], [2.0]]))
    >>> round(found.observed, 3), round(found.expected, 3), round(found.deviation, 3)
    (0.667, 1.333, 0.943)
    """
    if own.ndim != 2 or own.shape != others.shape or own.shape[0] < 2 or own.shape[1] < 1:
        raise ValueError(f"own and others must be of one shape, from 2 × 1 on, not {own.shape} and {others.shape}")
    if not (np.isfinite(own).all() and np.isfinite(others).all()):
        raise ValueError("own and others must be finite numbers")
    n, s = own.shape
    means = own.mean(axis=0), others.mean(axis=0)
    x, y = own - means[0], others - means[1]
    # mean(x²) - mean(x)² is the variance: centred, it keeps its digits.
    expected = x.var(axis=0) + y.var(axis=0) + (means[0] - means[1]) ** 2
    variance = (2 / (n * s)) ** 2 * np.trace((x.T @ x) @ (y.T @ y)) / (n - 1)
    return ChanceComparison(
        observed=float(((own - others) ** 2).mean()),
        expected=float(expected.mean()),
        deviation=sqrt(max(float(variance), 0.0)),
    )
