"""Accuracy of raters under the model of Dawid and Skene."""

import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.core.arrays import FloatArray, IntArray
from measures.quality_control.dawid_skene import (
    SMALL_TOLERANCE,
    ConvergenceWarning,
    DawidSkene,
    PointScores,
    dawid_skene_accuracy,
    fit_dawid_skene,
)
from measures.quality_control.measured_quality import Convergence
from measures.quality_control.tables import Ratings

few_steps = pytest.mark.filterwarnings("ignore::measures.quality_control.dawid_skene.ConvergenceWarning")

# Dawid & Skene 1979, table 1: what five anaesthetists said of the fitness of 45 patients, on a scale of
# 1 to 4. For each patient the first observer's three answers, then one of each other.
ANAESTHETISTS = """
    1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223
    2322223 4444444 2223343 1111111 2223212 1211111 1112111 1111111 1111111
    2222221 2221322 2222222 2222221 2223222 2212222 1111111 1111111 2322222
    1111111 1111111 1121121 1111111 3333233 1111111 2222222 2223232 4334343
    2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 2222222
"""
OBSERVERS = np.array([0, 0, 0, 1, 2, 3, 4])


def anaesthetists() -> Ratings:
    answers = np.array([[float(answer) for answer in patient] for patient in ANAESTHETISTS.split()])
    patients = len(answers)
    return Ratings(np.repeat(np.arange(patients), 7), np.tile(OBSERVERS, patients), answers.reshape(-1, 1))


def crowd(seed: int, scales: int = 1, texts: int = 40, raters: int = 6) -> Ratings:
    """Three ratings of each text by raters of growing skill, who else say anything from 1 to 4."""
    rng = np.random.default_rng(seed)
    text = np.repeat(np.arange(texts), 3)
    rater = np.concatenate([rng.permutation(raters)[:3] for _ in range(texts)])
    truth = rng.choice([1, 2, 3], (texts, scales), p=[0.2, 0.3, 0.5])
    knows = rng.random((len(text), scales)) < np.linspace(0.2, 0.95, raters)[rater][:, None]
    return Ratings(text, rater, np.where(knows, truth[text], rng.integers(1, 5, (len(text), scales))).astype(float))


def em(ratings: Ratings, n_raters: int, steps: int) -> FloatArray:
    """Expectation maximization with whole tables, of one scale; the equations are those of the paper."""
    label = np.unique(ratings.scores[:, 0], return_inverse=True)[1]
    counts = np.zeros((ratings.text.max() + 1, n_raters, label.max() + 1))
    np.add.at(counts, (ratings.text, ratings.rater, label), 1)
    truth = counts.sum(axis=1) / counts.sum(axis=(1, 2))[:, None]  # 3.1
    prior, rates = m_step(counts, truth)
    for _ in range(steps):
        likelihood = np.log(np.maximum(prior, 1e-10)) + np.einsum("trl,rjl->tj", counts, np.log(rates))
        truth = np.exp(likelihood - likelihood.max(axis=1, keepdims=True))  # 2.5
        prior, rates = m_step(counts, truth / truth.sum(axis=1, keepdims=True))
    return np.asarray(np.einsum("j,rjj->r", prior, rates))


