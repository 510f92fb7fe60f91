"""Does a metric of summaries say how people do in quizzes? Rank correlations over people, with texts set apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atanh, sqrt, tanh

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import FloatArray, IntArray
from measures.core.drawn_sources import source_draws
from measures.core.intervals import Interval
from measures.core.many_tests import holm
from measures.core.signed_rank import DECIMALS
from measures.core.undefined import Undefined
from measures.experiments.repeated_measures import DRAWS, LEAST_PEOPLE_DRAWN, TOO_FEW_DRAWN

FEW_PEOPLE = Undefined("fewer than 3 people")
FEW_BESIDE_TEXTS = Undefined("too few people for so many texts")
CONSTANT = Undefined("the metric or the score is the same for all")
CONSTANT_WITHIN = Undefined("the metric or the score is the same for all within each text")
PERFECT = Undefined("a text has a correlation of 1 or -1, which has no z")

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class MetricScores:
    """What a metric gives the summaries of people, beside their scores in the quiz.

    Attributes
    ----------
    name : str
        The metric, and the kinds of peers and models.
    metric, quiz : array_like of shape (n,)
        Value of the metric and score in the quiz of each person; people with a NaN are left out.
    texts : array_like of shape (n,)
        The text of each person.
    """

    name: str
    metric: npt.ArrayLike
    quiz: npt.ArrayLike
    texts: npt.ArrayLike


@dataclass(frozen=True)
class RankTest:
    """A rank correlation with its test.

    Attributes
    ----------
    rho : float
        The correlation, -1 to 1.
    interval : Interval or Undefined
        95% percentile interval over draws of people; undefined for fewer than 10.
    p : float
        Two-sided p-value by Student's t.
    holm : float
        The same by Holm over all metrics of the table that have one.
    """

    rho: float
    interval: Interval | Undefined
    p: float
    holm: float


@dataclass(frozen=True)
class TextCorrelation:
    """The correlation on one text.

    Attributes
    ----------
    text : int or str
        The text.
    rho : float or Undefined
        Spearman's correlation over its people.
    people : int
        How many there are.
    """

    text: int | str
    rho: float | Undefined
    people: int


@dataclass(frozen=True)
class MetricAgainstQuiz:
    """How far a metric of summaries goes with the scores of people in quizzes.

    Attributes
    ----------
    name : str
        As given.
    together : RankTest or Undefined
        Spearman's rho over all people, whatever their text.
    given_text : RankTest or Undefined
        The same of ranks less their mean on each text: the partial rho given the text.
    by_text : tuple of TextCorrelation
        Of each text, sorted.
    mean, z_mean : float or Undefined
        Mean of the correlations of the texts that have one, as the paper takes it, and by Fisher's z. They have no
        test.
    people, left_out : int
        Numbers of people, and of those without a value or a score.
    """

    name: str
    together: RankTest | Undefined
    given_text: RankTest | Undefined
    by_text: tuple[TextCorrelation, ...]
    mean: float | Undefined
    z_mean: float | Undefined
    people: int
    left_out: int


def metrics_against_quiz(
    metrics: Sequence[MetricScores], *, draws: int = DRAWS, seed: int
) -> tuple[MetricAgainstQuiz, ...]:
    """Correlate metrics of summaries with the scores of people in quizzes.

    Values are rounded to nine decimals and ties get midranks. The correlations over all people and those given the text
    are two families of tests, each with all metrics.

    Source: McCallum et al. 2012, §5.1, Table 4 (all people; mean of texts); Spearman 1904; Conover and Iman 1981 for
    ranks in place of values in a partial correlation.

    Parameters
    ----------
    metrics : sequence of MetricScores
        One for each metric, kind of peers and kind of models. A person stands once in each.
    draws : int, default 10_000
        Draws of people for the intervals, at least 1.
    seed : int
        Seed of the draws.

    Returns
    -------
    tuple of MetricAgainstQuiz
        One for each, in order.

    Raises
    ------
    ValueError
        If lengths differ, a value is infinite, or `draws` < 1.

    Examples
    --------
    >>> rng, text = np.random.default_rng(1), np.repeat([0, 1], 20)
    >>> quiz = 50 + 10 * rng.normal(size=40)
    >>> metric = quiz / 100 + 0.1 * rng.normal(size=40) + text
    >>> (found,) = metrics_against_quiz([MetricScores("R-1", metric, quiz, text)], seed=1)
    >>> round(found.together.rho, 2), round(found.given_text.rho, 2), round(found.mean, 2)
    (0.29, 0.64, 0.61)
    """
    if draws < 1:
        raise ValueError(f"draws must be at least 1, not {draws}")
    rows = [_Row.of(each) for each in metrics]
    together = _tests([_Ranks.together(row) for row in rows], draws, seed)
    given_text = _tests([_Ranks.given_text(row) for row in rows], draws, seed)
    return tuple(
        _against_quiz(each.name, row, *tests)
        for each, row, *tests in zip(metrics, rows, together, given_text, strict=True)
    )


@dataclass(frozen=True, eq=False)
class _Row:
    """The people with a value and a score: both, and their texts."""

    metric: FloatArray
    quiz: FloatArray
    labels: npt.NDArray[np.generic]
    text: IntArray
    left_out: int

    @classmethod
    def of(cls, scores: MetricScores) -> _Row:
        metric, quiz = (np.asarray(each, dtype=np.float64) for each in (scores.metric, scores.quiz))
        texts = np.asarray(scores.texts)
        if metric.ndim != 1 or not metric.shape == quiz.shape == texts.shape:
            raise ValueError(f"{scores.name}: metric, quiz and texts must be of one length")
        if np.isinf(metric).any() or np.isinf(quiz).any():
            raise ValueError(f"{scores.name}: values must be finite or NaN")
        known = ~(np.isnan(metric) | np.isnan(quiz))
        labels, text = np.unique(texts[known], return_inverse=True)
        return cls(
            metric=np.round(metric[known], DECIMALS),
            quiz=np.round(quiz[known], DECIMALS),
            labels=labels,
            text=np.asarray(text, dtype=np.int64).reshape(-1),
            left_out=int((~known).sum()),
        )


@dataclass(frozen=True, eq=False)
class _Ranks:
    """What a correlation of ranks is computed from: the people and how many groups their ranks are centred in."""

    row: _Row
    text: IntArray
    groups: int
    constant: Undefined

    @classmethod
    def together(cls, row: _Row) -> _Ranks:
        return cls(row, np.zeros_like(row.text), 1, CONSTANT)

    @classmethod
    def given_text(cls, row: _Row) -> _Ranks:
        return cls(row, row.text, max(1, len(row.labels)), CONSTANT_WITHIN)

    def rho(self, weights: FloatArray) -> FloatArray:
        """Return the correlation, for each row of how often each person was drawn; NaN where one side is constant."""
        x, y = (self._centred(each, weights) for each in (self.row.metric, self.row.quiz))
        xx, yy, xy = ((weights * one * other).sum(axis=1) for one, other in ((x, x), (y, y), (x, y)))
        varies = np.minimum(xx, yy) > _ROUNDING * weights.shape[1]
        return np.where(varies, np.clip(xy / np.sqrt(np.where(varies, xx * yy, 1.0)), -1, 1), np.nan)

    def _centred(self, values: FloatArray, weights: FloatArray) -> FloatArray:
        """Return midranks of the people as drawn, less the mean of those of the same group."""
        _, level = np.unique(values, return_inverse=True)
        of_level = np.asarray(level.reshape(-1)[:, None] == np.arange(int(level.max()) + 1), dtype=np.float64)
        counts = weights @ of_level
        ranks = (counts.cumsum(axis=1) - counts / 2 + 0.5)[:, level.reshape(-1)]
        of_group = np.asarray(self.text[:, None] == np.arange(self.groups), dtype=np.float64)
        sizes = weights @ of_group
        means = ((weights * ranks) @ of_group) / np.where(sizes > 0, sizes, 1.0)
        return np.asarray(ranks - means[:, self.text])

    @property
    def people(self) -> int:
        return len(self.row.quiz)

    def test(self, draws: int, seed: int) -> tuple[float, float, Interval | Undefined] | Undefined:
        """Return the correlation, its p and its interval."""
        df = self.people - self.groups - 1
        if self.people < 3:
            return FEW_PEOPLE
        if df < 1:
            return FEW_BESIDE_TEXTS
        rho = float(self.rho(np.ones((1, self.people)))[0])
        if np.isnan(rho):
            return self.constant
        left = 1 - rho * rho
        p = float(2 * scipy.stats.t.sf(abs(rho) * sqrt(df / left), df)) if left > 0 else 0.0
        return rho, p, self._interval(draws, seed)

    def _interval(self, draws: int, seed: int) -> Interval | Undefined:
        if self.people < LEAST_PEOPLE_DRAWN:
            return TOO_FEW_DRAWN
        found = np.concatenate([self.rho(times) for times in source_draws(self.people, draws, seed)])
        return Interval.of(found[~np.isnan(found)])


def _tests(of: Sequence[_Ranks], draws: int, seed: int) -> list[RankTest | Undefined]:
    found = [each.test(draws, seed) for each in of]
    adjusted = holm([np.nan if isinstance(each, Undefined) else each[1] for each in found]).tolist()
    return [
        each if isinstance(each, Undefined) else RankTest(each[0], each[2], each[1], p)
        for each, p in zip(found, adjusted, strict=True)
    ]


def _against_quiz(
    name: str, row: _Row, together: RankTest | Undefined, given_text: RankTest | Undefined
) -> MetricAgainstQuiz:
    by_text = tuple(_of_text(row, number, label) for number, label in enumerate(row.labels.tolist()))
    known = [each.rho for each in by_text if not isinstance(each.rho, Undefined)]
    mean: float | Undefined = float(np.mean(known)) if known else CONSTANT_WITHIN
    return MetricAgainstQuiz(
        name=name,
        together=together,
        given_text=given_text,
        by_text=by_text,
        mean=mean,
        z_mean=_z_mean(known) if known else mean,
        people=len(row.quiz),
        left_out=row.left_out,
    )


def _of_text(row: _Row, number: int, label: int | str) -> TextCorrelation:
    own = row.text == number
    people = int(own.sum())
    if people < 3:
        return TextCorrelation(label, FEW_PEOPLE, people)
    only = _Row(row.metric[own], row.quiz[own], row.labels[[number]], np.zeros(people, dtype=np.int64), 0)
    rho = float(_Ranks.together(only).rho(np.ones((1, people)))[0])
    return TextCorrelation(label, CONSTANT if np.isnan(rho) else rho, people)


def _z_mean(rhos: Sequence[float]) -> float | Undefined:
    if max(abs(each) for each in rhos) > 1 - _ROUNDING:
        return PERFECT
    return tanh(float(np.mean([atanh(each) for each in rhos])))
