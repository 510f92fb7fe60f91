"""Correlation of metrics with a judgement at the level of inputs: of differences between two systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.judged_outputs import JudgedOutputs, SystemDifferences
from measures.meta_evaluation.system_differences import Missing

OverPairs: TypeAlias = Literal["mean", "fisher", "pooled"]
"""How the correlations of the pairs of systems become one number of a metric."""

FEW_INPUTS = Undefined("the two systems share fewer than 2 inputs with all that is compared")
CONSTANT_QUALITY = Undefined("the difference in quality is the same for every input")
CONSTANT_METRIC = Undefined("the difference in the metric is the same for every input")
NO_VALUES = Undefined("the metric has no values for this pair of systems")
ONE_SYSTEM = Undefined("there are fewer than 2 systems")
NO_PAIR = Undefined("the correlation is not defined for any pair of systems")
NEVER_DIFFERENT = Undefined("the metric or the quality never differs between two systems")


@dataclass(frozen=True, eq=False)
class InputLevel:
    """Correlations of every metric with the judgement, on every pair of systems.

    Attributes
    ----------
    metrics : tuple of str
        Names of the metrics.
    pairs : tuple of tuple of str
        Names of the two systems of each pair.
    r : FloatArray of shape (m, p)
        Pearson's correlation over inputs of the difference in each metric with that in quality; NaN where undefined.
    between : FloatArray of shape (p, m, m)
        The same of each metric with each other metric.
    inputs : IntArray of shape (p,)
        Number of inputs on which each pair is compared.
    pooled : FloatArray of shape (m,)
        Correlation over all differences of all pairs, each also with its sign turned; NaN where undefined.
    constant_quality : BoolArray of shape (p,)
        Whether the difference in quality is the same for every input of the pair.
    no_values : BoolArray of shape (m, p)
        Whether a metric has no values for the pair.
    """

    metrics: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    r: FloatArray
    between: FloatArray
    inputs: IntArray
    pooled: FloatArray
    constant_quality: BoolArray
    no_values: BoolArray

    def at(self, metric: int, pair: int) -> float | Undefined:
        """Return the correlation of one metric on one pair, or why there is none."""
        if not np.isnan(self.r[metric, pair]):
            return float(self.r[metric, pair])
        if self.inputs[pair] < 2:
            return FEW_INPUTS
        if self.no_values[metric, pair]:
            return NO_VALUES
        return CONSTANT_QUALITY if self.constant_quality[pair] else CONSTANT_METRIC

    def over_pairs(self, metric: int, how: OverPairs = "mean") -> float | Undefined:
        """Return one number of a metric.

        Parameters
        ----------
        metric : int
            Place of the metric.
        how : {"mean", "fisher", "pooled"}
            The mean of the defined correlations; the mean on Fisher's scale; or the correlation of all differences
            of all pairs together, each also with its sign turned ("pairwise difference Pearson").

        Returns
        -------
        float or Undefined
            The number, -1 to 1; undefined if no pair has a correlation, or nothing ever differs.
        """
        if how == "pooled":
            pooled = self.pooled[metric]
            return NEVER_DIFFERENT if np.isnan(pooled) else float(pooled)
        known = self.r[metric][~np.isnan(self.r[metric])]
        if not len(known):
            return on_no_pair([self.at(metric, pair) for pair in range(len(self.pairs))])
        if how == "mean":
            return float(known.mean())
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = float(np.tanh(np.arctanh(known).mean()))
        return Undefined("correlations of 1 and of -1 have no mean on Fisher's scale") if np.isnan(mean) else mean

    def least_inputs(self, metric: int | None = None) -> int:
        """Return the inputs of the smallest pair on which a metric, or any, has a correlation; 0 if there is none."""
        defined = ~np.isnan(self.r)
        chosen = defined.any(axis=0) if metric is None else defined[metric]
        return int(self.inputs[chosen].min()) if chosen.any() else 0

    @property
    def means(self) -> FloatArray:
        """Mean correlation of each metric over its defined pairs, of shape (m,); NaN where there is none."""
        known = ~np.isnan(self.r)
        count = known.sum(axis=1)
        return np.where(count > 0, np.where(known, self.r, 0).sum(axis=1) / np.maximum(count, 1), np.nan)


def on_no_pair(reasons: Sequence[float | Undefined]) -> Undefined:
    """Return why there is nothing to average over pairs of systems.

    Parameters
    ----------
    reasons : sequence of (float or Undefined)
        Why the value of each pair is undefined.

    Returns
    -------
    Undefined
        The reason that all pairs share, if there is one.

    Examples
    --------
    >>> on_no_pair([]).reason, on_no_pair([NO_VALUES, CONSTANT_METRIC]).reason
    ('there are fewer than 2 systems', 'the correlation is not defined for any pair of systems')
    """
    if not reasons:
        return ONE_SYSTEM
    first = reasons[0]
    return first if isinstance(first, Undefined) and all(each == first for each in reasons) else NO_PAIR


def input_level(outputs: JudgedOutputs, *, missing: Missing = "by pair") -> InputLevel:
    """Correlate differences between two systems in metrics with those in quality, for every pair of systems.

    One matrix product for each pair: time is of order p m² n.

    Source: Toutanova et al. 2016, §4.3.2; Galley et al. 2015, "deltaBLEU". Pooled: ``pdp`` of mt-metrics-eval.

    Parameters
    ----------
    outputs : JudgedOutputs
        Scores and quality.
    missing : {"by pair", "complete"}
        Which inputs a pair is compared on.

    Returns
    -------
    InputLevel
        The correlations.

    Examples
    --------
    >>> scores = np.array([[[0.1, 0.4, 0.2, 0.5], [0.3, 0.5, 0.9, 0.2]], [[0.5] * 4, [0.5] * 4]])
    >>> quality = np.array([[1, 2, 2, 3], [2, 3, 3, 1.0]])
    >>> level = input_level(JudgedOutputs(("R", "C"), ("A", "B"), ("w", "x", "y", "z"), scores, quality))
    >>> round(level.at(0, 0), 3), level.at(1, 0)
    (0.77, Undefined(reason='the difference in the metric is the same for every input'))
    """
    metrics, pairs = len(outputs.metrics), len(outputs.pairs)
    between, r = np.full((pairs, metrics, metrics), np.nan), np.full((metrics, pairs), np.nan)
    inputs, constant = np.zeros(pairs, dtype=np.int64), np.zeros(pairs, dtype=bool)
    no_values, squares = np.zeros((metrics, pairs), dtype=bool), np.zeros((metrics, 3))
    differences = outputs.pair_differences(missing=missing)
    for place in range(pairs):
        difference = SystemDifferences.of(differences, place)
        both = np.vstack([difference.scores, difference.quality])
        inputs[place] = len(difference.inputs)
        if not inputs[place]:
            continue
        no_values[:, place] = np.isnan(difference.scores).any(axis=1)
        together = _correlations(both)
        between[place], r[:, place] = together[:-1, :-1], together[:-1, -1]
        constant[place] = np.ptp(difference.quality) == 0
        products = (both[:-1] @ both[-1], (both[:-1] ** 2).sum(axis=1), np.full(metrics, both[-1] @ both[-1]))
        squares += np.where(no_values[:, place, None], 0, np.stack(products, axis=1))
    size = np.sqrt(squares[:, 1] * squares[:, 2])
    pooled = np.where(size > 0, squares[:, 0] / np.where(size > 0, size, 1), np.nan)
    return InputLevel(outputs.metrics, outputs.pair_names, r, between, inputs, pooled, constant, no_values)


def _correlations(rows: FloatArray) -> FloatArray:
    """Correlate rows with each other; NaN for constant rows and rows with NaN."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    # Rounding may leave a constant row a little off its mean.
    centred[np.ptp(rows, axis=1) == 0] = 0
    norms = np.sqrt((centred**2).sum(axis=1))
    norms[norms == 0] = np.nan
    standard = centred / norms[:, None]
    correlations: FloatArray = np.clip(standard @ standard.T, -1, 1)
    return correlations
