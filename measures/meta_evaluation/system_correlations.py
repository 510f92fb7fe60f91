"""Correlation of metrics with a judgement at the level of systems, and tests of systems against each other."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

import numpy as np
import scipy

from measures.core.arrays import FloatArray, IntArray
from measures.core.many_tests import holm
from measures.core.signed_rank import signed_rank
from measures.core.undefined import Undefined
from measures.meta_evaluation.judged_outputs import JudgedOutputs
from measures.meta_evaluation.system_differences import (
    SCORE_DECIMALS,
    PairDifferences,
    pair_differences,
    system_pairs,
)

Of: TypeAlias = Literal["judged", "all"]
"""Which outputs a metric is averaged over: those with a quality, or all that it has a score for."""

Correlation: TypeAlias = Literal["pearson", "spearman", "kendall"]

LEAST_SYSTEMS_FOR_P = 5
# Differences that are tested at a time: as many metrics as this allows.
_BLOCK = 2_000_000

FEW_SYSTEMS = Undefined("there are fewer than 2 systems with a score and a quality")
CONSTANT = Undefined("the means of all systems are the same")
TWO_SYSTEMS = Undefined("two systems: only whether the order agrees")
NO_P = Undefined("below 5 systems no p-value can be small enough to tell anything")
NO_SHARED = Undefined("the two systems share no input")
ONE_SHARED = Undefined("the two systems share only one input")
SAME_DIFFERENCE = Undefined("the difference is the same for every input")


@dataclass(frozen=True)
class SystemCorrelation:
    """Correlation of the means of systems in a metric with those in quality.

    Attributes
    ----------
    r : float or Undefined
        The correlation, -1 to 1.
    p : float or Undefined
        Two-sided p-value; undefined below 5 systems.
    systems : int
        Number of systems.
    same_order : bool or None
        Of two systems, whether the scores put the same one first: all that a correlation of 1 or -1 would say.
    """

    r: float | Undefined
    p: float | Undefined
    systems: int
    same_order: bool | None = None


@dataclass(frozen=True, eq=False)
class SystemTests:
    """Tests of every two systems by one or several scores (a row each).

    Attributes
    ----------
    inputs : IntArray of shape (k, p)
        Number of inputs that the two systems share.
    difference : FloatArray of shape (k, p)
        Mean difference, first minus second; NaN without shared inputs.
    t, t_p, t_holm : FloatArray of shape (k, p)
        Paired t test: statistic, two-sided p-value, and p adjusted over the pairs of systems; NaN where undefined.
    wilcoxon_p, wilcoxon_holm : FloatArray of shape (k, p)
        Wilcoxon's signed-rank test: two-sided p-value, and p adjusted over the pairs of systems; NaN where undefined.
    """

    inputs: IntArray
    difference: FloatArray
    t: FloatArray
    t_p: FloatArray
    t_holm: FloatArray
    wilcoxon_p: FloatArray
    wilcoxon_holm: FloatArray

    def t_at(self, score: int, pair: int) -> float | Undefined:
        """Return the statistic of the paired t test, or why there is none."""
        if not np.isnan(self.t[score, pair]):
            return float(self.t[score, pair])
        shared = int(self.inputs[score, pair])
        return NO_SHARED if not shared else ONE_SHARED if shared == 1 else SAME_DIFFERENCE


def system_means(outputs: JudgedOutputs, of: Of = "judged") -> tuple[FloatArray, FloatArray]:
    """Average scores and quality of each system.

    Source: "all" is of Deutsch et al. 2022, "Re-examining system-level correlations of automatic summarization
    evaluation metrics": a metric's mean over every output there is, the quality's over what people judged.

    Parameters
    ----------
    outputs : JudgedOutputs
        Scores and quality.
    of : {"judged", "all"}
        Average a metric over the outputs with a quality, or over all that it has a score for.

    Returns
    -------
    scores : FloatArray of shape (m, s)
        Mean of each metric for each system, NaN where it has no value.
    quality : FloatArray of shape (s,)
        Mean quality of each system.

    Examples
    --------
    >>> outputs = JudgedOutputs(("R",), ("A",), ("x", "y"), np.array([[[0.1, 0.5]]]), np.array([[2, np.nan]]))
    >>> [system_means(outputs, of)[0].tolist() for of in ("judged", "all")]
    [[[0.1]], [[0.3]]]
    """
    judged = ~np.isnan(outputs.quality)
    scores = np.where(judged, outputs.scores, np.nan) if of == "judged" else outputs.scores
    return _means(scores), _means(outputs.quality)


def corpus_level(
    outputs: JudgedOutputs, *, method: Correlation = "pearson", of: Of = "judged"
) -> list[SystemCorrelation]:
    """Correlate the means of systems in each metric with their means in quality.

    Source: Toutanova et al. 2016, §4.3.1.

    Parameters
    ----------
    outputs : JudgedOutputs
        Scores and quality.
    method : {"pearson", "spearman", "kendall"}
        Kendall's is tau-b.
    of : {"judged", "all"}
        As for `system_means`.

    Returns
    -------
    list of SystemCorrelation
        One for each metric.

    Examples
    --------
    >>> quality = np.array([[1, 2], [2, 3], [1, 1.0]])
    >>> outputs = JudgedOutputs(("R",), tuple("ABC"), ("x", "y"), np.array([quality**2]), quality)
    >>> (found,) = corpus_level(outputs, method="spearman")
    >>> found.r, found.p.reason
    (1.0, 'below 5 systems no p-value can be small enough to tell anything')
    """
    scores, quality = system_means(outputs, of)
    return [system_correlation(row, quality, method) for row in scores]


def system_correlation(scores: FloatArray, quality: FloatArray, method: Correlation = "pearson") -> SystemCorrelation:
    """Correlate the mean scores of systems with their mean quality.

    Parameters
    ----------
    scores, quality : FloatArray of shape (s,)
        Means of each system; those with a NaN are left out.
    method : {"pearson", "spearman", "kendall"}
        Kendall's is tau-b.

    Returns
    -------
    SystemCorrelation
        The correlation, undefined with two systems or fewer, or if all have the same mean.

    Examples
    --------
    >>> system_correlation(np.array([0.1, 0.3, 0.2]), np.array([1, 3, 3.0]), "kendall").r.__round__(3)
    0.816
    """
    known = ~np.isnan(scores) & ~np.isnan(quality)
    x, y = np.round(scores[known], SCORE_DECIMALS), np.round(quality[known], SCORE_DECIMALS)
    count = len(x)
    if count < 2:
        return SystemCorrelation(FEW_SYSTEMS, FEW_SYSTEMS, count)
    if not np.ptp(x) or not np.ptp(y):
        return SystemCorrelation(CONSTANT, CONSTANT, count)
    if count == 2:
        return SystemCorrelation(TWO_SYSTEMS, TWO_SYSTEMS, count, bool((x[0] < x[1]) == (y[0] < y[1])))
    tests = {"pearson": scipy.stats.pearsonr, "spearman": scipy.stats.spearmanr, "kendall": scipy.stats.kendalltau}
    found = tests[method](x, y)
    p = float(found.pvalue) if count >= LEAST_SYSTEMS_FOR_P else NO_P
    return SystemCorrelation(float(found.statistic), p, count)


def system_tests(outputs: JudgedOutputs) -> tuple[SystemTests, SystemTests]:
    """Test every two systems by the quality and by each metric, on the inputs where both have it and the quality.

    Parameters
    ----------
    outputs : JudgedOutputs
        Scores and quality.

    Returns
    -------
    quality : SystemTests
        One row: the judgement.
    metrics : SystemTests
        A row for each metric.

    Examples
    --------
    >>> quality = np.array([[1, 2, 1, 2], [2, 3, 2, 3.5]])
    >>> scores = np.array([[[1, 2, 3, 4.0], [2, 3, 4, 5]]])
    >>> people, metrics = system_tests(JudgedOutputs(("R",), ("A", "B"), tuple("wxyz"), scores, quality))
    >>> people.t_at(0, 0), metrics.t_at(0, 0).reason, float(metrics.wilcoxon_p[0, 0])
    (-9.0, 'the difference is the same for every input', 0.125)
    """
    found = pair_differences(outputs.scores[:0], outputs.quality)
    quality = np.where(found.used, found.quality, np.nan)
    step = max(1, _BLOCK // max(1, quality.size))
    starts = range(0, max(1, len(outputs.scores)), step)
    blocks = [_tested(_rows(outputs.scores[start : start + step], outputs.quality)) for start in starts]
    joined = {each.name: np.concatenate([getattr(one, each.name) for one in blocks]) for each in fields(SystemTests)}
    return _tested(quality[None]), SystemTests(**joined)


def _rows(scores: FloatArray, quality: FloatArray) -> FloatArray:
    """Return the differences of each metric for every pair of systems."""
    rows = [_row(pair_differences(each[None], quality)) for each in scores]
    return np.array(rows).reshape(len(rows), len(system_pairs(len(quality))), quality.shape[1])


def _row(found: PairDifferences) -> FloatArray:
    """Return the differences in the only metric, NaN where it or the quality is missing."""
    return np.where(found.used & found.scored[0, :, None], found.scores[0], np.nan)


def _tested(differences: FloatArray) -> SystemTests:
    known = ~np.isnan(differences)
    count = known.sum(axis=-1)
    mean = _means(differences)
    squares = np.where(known, (differences - mean[..., None]) ** 2, 0).sum(axis=-1)
    largest = np.where(known, differences, -np.inf).max(axis=-1, initial=-np.inf)
    varies = (count > 1) & (largest > np.where(known, differences, np.inf).min(axis=-1, initial=np.inf))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(varies, mean / np.sqrt(squares / (count - 1) / count), np.nan)
        p = 2 * scipy.special.stdtr(np.maximum(count - 1, 1), -np.abs(t))
    ranks = signed_rank(differences, decimals=SCORE_DECIMALS).p
    return SystemTests(count, mean, t, p, _over_pairs(p), ranks, _over_pairs(ranks))


def _over_pairs(p: FloatArray) -> FloatArray:
    return np.array([holm(row) for row in p]).reshape(p.shape)


def _means(values: FloatArray) -> FloatArray:
    """Average over the last axis, without NaN."""
    known = ~np.isnan(values)
    count = known.sum(axis=-1)
    return np.where(count > 0, np.where(known, values, 0).sum(axis=-1) / np.maximum(count, 1), np.nan)
