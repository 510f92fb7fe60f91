"""How large a difference between two systems must be before a metric can be trusted to say which is better."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.judged_outputs import JudgedOutputs
from measures.meta_evaluation.pair_verdicts import Verdicts
from measures.meta_evaluation.resampled_directions import DrawnDirections, drawn_directions

LEVELS = (0.8, 0.9, 0.95)
LEAST_PAIRS = 20
"""Pairs that must differ so much; only seven systems or more make as many."""
DRAWN_FROM = 30
"""With fewer pairs the end of the interval is Clopper and Pearson's."""
ALPHA = 0.05
NEVER = Undefined("agreement is not shown to reach this level")
ALL_TIED = Undefined("the mean ratings of two systems never differ")
_AT_ONCE = 20_000_000
_TOLERANCE = 1e-12


@dataclass(frozen=True, eq=False)
class DifferenceHistogram:
    """Pairs of systems by the size of the difference in a metric.

    Attributes
    ----------
    edges : FloatArray of shape (b + 1,)
        Edges of the bins.
    significant, agree, all_pairs : IntArray of shape (b,)
        Pairs that differ significantly for people, pairs whose direction agrees, and all pairs of each bin.
    """

    edges: FloatArray
    significant: IntArray
    agree: IntArray
    all_pairs: IntArray


@dataclass(frozen=True, eq=False)
class TrustedDifference:
    """From which difference in a metric on it is shown to agree with people.

    Attributes
    ----------
    smallest : dict of float to (float or Undefined)
        For each level of agreement, the smallest difference from which on it is shown.
    pairs : dict of float to int
        How many pairs differ by at least that much; 0 where it is undefined.
    """

    smallest: dict[float, float | Undefined]
    pairs: dict[float, int]


def difference_histogram(
    differences: npt.ArrayLike, significant: npt.ArrayLike, agree: npt.ArrayLike, *, bins: int = 20
) -> DifferenceHistogram:
    """Count pairs of systems by the size of their difference in a metric.

    Source: Owczarzak et al. 2012, Figures 1 and 2.

    Examples
    --------
    >>> found = difference_histogram([0.1, -0.2, 0.4], [False, True, True], [True, False, True], bins=2)
    >>> found.all_pairs.tolist(), found.significant.tolist(), found.agree.tolist()
    ([1, 2], [0, 2], [1, 1])
    """
    size = np.abs(np.asarray(differences, dtype=np.float64))
    top = float(size.max(initial=0)) or 1.0
    place = np.minimum(np.floor(np.round(size / top * bins, 9)).astype(np.int64), bins - 1)
    counts = [
        np.bincount(place[np.asarray(mask, dtype=bool)], minlength=bins)
        for mask in (significant, agree, np.ones(len(size)))
    ]
    return DifferenceHistogram(np.linspace(0, top, bins + 1), counts[0], counts[1], counts[2])


