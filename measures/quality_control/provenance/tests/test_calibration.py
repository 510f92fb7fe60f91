"""Labelled sessions: folds by person, areas of a known separation, thresholds and their bounds, what may be offered."""

import json
from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score, roc_curve
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from measures.core.arrays import FloatArray
from measures.quality_control.provenance import calibration
from measures.quality_control.provenance.calibration import (
    LEARNT,
    Calibration,
    LabelledText,
    best_bound,
    calibrate,
    fewest_honest,
    folds_of,
    samples_of,
    threshold_at,
    upper_bound,
)

FEATURE = "pauses100"


def drawn(
    people: int, *, sessions: int = 1, texts: int = 3, distance: float = 1.0, missing: float = 0.0, seed: int = 1
) -> list[LabelledText]:
    """Texts of which one feature is normal with a standard deviation of 1, `distance` lower where they are copied."""
    rng = np.random.default_rng(seed)
    found, number = [], 0
    for person in range(people):
        for is_copy in (False, True):
            for _session in range(sessions):
                number += 1
                for _text in range(texts):
                    features = {FEATURE: float(rng.normal(-distance * is_copy)), "fresh": float(rng.uniform())}
                    if rng.uniform() < missing:
                        del features["fresh"]
                    found.append(LabelledText(person, number, is_copy, features))
    return found


def test_the_area_is_that_of_the_separation_that_was_put_in() -> None:
    """Two normal distributions a distance d apart have an area of Phi(d / sqrt(2)); means of four texts one of 2 d."""
    found = calibrate(drawn(150, sessions=2, texts=4, distance=1.0))

    assert found is not None
    normal = NormalDist()
    assert found.by_text.auc == pytest.approx(normal.cdf(1 / sqrt(2)), abs=0.02)
    assert found.by_session.auc == pytest.approx(normal.cdf(2 / sqrt(2)), abs=0.02)
    assert found.by_session.low < normal.cdf(2 / sqrt(2)) < found.by_session.high
    assert found.by_text.low < found.by_text.auc < found.by_text.high


def test_values_are_those_of_scikit_learns_own_cross_validation() -> None:
    texts = drawn(30, sessions=2, distance=1.5, missing=0.2, seed=7)
    table = np.array([[each.features.get(name, np.nan) for name in LEARNT] for each in texts])
    is_copy, people = np.array([each.is_copy for each in texts]), np.array([each.person for each in texts])
    pipeline = make_pipeline(
        SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True),
        StandardScaler(),
        LogisticRegression(C=1, class_weight="balanced"),
    )
    values = cross_val_predict(pipeline, table, is_copy, groups=people, cv=GroupKFold(5), method="predict_proba")[:, 1]
    sessions = np.array([values[[each.session == number for each in texts]].mean() for number in range(1, 121)])
    copied = np.tile([False, False, True, True], 30)

    found = calibrate(texts)

    assert found is not None
    assert found.by_text.auc == pytest.approx(roc_auc_score(is_copy, values), abs=1e-6)
    assert found.by_session.auc == pytest.approx(roc_auc_score(copied, sessions), abs=1e-6)
    # Golden: an interval over draws of people with the fixed seed.
    assert (found.by_session.low, found.by_session.high) == pytest.approx((0.9047, 0.9806), abs=0.005)
    (only,) = found.thresholds
    assert (only.rate, only.honest, only.copied, only.people) == (0.05, 60, 60, 30)
    assert only.value == pytest.approx(np.sort(sessions[~copied])[-4], abs=1e-6)
    assert only.found == (sessions[copied] > only.value).sum()
    assert found == calibrate(texts)


def test_what_cannot_be_told_apart_is_not() -> None:
    found = calibrate(drawn(60, sessions=2, distance=0.0, seed=3))

    assert found is not None
    assert found.by_session.low < 0.5 < found.by_session.high


def test_no_person_is_learnt_from_and_scored() -> None:
    people = np.repeat(np.arange(37), np.arange(1, 38))

    scored_in_all: list[int] = []
    for learnt, scored in folds_of(people):
        assert not set(people[learnt]) & set(people[scored])
        scored_in_all += scored.tolist()
    assert sorted(scored_in_all) == list(range(len(people)))


def test_habits_of_a_person_are_no_evidence() -> None:
    """Everyone has a habit, and by chance did only one thing: learnt on themselves, they would be told apart."""
    rng = np.random.default_rng(5)
    texts = []
    for person in range(80):
        habit = {name: float(rng.normal()) for name in LEARNT}
        texts += [LabelledText(person, person, person % 2 == 1, habit) for _text in range(3)]

    found = calibrate(texts)

    assert found is not None
    assert found.by_session.low < 0.5
    scores = [found.model.score(each.features) for each in texts]
    assert roc_auc_score([each.is_copy for each in texts], scores) > 0.75  # what is learnt of them, told of them


