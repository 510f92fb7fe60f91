"""Reproducible stratified samples, and score bands to stratify by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from measures.core.arrays import IntArray
from measures.core.rating_scale import DECIMALS
from measures.core.seeded_order import seeded_key
from measures.sampling.splits import SourceId, whole_shares


def stratified_sample(ids: Sequence[SourceId], strata: Sequence[str], size: int, seed: int) -> list[SourceId]:
    """Draw a sample with proportional allocation over strata.

    The sample size of each stratum is proportional to its size, rounded by largest remainder. Within a stratum
    the ids with the smallest SHA-256 of ``"{seed}:{id}"`` are drawn, so the result depends neither on the
    machine nor on the order of the input. A larger sample need not contain a smaller one, as the largest
    remainders may move. `split_sources` orders families the same way: use another seed to keep the two
    independent.

    Parameters
    ----------
    ids : sequence of int or str, of length n
        The population, each id once.
    strata : sequence of str, of length n
        The stratum of each id. Ties between remainders are broken by its name.
    size : int
        Number of ids to draw; all, if there are fewer.
    seed : int
        Seed of the order of the ids.

    Returns
    -------
    list of id
        The sample, ordered by the same SHA-256 across strata, so the order does not reveal the strata.

    Raises
    ------
    ValueError
        If the lengths differ, an id occurs twice, or `size` is negative; the message begins with the name of the
        parameter.

    Examples
    --------
    >>> stratified_sample([1, 2, 3, 4, 5, 6], ["news", "news", "news", "news", "letters", "letters"], 3, seed=0)
    [4, 3, 6]
    """
    if len(set(ids)) < len(ids):
        raise ValueError(f"ids must differ, but {Counter(ids).most_common(1)[0][0]!r} comes twice")
    if len(strata) != len(ids):
        raise ValueError(f"strata must be one for each of the {len(ids)} ids, not {len(strata)}")
    if size < 0:
        raise ValueError(f"size must be at least 0, not {size}")
    order = sorted(ids, key=lambda id_: seeded_key(seed, id_))
    if size >= len(ids):
        return order
    remaining = whole_shares(dict(sorted(Counter(strata).items())), size)
    stratum_of = dict(zip(ids, strata, strict=True))
    sample: list[SourceId] = []
    for id_ in order:
        if remaining[stratum_of[id_]] > 0:
            remaining[stratum_of[id_]] -= 1
            sample.append(id_)
    return sample


def score_bands(scores: npt.ArrayLike, bands: int = 3) -> IntArray:
    """Return the quantile band of each score: with three bands, the lowest, middle or highest third.

    A score falls into the band of its mid-rank: the number of smaller scores plus half the number of equal
    ones. Scores equal to nine decimals share a band, so with many ties bands differ in size or are empty;
    without ties their sizes differ by at most 1.

    Parameters
    ----------
    scores : array_like of shape (n,)
        The scores in points.
    bands : int, default 3
        Number of bands, at least 1.

    Returns
    -------
    IntArray of shape (n,)
        0 to bands - 1, increasing with the score.

    Raises
    ------
    ValueError
        If `scores` is not one-dimensional or contains NaN, or `bands` is below 1; the message begins with the name
        of the parameter.

    Examples
    --------
    >>> score_bands(np.array([1.0, 3.0, 2.0, 3.0, 2.5, 1.5]))
    array([0, 2, 1, 2, 1, 0])
    """
    values = np.round(np.asarray(scores, dtype=np.float64), DECIMALS)
    if values.ndim != 1:
        raise ValueError(f"scores must be a list of numbers, not of shape {values.shape}")
    if np.isnan(values).any():
        raise ValueError("scores must not hold NaN")
    if bands < 1:
        raise ValueError(f"bands must be at least 1, not {bands}")
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    twice_rank = 2 * np.cumsum(counts) - counts
    # In integers, so that floating-point error cannot move a rank on the border of two bands.
    return np.asarray((bands * twice_rank // (2 * max(len(values), 1)))[inverse], dtype=np.int64)
