"""The likelihood of ordered categories with random effects, by Laplace's approximation, and where it is greatest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined

Table = Any  # of numbers, dense or sparse
FACTORS = ("text", "source", "rater")
_ZERO_DEVIATION = 1e-3
_LARGEST_DEVIATION = 50.0
_FIRST_DEVIATION = 0.7
_APART, _FAR = 12.0, 20.0
_STEP = 1e-4
_MODE_STEPS = 100
_MODE_SETTLED = 1e-14
_POLISHES = 5
_SMALL = 100_000


def thresholds_of(parameters: FloatArray) -> FloatArray:
    """Return rising thresholds from the first one and the logarithms of the gaps."""
    return np.asarray(np.cumsum(np.concatenate([parameters[:1], np.exp(parameters[1:])])))


def deviations_of(logs: FloatArray) -> FloatArray:
    return np.asarray(np.where(logs <= np.log(_ZERO_DEVIATION), 0.0, np.exp(logs)))


@dataclass(frozen=True, eq=False)
class _Ratings:
    """The derivatives of the log-likelihood of each rating in its linear predictor and its two thresholds."""

    logs: FloatArray
    slope: FloatArray  # d log P / d eta
    weight: FloatArray  # minus the second derivative: f(a) + f(c)
    weight_slope: FloatArray  # its derivative in eta
    upper: tuple[FloatArray, FloatArray, FloatArray]  # d log P, d slope, d weight / d the threshold above
    lower: tuple[FloatArray, FloatArray, FloatArray]  # the same for the threshold below

    @classmethod
    def at(cls, above: FloatArray, below: FloatArray) -> _Ratings:
        """`above` and `below` are the thresholds around each rating minus its linear predictor, perhaps infinite."""
        of_a, of_c = scipy.special.expit(above), scipy.special.expit(below)
        gap = np.exp(below - above)
        density_a, density_c = of_a * (1 - of_a), of_c * (1 - of_c)
        turn_a, turn_c = density_a * (1 - 2 * of_a), density_c * (1 - 2 * of_c)
        between = gap / (1 - gap)
        logs = -np.logaddexp(0, -above) - np.logaddexp(0, below) + np.log1p(-gap)
        return cls(
            logs,
            of_a + of_c - 1,
            density_a + density_c,
            -(turn_a + turn_c),
            (1 - of_a + between, density_a, turn_a),
            (-of_c - between, density_c, turn_c),
        )


class Laplace:
    """Minus the log-likelihood by Laplace's approximation, with its gradient.

    The parameters are the first threshold, the logarithms of the gaps, the coefficients, and the logarithms of the
    standard deviations of texts, sources and raters. The effects are in units of their standard deviations.
    """

    def __init__(
        self, category: IntArray, categories: int, x: FloatArray, text: IntArray, source: IntArray, rater: IntArray
    ) -> None:
        self.category, self.categories, self.x = category, categories, x
        self.text, self.rater = text, rater
        self.sizes = int(text.max()) + 1, int(source.max()) + 1, int(rater.max()) + 1
        self.source_of = np.zeros(self.sizes[0], dtype=np.int64)
        self.source_of[text] = source
        self.levels = (text, source, rater)
        cells, self.cell = np.unique(text * self.sizes[2] + rater, return_inverse=True)
        self.cell_text, self.cell_rater = np.divmod(cells, self.sizes[2])
        self.is_small = self.sizes[0] * (self.sizes[1] + self.sizes[2]) <= _SMALL
        self.of_source = self.table(
            np.ones(self.sizes[0]),
            self.source_of,
            np.arange(self.sizes[0], dtype=np.int64),
            (self.sizes[1], self.sizes[0]),
        )
        self.effects = [np.zeros(size) for size in self.sizes]

    def table(self, values: FloatArray, row: IntArray, column: IntArray, shape: tuple[int, int]) -> Table:
        """Return a table with these values, sparse unless it is small: both have the same operators."""
        found = scipy.sparse.csr_array((values, (row, column)), shape=shape)
        return found.toarray() if self.is_small else found

    def start(self) -> FloatArray:
        """Return parameters to begin with: no effect of predictors, and thresholds from the shares of the points."""
        shares = np.cumsum(np.bincount(self.category, minlength=self.categories))[:-1] / len(self.category)
        thresholds = np.log(shares / (1 - shares))
        gaps = np.log(np.maximum(np.diff(thresholds), _STEP))
        return np.concatenate(
            [thresholds[:1], gaps, np.zeros(self.x.shape[1]), np.full(len(self.sizes), np.log(_FIRST_DEVIATION))]
        )

    def _ratings(self, thresholds: FloatArray, fixed: FloatArray, sigma: FloatArray) -> _Ratings:
        ends = np.concatenate([[-np.inf], thresholds, [np.inf]])
        eta = fixed + sum(
            each * effect[level] for each, effect, level in zip(sigma, self.effects, self.levels, strict=True)
        )
        return _Ratings.at(ends[self.category + 1] - eta, ends[self.category] - eta)

    def _gradients(self, ratings: _Ratings, sigma: FloatArray) -> list[FloatArray]:
        return [
            each * np.bincount(level, ratings.slope, minlength=len(effect)) - effect
            for each, effect, level in zip(sigma, self.effects, self.levels, strict=True)
        ]

    def _joint(self, ratings: _Ratings) -> float:
        return float(ratings.logs.sum()) - sum(float(effect @ effect) for effect in self.effects) / 2

    def _to_mode(self, thresholds: FloatArray, fixed: FloatArray, sigma: FloatArray) -> tuple[_Ratings, _Curvature]:
        """Move the effects to their mode by Newton's steps, halved while they lead down."""
        ratings = self._ratings(thresholds, fixed, sigma)
        joint = self._joint(ratings)
        if not np.isfinite(joint):
            self.effects = [np.zeros(size) for size in self.sizes]
            ratings = self._ratings(thresholds, fixed, sigma)
            joint = self._joint(ratings)
        for _ in range(_MODE_STEPS):
            gradients = self._gradients(ratings, sigma)
            curvature = _Curvature(self, ratings.weight, sigma)
            step = curvature.solve(gradients)
            rise = sum(float(one @ other) for one, other in zip(step, gradients, strict=True))
            if rise < _MODE_SETTLED:
                break
            before, size = self.effects, 1.0
            while True:
                self.effects = [each + size * by for each, by in zip(before, step, strict=True)]
                ratings = self._ratings(thresholds, fixed, sigma)
                now = self._joint(ratings)
                if now >= joint or size < _STEP:
                    break
                size /= 2
            joint = now
        return ratings, curvature

    def __call__(self, parameters: FloatArray) -> tuple[float, FloatArray]:
        k, p = self.categories - 1, self.x.shape[1]
        thresholds, beta, sigma = (
            thresholds_of(parameters[:k]),
            parameters[k : k + p],
            deviations_of(parameters[k + p :]),
        )
        ratings, curvature = self._to_mode(thresholds, self.x @ beta, sigma)
        value = self._joint(ratings) - curvature.log_determinant / 2
        leverage, diagonals = curvature.leverages()
        turned = leverage * ratings.weight_slope
        adjoint = curvature.solve(
            [
                each * np.bincount(level, turned, minlength=size)
                for each, level, size in zip(sigma, self.levels, self.sizes, strict=True)
            ]
        )
        moved = sum(each * by[level] for each, by, level in zip(sigma, adjoint, self.levels, strict=True))
        in_eta = ratings.slope - turned / 2 + moved * ratings.weight / 2
        of_threshold = np.zeros(self.categories + 1)
        for shift, (of_log, of_slope, of_weight) in ((1, ratings.upper), (0, ratings.lower)):
            each = of_log - leverage * of_weight / 2 - moved * of_slope / 2
            of_threshold += np.bincount(self.category + shift, each, minlength=self.categories + 1)
        later = np.cumsum(of_threshold[1:-1][::-1])[::-1]
        gaps = np.concatenate([[1.0], np.exp(parameters[1:k])])
        of_sigma = [
            float(each * (effect[level] @ in_eta - by[level] @ ratings.slope / 2)) - float((1 - diagonal).sum())
            for each, effect, by, level, diagonal in zip(
                sigma, self.effects, adjoint, self.levels, diagonals, strict=True
            )
        ]
        return -value, -np.concatenate([later * gaps, in_eta @ self.x, of_sigma])


