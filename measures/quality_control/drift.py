"""Drift of a rater: whether later work is rated more mildly or strictly than earlier work."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from measures.core.arrays import FloatArray

MIN_TEXTS = 6
"""Least number of texts: two in each third, since one has no variance."""


@dataclass(frozen=True)
class Drift:
    """Comparison of the first third of a rater's work with the last.

    Attributes
    ----------
    texts : int
        Number of texts in each third.
    first, last : float
        Mean difference from the others in the first and in the last third, in points; positive is milder.
    error : float
        Standard error of the change, in points.

    Examples
    --------
    >>> Drift(texts=10, first=-0.25, last=0.5, error=0.2).change
    0.75
    """

    texts: int
    first: float
    last: float
    error: float

    @property
    def change(self) -> float:
        """Change of the mean difference from the first to the last third, in points."""
        return self.last - self.first


def drift(differences: FloatArray) -> Drift:
    """Compare the first third of a rater's work with the last.

    Drift is gradual, so the outer thirds differ more than halves would. Of n texts each third has floor(n / 3);
    the texts in between are not used.

    Source: Welch 1938, "The significance of the difference between two means when the population variances
    are unequal", for the standard error: sqrt(var1 / n1 + var2 / n2), with variances divided by n - 1.

    Parameters
    ----------
    differences : FloatArray of shape (n,)
        The rater's score minus that of the others, in points, in the order of work; at least 6 texts.

    Returns
    -------
    Drift
        Means and standard error.

    Raises
    ------
    ValueError
        If there are fewer than 6 differences, or one of them is not a finite number.

    Examples
    --------
    >>> found = drift(np.array([-0.5, 0.5, 9.0, 9.0, 0.5, 1.5]))
    >>> found.texts, found.first, found.last, round(found.error, 3)
    (2, 0.0, 1.0, 0.707)
    """
    if differences.ndim != 1 or len(differences) < MIN_TEXTS:
        raise ValueError(f"differences must be a list of at least {MIN_TEXTS}, not of shape {differences.shape}")
    if not np.isfinite(differences).all():
        raise ValueError("differences must be finite numbers")
    texts = len(differences) // 3
    first, last = differences[:texts], differences[-texts:]
    error = sqrt((first.var(ddof=1) + last.var(ddof=1)) / texts)
    return Drift(texts, float(first.mean()), float(last.mean()), error)
