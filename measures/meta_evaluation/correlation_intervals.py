"""Confidence intervals of correlations with a judgement: over inputs, raters and, where there are enough, systems."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.core.confidence import degrees_of_freedom, interval_ends
from measures.core.undefined import Undefined
from measures.meta_evaluation.bootstrap import fisher_interval
from measures.meta_evaluation.judged_outputs import JudgedOutputs, SystemDifferences
from measures.meta_evaluation.system_correlations import Correlation, SystemCorrelation
from measures.meta_evaluation.system_differences import Missing, PairDifferences

LEAST_SYSTEMS_DRAWN = 5
"""With fewer systems nothing shows how far others would differ."""
LEAST_SYSTEMS_RANKED = 10
"""With fewer systems, the intervals of rank correlations hold the true value too seldom."""

NOT_DEFINED = Undefined("the correlation is not defined")
ONE_SYSTEM_DECIDES = Undefined("without one of the systems there is no value, so its uncertainty is unknown")
NO_SPREAD = Undefined("every input gives the same value, so nothing shows how far it could be off")
PERFECT = Undefined("a correlation of 1 or -1 shows nothing of how far it could be off")
TOO_FEW_SYSTEMS = Undefined(f"there are fewer than {LEAST_SYSTEMS_DRAWN} systems")
TOO_FEW_RANKED = Undefined(f"there are fewer than {LEAST_SYSTEMS_RANKED} systems to rank")

# Below this the variance is rounding error.
_NO_VARIANCE = 1e-20
# Numbers (of 8 bytes) that the sums of a block of metrics may have.
_BLOCK = 20_000_000


@dataclass(frozen=True)
class CorrelationInterval:
    """A 95% confidence interval of a correlation.

    Attributes
    ----------
    low, high : float
        The ends of the interval.
    standard_error : float
        Standard error of the correlation.
    inputs : int
        Number of inputs that were sampled.
    systems, raters : int
        Numbers of systems and raters that were sampled. 0 where the interval takes them as given: it then says nothing
        about others.
    """

    low: float
    high: float
    standard_error: float
    inputs: int
    systems: int
    raters: int


@dataclass(frozen=True, eq=False)
class GivenRatings:
    """Who gave the ratings that a quality is the mean of.

    Attributes
    ----------
    points : FloatArray of shape (s, n, r)
        Ratings of each output; NaN where it has fewer.
    raters : IntArray of shape (s, n, r)
        The rater of each, 0 or above; negative if unknown.
    """

    points: FloatArray
    raters: IntArray


def input_level_intervals(
    outputs: JudgedOutputs, *, ratings: GivenRatings | None = None, missing: Missing = "by pair"
) -> tuple[CorrelationInterval | Undefined, ...]:
    """Compute the 95% confidence intervals of the mean over pairs of systems of the correlation over inputs.

    The variance has up to three parts. That of the systems is the delete-one jackknife: the mean without each system in
    turn, with all its pairs. What inputs do by chance differs between systems and is in it. That of the inputs is the
    sum of the squares of each input's influence, less what the first part has of it: the same jackknife over the
    systems, of each input's influence. That of the raters is what the ratings of one rater of different inputs have in
    common, as in `measures.agreement.two_way`. Parts below 0 are 0. With fewer than 5 systems these are taken as given,
    and all influences of the inputs count. The interval is on Fisher's scale, by Student's t, with Satterthwaite's
    degrees of freedom for the sum, and with those of `measures.core.confidence.degrees_of_freedom` where no systems
    are drawn.

    Source: Efron and Stein 1981, "The jackknife estimate of variance"; Cameron, Gelbach and Miller 2011, "Robust
    inference with multiway clustering"; Satterthwaite 1946. The mean over pairs is of Toutanova et al. 2016, §4.3.2.

    Parameters
    ----------
    outputs : JudgedOutputs
        Scores and quality.
    ratings : GivenRatings, optional
        The ratings behind the quality. Without them, or if a rater is unknown, the raters are taken as given.
    missing : {"by pair", "complete"}
        Which inputs a pair is compared on.

    Returns
    -------
    tuple of (CorrelationInterval or Undefined)
        An interval for each metric.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> quality = rng.normal(size=(6, 40))
    >>> names = tuple(str(number) for number in range(40))
    >>> scores = quality[None] + rng.normal(size=(1, 6, 40))
    >>> (found,) = input_level_intervals(JudgedOutputs(("R",), tuple("ABCDEF"), names, scores, quality))
    >>> round(found.low, 2), round(found.high, 2), found.systems, found.raters
    (0.59, 0.81, 6, 0)
    """
    differences = outputs.pair_differences(missing=missing)
    cells = None if ratings is None else _Cells.of(ratings, differences, outputs.quality)
    size = max(1, len(outputs.systems) * len(outputs.inputs) * 2)
    step = max(1, _BLOCK // size)
    found: list[CorrelationInterval | Undefined] = []
    for start in range(0, len(outputs.metrics), step):
        influences = _Influences.of(outputs, differences, slice(start, start + step))
        raters = np.zeros(len(influences.r)) if cells is None else cells.variances(influences)
        found += [influences.interval(metric, raters[metric], cells) for metric in range(len(influences.r))]
    return tuple(found)


def corpus_level_interval(found: SystemCorrelation, method: Correlation) -> tuple[float, float] | Undefined:
    """Return the 95% interval of a correlation over systems, as if the systems were drawn from many.

    Source: Fisher's transformation; for ranks Bonett and Wright 2000, who use it from ten on.

    Parameters
    ----------
    found : SystemCorrelation
        The correlation.
    method : {"pearson", "spearman", "kendall"}
        Which one it is.

    Returns
    -------
    tuple of float, or Undefined
        Low and high end; undefined below 5 systems, for ranks below 10, and for 1 and -1.

    Examples
    --------
    >>> [round(end, 2) for end in corpus_level_interval(SystemCorrelation(0.9, 0.04, 5), "pearson")]
    [0.09, 0.99]
    >>> corpus_level_interval(SystemCorrelation(0.9, 0.04, 5), "spearman").reason
    'there are fewer than 10 systems to rank'
    """
    if isinstance(found.r, Undefined):
        return found.r
    if found.systems < LEAST_SYSTEMS_DRAWN:
        return TOO_FEW_SYSTEMS
    if method != "pearson" and found.systems < LEAST_SYSTEMS_RANKED:
        return TOO_FEW_RANKED
    if 1 - abs(found.r) < 1e-12:
        return PERFECT
    return fisher_interval(found.r, found.systems, method=method)


@dataclass(frozen=True, eq=False)
class _Influences:
    """How inputs and outputs move the mean correlation of some metrics (m), on the pairs of systems that define it.

    `r` is of shape (m, p), NaN where undefined; `total` (m, n) and `of_systems` (m, s, n) are sums of each input's
    influence on the correlations of all pairs and of those with a system; `gradient` (m, s, n) says how the quality of
    each output moves their sum.
    """

    r: FloatArray
    pairs: IntArray
    total: FloatArray
    of_systems: FloatArray
    gradient: FloatArray

    @classmethod
    def of(cls, outputs: JudgedOutputs, differences: PairDifferences, metrics: slice) -> _Influences:
        systems, inputs = outputs.quality.shape
        number = len(outputs.metrics[metrics])
        found = cls(
            np.full((number, len(differences.pairs)), np.nan),
            differences.pairs,
            np.zeros((number, inputs)),
            np.zeros((number, systems, inputs)),
            np.zeros((number, systems, inputs)),
        )
        for place in range(len(differences.pairs)):
            found._add(place, SystemDifferences.of(differences, place), metrics)
        return found

    def _add(self, place: int, difference: SystemDifferences, metrics: slice) -> None:
        """Add a pair of systems, if it has correlations."""
        size = len(difference.inputs)
        if size < 2 or not np.ptp(difference.quality):
            return
        scores = difference.scores[metrics]
        varies = np.ptp(scores, axis=1) > 0  # not so where they are NaN
        x, _ = _standardised(np.where(varies[:, None], scores, 0))
        y, spread = _standardised(difference.quality[None])
        r = (x * y).mean(axis=1, keepdims=True)
        self.r[varies, place] = r[varies, 0]
        influence = np.where(varies[:, None], x * y - r / 2 * (x * x + y * y), 0) / (size - 1)
        moved = np.where(varies[:, None], x - r * y, 0) / (size * spread)
        self.total[:, difference.inputs] += influence
        for system, sign in zip(self.pairs[place].tolist(), (1, -1), strict=True):
            self.of_systems[:, system, difference.inputs] += influence
            self.gradient[:, system, difference.inputs] += sign * moved

    def interval(self, metric: int, of_raters: float, cells: _Cells | None) -> CorrelationInterval | Undefined:
        defined = ~np.isnan(self.r[metric])
        if not defined.any():
            return NOT_DEFINED
        mean = float(self.r[metric, defined].mean())
        inputs = int((self.total[metric] != 0).sum())
        of_inputs = float(((self.total[metric] / defined.sum()) ** 2).sum())
        systems = np.unique(self.pairs[defined])
        raters = cells.raters if cells else 0
        if len(systems) >= LEAST_SYSTEMS_DRAWN:
            of_systems, shared = self._of_systems(metric, systems, defined)
            if np.isnan(of_systems):
                return ONE_SYSTEM_DECIDES
            parts = [(of_systems, len(systems)), (max(0.0, of_inputs - shared), inputs), (of_raters, raters)]
            variance, degrees = sum(each for each, _ in parts), _satterthwaite(parts)
        else:
            systems, variance = systems[:0], of_inputs + of_raters
            degrees = degrees_of_freedom(inputs, raters, of_raters / variance if variance else 0.0)
        if 1 - abs(mean) < 1e-12:
            return PERFECT
        if variance < _NO_VARIANCE:
            return NO_SPREAD
        return CorrelationInterval(*_ends(mean, variance, degrees), inputs, len(systems), raters)

    def _of_systems(self, metric: int, systems: IntArray, defined: FloatArray) -> tuple[float, float]:
        """Return the jackknife's variance over systems, NaN if one of them decides, and what inputs do in it."""
        r, pairs = self.r[metric, defined], self.pairs[defined]
        has = (pairs[:, :1] == systems) | (pairs[:, 1:] == systems)
        left = len(r) - has.sum(axis=0)
        if not left.all():
            return np.nan, np.nan
        without = (r.sum() - r @ has) / left
        influence = (self.total[metric] - self.of_systems[metric, systems]) / left[:, None]
        share = (len(systems) - 1) / len(systems)
        of_systems, shared = (share * ((each - each.mean(axis=0)) ** 2).sum() for each in (without, influence))
        return float(of_systems), float(shared)


