"""What an arm does to ratings, when sources and people differ: the mixed model, and the draw repeated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.experiments.crossed_model import CrossedModel, crossed_model
from measures.experiments.ordered_model import OrderedModel, ordered_model

REDRAWS = 2_000
LEAST_PEOPLE, LEAST_SOURCES = 6, 12
_ROUNDING = 1e-9


@dataclass(frozen=True)
class LikelihoodRatio:
    """Whether ratings differ between arms at all, by two models of ordered categories.

    Attributes
    ----------
    g : float
        Twice the difference of the log-likelihoods with and without the arms.
    df : int
        Number of arms less one.
    p : float
        p-value on the chi-square distribution.
    """

    g: float
    df: int
    p: float


@dataclass(frozen=True)
class ArmEffects:
    """What an arm does to ratings.

    Attributes
    ----------
    reference : str
        The arm that the others are compared with.
    model : CrossedModel or Undefined
        The mixed model: a coefficient for each other arm, in points. Without tests where `few` says why.
    ordered : OrderedModel or Undefined
        The model of ordered categories, in log odds; undefined where `few` is.
    likelihood_ratio : LikelihoodRatio or Undefined
        The test of all arms at once by that model.
    redraw_p : float or Undefined
        Share of repeated draws whose arms differ as much: (1 + #) / (1 + draws). It asks for no model.
    people : mapping of str to int
        People with ratings in each arm.
    sources : int
        Number of sources.
    few : Undefined or None
        Why there is no test: fewer than 6 people in an arm, or fewer than 12 sources.
    """

    reference: str
    model: CrossedModel | Undefined
    ordered: OrderedModel | Undefined
    likelihood_ratio: LikelihoodRatio | Undefined
    redraw_p: float | Undefined
    people: Mapping[str, int]
    sources: int
    few: Undefined | None


def arm_effects(
    points: npt.ArrayLike,
    arms: Sequence[str],
    sources: npt.ArrayLike,
    people: npt.ArrayLike,
    *,
    reference: str,
    redraw: Callable[[int], Sequence[str]] | None = None,
    draws: int = REDRAWS,
) -> ArmEffects | Undefined:
    """Compare the ratings, or other numbers, of arms: points ~ arm + (1 | source) + (1 | person).

    Ratings count in the arm that they were drawn into, whatever happened later.

    Source: Bates et al. 2015 for the model (`crossed_model`); McCullagh 1980 for ordered categories
    (`ordered_model`); Edgington and Onghena 2007, *Randomization Tests*, for the draw repeated.

    Parameters
    ----------
    points : array_like of shape (n,)
        The ratings.
    arms : sequence of str, of length n
        The arm of each rating.
    sources, people : array_like of shape (n,)
        The source and the person of each rating.
    reference : str
        The arm to compare the others with.
    redraw : callable, optional
        From the number of a repeated draw, from 0, to the arms of all ratings by the rule of the draw. By default there
        is no such check.
    draws : int, default 2_000
        Number of repeated draws.

    Returns
    -------
    ArmEffects or Undefined
        Undefined if only one arm has ratings.

    Raises
    ------
    ValueError
        If lengths differ, a number is not finite, no rating is of the reference, or a repeated draw has another length.

    Examples
    --------
    >>> from measures.experiments.arms import arms_of_people
    >>> people, sources = np.repeat(np.arange(16), 12), np.tile(np.arange(12), 16)
    >>> arms = np.repeat(arms_of_people(["three", "five"], [""] * 16, seed=1), 12)
    >>> y = np.random.default_rng(1).normal(size=192) + (arms == "five")
    >>> again = lambda draw: np.repeat(arms_of_people(["three", "five"], [""] * 16, seed=draw + 2), 12)
    >>> found = arm_effects(y, arms, sources, people, reference="three", redraw=again, draws=99)
    >>> round(found.model.coefficients["five"].value, 1), found.redraw_p, found.people
    (1.0, 0.01, {'five': 8, 'three': 8})
    """
    values, names = np.asarray(points, dtype=np.float64), np.asarray(arms)
    of_source, of_person = np.asarray(sources), np.asarray(people)
    if values.ndim != 1 or any(each.shape != values.shape for each in (names, of_source, of_person)):
        raise ValueError("points, arms, sources and people must be of one length")
    if not np.isfinite(values).all():
        raise ValueError("points must be finite")
    if reference not in names:
        raise ValueError(f"no rating is of the arm {reference!r}")
    others = [str(each) for each in np.unique(names) if each != reference]
    if not others:
        return Undefined(f"only the arm {reference!r} has ratings")
    number = {str(arm): len(np.unique(of_person[names == arm])) for arm in np.unique(names)}
    few = _few(number, len(np.unique(of_source)))
    predictors = {arm: names == arm for arm in others}
    together = others if len(others) > 1 else ()
    model = crossed_model(values, predictors, of_source, of_person, together)
    ordered, ratio = _ordered(values, predictors, of_source, of_person) if few is None else (few, few)
    if few is not None and isinstance(model, CrossedModel):
        untested = {name: replace(each, test=few) for name, each in model.coefficients.items()}
        model = replace(model, coefficients=untested, together=few)
    redraw_p: float | Undefined = few or Undefined("the draw was not repeated")
    if few is None and redraw is not None:
        redraw_p = _redraw_p(values, names, (of_source, of_person), redraw, draws)
    return ArmEffects(reference, model, ordered, ratio, redraw_p, number, len(np.unique(of_source)), few)


def _few(people: Mapping[str, int], sources: int) -> Undefined | None:
    if min(people.values()) < LEAST_PEOPLE:
        return Undefined(f"no test with fewer than {LEAST_PEOPLE} people in an arm")
    return Undefined(f"no test with fewer than {LEAST_SOURCES} sources") if sources < LEAST_SOURCES else None


def _ordered(
    points: FloatArray,
    predictors: Mapping[str, npt.ArrayLike],
    sources: npt.NDArray[np.generic],
    people: npt.NDArray[np.generic],
) -> tuple[OrderedModel | Undefined, LikelihoodRatio | Undefined]:
    # What is rated is the source in this arm, so sources stand where texts do.
    if (points % 1 != 0).any():
        reason = Undefined("only whole points are ordered categories")
        return reason, reason
    found, without = (ordered_model(points, each, sources, people) for each in (predictors, {}))
    if isinstance(found, Undefined):
        return found, found
    if isinstance(without, Undefined):
        return found, without
    g, df = max(0.0, 2 * (found.log_likelihood - without.log_likelihood)), len(predictors)
    return found, LikelihoodRatio(g, df, float(scipy.stats.chi2.sf(g, df)))


def _redraw_p(
    points: FloatArray,
    arms: npt.NDArray[np.generic],
    factors: tuple[npt.NDArray[np.generic], npt.NDArray[np.generic]],
    redraw: Callable[[int], Sequence[str]],
    draws: int,
) -> float:
    """Repeat the draw. What arms differ by is the variance of their means, once sources have been taken out."""
    _, source = np.unique(factors[0], return_inverse=True)
    left = points - (np.bincount(source, points) / np.bincount(source))[source]
    observed, as_far = _between(left, arms), 0
    for draw in range(draws):
        drawn = np.asarray(redraw(draw))
        if drawn.shape != arms.shape:
            raise ValueError(f"repeated draw {draw} has arms of shape {drawn.shape}, not {arms.shape}")
        as_far += _between(left, drawn) >= observed - _ROUNDING
    return (1 + as_far) / (1 + draws)


def _between(points: FloatArray, arms: npt.NDArray[np.generic]) -> float:
    _, place = np.unique(arms, return_inverse=True)
    number: IntArray = np.bincount(place)
    return float((np.bincount(place, points) ** 2 / number).sum())
