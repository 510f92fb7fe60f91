"""How often a measure ranks the better of two outputs higher: AUC, pooled and by topic, and its differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.system_differences import checked_arrays, complete_outputs, pair_differences

NO_DIFFERENT_PAIR = Undefined("no two outputs of an input differ in quality")
FEW_TOPICS = Undefined("fewer than 2 topics have two outputs of different quality")
NO_SPREAD = Undefined("the difference is the same on every topic")


@dataclass(frozen=True)
class AucCounts:
    """Pairs of outputs of one input that differ in quality, and how many a measure ranks as the quality does.

    Attributes
    ----------
    won : FloatArray of shape (measures, topics)
        Pairs where the measure scores the better output higher; a tie of the measure counts one half.
    pairs : IntArray of shape (topics,)
        All pairs of outputs of one input whose qualities differ.
    """

    won: FloatArray
    pairs: IntArray

    def pooled(self) -> tuple[float | Undefined, ...]:
        """AUC of each measure over the pairs of all topics."""
        total = int(self.pairs.sum())
        if not total:
            return (NO_DIFFERENT_PAIR,) * len(self.won)
        return tuple(float(each) / total for each in self.won.sum(axis=1))

    def by_topic(self) -> FloatArray:
        """AUC of each measure on each topic that has a pair: shape (measures, topics with one)."""
        there = self.pairs > 0
        return self.won[:, there] / self.pairs[there]

    def topic_mean(self) -> tuple[float | Undefined, ...]:
        """Mean AUC over the topics that have a pair, each counted once."""
        if not self.pairs.any():
            return (NO_DIFFERENT_PAIR,) * len(self.won)
        return tuple(float(each) for each in self.by_topic().mean(axis=1))

    def grouped(self, topics: Sequence[str]) -> AucCounts:
        """Add up inputs that share a topic, such as a genre; the topics come in the order of their names."""
        if len(topics) != len(self.pairs):
            raise ValueError(f"topics must name each of {len(self.pairs)} inputs, not {len(topics)}")
        names, places = np.unique(np.asarray(topics, dtype=str), return_inverse=True)
        members = places[:, None] == np.arange(len(names))
        return AucCounts(self.won @ members, self.pairs @ members)


@dataclass(frozen=True)
class AucDifference:
    """AUC of a measure minus that of another.

    Attributes
    ----------
    difference : float or Undefined
        Of the AUC pooled over topics.
    low, high : float or Undefined
        95% percentile interval of it, over topics drawn with replacement.
    topics : int
        Topics with a pair.
    mean : float or Undefined
        Mean difference over these topics.
    t, p : float or Undefined
        Two-sided paired t test of that mean.
    """

    difference: float | Undefined
    low: float | Undefined
    high: float | Undefined
    topics: int
    mean: float | Undefined
    t: float | Undefined
    p: float | Undefined


def auc_counts(scores: npt.ArrayLike, quality: npt.ArrayLike) -> AucCounts:
    """Count, input by input, the pairs that each measure ranks as the quality does.

    AUC = P(x(s) > x(s') | Q(s) > Q(s')) = (Somers' D + 1) / 2, with half of the measure's ties.

    Parameters
    ----------
    scores : array_like of shape (measures, systems, inputs)
        Large is good; NaN where a score is missing. Pairs need every score of both outputs.
    quality : array_like of shape (systems, inputs)
        NaN where an output has no rating.

    Returns
    -------
    AucCounts
        One topic for each input.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> counts = auc_counts([[[0.1, 0.5], [0.7, 0.5]]], [[1, 3], [3, 1]])
    >>> counts.won.tolist(), counts.pooled()
    ([[1.0, 0.5]], (0.75,))
    """
    x, q = checked_arrays(scores, quality)
    # A measure without scores for a system removes its pairs, so that all measures are compared on the same pairs.
    d = pair_differences(x, np.where(complete_outputs(x), q, np.nan))
    sign = np.sign(d.quality)
    won = ((np.sign(d.scores) * sign + 1) / 2 * (sign != 0)).sum(axis=1)
    return AucCounts(np.asarray(won, dtype=np.float64), np.asarray((sign != 0).sum(axis=0), dtype=np.int64))


def auc_differences(counts: AucCounts, measure: int, *, draws: int = 1000, seed: int = 2012) -> list[AucDifference]:
    """Compare a measure with every one, by paired t over topics and a bootstrap of topics.

    The paper tests heterogeneity-based ranking by a t test and does not say over what; here it is over topics. Small
    topics make the t test coarse: the interval draws topics and pools their pairs.

    Parameters
    ----------
    counts : AucCounts
        From `auc_counts`, of inputs or grouped.
    measure : int
        Place of the measure that the others are subtracted from.
    draws : int
        Replications of the bootstrap; the same topics are drawn for all measures.
    seed : int
        Seed of the draws.

    Returns
    -------
    list of AucDifference
        One for each measure, the measure itself (all zero) included.

    Examples
    --------
    >>> counts = AucCounts(np.array([[4.0, 5.0, 3.0], [2.0, 4.0, 3.0]]), np.array([5, 5, 5]))
    >>> found = auc_differences(counts, 0)[1]
    >>> round(found.difference, 3), found.topics, round(found.t, 3), round(found.p, 3)
    (0.2, 3, 1.732, 0.225)
    """
    total = int(counts.pairs.sum())
    if not total:
        return [AucDifference(*(NO_DIFFERENT_PAIR,) * 3, 0, *(NO_DIFFERENT_PAIR,) * 3)] * len(counts.won)
    by_topic, margin = counts.by_topic(), counts.won[measure] - counts.won
    low, high = _interval(margin, counts.pairs, draws, seed)
    found = []
    for place, topic in enumerate(by_topic):
        d = np.round(by_topic[measure] - topic, 12)
        t, p = _paired_t(d)
        ends = float(low[place]), float(high[place])
        found.append(AucDifference(float(margin[place].sum()) / total, *ends, len(d), float(d.mean()), t, p))
    return found


def _interval(margin: FloatArray, pairs: IntArray, draws: int, seed: int) -> tuple[FloatArray, FloatArray]:
    there = pairs > 0
    topics = int(there.sum())
    weights = np.random.default_rng(seed).multinomial(topics, np.full(topics, 1 / topics), size=draws)
    drawn = (weights @ margin[:, there].T) / (weights @ pairs[there])[:, None]
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    return low, high


def _paired_t(d: FloatArray) -> tuple[float | Undefined, float | Undefined]:
    if len(d) < 2:
        return FEW_TOPICS, FEW_TOPICS
    spread = d.std(ddof=1)
    if np.ptp(d) == 0:
        return NO_SPREAD, NO_SPREAD
    t = float(d.mean() / (spread / np.sqrt(len(d))))
    return t, float(2 * scipy.special.stdtr(len(d) - 1, -abs(t)))