@dataclass(frozen=True, eq=False)
class _Cells:
    """Ratings (k), in the order of their raters and inputs, with where the ratings of each rater and input begin.

    `output` is the place of the output among all, `moved` how far the rating moves its mean.
    """

    raters: int
    output: IntArray
    moved: FloatArray
    begins: IntArray
    rater: IntArray

    @classmethod
    def of(cls, ratings: GivenRatings, differences: PairDifferences, quality: FloatArray) -> _Cells | None:
        """Arrange the ratings of the outputs that are compared; None if a rater is unknown, or there is only one."""
        compared = np.zeros(quality.shape, dtype=np.bool_)
        for (a, b), used in zip(differences.pairs.tolist(), differences.used, strict=True):
            compared[[a, b]] |= used
        there = ~np.isnan(ratings.points) & compared[:, :, None]
        system, place, _ = np.nonzero(there)
        people, rater = np.unique(ratings.raters[there], return_inverse=True)
        if len(people) < 2 or people[0] < 0:
            return None
        inputs = quality.shape[1]
        code = rater.reshape(-1) * inputs + place
        order = np.argsort(code, kind="stable")
        number = there.sum(axis=2)[system, place]
        # By how much the mean would move without the rating; where it is the only one, what it is above the system's.
        kept = np.where(compared, quality, np.nan)
        means = np.nansum(kept, axis=1) / np.maximum((~np.isnan(kept)).sum(axis=1), 1)
        alone = ratings.points[there] - means[system]
        moved = np.where(
            number > 1, (ratings.points[there] - quality[system, place]) / np.maximum(number - 1, 1), alone
        )
        codes, begins = np.unique(code[order], return_index=True)
        return cls(len(people), (system * inputs + place)[order], moved[order], begins, codes // inputs)

    def variances(self, influences: _Influences) -> FloatArray:
        """Return for each metric what the choice of raters adds, at least 0."""
        number = np.maximum((~np.isnan(influences.r)).sum(axis=1), 1)
        flat = influences.gradient.reshape(len(number), -1)
        of_inputs = np.bincount(self.rater, minlength=self.raters)
        # Of n inputs of a rater, n (n - 1) of the n * n products are of different ones.
        different = int((of_inputs * (of_inputs - 1)).sum())
        if not different:
            return np.zeros(len(number))
        factor = int((of_inputs**2).sum()) / different * self.raters / (self.raters - 1)
        begins = np.searchsorted(self.rater, np.arange(self.raters))
        found = np.zeros(len(number))
        for metric, gradient in enumerate(flat):
            of_cells = np.add.reduceat(gradient[self.output] * self.moved, self.begins) / number[metric]
            of_raters = np.add.reduceat(of_cells, begins)
            found[metric] = max(0.0, factor * float((of_raters**2).sum() - (of_cells**2).sum()))
        return found


def _standardised(rows: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return rows with a mean of 0 and a spread of 1, constant ones as 0, and the spread of each."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=1, keepdims=True))
    return centred / np.where(spread > 0, spread, 1), spread


def _satterthwaite(parts: list[tuple[float, int]]) -> int:
    """Return the degrees of freedom of a sum of variances, each with what it is over."""
    whole = sum(each**2 / max(1, number - 1) for each, number in parts)
    return max(1, int(sum(each for each, _ in parts) ** 2 / whole)) if whole else 1


def _ends(mean: float, variance: float, degrees: int) -> tuple[float, float, float]:
    """Return the ends of the interval, on Fisher's scale, and the standard error."""
    error = sqrt(variance)
    return (*interval_ends(mean, error, degrees, (-1.0, 1.0)), error)
