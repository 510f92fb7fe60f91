"""A linear mixed model with one or two crossed factors: y = X b + source + editor + error, by restricted likelihood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Literal

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.experiments.crossed_likelihood import RestrictedLikelihood, best_roots
from measures.experiments.small_samples import (
    FixedEffects,
    FTest,
    KenwardRoger,
    Satterthwaite,
    TTest,
    one_hot,
    t_test,
)

INTERCEPT = "intercept"
Method = Literal["Kenward-Roger", "Satterthwaite"]
KENWARD_ROGER: Method = "Kenward-Roger"
SATTERTHWAITE: Method = "Satterthwaite"

KENWARD_ROGER_TEXTS = 600
"""Up to so many texts the degrees of freedom are Kenward and Roger's, whose matrices have a side for each text."""

LEAST_SOURCES, LEAST_EDITORS = 6, 3
"""With fewer there is no test and no interval: the variance of sources and editors is then hardly known. From these on,
3 to 7% of the tests of an operation without effect are significant at .05 (`benchmarks/mixed_model.py`)."""

_COLLINEAR = 1e-9
_NOTHING = 1e-12


@dataclass(frozen=True)
class Coefficient:
    """One coefficient of the model.

    Attributes
    ----------
    value : float
        In units of y for one unit of the predictor.
    standard_error : float
        Standard error; with Kenward and Roger's method adjusted for how well the variances are known.
    test : TTest or Undefined
        The test against 0 and the 95% interval; undefined with fewer than 6 sources or 3 editors.
    """

    value: float
    standard_error: float
    test: TTest | Undefined


@dataclass(frozen=True)
class VarianceComponents:
    """The variance that the predictors do not explain, by where it comes from, in squared units of y.

    Attributes
    ----------
    source, editor, error : float
        Variances of sources, editors and what is left.
    """

    source: float
    editor: float
    error: float

    @property
    def source_share(self) -> float:
        """Share of the variance that lies between sources."""
        return self.source / (self.source + self.editor + self.error)

    @property
    def editor_share(self) -> float:
        """Share of the variance that lies between editors."""
        return self.editor / (self.source + self.editor + self.error)

    @property
    def at_zero(self) -> tuple[str, ...]:
        """Names of the factors whose variance was estimated as 0; without editors they are named, too."""
        return tuple(name for name in ("source", "editor") if getattr(self, name) == 0)


@dataclass(frozen=True)
class CrossedModel:
    """The fitted model. It takes effects as additive, and sources, editors and errors as normal and independent.

    Attributes
    ----------
    coefficients : dict
        By the name of the predictor; "intercept" first.
    variances : VarianceComponents
        The variances.
    log_likelihood : float
        Restricted log-likelihood, for comparing variances under the same predictors only.
    texts, sources, editors : int
        Numbers of texts and of levels; without a second factor there are no editors, and their variance is 0.
    method : str
        Where the degrees of freedom come from: "Kenward-Roger" up to 600 texts, "Satterthwaite" above.
    together : FTest or Undefined
        The test that all the coefficients asked for are 0.
    """

    coefficients: Mapping[str, Coefficient]
    variances: VarianceComponents
    log_likelihood: float
    texts: int
    sources: int
    editors: int
    method: Method
    together: FTest | Undefined


