"""Ranks of metrics, shared by those that cannot be told apart."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray


def cluster_ranks(scores: npt.ArrayLike, better: BoolArray) -> list[int | None]:
    """Give metrics ranks from 1; a new rank begins where a metric is worse than any of the current rank.

    Source: Freitag et al. 2022, "Results of WMT22 metrics shared task" (`AssignRanks` of mt-metrics-eval).

    Parameters
    ----------
    scores : array_like of shape (m,)
        One number for each metric, larger is better; NaN where undefined.
    better : BoolArray of shape (m, m)
        Whether the metric (row) is significantly better than the other (column).

    Returns
    -------
    list of (int or None)
        Rank of each metric; None for those without a number.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> better = np.zeros((4, 4), dtype=bool)
    >>> better[0, 2] = better[2, 1] = True
    >>> cluster_ranks([0.6, 0.3, 0.5, float("nan")], better)
    [1, 3, 2, None]
    """
    values = np.asarray(scores, dtype=np.float64)
    if better.shape != (len(values), len(values)):
        raise ValueError(f"better must be of shape {(len(values), len(values))}, not {better.shape}")
    ranks: list[int | None] = [None] * len(values)
    rank = 1
    current: list[int] = []
    order = np.argsort(-values, kind="stable")
    for metric in order[~np.isnan(values[order])].tolist():
        if any(better[each, metric] for each in current):
            rank, current = rank + 1, []
        ranks[metric] = rank
        current.append(metric)
    return ranks
