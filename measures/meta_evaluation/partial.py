"""Correlation of metrics with a judgement once the lengths of the outputs are accounted for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.difference_correlations import InputLevel, input_level, on_no_pair
from measures.meta_evaluation.dominating_metrics import Dominance, dominance
from measures.meta_evaluation.judged_outputs import JudgedOutputs
from measures.meta_evaluation.system_differences import Missing
from measures.meta_evaluation.williams import williams_tests

LENGTH = "length of the output"
NO_LENGTHS = Undefined("the lengths of the outputs are not known")
SAME_LENGTHS = Undefined("the difference in length is the same for every input")
NOTHING_LEFT = Undefined("the difference in length gives that in the metric or in quality completely")
_NOTHING = 1e-12


@dataclass(frozen=True, eq=False)
class PartialLevel:
    """Partial correlations of every metric with the judgement, on every pair of systems, given the lengths.

    Attributes
    ----------
    level : InputLevel
        The plain correlations, with the length as the last metric.
    r : FloatArray of shape (m, p)
        Partial correlations; NaN where undefined.
    """

    level: InputLevel
    r: FloatArray

    def at(self, metric: int, pair: int) -> float | Undefined:
        """Return the partial correlation of one metric on one pair, or why there is none."""
        if not np.isnan(self.r[metric, pair]):
            return float(self.r[metric, pair])
        plain, length = self.level.at(metric, pair), self.level.at(len(self.r), pair)
        if isinstance(plain, Undefined):
            return plain
        return SAME_LENGTHS if isinstance(length, Undefined) else NOTHING_LEFT

    def over_pairs(self, metric: int) -> float | Undefined:
        """Return the mean of the defined partial correlations of a metric; if no pair has one, why."""
        known = self.r[metric][~np.isnan(self.r[metric])]
        if len(known):
            return float(known.mean())
        return on_no_pair([self.at(metric, pair) for pair in range(len(self.level.pairs))])


class BesideLength(NamedTuple):
    """A metric beside the length of the output, which a metric should do better than.

    Attributes
    ----------
    metric : str
        Name of the metric.
    r, r_length, partial : float or Undefined
        Mean correlation over the pairs of systems of the metric, of the length, and of the metric given the length.
    not_better : bool or Undefined
        Whether the metric does not dominate the length; undefined if one of the two has no correlation, or if they
        cannot be compared and the metric has the larger one.
    """

    metric: str
    r: float | Undefined
    r_length: float | Undefined
    partial: float | Undefined
    not_better: bool | Undefined


def partial_input_level(outputs: JudgedOutputs, *, missing: Missing = "by pair") -> PartialLevel | Undefined:
    """Correlate differences in metrics with those in quality given the difference in length.

    Parameters
    ----------
    outputs : JudgedOutputs
        Scores, quality and lengths; a pair is compared on the inputs where the lengths are also known.
    missing : {"by pair", "complete"}
        Which inputs a pair is compared on.

    Returns
    -------
    PartialLevel or Undefined
        Partial correlations; undefined without lengths.

    Examples
    --------
    >>> scores, lengths = np.array([[[0.1, 0.4, 0.2, 0.5], [0.3, 0.5, 0.9, 0.2]]]), np.array([[5, 6, 7, 9], [5.0] * 4])
    >>> quality = np.array([[1, 2, 2, 3], [2, 3, 3, 1.0]])
    >>> outputs = JudgedOutputs(("R",), ("A", "B"), tuple("wxyz"), scores, quality, lengths)
    >>> round(partial_input_level(outputs).at(0, 0), 3)
    0.895
    >>> partial_input_level(replace(outputs, lengths=lengths[[1, 1]])).over_pairs(0).reason
    'the difference in length is the same for every input'
    """
    if outputs.lengths is None:
        return NO_LENGTHS
    level = _with_lengths(outputs, outputs.lengths, missing)
    return PartialLevel(level, _partial(level))


def beside_length(outputs: JudgedOutputs, *, missing: Missing = "by pair") -> tuple[BesideLength, ...] | Undefined:
    """Say which metrics are not better than the length of the output, by the rule of dominance.

    Parameters
    ----------
    outputs : JudgedOutputs
        Scores, quality and lengths; longer counts as better.
    missing : {"by pair", "complete"}
        Which inputs a pair is compared on.

    Returns
    -------
    tuple of BesideLength or Undefined
        One for each metric; undefined without lengths.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> quality, lengths = rng.normal(size=(3, 60)), rng.normal(size=(3, 60))
    >>> scores = np.array([quality, lengths]) + 0.2 * rng.normal(size=(2, 3, 60))
    >>> names = tuple(f"{number:02}" for number in range(60))
    >>> found = beside_length(JudgedOutputs(("R", "S"), tuple("ABC"), names, scores, quality, lengths))
    >>> [(each.metric, each.not_better) for each in found]
    [('R', False), ('S', True)]
    """
    found = partial_input_level(outputs, missing=missing)
    if isinstance(found, Undefined):
        return found
    compared, length = dominance(williams_tests(found.level)), found.level.over_pairs(len(outputs.metrics))
    rows = []
    for place, metric in enumerate(outputs.metrics):
        r = found.level.over_pairs(place)
        rows.append(BesideLength(metric, r, length, found.over_pairs(place), _not_better(compared, place, r, length)))
    return tuple(rows)


def _not_better(compared: Dominance, metric: int, r: float | Undefined, length: float | Undefined) -> bool | Undefined:
    if isinstance(r, Undefined):
        return r
    if isinstance(length, Undefined):
        return length
    share = compared.share_won(metric, -1)
    if isinstance(share, Undefined):
        # Such as the length itself; or a metric that follows it and the quality without any error.
        return share if r > length + _NOTHING else True
    return not compared.dominates[metric, -1]


def _with_lengths(outputs: JudgedOutputs, lengths: FloatArray, missing: Missing) -> InputLevel:
    """Return the correlations at input level with the length as one more metric, the last one."""
    scores = np.concatenate([outputs.scores, lengths[None]])
    return input_level(replace(outputs, metrics=(*outputs.metrics, LENGTH), scores=scores), missing=missing)


def _partial(level: InputLevel) -> FloatArray:
    length, own, other = level.r[-1], level.between[:, :-1, -1].T, level.r[:-1]
    left = (1 - own**2) * (1 - length**2)
    possible = left > _NOTHING
    return np.where(possible, (other - own * length) / np.sqrt(np.where(possible, left, 1)), np.nan)