def crossed_model(
    y: npt.ArrayLike,
    predictors: Mapping[str, npt.ArrayLike],
    sources: npt.ArrayLike,
    editors: npt.ArrayLike | None = None,
    together: Sequence[str] = (),
) -> CrossedModel | Undefined:
    """Fit a linear mixed model with crossed random intercepts of sources and editors, or of sources alone.

    Maximises the restricted likelihood over the ratios of the two variances to the error's; all else has a closed form.
    The larger factor is eliminated by its diagonal, the smaller one by a Cholesky factor (by its diagonal, too, if each
    level of the larger is in one of the smaller), so that no matrix has a side for each text.

    Source: Patterson and Thompson 1971, "Recovery of inter-block information when block sizes are unequal"; Bates et
    al. 2015, "Fitting linear mixed-effects models using lme4" (the profiled likelihood).

    Parameters
    ----------
    y : array_like of shape (n,)
        The ratings.
    predictors : mapping of str to array_like of shape (n,)
        The predictors; an intercept is added. True and False count as 1 and 0.
    sources : array_like of shape (n,)
        Source of each text. Texts with a NaN in `y` or a predictor are left out.
    editors : array_like of shape (n,), optional
        Editor of each text. By default there is no second factor.
    together : sequence of str
        Two or more predictors to test at once.

    Returns
    -------
    CrossedModel or Undefined
        Undefined if a factor has fewer than 2 levels or one for each text, a predictor is constant, predictors are
        collinear, or nothing is left to estimate the error from.

    Raises
    ------
    ValueError
        If lengths differ, a number is infinite, a predictor is called "intercept", or `together` names none of them.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> source, editor, merges = rng.integers(0, 40, 400), rng.integers(0, 9, 400), rng.integers(0, 2, 400)
    >>> y = 2 + rng.normal(size=40)[source] + 0.5 * merges + rng.normal(size=400) / 2
    >>> model = crossed_model(y, {"merges": merges}, source, editor)
    >>> merging = model.coefficients["merges"]
    >>> round(merging.value, 1), round(model.variances.error, 2), model.method, round(merging.test.df)
    (0.5, 0.27, 'Kenward-Roger', 361)
    """
    if INTERCEPT in predictors:
        raise ValueError(f"{INTERCEPT} is added by itself")
    unknown = [name for name in together if name not in predictors]
    if unknown:
        raise ValueError(f"no predictor is called {unknown[0]}")
    values = np.asarray(y, dtype=np.float64)
    columns = [np.asarray(each, dtype=np.float64) for each in predictors.values()]
    factors = [np.asarray(each) for each in (sources, editors) if each is not None]
    if values.ndim != 1 or any(each.shape != values.shape for each in (*columns, *factors)):
        raise ValueError("y, predictors, sources and editors must be of one length")
    table = np.column_stack([np.ones(len(values)), *columns, values])
    if np.isinf(table).any():
        raise ValueError("y and predictors must be finite or NaN")
    whole = ~np.isnan(table).any(axis=1)
    table = table[whole]
    levels = [np.asarray(np.unique(each[whole], return_inverse=True)[1], dtype=np.int64) for each in factors]
    reason = _reason(table, levels, list(predictors))
    return Undefined(reason) if reason else _fitted(table, levels, [INTERCEPT, *predictors], together)


def _reason(table: FloatArray, levels: Sequence[IntArray], names: Sequence[str]) -> str | None:
    n = len(table)
    for name, level in zip(("source", "editor"), levels, strict=False):
        count = len(np.unique(level))
        if count < 2:
            return f"fewer than 2 {name}s"
        if count == n:
            return f"every text has {'an' if name == 'editor' else 'a'} {name} of its own"
    for name, column in zip(names, table[:, 1:-1].T, strict=True):
        if np.ptp(column) == 0:
            return f"{name} is the same for all texts"
    scaled = _standardised(table[:, 1:-1])
    if scaled.shape[1] and np.linalg.svd(scaled, compute_uv=False).min() < _COLLINEAR * n**0.5:
        return "a predictor follows from the others"
    if n <= table.shape[1]:
        return "too few texts for so many predictors"
    y = _standardised(table[:, -1:])
    left = y - scaled @ np.linalg.lstsq(scaled, y, rcond=None)[0] if scaled.shape[1] else y
    return "nothing varies once the predictors are known" if float((left**2).sum()) < _NOTHING * n else None


def _standardised(columns: FloatArray) -> FloatArray:
    centred = columns - columns.mean(axis=0)
    spread = centred.std(axis=0)
    return np.asarray(centred / np.where(spread > 0, spread, 1.0))