def m_step(counts: FloatArray, truth: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Equations 2.3 and 2.4; of what was never met, all labels that the rater gave are equally likely."""
    rates = np.maximum(np.einsum("tj,trl->rjl", truth, counts), 1e-10)
    gave = np.asarray(counts.sum(axis=0) > 0)
    rates = np.where(gave[:, None, :], rates, 1e-300)
    return truth.mean(axis=0), rates / rates.sum(axis=2, keepdims=True)


@few_steps
@pytest.mark.parametrize("steps", [1, 2, 3])
def test_every_step_on_the_anaesthetists_is_that_of_the_equations(steps: int) -> None:
    measured = dawid_skene_accuracy(anaesthetists(), 5, points=(4,), iterations=steps)
    accuracy, items = measured.quality, measured.items
    np.testing.assert_allclose(accuracy, em(anaesthetists(), 5, steps), atol=1e-8)
    assert items.tolist() == [45] * 5


def test_the_anaesthetists_converge_to_the_known_estimates() -> None:
    accuracy = dawid_skene_accuracy(anaesthetists(), 5, points=(4,)).quality
    np.testing.assert_allclose(accuracy, em(anaesthetists(), 5, 1000), atol=1e-4)
    # How common the four classes are, and how often the first observer gives the right one.
    priors, observer_1 = np.array([0.40, 0.42, 0.11, 0.07]), np.array([0.89, 0.88, 0.66, 0.44])
    assert accuracy[0] == pytest.approx(priors @ observer_1, abs=0.01)


@few_steps
@pytest.mark.parametrize("seed", range(4), indirect=True)
@pytest.mark.parametrize("steps", [1, 2])
def test_every_step_on_a_crowd_is_that_of_the_equations(seed: int, steps: int) -> None:
    ratings = crowd(seed)
    found = dawid_skene_accuracy(ratings, 6, points=(4,), iterations=steps).quality
    np.testing.assert_allclose(found, em(ratings, 6, steps), atol=1e-8)


def test_who_knows_more_is_more_accurate() -> None:
    accuracy = dawid_skene_accuracy(crowd(1, scales=2, texts=3000), 6, points=(4, 4)).quality
    assert (np.diff(accuracy) > 0).all()
    assert accuracy[0] < 0.5
    # The limit of EM is .844, below the 0.96 that the last rater knows: a plateau on the way has .88.
    assert accuracy[-1] == pytest.approx(0.844, abs=0.002)


def test_scales_are_fitted_apart_and_averaged() -> None:
    both = crowd(2, scales=2)
    each = [
        dawid_skene_accuracy(Ratings(both.text, both.rater, both.scores[:, [scale]]), 6, points=(4,)).quality
        for scale in (0, 1)
    ]
    np.testing.assert_allclose(dawid_skene_accuracy(both, 6, points=(4, 5)).quality, np.mean(each, axis=0), atol=1e-12)


def test_three_who_agree_and_one_who_does_not() -> None:
    # Two texts are 1, two are 3; the fourth rater says 1 to all: right whenever the truth is 1.
    scores = np.array([[1, 1, 1, 1], [1, 1, 1, 1], [3, 3, 3, 1], [3, 3, 3, 1]], dtype=float)
    ratings = Ratings(np.repeat(np.arange(4), 4), np.tile(np.arange(4), 4), scores.reshape(-1, 1))
    measured = dawid_skene_accuracy(ratings, 5, points=(3,))
    accuracy, items = measured.quality, measured.items
    np.testing.assert_allclose(accuracy, [1, 1, 1, 0.5, np.nan], atol=1e-8)
    assert items.tolist() == [4, 4, 4, 4, 0]


def test_of_a_true_label_never_met_the_labels_given_are_equally_likely() -> None:
    # The third rater meets only texts that are 1 and says 1 and 2; half of all texts are 1, half are 2.
    text = np.array([0, 0, 1, 1, 2, 2, 3, 3, 0, 1])
    rater = np.array([0, 1, 0, 1, 0, 1, 0, 1, 2, 2])
    scores = np.array([1, 1, 1, 1, 2, 2, 2, 2, 1, 2], dtype=float)[:, None]
    accuracy = dawid_skene_accuracy(Ratings(text, rater, scores), 3, points=(2,)).quality
    assert accuracy[2] == pytest.approx(0.5 * 0.5 + 0.5 * 0.5, abs=1e-6)


def test_a_rater_beside_whom_nobody_rated_is_taken_for_right() -> None:
    ratings = Ratings(np.arange(3), np.zeros(3, dtype=np.int64), np.array([[1.0], [2.0], [2.0]]))
    measured = dawid_skene_accuracy(ratings, 1, points=(2,))
    accuracy, items = measured.quality, measured.items
    assert accuracy.tolist() == [pytest.approx(1)]
    assert items.tolist() == [3]


@pytest.mark.parametrize("seed", range(2), indirect=True)
def test_the_order_of_the_ratings_does_not_matter_at_all(seed: int) -> None:
    ratings = crowd(seed, scales=2)
    order = np.random.default_rng(seed).permutation(len(ratings.text))
    shuffled = Ratings(ratings.text[order], ratings.rater[order], ratings.scores[order])
    one, other = (dawid_skene_accuracy(table, 6, points=(4, 4)).quality for table in (ratings, shuffled))
    np.testing.assert_array_equal(one, other)


def test_other_numbers_for_texts_and_raters_give_the_same_people() -> None:
    ratings, raters = crowd(5), np.array([3, 0, 5, 1, 4, 2])
    texts = np.random.default_rng(5).permutation(40) * 7
    renamed = Ratings(texts[ratings.text], raters[ratings.rater], ratings.scores)
    one, other = (dawid_skene_accuracy(table, 6, points=(4,)).quality for table in (ratings, renamed))
    np.testing.assert_allclose(one, other[raters], atol=1e-9)


def test_a_text_rated_twice_counts_once_among_the_items() -> None:
    ratings = Ratings(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]), np.array([[1.0], [2.0], [1.0], [2.0]]))
    assert dawid_skene_accuracy(ratings, 2, points=(2,)).items.tolist() == [1, 2]


def test_no_ratings_give_no_accuracy() -> None:
    nothing: IntArray = np.array([], dtype=np.int64)
    measured = dawid_skene_accuracy(Ratings(nothing, nothing, np.empty((0, 2))), 2, points=(3, 3))
    accuracy, items = measured.quality, measured.items
    assert np.isnan(accuracy).all()
    assert items.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("scores", "points", "message"),
    [
        ([[2.5]], (3,), "^rating 2.5 is not one of the categories"),
        ([[4.0]], (3,), "^rating 4 is not one of the categories"),
        ([[0.0, 1.0]], (3, 3), "^rating 0 is not one of the categories"),
        ([[1.0]], (3, 3), r"^points must be one number for each column of scores, not \(3, 3\)"),
        ([[1.0, 1.0]], (3,), "^points must be one number for each column"),
        ([[1.0]], (0,), "^categories must be a number of points"),
    ],
)
def test_scores_are_points_of_their_scales(scores: npt.ArrayLike, points: tuple[int, ...], message: str) -> None:
    table, zero = np.array(scores), np.array([0])
    with pytest.raises(ValueError, match=message):
        PointScores(table, points)
    with pytest.raises(ValueError, match=message):
        dawid_skene_accuracy(Ratings(zero, zero, table), 1, points=points)


def test_raters_out_of_range_are_errors() -> None:
    with pytest.raises(ValueError, match="rater out of range 0 to 4"):
        dawid_skene_accuracy(crowd(0), 5, points=(4,))


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"smoothing": 0.0}, "^smoothing must be a number above 0, not 0.0"),
        ({"smoothing": float("nan")}, "^smoothing must be a number above 0, not nan"),
        ({"tolerance": -1e-9}, "^tolerance must be at least 0, not -1e-09"),
        ({"tolerance": float("nan")}, "^tolerance must be at least 0, not nan"),
        ({"iterations": 0}, "^iterations must be at least 1, not 0"),
    ],
)
@pytest.mark.parametrize("texts", [0, 40])
def test_settings_out_of_range_are_errors(setting: dict[str, Any], message: str, texts: int) -> None:
    ratings = crowd(0)
    some = Ratings(ratings.text[:texts], ratings.rater[:texts], ratings.scores[:texts])
    with pytest.raises(ValueError, match=message):
        dawid_skene_accuracy(some, 6, points=(4,), **setting)


def test_there_is_no_model_without_ratings_or_of_columns_that_differ() -> None:
    with pytest.raises(ValueError, match=r"^there must be ratings to fit a model to"):
        fit_dawid_skene(*np.empty((3, 0), dtype=np.int64))
    with pytest.raises(ValueError, match=r"^the columns of ratings differ in shape"):
        fit_dawid_skene(np.array([1, 2]), np.array([1, 2]), np.array([1]))


# When EM ends


def test_em_ends_where_no_accuracy_moves_by_more_than_the_tolerance() -> None:
    steps = len(fitted(table(anaesthetists()), tolerance=1e-4).objective)
    before, at, after = (fitted(table(anaesthetists()), iterations=steps + more, tolerance=0.0) for more in (-2, -1, 0))
    assert np.abs(at.accuracy - before.accuracy).max() > 1e-4
    assert np.abs(after.accuracy - at.accuracy).max() <= 1e-4
    assert after.convergence.last_change == np.abs(after.accuracy - at.accuracy).max()
    assert fitted(table(anaesthetists()), tolerance=1e-4).convergence == Convergence(
        True, steps, after.convergence.last_change, 1e-4
    )


def test_em_does_not_end_on_a_plateau() -> None:
    """With a tolerance of 1e-5 EM rests here after 110 steps, with an accuracy 0.19 from where it ends."""
    ratings = crowd_of_many_skills(seed=3)
    ended = fitted(table(ratings), tolerance=1e-12, iterations=10_000)
    assert np.abs(fitted(table(ratings), tolerance=1e-5).accuracy - ended.accuracy).max() > 0.1
    assert np.abs(fitted(table(ratings)).accuracy - ended.accuracy).max() < 1e-4


def test_scales_tell_apart_how_their_models_ended() -> None:
    both = crowd(2, scales=2)
    found = dawid_skene_accuracy(both, 6, points=(4, 4)).convergence
    assert [each.converged for each in found] == [True, True]
    assert found[0].steps != found[1].steps
    nothing: IntArray = np.array([], dtype=np.int64)
    assert dawid_skene_accuracy(Ratings(nothing, nothing, np.empty((0, 2))), 2, points=(3, 3)).convergence == ()


def test_the_standard_error_of_an_accuracy_is_not_known() -> None:
    assert np.isnan(dawid_skene_accuracy(crowd(0), 6, points=(4,)).standard_error).all()


def test_who_stops_em_early_is_told() -> None:
    with pytest.warns(ConvergenceWarning, match="^the Dawid-Skene model has not settled to 1e-09 in 3 steps"):
        model = fit_dawid_skene(*table(anaesthetists()), iterations=3)
    assert (model.convergence.converged, len(model.objective)) == (False, 3)
    with pytest.warns(ConvergenceWarning):
        (told,) = dawid_skene_accuracy(anaesthetists(), 5, points=(4,), iterations=3).convergence
    assert told == model.convergence
    assert (told.steps, told.tolerance) == (3, SMALL_TOLERANCE)
    assert told.last_change > SMALL_TOLERANCE
    assert fit_dawid_skene(*table(anaesthetists())).convergence.converged


@pytest.mark.parametrize("seed", [1, 10, 49, 57, 102, 105], indirect=True)
def test_em_does_not_end_on_a_plateau_of_a_small_table(seed: int) -> None:
    """With a tolerance of 1e-7 in a step alone, these were left 0.04 to 0.24 from where EM goes in the end."""
    given = table(crowd(seed))
    found = fit_dawid_skene(*given)
    again = fit_dawid_skene(*given, tolerance=1e-13, iterations=50_000)
    np.testing.assert_allclose(found.accuracy, again.accuracy, atol=1e-4)
    assert found.objective[-1] >= again.objective[-1] - 1e-5


def test_the_published_estimates_of_the_anaesthetists() -> None:
    """Dawid & Skene 1979, tables 2 and 4, to their two digits."""
    model = fit_dawid_skene(*table(anaesthetists()))
    np.testing.assert_allclose(model.prior, [0.40, 0.42, 0.11, 0.07], atol=0.005)
    np.testing.assert_allclose(np.diagonal(model.rates[0]), [0.89, 0.88, 0.66, 0.44], atol=0.005)
    assert (model.texts.tolist(), model.raters.tolist(), model.labels.tolist()) == (
        [*range(45)],
        [*range(5)],
        [1, 2, 3, 4],
    )


def test_pseudo_counts_are_added_to_the_labels_that_a_rater_gave() -> None:
    # Both say 1 of three texts; then one says 2 and the other 3 of a fourth, of which nothing else is known.
    text, rater = np.repeat(np.arange(4), 2), np.tile([0, 1], 4)
    model = fitted((text, rater, np.array([1, 1, 1, 1, 1, 1, 2, 3])), smoothing=0.1, iterations=1)
    said = np.array([[1, 0, 0], [1, 0, 0], [1, 0, 0], [0, 1, 0]])
    counts = np.einsum("tj,tl->jl", model.truth, said) + np.array([0.1, 0.1, 0])
    np.testing.assert_allclose(model.rates[0], counts / counts.sum(axis=1, keepdims=True), atol=1e-12)


def crowd_of_many_skills(seed: int) -> Ratings:
    """Fifteen raters of a hundred texts, on one of the two scales of the benchmark."""
    rng, points = np.random.default_rng(seed), 3
    text = np.repeat(np.arange(100), rng.integers(3, 6, 100))
    rater = rng.choice(15, len(text), p=rng.dirichlet(np.ones(15)))
    truth = rng.choice(points, 100, p=[0.12, 0.28, 0.6])[text]
    skill = rng.beta(6, 3, 15)[:, None, None]
    rates = skill * np.eye(points) + (1 - skill) * rng.dirichlet(np.full(points, 1.5), (15, points))
    reached = rng.random((len(truth), 1)) > rates[rater, truth].cumsum(axis=1)
    return Ratings(text, rater, np.minimum(1 + reached.sum(axis=1), points)[:, None].astype(float))


# What holds for all ratings


def table(ratings: Ratings) -> tuple[IntArray, IntArray, IntArray]:
    return ratings.text, ratings.rater, ratings.scores[:, 0].astype(np.int64)


def fitted(columns: tuple[IntArray, IntArray, IntArray], **settings: Any) -> DawidSkene:
    """The model, settled or not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fit_dawid_skene(*columns, **settings)


def columns_of(rows: list[tuple[int, int, int]]) -> tuple[IntArray, IntArray, IntArray]:
    text, rater, label = np.array(rows, dtype=np.int64).T
    return text, rater, label


tables = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 4), st.integers(1, 4)), min_size=1, max_size=40)
smoothings = st.sampled_from([1e-10, 0.01, 1.0])


