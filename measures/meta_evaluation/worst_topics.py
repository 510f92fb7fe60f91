"""How bad a measure is on its worst topics (Amigó et al. 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
import scipy

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.auc import NO_DIFFERENT_PAIR, AucCounts

ONE_MEASURE = Undefined("fewer than 2 measures to rank")


@dataclass(frozen=True)
class Robustness:
    """Ranks of measures by AUC within topics.

    Attributes
    ----------
    worst_rank : tuple of (float or Undefined)
        For each measure the mean of its worst ranks, from 0 (best on every topic) to 1 (worst).
    topics : tuple of int
        Places of the topics that have two outputs of different quality.
    worst_topics : int
        How many of the worst topics the mean is over.
    inconsistent : tuple of int
        Places of the topics where some measure has an AUC below one half.
    auc_without : tuple of (float or Undefined)
        AUC of each measure pooled over the other topics.
    """

    worst_rank: tuple[float | Undefined, ...]
    topics: tuple[int, ...]
    worst_topics: int
    inconsistent: tuple[int, ...]
    auc_without: tuple[float | Undefined, ...]


def robustness(counts: AucCounts, *, share: float = 0.1, combined: Sequence[int] = ()) -> Robustness:
    """Rank measures by AUC on each topic, and average the worst ranks of each.

    Source: Amigó, Gonzalo and Verdejo 2012, §5.3, §5.4. With a topic for each input, four outputs leave few possible
    values of AUC, and so many ties; they get the mean of their ranks.

    Parameters
    ----------
    counts : AucCounts
        From `auc_counts`: a topic for each input, or grouped by genre.
    share : float
        Share of the topics that count as the worst, rounded up.
    combined : sequence of int
        Places of combinations of the other measures: ranked, but not used to decide whether a topic is inconsistent.

    Returns
    -------
    Robustness
        Ranks, and the topics on which measures contradict people.

    Raises
    ------
    ValueError
        If the share is not above 0 and at most 1.

    Examples
    --------
    >>> counts = AucCounts(np.array([[4.0, 5.0], [2.0, 5.0], [1.0, 3.0]]), np.array([5, 5]))
    >>> found = robustness(counts)
    >>> found.worst_rank, found.inconsistent, found.auc_without
    ((0.25, 0.5, 1.0), (0,), (1.0, 1.0, 0.6))
    """
    if not 0 < share <= 1:
        raise ValueError(f"share must be above 0 and at most 1, not {share}")
    topics, auc = np.flatnonzero(counts.pairs > 0), counts.by_topic()
    worst = ceil(round(share * len(topics), 9))
    plain = np.ones(len(auc), dtype=np.bool_)
    plain[list(combined)] = False
    doubtful = topics[(counts.won[plain][:, topics] * 2 < counts.pairs[topics]).any(axis=0)]
    rest = np.setdiff1d(np.arange(len(counts.pairs)), doubtful)
    without = AucCounts(counts.won[:, rest], counts.pairs[rest]).pooled()
    places, bad = (tuple(int(each) for each in which) for which in (topics, doubtful))
    return Robustness(_worst_ranks(auc, worst), places, worst, bad, without)


def _worst_ranks(auc: FloatArray, worst: int) -> tuple[float | Undefined, ...]:
    measures, topics = auc.shape
    if not topics or measures < 2:
        return tuple(NO_DIFFERENT_PAIR if not topics else ONE_MEASURE for _ in auc)
    ranks: FloatArray = (scipy.stats.rankdata(-np.round(auc, 12), axis=0) - 1) / (measures - 1)
    means: FloatArray = np.sort(ranks, axis=1)[:, -worst:].mean(axis=1)
    return tuple(float(each) for each in means)