def _fitted(
    table: FloatArray, levels: Sequence[IntArray], names: Sequence[str], together: Sequence[str]
) -> CrossedModel | Undefined:
    # Centred and scaled numbers make the fit the same in any unit.
    shift, scale = table.mean(axis=0), np.where(table.std(axis=0) > 0, table.std(axis=0), 1.0)
    shift[0] = 0.0
    scaled = (table - shift) / scale
    counts = [int(each.max()) + 1 for each in levels]
    order = sorted(range(len(counts)), key=lambda place: -counts[place])
    ordered = [levels[place] for place in order]
    likelihood = RestrictedLikelihood(scaled, ordered)
    roots = best_roots(likelihood)
    products, _ = likelihood.products_at(roots**2)
    error = likelihood.error_variance(products)
    if error < _NOTHING:
        return Undefined("nothing varies once sources, editors and predictors are known")
    beta = np.asarray(np.linalg.solve(products[:-1, :-1], products[:-1, -1]))
    # Back to the units that were given: y = shift + scale (X - shift) / scale b.
    back = np.diag(scale[-1] / scale[:-1])
    back[0, 1:] = -scale[-1] * shift[1:-1] / scale[1:-1]
    back[0, 0] = scale[-1]
    method: Method = KENWARD_ROGER if likelihood.n <= KENWARD_ROGER_TEXTS else SATTERTHWAITE
    effects = _effects(method, scaled, ordered, likelihood, error * np.append(roots**2, 1.0))
    tests = _too_few(counts) or effects
    covariance = error * np.linalg.inv(products[:-1, :-1]) if isinstance(effects, Undefined) else effects.covariance
    values, errors = back @ beta, np.sqrt(np.einsum("ij,jk,ik->i", back, covariance, back))
    values[0] += shift[-1]
    by_factor = dict(zip(order, (roots**2 * error * scale[-1] ** 2).tolist(), strict=True))
    in_units = (likelihood.n - likelihood.p) * log(scale[-1] ** 2) + 2 * np.log(scale[1:-1]).sum()
    return CrossedModel(
        coefficients={
            name: Coefficient(
                value, of_it, tests if isinstance(tests, Undefined) else t_test(tests, contrast, value, of_it)
            )
            for name, value, of_it, contrast in zip(names, values.tolist(), errors.tolist(), back, strict=True)
        },
        variances=VarianceComponents(by_factor[0], by_factor.get(1, 0.0), error * float(scale[-1]) ** 2),
        log_likelihood=-(likelihood.deviance(roots) + float(in_units)) / 2,
        texts=len(table),
        sources=counts[0],
        editors=sum(counts[1:]),
        method=method,
        together=_together(tests, back[[names.index(name) for name in together]], beta),
    )


def _effects(
    method: Method,
    scaled: FloatArray,
    levels: Sequence[IntArray],
    likelihood: RestrictedLikelihood,
    variances: FloatArray,
) -> FixedEffects | Undefined:
    try:
        if method == SATTERTHWAITE:
            return Satterthwaite(likelihood, variances)
        designs = [*map(one_hot, levels), np.eye(len(scaled))]
        return KenwardRoger(scaled[:, :-1], designs, variances)
    except np.linalg.LinAlgError:
        return Undefined("the variances of sources, editors and texts cannot be told apart")


def _too_few(counts: Sequence[int]) -> Undefined | None:
    floors = (("sources", LEAST_SOURCES), ("editors", LEAST_EDITORS))
    for count, (name, least) in zip(counts, floors, strict=False):
        if count < least:
            return Undefined(f"{count} {name}, at least {least} are needed for a test and an interval")
    return None


def _together(tests: FixedEffects | Undefined, contrasts: FloatArray, beta: FloatArray) -> FTest | Undefined:
    if len(contrasts) < 2:
        return Undefined("fewer than 2 predictors to test at once")
    return tests if isinstance(tests, Undefined) else tests.f_test(contrasts, beta)
