"""Permutation test of agreement: is a rater closer to the others than shuffled answers would be?"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from measures.core.arrays import FloatArray
from measures.core.rating_scale import DECIMALS


@dataclass(frozen=True)
class ChanceComparison:
    """Mean squared difference from the others, and its distribution under random shuffling of the answers.

    Attributes
    ----------
    observed : float
        Mean squared difference over texts and scales, in squared points.
    expected : float
        Its mean over all permutations of the answers.
    deviation : float
        Its standard deviation over all permutations.

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
        """Standard deviations by which the answers beat shuffled ones; None where shuffling changes nothing."""
        if round(self.deviation, DECIMALS) == 0:
            return None
        return (self.expected - self.observed) / self.deviation


def permutation_z(own: FloatArray, others: FloatArray) -> ChanceComparison:
    """Test whether a rater's scores are closer to the others' than a random permutation of them would be.

    A permutation reassigns whole answers, all scales together, to the texts. Mean and standard deviation over
    all n! equally likely permutations are computed exactly, without sampling. Under a permutation the mean
    squared difference is a constant minus 2 / (n s) times the sum of ``own[i] @ others[shuffle[i]]``. For a
    single scale with own scores x and others' scores y, the mean is mean(x²) + mean(y²) - 2 mean(x) mean(y),
    the standard deviation is 2 sd(x) sd(y) / sqrt(n - 1), and z is the correlation of x and y times
    sqrt(n - 1).

    Source: Hoeffding 1951, "A combinatorial central limit theorem", theorem 2: the variance of the sum of
    ``a[i, shuffle[i]]`` is the sum of squares of the doubly centred ``a``, divided by n - 1. Here ``a`` is
    ``own @ others.T``, and the sum of squares is the trace of a product of two s × s matrices, so the n × n matrix
    is never built.

    Parameters
    ----------
    own, others : FloatArray of shape (n, s)
        Scores of the same n >= 2 texts on s >= 1 scales with the same number of points; none missing.

    Returns
    -------
    ChanceComparison
        In squared points, averaged over the scales. Takes time linear in n.

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
    # mean(x²) - mean(x)² is the variance; computing it from centred values avoids cancellation.
    expected = x.var(axis=0) + y.var(axis=0) + (means[0] - means[1]) ** 2
    variance = (2 / (n * s)) ** 2 * np.trace((x.T @ x) @ (y.T @ y)) / (n - 1)
    return ChanceComparison(
        observed=float(((own - others) ** 2).mean()),
        expected=float(expected.mean()),
        deviation=sqrt(max(float(variance), 0.0)),
    )