@given(tables, smoothings)
def test_no_step_makes_the_ratings_less_likely(rows: list[tuple[int, int, int]], smoothing: float) -> None:
    objective = fitted(columns_of(rows), smoothing=smoothing, iterations=30, tolerance=0.0).objective
    assert np.isfinite(objective).all()
    assert (np.diff(objective) >= -1e-9 * (1 + np.abs(objective[1:]))).all()


@given(tables, smoothings)
def test_probabilities_are_probabilities(rows: list[tuple[int, int, int]], smoothing: float) -> None:
    columns = columns_of(rows)
    model = fitted(columns, smoothing=smoothing, iterations=50)
    for shares, axis in ((model.truth, 1), (model.prior, 0), (model.rates, 2)):
        assert (shares >= 0).all()
        np.testing.assert_allclose(shares.sum(axis=axis), 1, atol=1e-9)
    assert model.truth.shape == (len(set(columns[0])), len(set(columns[2])))
    assert ((model.accuracy >= 0) & (model.accuracy <= 1 + 1e-12)).all()


@few_steps
@given(tables)
def test_all_who_rated_have_an_accuracy_and_nobody_else(rows: list[tuple[int, int, int]]) -> None:
    text, rater, label = columns_of(rows)
    scores = np.stack([label, 5 - label], axis=1).astype(float)
    measured = dawid_skene_accuracy(Ratings(text, rater, scores), 6, points=(4, 4), iterations=20)
    accuracy, items = measured.quality, measured.items
    np.testing.assert_array_equal(~np.isnan(accuracy), np.isin(np.arange(6), rater))
    assert items.tolist() == [len({one for one, who, _ in rows if who == each}) for each in range(6)]


