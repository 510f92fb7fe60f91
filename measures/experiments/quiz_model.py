"""Scores of quizzes by condition, text and place, with people who differ: a mixed model of everybody who began."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.core.many_tests import holm
from measures.core.undefined import Undefined
from measures.experiments.crossed_model import LEAST_SOURCES, Coefficient, CrossedModel, Method, crossed_model
from measures.experiments.small_samples import FTest, TTest

Label: TypeAlias = int | str

FEW_CONDITIONS = Undefined("fewer than 2 conditions")
FEW_TYPES = Undefined("fewer than 2 types of question")
FEW_PEOPLE = Undefined("fewer than 2 people")
ONE_EACH = Undefined("nobody has two scores")
ONE_LEVEL = Undefined("it is the same for all scores")
_CONFOUNDED = "a predictor follows from the others"
CONFOUNDED = Undefined("conditions, texts and places cannot be told apart")
NOTHING_LEFT = Undefined("nothing is left to estimate the error from")


@dataclass(frozen=True)
class ConditionEffect:
    """A condition against the reference.

    Attributes
    ----------
    condition : int or str
        The condition.
    coefficient : Coefficient
        Its mean score minus that of the reference, other things being equal.
    holm : float or Undefined
        p by Holm over all conditions but the reference.
    """

    condition: Label
    coefficient: Coefficient
    holm: float | Undefined


@dataclass(frozen=True)
class QuizVariances:
    """The variance that condition, text and place do not explain, in squared units of the scores.

    Attributes
    ----------
    person, error : float
        Variances of people and of what is left.
    sitting : float or None
        Variance of a person's quizzes, where each has several scores.
    """

    person: float
    error: float
    sitting: float | None = None

    @property
    def at_zero(self) -> tuple[str, ...]:
        """Names of the variances that were estimated as 0."""
        return tuple(name for name in ("person", "sitting") if getattr(self, name) == 0)


@dataclass(frozen=True)
class QuizModel:
    """The fitted model. It takes effects as additive, and people and errors as normal and independent.

    Attributes
    ----------
    reference : int or str
        The condition that the others are held against.
    effects : tuple of ConditionEffect
        The other conditions, sorted.
    condition, text, place : FTest or Undefined
        Whether the mean differs between conditions, texts and places.
    variances : QuizVariances
        Of people and error.
    error_without_order : float or Undefined
        Variance of the error without text and place in the model, as in an analysis of people by conditions.
    scores, people, left_out : int
        Numbers of scores, of people with one, and of scores that are missing.
    method : str
        Where the degrees of freedom come from: "Kenward-Roger" up to 600 scores, "Satterthwaite" above.
    """

    reference: Label
    effects: tuple[ConditionEffect, ...]
    condition: FTest | Undefined
    text: FTest | Undefined
    place: FTest | Undefined
    variances: QuizVariances
    error_without_order: float | Undefined
    scores: int
    people: int
    left_out: int
    method: Method


@dataclass(frozen=True)
class TypeEffect:
    """The conditions compared on one type of question.

    Attributes
    ----------
    type : int or str
        The type.
    condition : FTest or Undefined
        Whether the mean score on questions of this type differs between conditions, from a model of this type alone.
    holm : float or Undefined
        p by Holm over the types that have a test.
    """

    type: Label
    condition: FTest | Undefined
    holm: float | Undefined


@dataclass(frozen=True)
class TypeByCondition:
    """Whether what a condition does depends on the type of question.

    Attributes
    ----------
    interaction : FTest or Undefined
        The test of type by condition.
    by_type : tuple of TypeEffect
        The conditions on each type, sorted.
    variances : QuizVariances
        Of people, their quizzes and error, from the model of all types.
    scores, people, left_out : int
        Numbers of scores, of people with one, and of scores that are missing.
    method : str
        As in `QuizModel`.
    """

    interaction: FTest | Undefined
    by_type: tuple[TypeEffect, ...]
    variances: QuizVariances
    scores: int
    people: int
    left_out: int
    method: Method


def quiz_model(
    scores: npt.ArrayLike,
    *,
    conditions: npt.ArrayLike,
    texts: npt.ArrayLike,
    places: npt.ArrayLike,
    people: npt.ArrayLike,
    reference: Label | None = None,
) -> QuizModel | Undefined:
    """Fit score ~ condition + text + place + (1 | person) by restricted likelihood, on all scores that there are.

    In a complete balanced design with a variance of people above 0, F of the conditions is that with fixed people.

    Source: `crossed_model`; Kenward and Roger 1997. McCallum et al. 2012, §3.6, leave text and place in the error.

    Parameters
    ----------
    scores : array_like of shape (n,)
        Scores of quizzes; NaN where missing.
    conditions, texts, places, people : array_like of shape (n,)
        Numbers or names.
    reference : int or str, optional
        The condition that the others are held against; by default the first one in order.

    Returns
    -------
    QuizModel or Undefined
        Undefined with fewer than 2 conditions or people, if nobody has two scores, or if conditions, texts and places
        cannot be told apart. With fewer than 6 people there are no tests.

    Raises
    ------
    ValueError
        If lengths differ, a score is infinite, or no score is of the reference.

    Examples
    --------
    >>> rng, person = np.random.default_rng(1), np.repeat(np.arange(12), 3)
    >>> place = np.tile(np.arange(3), 12)
    >>> condition, text = (place + person) % 3, (2 * place + person // 3) % 3
    >>> score = 50 + 10 * rng.normal(size=12)[person] - 8 * (condition == 2) + 4 * rng.normal(size=36)
    >>> found = quiz_model(score, conditions=condition, texts=text, places=place, people=person)
    >>> [(each.condition, round(each.coefficient.value)) for each in found.effects], round(found.condition.df, 1)
    ([(1, 0), (2, -9)], 18.0)
    """
    table = _table(scores, (conditions, texts, places, people))
    labels, level = np.unique(table.factors[0], return_inverse=True)
    named: list[Label] = labels.tolist()
    if reference is not None and reference not in named:
        raise ValueError(f"no score is of the condition {reference}")
    reason = _reason(table, len(named))
    if reason:
        return reason
    base = 0 if reference is None else named.index(reference)
    others = [place for place in range(len(named)) if place != base]
    of_condition = {f"condition {named[place]}": (level == place).astype(np.float64) for place in others}
    of_text, of_place = (
        _dummies(name, values) for name, values in zip(("text", "place"), table.factors[1:3], strict=True)
    )
    every = {**of_condition, **of_text, **of_place}
    model = _fit(table, every, of_condition)
    if isinstance(model, Undefined):
        return model
    without = _fit(table, of_condition, ())
    coefficients = [_coefficient(model, name) for name in of_condition]
    adjusted = holm([each.test.p if isinstance(each.test, TTest) else np.nan for each in coefficients]).tolist()
    return QuizModel(
        reference=named[base],
        effects=tuple(
            ConditionEffect(named[place], each, each.test if isinstance(each.test, Undefined) else p)
            for place, each, p in zip(others, coefficients, adjusted, strict=True)
        ),
        condition=_f_test(model, of_condition),
        text=_refitted(table, every, of_text),
        place=_refitted(table, every, of_place),
        variances=QuizVariances(model.variances.source, model.variances.error),
        error_without_order=without if isinstance(without, Undefined) else without.variances.error,
        scores=model.texts,
        people=model.sources,
        left_out=table.left_out,
        method=model.method,
    )


def type_by_condition(
    scores: npt.ArrayLike,
    *,
    conditions: npt.ArrayLike,
    texts: npt.ArrayLike,
    places: npt.ArrayLike,
    people: npt.ArrayLike,
    types: npt.ArrayLike,
) -> TypeByCondition | Undefined:
    """Test whether what conditions do depends on the type of question, and compare conditions on each type.

    The model of all types is score ~ condition * type + text + place + (1 | person) + (1 | quiz of a person).

    Source: `crossed_model`; Holm 1979. The types are those of McCallum et al. 2012, §3.2.

    Parameters
    ----------
    scores : array_like of shape (n,)
        Scores of the questions of one type in one quiz of one person; NaN where missing.
    conditions, texts, places, people, types : array_like of shape (n,)
        Numbers or names.

    Returns
    -------
    TypeByCondition or Undefined
        Undefined as `quiz_model`, and with fewer than 2 types.

    Raises
    ------
    ValueError
        If lengths differ, or a score is infinite.

    Examples
    --------
    >>> rng, row = np.random.default_rng(1), np.arange(72)
    >>> person, place, kind = row // 6, row // 2 % 3, row % 2
    >>> condition, text = (place + person) % 3, (2 * place + person // 3) % 3
    >>> score = 50 - 20 * (condition == 2) * kind + 5 * rng.normal(size=12)[person] + 5 * rng.normal(size=72)
    >>> found = type_by_condition(
    ...     score, conditions=condition, texts=text, places=place, people=person, types=kind
    ... )
    >>> found.interaction.p < 0.001, [each.holm < 0.05 for each in found.by_type]
    (True, [False, True])
    """
    table = _table(scores, (conditions, texts, places, people, types))
    kinds = np.unique(table.factors[4])
    reason = _reason(table, len(np.unique(table.factors[0]))) or (FEW_TYPES if len(kinds) < 2 else None)
    if reason:
        return reason
    of_condition, of_type = (_sum_codes(name, table.factors[at]) for name, at in (("condition", 0), ("type", 4)))
    both = {
        f"{one} and {other}": column * beside
        for one, column in of_condition.items()
        for other, beside in of_type.items()
    }
    order = {**_dummies("text", table.factors[1]), **_dummies("place", table.factors[2])}
    model = _fit(table, {**of_condition, **of_type, **both, **order}, both, by_sitting=True)
    if isinstance(model, Undefined):
        return model
    tests = [_conditions_alone(table, table.factors[4] == kind) for kind in kinds]
    adjusted = holm([each.p if isinstance(each, FTest) else np.nan for each in tests]).tolist()
    of = model.variances
    return TypeByCondition(
        interaction=_f_test(model, both),
        by_type=tuple(
            TypeEffect(kind, test, test if isinstance(test, Undefined) else p)
            for kind, test, p in zip(kinds.tolist(), tests, adjusted, strict=True)
        ),
        variances=QuizVariances(of.source, of.error, of.editor),
        scores=model.texts,
        people=model.sources,
        left_out=table.left_out,
        method=model.method,
    )


@dataclass(frozen=True, eq=False)
class _Table:
    """Scores that are there, with their condition, text, place and person, and their type if there is one."""

    scores: FloatArray
    factors: tuple[npt.NDArray[np.generic], ...]
    left_out: int

    def only(self, chosen: npt.NDArray[np.bool_]) -> _Table:
        return _Table(self.scores[chosen], tuple(each[chosen] for each in self.factors), 0)


def _table(scores: npt.ArrayLike, factors: Sequence[npt.ArrayLike]) -> _Table:
    values, labels = np.asarray(scores, dtype=np.float64), [np.asarray(each) for each in factors]
    if values.ndim != 1 or any(each.shape != values.shape for each in labels):
        raise ValueError("scores and what they are scores of must be of one length")
    if np.isinf(values).any():
        raise ValueError("scores must be finite or NaN")
    known = ~np.isnan(values)
    return _Table(values[known], tuple(each[known] for each in labels), int((~known).sum()))


def _reason(table: _Table, conditions: int) -> Undefined | None:
    if conditions < 2:
        return FEW_CONDITIONS
    people = len(np.unique(table.factors[3]))
    if people < 2:
        return FEW_PEOPLE
    return ONE_EACH if people == len(table.scores) else None


def _dummies(name: str, values: npt.NDArray[np.generic]) -> dict[str, FloatArray]:
    labels, level = np.unique(values, return_inverse=True)
    return {f"{name} {labels[place]}": (level == place).astype(np.float64) for place in range(1, len(labels))}


def _sum_codes(name: str, values: npt.NDArray[np.generic]) -> dict[str, FloatArray]:
    """Return columns whose coefficients are differences from the mean of the levels."""
    first = (np.unique(values, return_inverse=True)[1] == 0).astype(np.float64)
    return {label: column - first for label, column in _dummies(name, values).items()}


def _fit(
    table: _Table,
    predictors: Mapping[str, FloatArray],
    together: Sequence[str] | Mapping[str, FloatArray],
    *,
    by_sitting: bool = False,
) -> CrossedModel | Undefined:
    person = _codes(table.factors[3])
    sitting = person * (int(_codes(table.factors[1]).max()) + 1) + _codes(table.factors[1]) if by_sitting else None
    found = crossed_model(table.scores, predictors, person, sitting, together=list(together))
    if isinstance(found, Undefined):
        return CONFOUNDED if found.reason == _CONFOUNDED else NOTHING_LEFT
    return found


def _codes(values: npt.NDArray[np.generic]) -> IntArray:
    return np.asarray(np.unique(values, return_inverse=True)[1], dtype=np.int64).reshape(-1)


def _conditions_alone(table: _Table, chosen: npt.NDArray[np.bool_]) -> FTest | Undefined:
    """Return the test of the conditions in a model of some scores."""
    part = table.only(chosen)
    reason = _reason(part, len(np.unique(part.factors[0])))
    if reason:
        return reason
    of_condition = _dummies("condition", part.factors[0])
    order = {**_dummies("text", part.factors[1]), **_dummies("place", part.factors[2])}
    return _refitted(part, {**of_condition, **order}, of_condition)


def _refitted(
    table: _Table, predictors: Mapping[str, FloatArray], together: Mapping[str, FloatArray]
) -> FTest | Undefined:
    if not together:
        return ONE_LEVEL
    model = _fit(table, predictors, together)
    return model if isinstance(model, Undefined) else _f_test(model, together)


def _few(model: CrossedModel) -> Undefined | None:
    if model.sources >= LEAST_SOURCES:
        return None
    return Undefined(f"{model.sources} people, at least {LEAST_SOURCES} are needed for a test and an interval")


def _coefficient(model: CrossedModel, name: str) -> Coefficient:
    own = model.coefficients[name]
    return Coefficient(own.value, own.standard_error, _few(model) or own.test)


def _f_test(model: CrossedModel, together: Mapping[str, FloatArray]) -> FTest | Undefined:
    few = _few(model)
    if few:
        return few
    if len(together) > 1:
        return model.together
    (name,) = together
    test = model.coefficients[name].test
    return test if isinstance(test, Undefined) else FTest(test.t**2, 1, test.df, test.p)
