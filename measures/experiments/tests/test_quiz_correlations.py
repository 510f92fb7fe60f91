"""Metrics against quizzes: SciPy's rho, plain partial correlations and plain draws."""

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from measures.core.drawn_sources import source_draws
from measures.core.intervals import Interval
from measures.core.many_tests import holm
from measures.core.undefined import Undefined
from measures.experiments.quiz_correlations import (
    CONSTANT,
    CONSTANT_WITHIN,
    FEW_BESIDE_TEXTS,
    FEW_PEOPLE,
    PERFECT,
    MetricAgainstQuiz,
    MetricScores,
    RankTest,
    metrics_against_quiz,
)
from measures.experiments.repeated_measures import TOO_FEW_DRAWN


def drawn(seed: int, people: int = 48, points: int = 12) -> MetricScores:
    rng = np.random.default_rng(seed)
    texts = np.repeat(np.arange(4), people // 4)
    quiz = rng.integers(0, points, people) + 2 * texts
    metric = np.round(quiz / 10 + rng.normal(size=people) - texts, 1)
    return MetricScores(f"R-{seed}", metric, quiz, texts)


def found(*metrics: MetricScores, draws: int = 5) -> tuple[MetricAgainstQuiz, ...]:
    return metrics_against_quiz(metrics, draws=draws, seed=1)


def defined(test: RankTest | Undefined) -> RankTest:
    assert isinstance(test, RankTest)
    return test


def partial(scores: MetricScores) -> float:
    """Correlation of what is left of the ranks when the texts are known, by least squares."""
    columns = (np.asarray(scores.texts)[:, None] == np.unique(scores.texts)).astype(float)

    def left(values: object) -> np.ndarray:
        ranks = scipy.stats.rankdata(np.asarray(values))
        return np.asarray(ranks - columns @ np.linalg.lstsq(columns, ranks, rcond=None)[0])

    return float(np.corrcoef(left(scores.metric), left(scores.quiz))[0, 1])


@given(st.integers(0, 200))
def test_rho_and_p_are_those_of_scipy(seed: int) -> None:
    scores = drawn(seed)
    (each,) = found(scores)
    theirs = scipy.stats.spearmanr(scores.metric, scores.quiz)
    one = defined(each.together)
    assert (one.rho, one.p) == pytest.approx(tuple(theirs))
    rhos = []
    for place, text in enumerate(each.by_text):
        own = np.asarray(scores.texts) == place
        rhos.append(scipy.stats.spearmanr(np.asarray(scores.metric)[own], np.asarray(scores.quiz)[own]).statistic)
        assert (text.text, text.people) == (place, 12)
        assert text.rho == pytest.approx(rhos[-1])
    assert each.mean == pytest.approx(np.mean(rhos))
    assert each.z_mean == pytest.approx(np.tanh(np.mean(np.arctanh(rhos))))


@given(st.integers(0, 200))
def test_the_partial_rho_is_that_beside_the_texts(seed: int) -> None:
    scores = drawn(seed)
    one = defined(found(scores)[0].given_text)
    rho = partial(scores)
    assert one.rho == pytest.approx(rho)
    assert one.p == pytest.approx(2 * scipy.stats.t.sf(abs(rho) * np.sqrt(43 / (1 - rho**2)), 43))


def test_intervals_are_those_of_plain_draws() -> None:
    scores = drawn(3, people=16, points=4)
    (each,) = found(scores, draws=40)
    plain: tuple[list[float], list[float]] = ([], [])
    (draws,) = source_draws(16, 40, 1)
    for times in draws.astype(int):
        again = MetricScores(
            "", *(np.repeat(np.asarray(one), times) for one in (scores.metric, scores.quiz, scores.texts))
        )
        plain[0].append(scipy.stats.spearmanr(again.metric, again.quiz).statistic)
        plain[1].append(partial(again))
    for test, values in zip((each.together, each.given_text), plain, strict=True):
        own, of_loop = defined(test).interval, Interval.of(np.array(values))
        assert isinstance(own, Interval)
        assert (own.low, own.high, own.mean) == pytest.approx((of_loop.low, of_loop.high, of_loop.mean))


def test_all_metrics_are_one_family_and_undefined_ones_do_not_count() -> None:
    constant = MetricScores("constant", np.ones(48), drawn(1).quiz, drawn(1).texts)
    rows = found(*(drawn(seed) for seed in range(4)), constant)
    for name in ("together", "given_text"):
        tests = [defined(getattr(row, name)) for row in rows[:4]]
        assert [test.holm for test in tests] == pytest.approx(holm([test.p for test in tests]).tolist())
    assert (rows[4].together, rows[4].given_text) == (CONSTANT, CONSTANT_WITHIN)
    assert (rows[4].mean, rows[4].z_mean) == (CONSTANT_WITHIN, CONSTANT_WITHIN)
    assert {text.rho for text in rows[4].by_text} == {CONSTANT}


def test_who_has_no_value_is_left_out_and_few_people_have_no_test() -> None:
    scores = drawn(2)
    gaps = np.where(np.arange(48) < 2, np.nan, scores.metric)
    (each,) = found(MetricScores("gaps", gaps, scores.quiz, scores.texts))
    (kept,) = found(*(MetricScores("", *(np.asarray(one)[2:] for one in (scores.metric, scores.quiz, scores.texts))),))
    assert (each.people, each.left_out, each.together) == (46, 2, kept.together)
    (few,) = found(MetricScores("few", [1, 2], [1, 2], [1, 2]))
    assert (few.together, few.mean, few.by_text[0].rho) == (FEW_PEOPLE, CONSTANT_WITHIN, FEW_PEOPLE)
    (own,) = found(MetricScores("own", [1, 3, 2], [1, 2, 4], ["a", "b", "c"]))
    assert own.given_text == FEW_BESIDE_TEXTS
    assert defined(own.together).interval == TOO_FEW_DRAWN
    (none,) = found(MetricScores("none", [], [], []))
    assert (none.people, none.together) == (0, FEW_PEOPLE)


def test_a_perfect_text_has_no_z() -> None:
    (each,) = found(MetricScores("same", [1, 2, 3, 4], [1, 2, 3, 4], [0, 0, 0, 0]))
    assert defined(each.together).p == 0
    assert (each.mean, each.z_mean) == (1, PERFECT)


def test_wrong_input_names_the_metric() -> None:
    for metric, quiz, message in (([1], [1, 2], "R: metric, quiz"), ([1, np.inf], [1, 2], "R: values must be finite")):
        with pytest.raises(ValueError, match=message):
            found(MetricScores("R", metric, quiz, [0, 0]))
    with pytest.raises(ValueError, match="at least 1"):
        found(drawn(1), draws=0)
