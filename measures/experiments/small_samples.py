"""Tests of the coefficients of a mixed model that allow for how well its variances are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy

from measures.core.arrays import FloatArray, IntArray
from measures.core.confidence import CONFIDENCE
from measures.core.undefined import Undefined

_STEP = 1e-3
_ALIKE = 1e-8
TOO_FEW = Undefined("too few sources or editors for a test of several coefficients at once")


@dataclass(frozen=True)
class TTest:
    """A test of one coefficient against 0, with its 95% interval.

    Attributes
    ----------
    t : float
        The coefficient divided by its standard error.
    df : float
        Degrees of freedom, not rounded.
    p : float
        Two-sided p-value.
    low, high : float
        95% interval of the coefficient.
    """

    t: float
    df: float
    p: float
    low: float
    high: float


@dataclass(frozen=True)
class FTest:
    """A test of several coefficients at once against 0.

    Attributes
    ----------
    f : float
        The statistic.
    numerator_df : int
        Number of coefficients.
    df : float
        Degrees of freedom of the denominator, not rounded.
    p : float
        p-value.
    """

    f: float
    numerator_df: int
    df: float
    p: float


class FixedEffects(Protocol):
    """What is known of the coefficients: their covariance, and the degrees of freedom of contrasts."""

    @property
    def covariance(self) -> FloatArray:
        """Covariance of the coefficients, shape (p, p)."""

    def df(self, contrast: FloatArray) -> float:
        """Return the degrees of freedom of a contrast, shape (p,), of the coefficients."""

    def f_test(self, contrasts: FloatArray, values: FloatArray) -> FTest | Undefined:
        """Test several contrasts, shape (q, p), of coefficients of which `values`, shape (p,), are the estimates."""


def t_test(effects: FixedEffects, contrast: FloatArray, value: float, standard_error: float) -> TTest:
    """Test a contrast of the coefficients.

    Parameters
    ----------
    effects : FixedEffects
        What is known of the coefficients.
    contrast : FloatArray of shape (p,)
        The contrast.
    value, standard_error : float
        Its estimate and standard error, in one unit.

    Returns
    -------
    TTest
        The test and the interval.

    Examples
    --------
    >>> one = KenwardRoger(np.ones((4, 1)), [np.eye(4)], np.array([2.0]))
    >>> test = t_test(one, np.ones(1), 3.0, float(one.covariance[0, 0]) ** 0.5)
    >>> round(test.df, 6), round(test.low, 2)
    (3.0, 0.75)
    """
    df, t = effects.df(contrast), value / standard_error
    reach = float(scipy.stats.t.ppf((1 + CONFIDENCE) / 2, df)) * standard_error
    return TTest(t, df, float(2 * scipy.stats.t.sf(abs(t), df)), value - reach, value + reach)


class KenwardRoger:
    """The adjusted covariance and the degrees of freedom of Kenward and Roger, by matrices with a side for each text.

    Source: Kenward and Roger 1997, "Small sample inference for fixed effects from restricted maximum likelihood",
    sections 2 and 3, for variances that add up; `f_test` has its equations for the scale and the degrees of freedom of
    a test of several coefficients. All variances are kept, those estimated as 0 too, as in pbkrtest.

    Parameters
    ----------
    x : FloatArray of shape (n, p)
        The predictors.
    designs : sequence of FloatArray of shape (n, q)
        For each variance, which level each text has, as ones and zeros; the identity for the error.
    variances : FloatArray of shape (k,)
        The variances, estimated by restricted likelihood; that of the error is above 0.

    Raises
    ------
    numpy.linalg.LinAlgError
        If two variances cannot be told apart.

    Examples
    --------
    >>> source = np.repeat(np.eye(6), 2, axis=0)
    >>> between = np.column_stack([np.ones(12), np.repeat([0.0, 1, 0, 1, 0, 1], 2)])
    >>> model = KenwardRoger(between, [source, np.eye(12)], np.array([1.0, 0.5]))
    >>> round(model.df(np.array([0.0, 1.0])), 9)
    4.0
    """

    def __init__(self, x: FloatArray, designs: Sequence[FloatArray], variances: FloatArray) -> None:
        v = sum(each * (design @ design.T) for each, design in zip(variances, designs, strict=True))
        inverse = np.linalg.inv(v)
        self._known = c = np.linalg.inv(x.T @ inverse @ x)
        of_x = [design.T @ inverse @ x for design in designs]
        crossed = [[one.T @ inverse @ other for other in designs] for one in designs]
        self._slopes = slopes = [-each.T @ each for each in of_x]
        places = range(len(designs))
        moved = [c @ each for each in slopes]
        curved = [[of_x[i].T @ crossed[i][j] @ of_x[j] for j in places] for i in places]
        information = np.array(
            [
                [
                    (crossed[i][j] ** 2).sum() - 2 * np.trace(c @ curved[i][j]) + np.trace(moved[i] @ moved[j])
                    for j in places
                ]
                for i in places
            ]
        )
        _check_invertible(information)
        self._of_variances = 2 * np.linalg.inv(information)
        bias = sum(
            self._of_variances[i, j] * (curved[i][j] - slopes[i] @ c @ slopes[j]) for i in places for j in places
        )
        self.covariance: FloatArray = np.asarray(c + 2 * c @ bias @ c)

    def df(self, contrast: FloatArray) -> float:
        """Return the degrees of freedom of a contrast."""
        known = self._known @ contrast
        slopes = np.array([-known @ each @ known for each in self._slopes])
        return float(2 * (contrast @ known) ** 2 / (slopes @ self._of_variances @ slopes))

    def f_test(self, contrasts: FloatArray, values: FloatArray) -> FTest | Undefined:
        """Test several contrasts by the scaled statistic of Kenward and Roger 1997, section 3."""
        q = len(contrasts)
        theta = contrasts.T @ np.linalg.solve(contrasts @ self._known @ contrasts.T, contrasts)
        moved = [theta @ self._known @ each @ self._known for each in self._slopes]
        traces = np.array([np.trace(each) for each in moved])
        both = np.array([[np.trace(one @ other) for other in moved] for one in moved])
        a1, a2 = float(traces @ self._of_variances @ traces), float((self._of_variances * both).sum())
        b = (a1 + 6 * a2) / (2 * q)
        g = ((q + 1) * a1 - (q + 4) * a2) / ((q + 2) * a2)
        below = 3 * q + 2 * (1 - g)
        c1, c2, c3 = g / below, (q - g) / below, (q + 2 - g) / below
        mean = 1 / (1 - a2 / q)
        variance = 2 / q * (1 + c1 * b) / ((1 - c2 * b) ** 2 * (1 - c3 * b))
        df = 4 + (q + 2) / (q * variance / (2 * mean**2) - 1)
        if not (mean > 0 and df > 2):
            return TOO_FEW
        estimate = contrasts @ values
        plain = estimate @ np.linalg.solve(contrasts @ self.covariance @ contrasts.T, estimate) / q
        f = float(df / (mean * (df - 2)) * plain)
        return FTest(f, q, float(df), float(scipy.stats.f.sf(f, q, df)))


class VarianceFunctions(Protocol):
    """A restricted likelihood as a function of all variances."""

    def deviance_and_covariance(self, variances: FloatArray) -> tuple[float, FloatArray]:
        """Return minus twice the restricted log-likelihood, and the covariance of the coefficients, shape (p, p)."""


class Satterthwaite:
    """The degrees of freedom of Satterthwaite; the covariance is that of known variances.

    Source: Kuznetsova, Brockhoff and Christensen 2017, "lmerTest package: tests in linear mixed effects models",
    section 2. Variances estimated as 0 are left out. The curvature of the likelihood and the slopes of the covariance
    are differences in the logarithms of the variances, so that nothing needs a side for each text.

    Parameters
    ----------
    likelihood : VarianceFunctions
        The likelihood.
    variances : FloatArray of shape (k,)
        The variances where it is greatest; that of the error is above 0.

    Raises
    ------
    numpy.linalg.LinAlgError
        If two variances cannot be told apart.
    """

    def __init__(self, likelihood: VarianceFunctions, variances: FloatArray) -> None:
        free = np.flatnonzero(variances)

        def at(steps: FloatArray) -> tuple[float, FloatArray]:
            moved = variances.copy()
            moved[free] *= np.exp(_STEP * steps)
            return likelihood.deviance_and_covariance(moved)

        units = np.eye(len(free))
        here, self.covariance = at(np.zeros(len(free)))
        ahead, behind = [at(each) for each in units], [at(-each) for each in units]
        curvature = np.diag([(one[0] - 2 * here + other[0]) for one, other in zip(ahead, behind, strict=True)])
        for i in range(len(free)):
            for j in range(i):
                corners = [at(a * units[i] + b * units[j])[0] for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1))]
                curvature[i, j] = curvature[j, i] = (corners[0] - corners[1] - corners[2] + corners[3]) / 4
        information = curvature / (2 * _STEP**2)
        _check_invertible(information)
        self._of_variances = np.linalg.inv(information)
        self._slopes = [(one[1] - other[1]) / (2 * _STEP) for one, other in zip(ahead, behind, strict=True)]

    def df(self, contrast: FloatArray) -> float:
        """Return the degrees of freedom of a contrast."""
        slopes = np.array([contrast @ each @ contrast for each in self._slopes])
        return float(2 * (contrast @ self.covariance @ contrast) ** 2 / (slopes @ self._of_variances @ slopes))

    def f_test(self, contrasts: FloatArray, values: FloatArray) -> FTest | Undefined:
        """Test several contrasts by the mean of the squared t of independent ones."""
        q = len(contrasts)
        of_them, turned = np.linalg.eigh(contrasts @ self.covariance @ contrasts.T)
        independent = turned.T @ contrasts
        f = float(((independent @ values) ** 2 / of_them).mean())
        degrees = np.array([self.df(each) for each in independent])
        if np.ptp(degrees) < _ALIKE:
            df = float(degrees.mean())
        elif degrees.min() <= 2:
            df = 2.0
        else:
            expected = float((degrees / (degrees - 2)).sum())
            df = 2 * expected / (expected - q)
        return FTest(f, q, df, float(scipy.stats.f.sf(f, q, df)))


def one_hot(level: IntArray) -> FloatArray:
    """Return which level each text has, as ones and zeros: shape (n, number of levels)."""
    return np.asarray(level[:, None] == np.arange(int(level.max()) + 1), dtype=np.float64)


def _check_invertible(information: FloatArray) -> None:
    scale = np.sqrt(np.abs(np.diag(information)))
    if not np.isfinite(information).all() or (scale == 0).any():
        raise np.linalg.LinAlgError("singular")
    if float(np.linalg.eigvalsh(information / np.outer(scale, scale)).min()) < _ALIKE:
        raise np.linalg.LinAlgError("singular")
