"""Intervals of correlations over inputs, systems and raters, against plain loops."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.meta_evaluation import corpus_level, input_level_intervals
from measures.meta_evaluation.correlation_intervals import (
    NOT_DEFINED,
    ONE_SYSTEM_DECIDES,
    PERFECT,
    TOO_FEW_RANKED,
    TOO_FEW_SYSTEMS,
    CorrelationInterval,
    GivenRatings,
    corpus_level_interval,
)
from measures.meta_evaluation.judged_outputs import JudgedOutputs
from measures.meta_evaluation.system_correlations import SystemCorrelation

RATERS = 6


def made(systems: int, inputs: int, *, metrics: int = 2, severity: float = 0.0) -> tuple[JudgedOutputs, GivenRatings]:
    rng = np.random.default_rng([systems, inputs])
    true = rng.normal(size=(systems, inputs)) + rng.normal(size=(systems, 1))
    raters = np.argsort(rng.random((systems, inputs, RATERS)), axis=2)[:, :, :3]
    lean = severity * rng.normal(size=RATERS)
    points = np.clip(np.rint(true[..., None] + lean[raters] + rng.normal(size=raters.shape) + 3), 1, 5)
    slopes = 1 + 0.4 * rng.normal(size=(metrics, systems, 1))
    scores = slopes * true + rng.normal(size=(metrics, systems, inputs))
    names = [tuple(f"{each:03}" for each in range(number)) for number in (metrics, systems, inputs)]
    outputs = JudgedOutputs(names[0], names[1], names[2], scores, points.mean(axis=2))
    return outputs, GivenRatings(points, raters)


def mean_r(scores: FloatArray, quality: FloatArray) -> float:
    pairs = list(combinations(range(len(quality)), 2))
    return float(np.mean([np.corrcoef(scores[a] - scores[b], quality[a] - quality[b])[0, 1] for a, b in pairs]))


def jackknifed(values: list[float]) -> float:
    """Return the delete-one variance, from the values without each in turn."""
    without = np.array(values)
    return float((len(without) - 1) / len(without) * ((without - without.mean()) ** 2).sum())


def error_of(found: CorrelationInterval | Undefined) -> float:
    assert isinstance(found, CorrelationInterval)
    return found.standard_error


def test_few_systems_are_taken_as_given() -> None:
    outputs, _ = made(4, 150)
    for metric, found in enumerate(input_level_intervals(outputs)):
        assert isinstance(found, CorrelationInterval)
        assert (found.systems, found.raters, found.inputs) == (0, 0, 150)
        scores, q = outputs.scores[metric], outputs.quality
        plain = [mean_r(np.delete(scores, each, axis=1), np.delete(q, each, axis=1)) for each in range(150)]
        assert found.standard_error == pytest.approx(jackknifed(plain) ** 0.5, rel=0.02)
        assert found.low < mean_r(scores, q) < found.high


def test_from_five_systems_on_they_are_drawn() -> None:
    outputs, _ = made(7, 60)
    for metric, found in enumerate(input_level_intervals(outputs)):
        scores, q = outputs.scores[metric], outputs.quality
        plain = [mean_r(np.delete(scores, each, axis=0), np.delete(q, each, axis=0)) for each in range(7)]
        assert isinstance(found, CorrelationInterval)
        assert found.systems == 7
        # What inputs do by chance to all systems alike comes on top, and is little.
        assert 0.999 * jackknifed(plain) ** 0.5 <= found.standard_error <= 1.25 * jackknifed(plain) ** 0.5


def test_what_inputs_do_to_all_systems_alike_counts() -> None:
    """Where two systems' copies make up the others, systems differ in nothing that inputs do."""
    outputs, _ = made(2, 40, metrics=1)
    rng = np.random.default_rng(3)
    scores, q = (np.repeat(each, 4, axis=-2) for each in (outputs.scores, outputs.quality))
    scores, q = scores + 1e-3 * rng.normal(size=scores.shape), q + 1e-3 * rng.normal(size=q.shape)
    eight = replace(outputs, systems=tuple("ABCDEFGH"), scores=scores, quality=q)
    systems = [mean_r(np.delete(scores[0], each, axis=0), np.delete(q, each, axis=0)) for each in range(8)]
    assert error_of(input_level_intervals(eight)[0]) ** 2 > 2 * jackknifed(systems)


def test_raters_who_differ_make_an_interval_wider() -> None:
    same, severe = (made(6, 600, severity=each) for each in (0.0, 2.0))
    shares = []
    for outputs, ratings in (same, severe):
        known, given = (input_level_intervals(outputs, ratings=each)[0] for each in (ratings, None))
        assert isinstance(known, CorrelationInterval)
        assert isinstance(given, CorrelationInterval)
        assert (known.raters, given.raters) == (RATERS, 0)
        shares.append(known.standard_error / given.standard_error)
    assert 1 <= shares[0] < 1.05 < shares[1]