class _Curvature:
    """Minus the second derivatives of the joint log-likelihood in the effects: texts, sources and raters.

    Texts make a diagonal block, and so do sources once texts are eliminated, since a text has one source.
    """

    def __init__(self, data: Laplace, weight: FloatArray, sigma: FloatArray) -> None:
        self.data, self.sigma = data, sigma
        of_text, of_source, of_rater = (
            np.bincount(level, weight, minlength=size) for level, size in zip(data.levels, data.sizes, strict=True)
        )
        self.texts = 1 + sigma[0] ** 2 * of_text
        self.coupling = sigma[0] * sigma[1] * of_text
        crossed = data.table(
            np.bincount(data.cell, weight).astype(np.float64),
            data.cell_text,
            data.cell_rater,
            (data.sizes[0], data.sizes[2]),
        )
        self.by_text = sigma[0] * sigma[2] * crossed
        share = self.coupling / self.texts
        self.sources = 1 + sigma[1] ** 2 * of_source - data.of_source @ (share * self.coupling)
        self.by_source = sigma[1] * sigma[2] * (data.of_source @ crossed) - data.of_source @ _times(self.by_text, share)
        raters = np.diag(1 + sigma[2] ** 2 * of_rater)
        raters -= _dense(self.by_text.T @ _times(self.by_text, 1 / self.texts))
        raters -= _dense(self.by_source.T @ _times(self.by_source, 1 / self.sources))
        self.raters = scipy.linalg.cho_factor(raters, lower=True)

    @property
    def log_determinant(self) -> float:
        return float(np.log(self.texts).sum() + np.log(self.sources).sum() + 2 * np.log(np.diag(self.raters[0])).sum())

    def solve(self, right: Sequence[FloatArray]) -> list[FloatArray]:
        """Solve for the effects, factor by factor."""
        of_source = right[1] - self.data.of_source @ (self.coupling / self.texts * right[0])
        of_rater = right[2] - self.by_text.T @ (right[0] / self.texts) - self.by_source.T @ (of_source / self.sources)
        raters = scipy.linalg.cho_solve(self.raters, of_rater)
        sources = (of_source - self.by_source @ raters) / self.sources
        texts = (right[0] - self.coupling * sources[self.data.source_of] - self.by_text @ raters) / self.texts
        return [texts, sources, raters]

    def leverages(self) -> tuple[FloatArray, tuple[FloatArray, FloatArray, FloatArray]]:
        """Return the variance of each rating's linear predictor, and the diagonal of the inverse, factor by factor."""
        data, (of_text, of_source, of_rater) = self.data, self.sigma
        inverse = scipy.linalg.cho_solve(self.raters, np.eye(data.sizes[2]))
        sources = _times(self.by_source, 1 / self.sources)
        of_its_source = sources[data.source_of]
        texts = _times(self.by_text - _times(of_its_source, self.coupling), 1 / self.texts)
        both = of_text * texts + of_source * of_its_source
        source_own = 1 / self.sources
        ratio = self.coupling / self.texts
        text_own = 1 / self.texts + ratio**2 * source_own[data.source_of]
        diagonals = (text_own + _quadratic(texts, inverse), source_own + _quadratic(sources, inverse))
        alone = of_text**2 * text_own + (of_source**2 - 2 * of_text * of_source * ratio) * source_own[data.source_of]
        turned = both @ inverse
        own = alone + np.asarray((both * turned).sum(axis=1)).ravel()
        of_raters = np.diag(inverse)
        leverage = own[data.text] - 2 * of_rater * turned[data.text, data.rater] + of_rater**2 * of_raters[data.rater]
        return leverage, (*diagonals, of_raters)