def agreement_curve(differences: npt.ArrayLike, agree: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Fit agreement as a function of the size of the difference that never falls (isotonic regression).

    It describes the pairs that there are. What it reaches with the last of them shows nothing: half of all metrics
    without any relation to people reach any level so; see `trusted_differences`.

    Source: Owczarzak et al. 2012, Figures 1 and 2, who counted; isotonic regression is ours.

    Parameters
    ----------
    differences : array_like of shape (p,)
        Difference of means in the metric for each pair.
    agree : array_like of bool, of shape (p,)
        Whether metric and judgement agree on the pair.

    Returns
    -------
    tuple of FloatArray of shape (k,)
        The sizes in increasing order, and the fitted agreement.

    Examples
    --------
    >>> sizes, agreement = agreement_curve([0.1, -0.3, 0.2], [False, True, True])
    >>> sizes.tolist(), agreement.tolist()
    ([0.1, 0.2, 0.3], [0.0, 1.0, 1.0])
    """
    sizes, place = np.unique(np.abs(np.asarray(differences, dtype=np.float64)), return_inverse=True)
    if not len(sizes):
        return sizes, sizes
    count = np.bincount(place).astype(np.float64)
    agreeing = np.bincount(place, weights=np.asarray(agree, dtype=np.float64))
    return sizes, np.asarray(scipy.optimize.isotonic_regression(agreeing / count, weights=count).x)


def trusted_differences(
    outputs: JudgedOutputs, found: Verdicts, *, seed: int, levels: tuple[float, ...] = LEVELS, draws: int = 1000
) -> list[TrustedDifference]:
    """Find from which difference on each metric is shown to agree with people.

    It is the least difference such that, for it and every larger one, the lower end of a one-sided 95% interval of
    agreement among the pairs that differ by at least so much reaches the level. The interval draws systems and inputs
    (BOOT-BOTH); with fewer than 30 pairs it is Clopper and Pearson's, and where even full agreement of so few would not
    reach the level, agreement must be full. Looked at are differences that 20 pairs or more have.

    Each metric stands by itself: the least of many metrics is small by luck.

    Source: Owczarzak et al. 2012, §4.1, Figure 2, a histogram; the interval and the rule are ours.

    Parameters
    ----------
    outputs : JudgedOutputs
        Scores and quality.
    found : Verdicts
        The pairs of systems that count, with the differences of their means.
    seed : int
        Seed of the draws.
    levels : tuple of float
        Levels of agreement.
    draws : int, default 1000
        Number of bootstrap draws.

    Returns
    -------
    list of TrustedDifference
        One for each metric, over the pairs on which it has a difference.

    Examples
    --------
    >>> from measures.meta_evaluation.pair_verdicts import verdicts
    >>> quality = np.random.default_rng(1).normal(size=(8, 40)) + 2 * np.arange(8)[:, None]
    >>> names = tuple(str(number) for number in range(40))
    >>> outputs = JudgedOutputs(("R", "S"), tuple("ABCDEFGH"), names, np.stack([quality, -quality]), quality)
    >>> follows, turned = trusted_differences(outputs, verdicts(outputs), seed=1, draws=100)
    >>> round(follows.smallest[0.95]), follows.pairs[0.95], turned.smallest[0.8].reason
    (2, 28, 'agreement is not shown to reach this level')
    """
    sign = np.sign(found.difference)
    size, agree = np.abs(found.difference[1:]), np.asarray(sign[1:] == sign[:1], dtype=np.bool_)
    known = ~np.isnan(size)
    tails = [_Tails.of(row[there], right[there]) for row, right, there in zip(size, agree, known, strict=True)]
    if len(found.pairs) and not np.nan_to_num(found.difference[0]).any():
        return [TrustedDifference(dict.fromkeys(levels, ALL_TIED), dict.fromkeys(levels, 0)) for _metric in tails]
    lower = [each.lower for each in tails]
    wanted = [place for place, each in enumerate(tails) if each.needs_draws(min(levels))]
    for place, drawn in _drawn(outputs, found, wanted, seed, draws):
        lower[place] = tails[place].lower_of(drawn[:, known[place]])
    return [
        _smallest(each, ends, levels, too_few_pairs(int(there.sum())) or NEVER)
        for each, ends, there in zip(tails, lower, known, strict=True)
    ]


def too_few_pairs(pairs: int) -> Undefined | None:
    """Return why so few pairs of systems show nothing; None if there are enough.

    Examples
    --------
    >>> too_few_pairs(12).reason, too_few_pairs(1).reason, too_few_pairs(20)
    ('12 pairs of systems, 20 wanted', '1 pair of systems, 20 wanted', None)
    """
    if pairs >= LEAST_PAIRS:
        return None
    return Undefined(f"{pairs} {'pair' if pairs == 1 else 'pairs'} of systems, {LEAST_PAIRS} wanted")


@dataclass(frozen=True, eq=False)
class _Tails:
    """The pairs of a metric, largest difference first, cut where 20 or more are left that differ by at least `sizes`.

    `lower` is Clopper and Pearson's end at each cut; where 30 pairs or more are left, draws replace it.
    """

    order: IntArray
    sizes: FloatArray
    pairs: IntArray
    lower: FloatArray

    @classmethod
    def of(cls, size: FloatArray, agree: BoolArray) -> _Tails:
        order = np.argsort(-size, kind="stable")
        falling = size[order]
        pairs = np.flatnonzero(np.append(falling[1:] < falling[:-1], len(falling) > 0)) + 1
        pairs = pairs[pairs >= LEAST_PAIRS]
        agreeing = np.cumsum(agree[order])[pairs - 1]
        lower = scipy.stats.beta.ppf(ALPHA, agreeing, pairs - agreeing + 1)
        return cls(order, falling[pairs - 1], pairs, np.where(agreeing > 0, lower, 0.0))

    def reaches(self, lower: FloatArray, level: float) -> BoolArray:
        """Return at which cuts agreement is shown to reach a level, or is full where it cannot be shown."""
        most = np.where(self.pairs < DRAWN_FROM, ALPHA ** (1 / self.pairs), 1.0)
        return np.asarray(lower >= np.minimum(level, most) - _TOLERANCE, dtype=np.bool_)

    def needs_draws(self, level: float) -> bool:
        """Return whether agreement reaches a level at all cuts that need no draws, and there are others."""
        drawn = self.pairs >= DRAWN_FROM
        return bool(drawn.any()) and bool((self.reaches(self.lower, level) | drawn).all())

    def lower_of(self, drawn: FloatArray) -> FloatArray:
        """Return the same ends from draws where there are pairs enough.

        `drawn`, of shape (draws, pairs), is how often each pair is drawn, negative where it does not agree.
        """
        ordered = drawn[:, self.order]
        number = np.cumsum(np.abs(ordered), axis=1)[:, self.pairs - 1]
        agreeing = np.cumsum(np.maximum(ordered, 0), axis=1)[:, self.pairs - 1]
        share = np.where(number > 0, agreeing / np.maximum(number, 1), np.nan)
        take = np.nanquantile if np.isnan(share).any() else np.quantile
        return np.where(self.pairs < DRAWN_FROM, self.lower, take(share, ALPHA, axis=0))


def _drawn(
    outputs: JudgedOutputs, found: Verdicts, metrics: list[int], seed: int, draws: int
) -> Iterator[tuple[int, FloatArray]]:
    """Yield, for each of some metrics, how often each pair is drawn, negative where it does not agree."""
    if not metrics:
        return
    drawn = drawn_directions(outputs, seed=seed, draws=draws)
    places = drawn.places_of(found.pairs)
    step = max(1, _AT_ONCE // (draws * len(places)))
    for start in range(0, len(metrics), step):
        block = metrics[start : start + step]
        signed = _signed(drawn, places, block)
        yield from zip(block, np.moveaxis(signed, 2, 0), strict=True)


def _signed(drawn: DrawnDirections, places: list[int], metrics: list[int]) -> FloatArray:
    """Return how often each pair is drawn (draws, pairs, metrics), negative where the directions differ."""
    signed: FloatArray = np.zeros((drawn.draws, len(places), len(metrics)))
    for number, place in enumerate(places):
        same, often = drawn.of_pair(place, metrics)
        signed[:, number] = np.where(same, often, -often)
    return signed


def _smallest(tails: _Tails, lower: FloatArray, levels: tuple[float, ...], reason: Undefined) -> TrustedDifference:
    smallest: dict[float, float | Undefined] = dict.fromkeys(levels, reason)
    pairs = dict.fromkeys(levels, 0)
    for level in levels:
        reached = tails.reaches(lower, level)
        cuts = len(reached) if reached.all() else int(np.argmin(reached))
        if cuts:
            smallest[level], pairs[level] = float(tails.sizes[cuts - 1]), int(tails.pairs[cuts - 1])
    return TrustedDifference(smallest, pairs)