def test_curves_are_scikit_learns_and_weights_are_repetitions() -> None:
    rng = np.random.default_rng(2)
    scores, is_copy = np.round(rng.uniform(size=80), 1), rng.uniform(size=80) < 0.5
    people = np.arange(80)

    curve = calibration._curve(scores, is_copy, people)

    assert curve.auc == pytest.approx(roc_auc_score(is_copy, scores))
    false, found, _thresholds = roc_curve(is_copy, scores, drop_intermediate=False)
    assert curve.false == pytest.approx(false, abs=1e-6)
    assert curve.found == pytest.approx(found, abs=1e-6)


def test_the_stored_model_scores_as_scikit_learn_does() -> None:
    texts = drawn(30, sessions=2, missing=0.3)
    found = calibrate(texts)
    assert found is not None
    table: FloatArray = np.array([[each.features.get(name, np.nan) for name in LEARNT] for each in texts])
    order = sorted(range(len(texts)), key=lambda place: (texts[place].person, texts[place].session))
    fitted = calibration._pipeline().fit(table[order], [texts[place].is_copy for place in order])

    stored = Calibration.of_stored(json.loads(json.dumps(found.as_stored())))

    assert stored == found
    expected = fitted.predict_proba(table)[:, 1]
    assert [stored.model.score(each.features) for each in texts] == pytest.approx(expected, abs=1e-12)
    assert 0 <= stored.model.score({}) <= 1


@pytest.mark.parametrize(
    ("honest", "rates"),
    [(58, []), (59, [0.05]), (148, [0.05]), (149, [0.02, 0.05]), (298, [0.02, 0.05]), (299, [0.01, 0.02, 0.05])],
)
def test_a_rate_is_offered_from_so_many_honest_sessions_on(honest: int, rates: list[float]) -> None:
    own = [LabelledText(number % 30, number, False, {FEATURE: 1.0 + number % 7}) for number in range(honest)]
    copied = [LabelledText(number % 30, 1_000 + number, True, {FEATURE: -1.0 - number % 5}) for number in range(60)]

    found = calibrate([*own, *copied])

    assert found is not None
    assert [each.rate for each in found.thresholds] == rates
    for each in found.thresholds:
        assert each.false == 0 or each.false <= each.rate * honest


@pytest.mark.parametrize(("people", "sessions", "is_enough"), [(20, 2, True), (19, 3, False), (39, 1, False)])
def test_below_twenty_people_or_forty_sessions_nothing_is_said(people: int, sessions: int, is_enough: bool) -> None:
    texts = drawn(people, sessions=sessions)

    assert all(each.is_enough is is_enough for each in samples_of(texts))
    assert (calibrate(texts) is not None) is is_enough


def test_a_fold_that_would_learn_from_one_class_only_says_nothing() -> None:
    """Four people with very many own texts are a fold each, and all who copied are in the fifth."""
    many = [LabelledText(person, person, False, {FEATURE: 1.0}) for person in range(4) for _text in range(500)]
    few = [
        LabelledText(person, 1000 + 10 * person + number, number > 1, {FEATURE: float(number)})
        for person in range(4, 26)
        for number in range(4)
    ]

    assert calibrate([*many, *few]) is None


def test_a_threshold_is_the_least_with_at_most_so_many_above() -> None:
    rng = np.random.default_rng(4)
    scores, is_copy = np.round(rng.uniform(size=200), 2), np.arange(200) >= 100
    people = np.arange(200) // 4

    found = threshold_at(0.05, scores, is_copy, people)

    candidates = [t for t in np.unique(scores[~is_copy]) if (scores[~is_copy] > t).sum() <= 5]
    assert found.value == min(candidates)
    above = (scores > found.value) & ~is_copy
    assert (found.false, found.false_people) == (above.sum(), len(set(people[above])))
    assert (found.people, found.found) == (25, (scores[is_copy] > found.value).sum())


def test_bounds_are_those_of_clopper_and_pearson() -> None:
    for count, of in [(0, 59), (1, 60), (3, 299), (59, 60)]:
        assert upper_bound(count, of) == pytest.approx(beta.ppf(0.95, count + 1, of - count))
    assert upper_bound(5, 5) == 1
    assert best_bound(0) == 1
    assert best_bound(60) == pytest.approx(upper_bound(0, 60))
    for rate in (0.01, 0.02, 0.05):
        fewest = fewest_honest(rate)
        assert best_bound(fewest) <= rate < best_bound(fewest - 1)
