"""Ratings as ordered categories: a cumulative logit model with random effects of texts, sources and raters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import FloatArray, IntArray
from measures.core.confidence import CONFIDENCE
from measures.core.undefined import Undefined
from measures.experiments.crossed_model import LEAST_EDITORS
from measures.experiments.ordered_likelihood import FACTORS, Laplace, deviations_of, maximum, thresholds_of

LEAST_RATERS, LEAST_SOURCES = LEAST_EDITORS, 12
"""With z on the normal distribution an operation without effect, between 6 sources, was significant at .05 in 16%."""
_COLLINEAR = 1e-9


@dataclass(frozen=True)
class LogOdds:
    """One coefficient, in log odds: by how much the odds of a higher point rise with one unit of the predictor.

    Attributes
    ----------
    value, standard_error : float
        The estimate and its standard error.
    low, high : float
        95% interval (Wald), on the t distribution.
    z, p : float
        The estimate divided by its standard error, and the two-sided p-value of z as t.
    df : float
        The degrees of freedom: of sources (texts, if no sources were given), less one and one for each predictor.
    """

    value: float
    standard_error: float
    low: float
    high: float
    z: float
    p: float
    df: float


@dataclass(frozen=True)
class OrderedModel:
    """The fitted model.

    Attributes
    ----------
    coefficients : dict of str to LogOdds
        By the name of the predictor.
    thresholds : dict of float to float
        By each point but the highest: the log odds of that point or a lower one, all predictors and effects being 0.
    deviations : dict of str to float
        Standard deviations of the effects of "text", "rater" and, if sources were given, "source", in log odds.
    log_likelihood : float
        By Laplace's approximation.
    ratings, texts, sources, raters : int
        Numbers of ratings and of levels; `sources` is 0 if none were given.
    few : Undefined or None
        Why the tests are not to be trusted: too few sources (texts, if no sources were given) or raters.
    """

    coefficients: Mapping[str, LogOdds]
    thresholds: Mapping[float, float]
    deviations: Mapping[str, float]
    log_likelihood: float
    ratings: int
    texts: int
    sources: int
    raters: int
    few: Undefined | None


def ordered_model(
    points: npt.ArrayLike,
    predictors: Mapping[str, npt.ArrayLike],
    texts: npt.ArrayLike,
    raters: npt.ArrayLike,
    sources: npt.ArrayLike | None = None,
) -> OrderedModel | Undefined:
    """Fit a cumulative logit model with random intercepts of texts, raters and, if given, the sources of the texts.

    log odds(point <= k) = threshold k - predictors - text - source - rater. The effects are integrated out by
    Laplace's approximation at their mode. Texts and sources are eliminated one by one, so that only raters need a
    matrix with a side for each: the work grows with the number of ratings, and with the cube of that of raters.

    Source: McCullagh 1980, "Regression models for ordinal data"; Christensen 2022, "Cumulative link models for ordinal
    regression with the R package ordinal" (`clmm`). Standard errors are from the curvature in all parameters. Unlike
    there, z is taken as t, with the degrees of freedom of what varies between sources (Schluchter and Elashoff 1990):
    on the normal distribution it is too sure of itself.

    Parameters
    ----------
    points : array_like of shape (n,)
        The ratings. Points that nobody gave are left out of the scale.
    predictors : mapping of str to array_like of shape (n,)
        The predictors of each rating; True and False count as 1 and 0.
    texts, raters : array_like of shape (n,)
        The text and the rater of each rating.
    sources : array_like of shape (n,), optional
        The source of each text.

    Returns
    -------
    OrderedModel or Undefined
        Undefined if a factor has fewer than 2 levels, all ratings are the same, a predictor is constant, follows from
        the others or tells points apart without error, or the likelihood has no clear maximum.

    Raises
    ------
    ValueError
        If lengths differ, a number is not finite, or a text has two sources.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> text, rater = np.repeat(np.arange(60), 4), rng.integers(0, 9, 240)
    >>> merges = text % 2
    >>> seen = rng.normal(size=60)[text] + 1.5 * merges + rng.logistic(size=240)
    >>> model = ordered_model(1 + (seen > -1) + (seen > 1), {"merges": merges}, text, rater)
    >>> round(model.coefficients["merges"].value, 1), model.ratings
    (1.7, 240)
    """
    values = np.asarray(points, dtype=np.float64)
    columns = [np.asarray(each, dtype=np.float64) for each in predictors.values()]
    given = [np.asarray(texts), np.asarray(raters)] + ([] if sources is None else [np.asarray(sources)])
    if values.ndim != 1 or any(each.shape != values.shape for each in (*columns, *given)):
        raise ValueError("points, predictors, texts, raters and sources must be of one length")
    x = np.column_stack(columns) if columns else np.empty((len(values), 0))
    if not (np.isfinite(values).all() and np.isfinite(x).all()):
        raise ValueError("points and predictors must be finite")
    scale, category = np.unique(values, return_inverse=True)
    text, rater, *rest = (np.asarray(np.unique(each, return_inverse=True)[1], dtype=np.int64) for each in given)
    source = rest[0] if rest else np.zeros_like(text)
    reason = _reason(scale, x, list(predictors), text, rater, rest)
    if reason:
        return Undefined(reason)
    spread = x.std(axis=0)
    likelihood = Laplace(category.astype(np.int64), len(scale), (x - x.mean(axis=0)) / spread, text, source, rater)
    found = maximum(likelihood, bool(rest))
    if isinstance(found, Undefined):
        return found
    at, covariance, value = found
    k, p = len(scale) - 1, len(columns)
    beta, errors = at[k : k + p] / spread, np.sqrt(np.diag(covariance))[k : k + p] / spread
    numbers = int(text.max()) + 1, int(source.max()) + 1 if rest else 0, int(rater.max()) + 1
    few = _too_few(*numbers, p)
    df = max(1, (numbers[1] or numbers[0]) - 1 - p)
    return OrderedModel(
        {
            name: _log_odds(value, error, df)
            for name, value, error in zip(predictors, beta.tolist(), errors.tolist(), strict=True)
        },
        dict(zip(scale[:-1].tolist(), (thresholds_of(at[:k]) + float(x.mean(axis=0) @ beta)).tolist(), strict=True)),
        {
            name: float(deviation)
            for name, deviation in zip(FACTORS, deviations_of(at[k + p :]), strict=True)
            if rest or name != "source"
        },
        -value,
        len(values),
        *numbers,
        few,
    )


def _reason(
    scale: FloatArray, x: FloatArray, names: Sequence[str], text: IntArray, rater: IntArray, rest: Sequence[IntArray]
) -> str | None:
    if not len(scale):
        return "no ratings"
    if len(scale) < 2:
        return "all ratings are in one category"
    for name, level in zip(("texts", "raters", "sources"), (text, rater, *rest), strict=False):
        if level.max() < 1:
            return f"fewer than 2 {name}"
    if rest and len(np.unique(np.stack([text, rest[0]]), axis=1).T) > text.max() + 1:
        raise ValueError("a text has two sources")
    for name, column in zip(names, x.T, strict=True):
        if np.ptp(column) == 0:
            return f"{name} is the same for all ratings"
    scaled = (x - x.mean(axis=0)) / x.std(axis=0)
    if x.shape[1] and np.linalg.svd(scaled, compute_uv=False).min() < _COLLINEAR * len(x) ** 0.5:
        return "a predictor follows from the others"
    return None


def _too_few(texts: int, sources: int, raters: int, predictors: int) -> Undefined | None:
    name, number = ("sources", sources) if sources else ("texts", texts)
    least = max(LEAST_SOURCES, predictors + 2)
    if number < least:
        return Undefined(f"{number} {name}, at least {least} are needed for a test and an interval")
    if raters < LEAST_RATERS:
        return Undefined(f"{raters} raters, at least {LEAST_RATERS} are needed for a test and an interval")
    return None


def _log_odds(value: float, error: float, df: float) -> LogOdds:
    t = scipy.stats.t(df)
    reach = float(t.ppf((1 + CONFIDENCE) / 2)) * error
    z = value / error
    return LogOdds(value, error, value - reach, value + reach, z, float(2 * t.sf(abs(z))), df)
