"""Krippendorff's alpha: agreement of any number of raters, allowing missing ratings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import krippendorff
import numpy as np
import numpy.typing as npt

from measures.agreement.rating_patterns import Patterns, count_patterns
from measures.core.arrays import FloatArray, IntArray
from measures.core.intervals import ALL_DRAWS_UNDEFINED, Interval, resampled
from measures.core.rating_scale import Categories, category_values
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY, Undefined

Level: TypeAlias = Literal["nominal", "ordinal", "interval"]
"""Level of measurement, which defines the distance between two categories."""


@dataclass(frozen=True)
class AlphaResult:
    """Krippendorff's alpha with a bootstrap interval over the items.

    Attributes
    ----------
    alpha : float
        Krippendorff's alpha, at most 1.
    interval : Interval
        Alpha over the replications in which it is defined.
    items, left_out : int
        Numbers of items with at least two ratings, and with fewer.
    replications, undefined_replications : int
        Number of replications, and how many of these contain one category only.
    """

    alpha: float
    interval: Interval
    items: int
    left_out: int
    replications: int
    undefined_replications: int


def krippendorff_alpha(
    matrix: npt.ArrayLike,
    *,
    level: Level,
    categories: Categories,
    replications: int = 1000,
    seed: int,
) -> AlphaResult | Undefined:
    """Compute Krippendorff's alpha with a bootstrap interval over the items.

    The ``krippendorff`` package computes the point estimate. Each replication draws the items with replacement.

    Source: Krippendorff 2011, "Computing Krippendorff's alpha-reliability".

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing.
    level : {"nominal", "ordinal", "interval"}
        Level of measurement, which defines the distance between two categories.
    categories : int or sequence of float
        The scale, k categories.
    replications : int, default 1000
        Number of bootstrap replications.
    seed : int
        Seed of the random number generator.

    Returns
    -------
    AlphaResult or Undefined
        The estimates; undefined if no item has two ratings, or all of these are in one category.

    Raises
    ------
    ValueError
        If the level is unknown, a rating is not one of the categories, or `replications` < 1.

    Examples
    --------
    >>> matrix = [[1, 1], [2, 2], [3, 3], [3, 2], [1, np.nan]]
    >>> result = krippendorff_alpha(matrix, level="interval", categories=3, seed=1)
    >>> round(result.alpha, 3), result.items, result.left_out
    (0.821, 4, 1)
    """
    if replications < 1 or level not in ("nominal", "ordinal", "interval"):
        raise ValueError(f"replications {replications} or level {level!r} is not possible")
    patterns = count_patterns(matrix, categories)
    if not len(patterns.items):
        return NO_PAIRS
    if np.count_nonzero(patterns.counts.sum(axis=0)) == 1:
        return ONE_CATEGORY
    values = category_values(categories)
    draws = _bootstrap_alphas(patterns, values, level, replications, np.random.default_rng(seed))
    defined = draws[~np.isnan(draws)]
    if not len(defined):
        return ALL_DRAWS_UNDEFINED
    return AlphaResult(
        alpha=_alpha(patterns, values, level),
        interval=Interval.of(defined),
        items=int(patterns.items.sum()),
        left_out=patterns.left_out,
        replications=replications,
        undefined_replications=len(draws) - len(defined),
    )


def _alpha(patterns: Patterns, values: FloatArray, level: Level) -> float:
    counts = np.repeat(patterns.counts, patterns.items, axis=0)
    return float(krippendorff.alpha(value_counts=counts, value_domain=values, level_of_measurement=level))


def _bootstrap_alphas(
    patterns: Patterns, values: FloatArray, level: Level, replications: int, rng: np.random.Generator
) -> FloatArray:
    """Return alpha of each replication (replications,), NaN where all ratings are in one category."""
    pairs = _coincidences(patterns)
    blocks = resampled(patterns.items, replications, rng)
    return np.concatenate([_alphas(drawn, patterns, pairs, values, level) for drawn in blocks])


def _alphas(drawn: IntArray, patterns: Patterns, pairs: FloatArray, values: FloatArray, level: Level) -> FloatArray:
    """Return alpha of each of d replications, given how often each drew every pattern (d, p)."""
    k = len(values)
    coincidences = (drawn @ pairs.reshape(-1, k * k)).reshape(-1, k, k)
    # Equal to the row sums of the coincidences; computed from the counts, they are exact whole numbers.
    marginals = (drawn @ patterns.counts).astype(np.float64)
    totals = marginals.sum(axis=1)
    distances = _distances(marginals, values, level)
    observed = (coincidences * distances).sum(axis=(1, 2)) * (totals - 1)
    expected = (marginals[:, :, None] * marginals[:, None, :] * distances).sum(axis=(1, 2))
    ratio = np.full(len(drawn), np.nan)
    np.divide(observed, expected, out=ratio, where=np.count_nonzero(marginals, axis=1) > 1)
    return np.asarray(1 - ratio)


def _coincidences(patterns: Patterns) -> FloatArray:
    """Return the weighted pairs of ratings within an item of each pattern, by category (p, k, k).

    The diagonal also pairs each rating with itself, which is harmless because that distance is 0.
    """
    counts = patterns.counts
    return np.asarray(counts[:, :, None] * counts[:, None, :] / (counts.sum(axis=1) - 1)[:, None, None])


def _distances(marginals: FloatArray, values: FloatArray, level: Level) -> FloatArray:
    """Return the squared distances of the categories in each replication (replications or 1, k, k)."""
    if level == "nominal":
        return 1 - np.eye(len(values))[None]
    # Ordinal distances are between mid-ranks, which depend on the ratings drawn.
    positions = marginals.cumsum(axis=1) - marginals / 2 if level == "ordinal" else values[None]
    return np.asarray((positions[:, :, None] - positions[:, None, :]) ** 2)
