"""Which metrics are better than others on nearly all pairs of systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.many_tests import benjamini_hochberg, holm, partial_conjunction
from measures.core.undefined import Undefined
from measures.meta_evaluation.williams import WilliamsTests

ALPHA = 0.05
SHARE = 0.8
# A share of .8 of 5 pairs is 4, whatever binary fractions make of it.
_ROUNDING = 1e-9

NO_PAIR = Undefined("the two metrics cannot be compared on any pair of systems")


@dataclass(frozen=True, eq=False)
class Dominance:
    """How metrics compare with each other over all pairs of systems.

    Attributes
    ----------
    metrics : tuple of str
        Names of the metrics.
    won, defined : IntArray of shape (m, m)
        On how many pairs of systems the metric (row) is significantly better than the other (column), and on how many
        the test is defined.
    dominates : BoolArray of shape (m, m)
        Whether it is better on at least the share of the defined pairs.
    partial_conjunction : FloatArray of shape (m, m)
        p-value of "better on at least that share of the pairs", which holds for this row and column alone; NaN where no
        test is defined.
    holm, benjamini_hochberg : FloatArray of shape (m, m)
        The same adjusted for all ordered pairs of metrics.
    top : tuple of int
        Metrics that no other metric dominates.
    top_literal : tuple of int
        Metrics that no other metric beats on at least that share of their pairs.
    alpha, share : float
        The level of the tests, and the share of the pairs.
    """

    metrics: tuple[str, ...]
    won: IntArray
    defined: IntArray
    dominates: BoolArray
    partial_conjunction: FloatArray
    holm: FloatArray
    benjamini_hochberg: FloatArray
    top: tuple[int, ...]
    top_literal: tuple[int, ...]
    alpha: float
    share: float

    def share_won(self, first: int, second: int) -> float | Undefined:
        """Return on which share of the defined pairs of systems the first metric is better than the second."""
        defined = int(self.defined[first, second])
        return int(self.won[first, second]) / defined if defined else NO_PAIR

    def top_at(self, share: float) -> tuple[int, ...]:
        """Return the metrics that none dominates if dominance wants another share of the pairs of systems."""
        dominated = _dominates(self.won, self.defined, share).any(axis=0)
        compared = self.defined.any(axis=0) | self.defined.any(axis=1)
        return tuple(np.flatnonzero(compared & ~dominated).tolist()) if compared.any() else self.top


class GroupBest(NamedTuple):
    """The best metric of those that share a label, such as a unit of text.

    Attributes
    ----------
    label : str
        The label.
    metric : int or None
        Place of the metric with the highest mean correlation; None if none has any.
    r : float or Undefined
        Its mean correlation over the pairs of systems.
    dominated : bool
        Whether any metric, in the group or not, dominates it (the paper's suffix ⁻).
    dominates_group : bool
        Whether it dominates a dominated one of the table's other rows (the paper's suffix ``*``).
    """

    label: str
    metric: int | None
    r: float | Undefined
    dominated: bool
    dominates_group: bool


def _dominates(won: IntArray, defined: IntArray, share: float) -> BoolArray:
    return np.asarray((defined > 0) & (won >= share * defined - _ROUNDING))


def dominance(tests: WilliamsTests, *, alpha: float = ALPHA, share: float = SHARE) -> Dominance:
    """Find out which metrics dominate which.

    A metric dominates another if it is better, at the level alpha and without any correction, on at least a share of
    the pairs of systems on which the two can be compared. The result also has a version with error control: the
    partial conjunction of the tests, adjusted for the number of ordered pairs of metrics.

    Source: Toutanova et al. 2016, §4.3.2; Dror et al. 2017, "Replicability analysis for natural language processing".

    Parameters
    ----------
    tests : WilliamsTests
        One-sided tests.
    alpha : float, default 0.05
        A metric is better if p is below this.
    share : float, default 0.8
        Share of the pairs of systems, above 0 and at most 1.

    Returns
    -------
    Dominance
        The comparisons, and the top metrics in both readings of the paper.

    Raises
    ------
    ValueError
        If the tests are two-sided, or alpha or the share is out of range.

    Examples
    --------
    >>> from measures.meta_evaluation.difference_correlations import input_level
    >>> from measures.meta_evaluation.judged_outputs import JudgedOutputs
    >>> from measures.meta_evaluation.williams import williams_tests
    >>> rng = np.random.default_rng(2016)
    >>> quality = rng.normal(size=(3, 50))
    >>> scores = quality + np.array([0.1, 2.0])[:, None, None] * rng.normal(size=(2, 3, 50))
    >>> names = tuple(str(number) for number in range(50))
    >>> found = dominance(williams_tests(input_level(JudgedOutputs(("R", "S"), tuple("ABC"), names, scores, quality))))
    >>> found.top, found.share_won(0, 1), bool(found.holm[0, 1] < 0.05), found.share_won(0, 0).reason
    ((0,), 1.0, True, 'the two metrics cannot be compared on any pair of systems')
    """
    if tests.sided != 1:
        raise ValueError("dominance wants one-sided tests")
    if not 0 < alpha < 1 or not 0 < share <= 1:
        raise ValueError(f"alpha must be between 0 and 1 and share above 0 and at most 1, not {alpha} and {share}")
    better = tests.p < alpha
    won, defined = better.sum(axis=0), (~np.isnan(tests.p)).sum(axis=0)
    dominates = _dominates(won, defined, share)
    conjunction = partial_conjunction(np.moveaxis(tests.p, 0, -1), share=share)
    known = ~np.isnan(tests.level.r)
    unbeaten = known & ~better.any(axis=1).T
    enough = known.any(axis=1) & (unbeaten.sum(axis=1) >= share * known.sum(axis=1) - _ROUNDING)
    return Dominance(
        metrics=tests.level.metrics,
        won=won,
        defined=defined,
        dominates=dominates,
        partial_conjunction=conjunction,
        holm=holm(conjunction),
        benjamini_hochberg=benjamini_hochberg(conjunction),
        top=tuple(np.flatnonzero(known.any(axis=1) & ~dominates.any(axis=0)).tolist()),
        top_literal=tuple(np.flatnonzero(enough).tolist()),
        alpha=alpha,
        share=share,
    )


def group_bests(tests: WilliamsTests, found: Dominance, labels: Sequence[str | None]) -> list[GroupBest]:
    """Return the best metric of each label, with the marks of the paper's table.

    Source: Toutanova et al. 2016, Table 9.

    Parameters
    ----------
    tests : WilliamsTests
        The tests, which hold the correlations.
    found : Dominance
        What `dominance` found in them.
    labels : sequence of str or None, one for each metric
        Label of each metric in one respect, such as its unit; None for a metric that is not in this table.

    Returns
    -------
    list of GroupBest
        One row for each label, in the order of their first metrics. Of metrics with equal means the first stands for
        its label.

    Raises
    ------
    ValueError
        If there are not as many labels as metrics.

    Examples
    --------
    >>> from measures.meta_evaluation.difference_correlations import input_level
    >>> from measures.meta_evaluation.judged_outputs import JudgedOutputs
    >>> from measures.meta_evaluation.williams import williams_tests
    >>> rng = np.random.default_rng(2016)
    >>> quality = rng.normal(size=(3, 50))
    >>> scores = quality + np.array([0.1, 2.0])[:, None, None] * rng.normal(size=(2, 3, 50))
    >>> names = tuple(str(number) for number in range(50))
    >>> tests = williams_tests(input_level(JudgedOutputs(("R", "S"), tuple("ABC"), names, scores, quality)))
    >>> for row in group_bests(tests, dominance(tests), ["words", "letters"]):
    ...     print(row.label, round(row.r, 1), row.dominated, row.dominates_group)
    words 1.0 False True
    letters 0.6 True False
    """
    if len(labels) != len(found.metrics):
        raise ValueError(f"a label for each metric: {len(found.metrics)} is not {len(labels)}")
    means = tests.level.means
    best = {label: _best(means, labels, label) for label in dict.fromkeys(labels) if label is not None}
    dominated: BoolArray = np.asarray(found.dominates.any(axis=0))
    marked = [place for place in best.values() if place is not None and dominated[place]]
    rows = []
    for label, place in best.items():
        if place is None:
            rows.append(GroupBest(label, None, Undefined("no metric of the group has a correlation"), False, False))
        else:
            wins = bool(found.dominates[place, marked].any())
            rows.append(GroupBest(label, place, float(means[place]), bool(dominated[place]), wins))
    return rows


def _best(means: FloatArray, labels: Sequence[str | None], label: str) -> int | None:
    known = [place for place, each in enumerate(labels) if each == label and not np.isnan(means[place])]
    return max(known, key=lambda place: float(means[place])) if known else None
