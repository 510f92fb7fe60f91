"""The restricted likelihood of one or two crossed factors, and where it is greatest."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, log, pi

import numpy as np
import scipy

from measures.core.arrays import FloatArray, IntArray

_AT_ZERO = 1e-4
_AS_GOOD = 1e-8
_SMALLEST = 1e-7
_SIMPLEX = np.array([[0.5, 0.5], [1.0, 0.5], [0.5, 1.0]])


class RestrictedLikelihood:
    """Restricted likelihood as a function of the square roots of the ratios of variances, larger factor first."""

    def __init__(self, table: FloatArray, levels: Sequence[IntArray]) -> None:
        self.n, self.p = len(table), table.shape[1] - 1
        self.factors = len(levels)
        large, small = levels[0], levels[-1]
        sizes = int(large.max()) + 1, int(small.max()) + 1
        self.products = table.T @ table
        self.large_sums = _sums(table, large, sizes[0])
        self.large_counts = np.bincount(large).astype(np.float64)
        if self.factors == 1:
            return
        self.small_sums = _sums(table, small, sizes[1])
        self.small_counts = np.bincount(small).astype(np.float64)
        above = np.zeros(sizes[0], dtype=np.int64)
        above[large] = small
        self.above = above if (above[large] == small).all() else None
        if self.above is None:
            cells = np.bincount(large * sizes[1] + small, minlength=sizes[0] * sizes[1])
            self.cells = cells.reshape(sizes).astype(np.float64)

    def products_at(self, ratios: FloatArray) -> tuple[FloatArray, float]:
        """Return (X, y)' V^-1 (X, y) and the log determinant of V, with V in units of the error's variance."""
        weights = ratios[0] / (1 + ratios[0] * self.large_counts)
        crossed = self.products - self.large_sums.T @ (weights[:, None] * self.large_sums)
        determinant = float(np.log1p(ratios[0] * self.large_counts).sum())
        if self.factors == 1:
            return crossed, determinant
        weighted = weights[:, None] * self.large_sums
        if self.above is not None:
            # Each level of the larger factor is in one of the smaller, so that all matrices are diagonal.
            shared = np.bincount(self.above, weights * self.large_counts**2)
            sums = self.small_sums - _sums(self.large_counts[:, None] * weighted, self.above, len(self.small_sums))
            left = 1 + ratios[1] * (self.small_counts - shared)
            half = sums / np.sqrt(left)[:, None]
            return crossed - ratios[1] * (half.T @ half), determinant + float(np.log(left).sum())
        sums = self.small_sums - self.cells.T @ weighted
        rooted = np.sqrt(weights)[:, None] * self.cells
        inner = np.diag(self.small_counts) - rooted.T @ rooted
        factor = np.linalg.cholesky(np.eye(len(inner)) + ratios[1] * inner)
        half = np.linalg.solve(factor, sums)
        determinant += float(2 * np.log(np.diag(factor)).sum())
        return crossed - ratios[1] * (half.T @ half), determinant

    def deviance(self, roots: FloatArray) -> float:
        """Return minus twice the restricted log-likelihood."""
        products, determinant = self.products_at(roots**2)
        left = self.error_variance(products)
        sign, of_x = np.linalg.slogdet(products[:-1, :-1])
        if left <= 0 or sign <= 0 or not isfinite(left):
            return float("inf")
        return float((self.n - self.p) * (log(2 * pi * left) + 1) + determinant + of_x)

    def deviance_and_covariance(self, variances: FloatArray) -> tuple[float, FloatArray]:
        """Return minus twice the restricted log-likelihood at any variances, the error's last, and C = (X'V^-1X)^-1."""
        error = float(variances[-1])
        products, determinant = self.products_at(variances[:-1] / error)
        of_x = float(np.linalg.slogdet(products[:-1, :-1])[1])
        free = self.n - self.p
        deviance = free * (log(2 * pi * error) + self.error_variance(products) / error) + determinant + of_x
        return float(deviance), np.asarray(error * np.linalg.inv(products[:-1, :-1]))

    def error_variance(self, products: FloatArray) -> float:
        """Return the error's variance where the coefficients are best."""
        explained = products[:-1, -1] @ np.linalg.solve(products[:-1, :-1], products[:-1, -1])
        return float(products[-1, -1] - explained) / int(self.n - self.p)


def _sums(table: FloatArray, level: IntArray, size: int) -> FloatArray:
    return np.stack([np.bincount(level, column, minlength=size) for column in table.T], axis=1)


def best_roots(likelihood: RestrictedLikelihood) -> FloatArray:
    """Return the roots of the ratios of variances, 0 where a variance of 0 is as likely."""
    # Without derivatives: the simplex of Nelder and Mead 1965, until it is as small as `_SMALLEST`.
    simplex = _SIMPLEX[: likelihood.factors + 1, : likelihood.factors]
    search = {"initial_simplex": simplex, "xatol": _SMALLEST, "fatol": np.inf, "maxiter": 400}
    best: FloatArray = np.abs(
        scipy.optimize.minimize(likelihood.deviance, simplex[0], method="Nelder-Mead", options=search).x
    )
    for place in range(likelihood.factors):
        without = best.copy()
        without[place] = 0.0
        # On the way to 0 the likelihood is flat, so the search stops a little before it.
        if best[place] < _AT_ZERO or likelihood.deviance(without) <= likelihood.deviance(best) + _AS_GOOD:
            best = without
    return best
