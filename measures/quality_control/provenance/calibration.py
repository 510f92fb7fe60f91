"""How well own writing can be told from copies: learnt from sessions of which it is known.

It needs sessions that somebody has labelled: people write some texts by themselves and copy others, on the same pages.
Values are out of fold, and no person is in two folds, so that nobody's habits are learnt and then tested. Sessions are
scored, and not texts: who forges one text well seldom forges them all.

What is found holds for people like those of the sample, who were asked to copy. Times can be forged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil, exp, log
from typing import Any

import numpy as np

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.quality_control.provenance.features import SHOWN_ONLY, Feature

FALSE_RATES = (0.01, 0.02, 0.05)
"""Shares of honest sessions above a threshold that may be offered. Our choice."""

FEWEST_PEOPLE, FEWEST_SESSIONS = 20, 40
"""Least numbers in each class for any result. Our choice."""

FOLDS, DRAWS, SEED = 5, 1000, 2012
TAIL = 0.05
LEARNT = tuple(feature.value for feature in Feature if feature not in SHOWN_ONLY)
GRID = np.linspace(0.0, 1.0, 41)


@dataclass(frozen=True)
class LabelledText:
    """A text of which it is known whether it was copied.

    Attributes
    ----------
    person, session : int
        Who wrote it, and in which session; a session is of one person and one label.
    is_copy : bool
        Whether the person was asked to copy it.
    features : mapping of str to float
        As `text_features` returns them.

    Examples
    --------
    >>> LabelledText(1, 1, True, {"fresh": 1.0}).is_copy
    True
    """

    person: int
    session: int
    is_copy: bool
    features: Mapping[str, float]


@dataclass(frozen=True)
class Sample:
    """How much there is of one class.

    Attributes
    ----------
    people, sessions, texts : int
        Numbers of them.

    Examples
    --------
    >>> Sample(20, 40, 120).is_enough, Sample(19, 400, 1200).is_enough
    (True, False)
    """

    people: int
    sessions: int
    texts: int

    @property
    def is_enough(self) -> bool:
        """Whether anything may be said of it."""
        return self.people >= FEWEST_PEOPLE and self.sessions >= FEWEST_SESSIONS


@dataclass(frozen=True)
class Curve:
    """A receiver operating characteristic.

    Attributes
    ----------
    auc, low, high : float
        Area under it, and its 95% interval over draws of people.
    false, found : tuple of float
        Its corners: shares of honest and of copied units above each threshold, ascending.
    found_low, found_high : tuple of float
        95% interval of the share found at 41 shares of honest ones from 0 to 1.

    Examples
    --------
    >>> Curve(0.9, 0.8, 1.0, (0.0, 1.0), (0.0, 1.0), (), ()).auc
    0.9
    """

    auc: float
    low: float
    high: float
    false: tuple[float, ...]
    found: tuple[float, ...]
    found_low: tuple[float, ...]
    found_high: tuple[float, ...]


@dataclass(frozen=True)
class Threshold:
    """The least threshold with at most a share of honest sessions above it.

    Attributes
    ----------
    rate : float
        The share that was asked for.
    value : float
        The threshold; a session is met if its score is above it.
    false, honest, false_people, people : int
        Honest sessions above it, of how many, and whose they are, of how many people.
    bound : float
        Upper bound of the rate, one-sided 95% (Clopper and Pearson 1934), as if sessions were independent.
    found, copied : int
        Copied sessions above it, of how many.

    Examples
    --------
    >>> Threshold(0.05, 0.7, 0, 60, 0, 20, 0.0487, 30, 60).found
    30
    """

    rate: float
    value: float
    false: int
    honest: int
    false_people: int
    people: int
    bound: float
    found: int
    copied: int


@dataclass(frozen=True)
class Model:
    """A logistic regression of features with medians in place of missing ones, and an indicator for each that may miss.

    Attributes
    ----------
    medians : tuple of float
        One for each of `LEARNT`.
    indicated : tuple of int
        Which of them have an indicator.
    means, scales, weights : tuple of float
        Of the features, then of the indicators.
    intercept : float
        Log odds at the means.

    Examples
    --------
    >>> Model((0.0,) * len(LEARNT), (), (0.0,) * len(LEARNT), (1.0,) * len(LEARNT), (1.0,) * len(LEARNT), 0.0).score({})
    0.5
    """

    medians: tuple[float, ...]
    indicated: tuple[int, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    weights: tuple[float, ...]
    intercept: float

    def score(self, features: Mapping[str, float]) -> float:
        """Return the score of a text from 0 (as own writing) to 1 (as copies). It is no probability of copying."""
        is_missing = [name not in features for name in LEARNT]
        filled = [features.get(name, median) for name, median in zip(LEARNT, self.medians, strict=True)]
        values = [*filled, *(float(is_missing[place]) for place in self.indicated)]
        weighted = zip(values, self.means, self.scales, self.weights, strict=True)
        odds = self.intercept + sum(weight * (value - mean) / scale for value, mean, scale, weight in weighted)
        return 1 / (1 + exp(-odds)) if odds > -700 else 0.0


@dataclass(frozen=True)
class Calibration:
    """What labelled texts show.

    Attributes
    ----------
    own, copied : Sample
        What there is of each class.
    by_session, by_text : Curve
        Of the mean over the texts of a session, and of single texts.
    thresholds : tuple of Threshold
        For sessions, those that may be offered.
    model : Model
        Fitted on all texts.

    Examples
    --------
    >>> sorted(Calibration.__dataclass_fields__)
    ['by_session', 'by_text', 'copied', 'model', 'own', 'thresholds']
    """

    own: Sample
    copied: Sample
    by_session: Curve
    by_text: Curve
    thresholds: tuple[Threshold, ...]
    model: Model

    @property
    def tells_apart(self) -> bool:
        """Whether sessions are told apart better than by chance: the whole interval of the area is above a half."""
        return self.by_session.low > 0.5

    def as_stored(self) -> dict[str, Any]:
        """Return it as plain mappings and sequences."""
        return asdict(self)

    @classmethod
    def of_stored(cls, stored: Mapping[str, Any]) -> Calibration:
        """Return what `as_stored` gave, from JSON or not."""
        return cls(
            own=Sample(**stored["own"]),
            copied=Sample(**stored["copied"]),
            by_session=Curve(**{name: _tupled(value) for name, value in stored["by_session"].items()}),
            by_text=Curve(**{name: _tupled(value) for name, value in stored["by_text"].items()}),
            thresholds=tuple(Threshold(**each) for each in stored["thresholds"]),
            model=Model(**{name: _tupled(value) for name, value in stored["model"].items()}),
        )


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list | tuple) else value


def best_bound(honest: int) -> float:
    """Return the least upper bound that so many honest sessions can show: that with none of them above a threshold.

    Parameters
    ----------
    honest : int
        Number of sessions.

    Returns
    -------
    float
        One-sided 95% bound of Clopper and Pearson; 1 without any session.

    Examples
    --------
    >>> round(best_bound(60), 3)
    0.049
    """
    return 1 - TAIL ** (1 / honest) if honest > 0 else 1.0


def fewest_honest(rate: float) -> int:
    """Return how many honest sessions it takes to offer a rate, with none of them above the threshold.

    Parameters
    ----------
    rate : float
        Share of honest sessions above a threshold, between 0 and 1.

    Returns
    -------
    int
        The least number whose bound is at most the rate.

    Examples
    --------
    >>> [fewest_honest(rate) for rate in FALSE_RATES]
    [299, 149, 59]
    """
    return ceil(log(TAIL) / log(1 - rate))


def upper_bound(count: int, of: int) -> float:
    """Return the one-sided 95% upper bound of a share (Clopper and Pearson 1934, Biometrika 26).

    Parameters
    ----------
    count, of : int
        How many of how many.

    Returns
    -------
    float
        The bound; 1 if all are.

    Examples
    --------
    >>> round(upper_bound(0, 60), 4), upper_bound(3, 3)
    (0.0487, 1.0)
    """
    from scipy.special import betaincinv  # SciPy takes long to load

    return float(betaincinv(count + 1, of - count, 1 - TAIL)) if count < of else 1.0


def samples_of(texts: Iterable[LabelledText]) -> tuple[Sample, Sample]:
    """Return how much there is of own and of copied texts.

    Parameters
    ----------
    texts : iterable of LabelledText
        Labelled texts.

    Returns
    -------
    tuple of Sample
        Own, copied.

    Examples
    --------
    >>> samples_of([LabelledText(1, 1, False, {}), LabelledText(1, 1, False, {})])[0]
    Sample(people=1, sessions=1, texts=2)
    """
    known = list(texts)
    own, copied = ([each for each in known if each.is_copy == is_copy] for is_copy in (False, True))
    return _sample(own), _sample(copied)


def _sample(texts: Sequence[LabelledText]) -> Sample:
    return Sample(len({each.person for each in texts}), len({each.session for each in texts}), len(texts))


def calibrate(texts: Iterable[LabelledText]) -> Calibration | None:
    """Return how well sessions are told apart, and the thresholds that may be offered.

    Medians in place of missing values with an indicator, standardized; logistic regression with C = 1 and balanced
    classes; five folds by person. The model and the folds are scikit-learn's, and nothing of them is drawn at random;
    intervals are from 1,000 draws of people with a fixed seed.

    Parameters
    ----------
    texts : iterable of LabelledText
        Labelled texts; the order of people decides between equal folds.

    Returns
    -------
    Calibration or None
        None below 20 people or 40 sessions of a class, and where one person has so much of a class that a fold would
        have to be told apart by people who did only one thing.

    Raises
    ------
    ModuleNotFoundError
        Without scikit-learn.

    Examples
    --------
    >>> calibrate([LabelledText(1, 1, False, {})]) is None
    True
    """
    known = sorted(texts, key=lambda each: (each.person, each.session))
    own, copied = samples_of(known)
    if not (own.is_enough and copied.is_enough):
        return None
    table, is_copy = _table(known), np.array([each.is_copy for each in known])
    people = np.unique([each.person for each in known], return_inverse=True)[1]
    values = _out_of_fold(table, is_copy, people)
    if values is None:
        return None
    pipeline = _pipeline().fit(table, is_copy)
    _sessions, first, place = np.unique([each.session for each in known], return_index=True, return_inverse=True)
    means = np.bincount(place, values) / np.bincount(place)
    return Calibration(
        own=own,
        copied=copied,
        by_session=_curve(means, is_copy[first], people[first]),
        by_text=_curve(values, is_copy, people),
        thresholds=tuple(
            threshold_at(rate, means, is_copy[first], people[first])
            for rate in FALSE_RATES
            if own.sessions >= fewest_honest(rate)
        ),
        model=_model(pipeline),
    )


def _table(texts: Sequence[LabelledText]) -> FloatArray:
    return np.array([[each.features.get(name, np.nan) for name in LEARNT] for each in texts], dtype=np.float64)


def _pipeline() -> Any:
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(
        # A feature that no text has stays as a constant, which tells nothing.
        SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True),
        StandardScaler(),
        LogisticRegression(C=1, class_weight="balanced", max_iter=1_000),
    )


def folds_of(people: IntArray) -> list[tuple[IntArray, IntArray]]:
    """Return the places of the texts that are learnt from, and of those that are scored, for each of five folds.

    Parameters
    ----------
    people : array of int, shape (texts,)
        Who wrote each text; at least five people.

    Returns
    -------
    list of tuple of array
        No person is on both sides.

    Examples
    --------
    >>> [scored.tolist() for _learnt, scored in folds_of(np.array([1, 1, 2, 3, 4, 5]))][0]
    [0, 1]
    """
    from sklearn.model_selection import GroupKFold

    return list(GroupKFold(FOLDS).split(people, groups=people))


def _out_of_fold(table: FloatArray, is_copy: BoolArray, people: IntArray) -> FloatArray | None:
    values = np.empty(len(table))
    for learnt, scored in folds_of(people):
        if len(np.unique(is_copy[learnt])) < 2:
            return None
        values[scored] = _pipeline().fit(table[learnt], is_copy[learnt]).predict_proba(table[scored])[:, 1]
    return values


def _model(pipeline: Any) -> Model:
    imputer, scaler, regression = (step for _name, step in pipeline.steps)
    return Model(
        medians=tuple(map(float, imputer.statistics_)),
        indicated=tuple(map(int, imputer.indicator_.features_)),
        means=tuple(map(float, scaler.mean_)),
        scales=tuple(map(float, scaler.scale_)),
        weights=tuple(map(float, regression.coef_[0])),
        intercept=float(regression.intercept_[0]),
    )


def threshold_at(rate: float, scores: FloatArray, is_copy: BoolArray, people: IntArray) -> Threshold:
    """Return the least threshold with at most a share of honest sessions above it.

    Parameters
    ----------
    rate : float
        The share.
    scores, is_copy, people : array, shape (sessions,)
        The score of each session, whether it was copied, and whose it is; at least one is honest.

    Returns
    -------
    Threshold
        What lies above it.

    Examples
    --------
    >>> scores, is_copy = np.array([0.1, 0.2, 0.6, 0.7, 0.9]), np.array([False, False, False, True, True])
    >>> found = threshold_at(0.0, scores, is_copy, np.arange(5))
    >>> found.value, found.false, found.found
    (0.6, 0, 2)
    """
    honest = scores[~is_copy]
    most = int(rate * len(honest) + 1e-9)
    value = float(np.sort(honest)[::-1][most]) if most < len(honest) else 0.0
    is_false = (scores > value) & ~is_copy
    false = int(is_false.sum())
    return Threshold(
        rate=rate,
        value=value,
        false=false,
        honest=len(honest),
        false_people=len(np.unique(people[is_false])),
        people=len(np.unique(people[~is_copy])),
        bound=upper_bound(false, len(honest)),
        found=int((scores[is_copy] > value).sum()),
        copied=int(is_copy.sum()),
    )


def _curve(scores: FloatArray, is_copy: BoolArray, people: IntArray) -> Curve:
    values, place = np.unique(scores, return_inverse=True)
    auc, false, found = _corners(len(values), place, is_copy, np.ones(len(scores)))
    rng, number = np.random.default_rng(SEED), int(people.max()) + 1
    drawn = rng.multinomial(number, np.full(number, 1 / number), size=DRAWS)
    areas, shares = [], []
    for times in drawn:
        weights = times[people].astype(np.float64)
        if weights[is_copy].any() and weights[~is_copy].any():
            area, false_drawn, found_drawn = _corners(len(values), place, is_copy, weights)
            areas.append(area)
            shares.append(np.interp(GRID, false_drawn, found_drawn))
    low, high = np.quantile(areas, [TAIL / 2, 1 - TAIL / 2])
    found_low, found_high = np.quantile(shares, [TAIL / 2, 1 - TAIL / 2], axis=0)
    return Curve(auc, float(low), float(high), *map(_plain, (false, found, found_low, found_high)))


def _plain(values: FloatArray) -> tuple[float, ...]:
    return tuple(round(float(value), 6) for value in values)


def _corners(
    number: int, place: IntArray, is_copy: BoolArray, weights: FloatArray
) -> tuple[float, FloatArray, FloatArray]:
    """Return the area under a curve and its corners; `place` numbers the values of the scores in ascending order."""
    copied = np.bincount(place, weights * is_copy, number)[::-1]
    honest = np.bincount(place, weights * ~is_copy, number)[::-1]
    found = np.concatenate(([0.0], np.cumsum(copied))) / copied.sum()
    false = np.concatenate(([0.0], np.cumsum(honest))) / honest.sum()
    return float(np.trapezoid(found, false)), false, found