def of_raters(outputs: JudgedOutputs, ratings: GivenRatings) -> float:
    """Return what raters add to the variance for four systems, with each rating left out of its output's mean in turn.

    The only rating of an output counts by what it is above the mean of its system.
    """
    scores, q, step = outputs.scores[0], outputs.quality, 1e-6
    cells = np.zeros((RATERS, q.shape[1]))
    for system, place, one in np.argwhere(~np.isnan(ratings.points)):
        given = ratings.points[system, place]
        others = np.delete(given, one)
        without = np.nanmean(others) if not np.isnan(others).all() else q[system].mean() - given[one] + q[system, place]
        ends = []
        for sign in (1, -1):
            moved = q.copy()
            moved[system, place] += sign * step * (q[system, place] - without)
            ends.append(mean_r(scores, moved))
        cells[ratings.raters[system, place, one], place] += (ends[0] - ends[1]) / (2 * step)
    there = ~np.isnan(ratings.points)
    inputs = np.array([(there & (ratings.raters == each)).any(axis=(0, 2)).sum() for each in range(RATERS)])
    factor = (inputs**2).sum() / (inputs * (inputs - 1)).sum() * RATERS / (RATERS - 1)
    return float(factor * ((cells.sum(axis=1) ** 2).sum() - (cells**2).sum()))


@pytest.mark.parametrize("most", [1, 2, 3])
def test_what_raters_add_is_how_far_the_value_moves_without_their_ratings(most: int) -> None:
    outputs, ratings = made(4, 40, metrics=1, severity=2.0)
    points = ratings.points.copy()
    points[:, ::2, most:] = np.nan
    if most == 1:
        points[:, :, 1:] = np.nan
    rated = replace(outputs, quality=np.nanmean(points, axis=2))
    given = GivenRatings(points, ratings.raters)
    known, alone = (error_of(input_level_intervals(rated, ratings=each)[0]) for each in (given, None))
    expected = of_raters(rated, given)
    assert expected > 0
    assert known**2 - alone**2 == pytest.approx(expected, rel=1e-3)


def test_an_unknown_rater_or_a_single_one_is_taken_as_given() -> None:
    outputs, ratings = made(6, 50)
    unknown = ratings.raters.copy()
    unknown[2, 3, 1] = -1
    given = input_level_intervals(outputs)
    assert input_level_intervals(outputs, ratings=replace(ratings, raters=unknown)) == given
    assert input_level_intervals(outputs, ratings=replace(ratings, raters=np.zeros_like(unknown))) == given


def test_order_and_units_do_not_matter() -> None:
    outputs, ratings = made(6, 50, severity=0.8)
    one = input_level_intervals(outputs, ratings=ratings)
    places, inputs = [3, 1, 5, 0, 2, 4], np.random.default_rng(1).permutation(50)
    moved = replace(
        outputs, scores=7 * outputs.scores[:, places][:, :, inputs] - 3, quality=outputs.quality[places][:, inputs]
    )
    names: IntArray = 100 - ratings.raters[places][:, inputs]
    other = input_level_intervals(moved, ratings=GivenRatings(ratings.points[places][:, inputs], names))
    for before, after in zip(one, other, strict=True):
        assert isinstance(before, CorrelationInterval)
        assert isinstance(after, CorrelationInterval)
        assert (after.low, after.high) == pytest.approx((before.low, before.high))


def test_metrics_in_blocks_are_metrics_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs, ratings = made(6, 30, metrics=5)
    whole = input_level_intervals(outputs, ratings=ratings)
    monkeypatch.setattr("measures.meta_evaluation.correlation_intervals._BLOCK", 1)
    for alone, found in zip(input_level_intervals(outputs, ratings=ratings), whole, strict=True):
        assert error_of(alone) == pytest.approx(error_of(found))


def test_missing_outputs_leave_their_pairs() -> None:
    outputs, _ = made(6, 40, metrics=1)
    scores = outputs.scores.copy()
    scores[0, 5] = np.nan
    without = replace(outputs, scores=scores[:, :5], quality=outputs.quality[:5], systems=outputs.systems[:5])
    (found,) = input_level_intervals(replace(outputs, scores=scores))
    (expected,) = input_level_intervals(without)
    assert found == expected
    assert isinstance(found, CorrelationInterval)
    assert found.systems == 5


def test_an_interval_that_cannot_be_is_not_given() -> None:
    outputs, _ = made(6, 40, metrics=1)
    constant = replace(outputs, scores=np.ones_like(outputs.scores))
    assert input_level_intervals(constant) == (NOT_DEFINED,)
    assert input_level_intervals(replace(outputs, scores=outputs.quality[None] * 2)) == (PERFECT,)
    # Two systems with one text each way: the metric is right on both.
    two = JudgedOutputs(
        ("R",), ("A", "B"), ("x", "y"), np.array([[[1.0, 3.0], [0.0, 0.0]]]), np.array([[1.0, 2.0], [0, 0]])
    )
    assert input_level_intervals(two) == (PERFECT,)
    # Only the first system differs from any other.
    scores = outputs.scores.copy()
    scores[:, 1:] = scores[:, 1:2]
    assert input_level_intervals(replace(outputs, scores=scores)) == (ONE_SYSTEM_DECIDES,)


def test_over_systems_an_interval_needs_enough_of_them() -> None:
    for systems, method, reason in ((4, "pearson", TOO_FEW_SYSTEMS), (9, "kendall", TOO_FEW_RANKED)):
        (found, *_) = corpus_level(made(systems, 20)[0], method=method)  # type: ignore[arg-type]
        assert corpus_level_interval(found, method) == reason  # type: ignore[arg-type]
    (found, *_) = corpus_level(made(5, 20)[0])
    assert isinstance(found.r, float)
    ends = corpus_level_interval(found, "pearson")
    assert not isinstance(ends, Undefined)
    assert ends[0] < found.r < ends[1]
    assert corpus_level_interval(SystemCorrelation(1.0, 0.0, 12), "spearman") == PERFECT