def _quadratic(rows: Table, inverse: FloatArray) -> FloatArray:
    return np.asarray((rows * (rows @ inverse)).sum(axis=1)).ravel()


def _times(table: Table, of_rows: FloatArray) -> Table:
    """Return a table with each row multiplied."""
    found = table * of_rows[:, None]
    return found.tocsr() if scipy.sparse.issparse(found) else found


def _dense(table: Table) -> FloatArray:
    return np.asarray(table.toarray() if scipy.sparse.issparse(table) else table)


def maximum(likelihood: Laplace, with_sources: bool) -> tuple[FloatArray, FloatArray, float] | Undefined:
    """Return the parameters, their covariance (first thresholds, then coefficients) and minus the log-likelihood."""
    at = likelihood.start()
    k = len(at) - len(FACTORS)
    lowest, highest = np.log(_ZERO_DEVIATION), np.log(_LARGEST_DEVIATION)
    if not with_sources:
        at[k + 1] = lowest
    gaps = likelihood.categories - 2
    ends = [(-_FAR, _FAR), *[(-_FAR, float(np.log(_FAR)))] * gaps, *[(-_FAR, _FAR)] * (k - 1 - gaps)]
    bounds = ends + [(lowest, highest if with_sources or name != "source" else lowest) for name in FACTORS]
    options = {"maxcor": 20, "maxiter": 500, "gtol": 1e-5, "ftol": 1e-13}
    found = scipy.optimize.minimize(likelihood, at, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    at = np.asarray(found.x)
    free = np.flatnonzero(np.concatenate([np.ones(k), at[k:] > lowest]))
    if (np.abs(at[:k]) > _APART).any():
        return Undefined("the predictors tell points apart without error")
    curvature = _second_derivatives(likelihood, at, free)
    if not np.isfinite(curvature).all() or np.linalg.eigvalsh(curvature).min() <= 0:
        return Undefined("the likelihood has no clear maximum")
    for _ in range(_POLISHES):
        value, gradient = likelihood(at)
        step = np.linalg.solve(curvature, gradient[free])
        if np.abs(step).max() < _STEP**2:
            break
        at[free] -= step
    covariance = np.zeros((len(at), len(at)))
    covariance[np.ix_(free, free)] = np.linalg.inv(curvature)
    return at, covariance, value


def _second_derivatives(likelihood: Laplace, at: FloatArray, free: IntArray) -> FloatArray:
    rows = []
    for place in free:
        ahead, behind = at.copy(), at.copy()
        ahead[place] += _STEP
        behind[place] -= _STEP
        rows.append((likelihood(ahead)[1] - likelihood(behind)[1])[free] / (2 * _STEP))
    found = np.array(rows)
    return np.asarray((found + found.T) / 2)