@given(tables, st.randoms(use_true_random=False))
def test_rows_in_any_order_give_the_same_to_the_last_bit(rows: list[tuple[int, int, int]], random: Any) -> None:
    shuffled = random.sample(rows, len(rows))
    one, other = (fitted(columns_of(each), iterations=30) for each in (rows, shuffled))
    for name in ("truth", "prior", "rates", "objective"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@given(tables, st.permutations(range(8)), st.permutations(range(5)), st.permutations(range(1, 5)))
def test_other_names_give_the_same_model(
    rows: list[tuple[int, int, int]], texts: list[int], raters: list[int], labels: list[int]
) -> None:
    # Few steps: where two models are equally good, EM may go either way after many.
    one = fitted(columns_of(rows), iterations=8)
    renamed = [(texts[text], raters[rater], labels[label - 1]) for text, rater, label in rows]
    other = fitted(columns_of(renamed), iterations=8)
    text, rater = (
        np.searchsorted(new, np.array(names)[old])
        for new, names, old in ((other.texts, texts, one.texts), (other.raters, raters, one.raters))
    )
    label = np.searchsorted(other.labels, np.array(labels)[one.labels - 1])
    np.testing.assert_allclose(one.truth, other.truth[text][:, label], atol=1e-6)
    np.testing.assert_allclose(one.accuracy, other.accuracy[rater], atol=1e-6)


def test_nothing_heavy_is_imported() -> None:
    question = (
        "import sys, numpy as np, measures.quality_control.worker_filter, measures.quality_control.share_preview;"
        "from measures.quality_control.dawid_skene import fit_dawid_skene;"
        "fit_dawid_skene(*np.array([[0, 0, 1], [0, 1, 1], [1, 1, 2]]));"
        "print({'pandas', 'crowdkit', 'scipy', 'sklearn'} & set(sys.modules))"
    )
    answer = subprocess.run([sys.executable, "-c", question], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "set()"
