"""Weights of features by minimum error rate training: exact line search on lists of outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from measures.core.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Candidates:
    """The outputs that are known of one source.

    Attributes
    ----------
    features : FloatArray of shape (n, k)
        Features of each.
    gains : FloatArray of shape (n,)
        How good each is.
    """

    features: FloatArray
    gains: FloatArray


def mean_gain(pools: Sequence[Candidates], weights: FloatArray) -> float:
    """Return how good the outputs with the best scores are; of equal ones the first counts."""
    return float(np.mean([pool.gains[np.argmax(pool.features @ weights)] for pool in pools]))


def envelope(intercepts: FloatArray, slopes: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return which of some lines is the highest from where on.

    Parameters
    ----------
    intercepts, slopes : FloatArray of shape (n,)
        The lines, at least one.

    Returns
    -------
    IntArray of shape (m,), FloatArray of shape (m - 1,)
        The lines that are the highest somewhere, from left to right, and where each gives way to the next.

    Examples
    --------
    >>> lines, bounds = envelope(np.array([0.0, 1.0, -9.0]), np.array([1.0, -1.0, 0.0]))
    >>> lines.tolist(), bounds.tolist()
    ([1, 0], [0.5])
    """
    kept, bounds = list[int](), list[float]()
    for line in np.lexsort((np.arange(len(slopes)), -intercepts, slopes)).tolist():
        if kept and slopes[line] == slopes[kept[-1]]:
            continue
        while kept:
            crossing = (intercepts[kept[-1]] - intercepts[line]) / (slopes[line] - slopes[kept[-1]])
            if not bounds or crossing > bounds[-1]:
                bounds.append(float(crossing))
                break
            kept.pop()
            bounds.pop()
        kept.append(line)
    return np.array(kept, dtype=np.int64), np.array(bounds, dtype=np.float64)


def best_step(pools: Sequence[Candidates], weights: FloatArray, direction: FloatArray) -> tuple[float, float]:
    """Return how far to go in a direction, and the mean gain there.

    Source: Och 2003, "Minimum error rate training in statistical machine translation", §5.
    """
    start, places, changes = 0.0, [np.zeros(0)], [np.zeros(0)]
    for pool in pools:
        lines, bounds = envelope(pool.features @ weights, pool.features @ direction)
        start += float(pool.gains[lines[0]])
        places.append(bounds)
        changes.append(np.diff(pool.gains[lines]))
    where, change = np.concatenate(places), np.concatenate(changes)
    if not len(where):
        return 0.0, start / len(pools)
    order = np.argsort(where, kind="stable")
    edges = where[order]
    gains = np.concatenate([[start], start + np.cumsum(change[order])]) / len(pools)
    gains[1:-1][np.diff(edges) <= 0] = -np.inf  # between bounds that coincide there is nothing
    best = int(np.argmax(gains))
    low = edges[best - 1] if best else edges[0] - 2.0
    high = edges[best] if best < len(edges) else edges[-1] + 2.0
    return float(low + high) / 2, float(gains[best])


def tuned(pools: Sequence[Candidates], weights: FloatArray, restarts: int, rng: np.random.Generator) -> FloatArray:
    """Return the weights whose best outputs are the best, searched for along one weight after another.

    Parameters
    ----------
    pools : sequence of Candidates
        The outputs that are known of each source.
    weights : FloatArray of shape (k,)
        Where the search begins.
    restarts : int
        From how many other weights, drawn, it begins again.
    rng : numpy.random.Generator
        Draws them.

    Returns
    -------
    FloatArray of shape (k,)
        The best weights, the largest being 1 or -1.
    """
    starts = [weights, *rng.uniform(-1.0, 1.0, size=(restarts, len(weights)))]
    found = [_climbed(pools, start) for start in starts]
    best = found[int(np.argmax([mean_gain(pools, each) for each in found]))]
    return np.asarray(best / np.abs(best).max())


def _climbed(pools: Sequence[Candidates], start: FloatArray) -> FloatArray:
    weights, gain = start, mean_gain(pools, start)
    while True:
        steps = [(*best_step(pools, weights, direction), direction) for direction in np.eye(len(weights))]
        step, _promised, direction = max(steps, key=lambda each: each[1])
        further = weights + step * direction
        reached = mean_gain(pools, further)
        if reached <= gain + 1e-12 or not further.any():
            return weights
        weights, gain = further, reached
