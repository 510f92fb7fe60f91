"""Samples that any machine draws the same, and the bands they are drawn from."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from measures.core.arrays import IntArray
from measures.core.rating_scale import DECIMALS
from measures.sampling.splits import SourceId, whole_shares


def stratified_sample(ids: Sequence[SourceId], strata: Sequence[str], size: int, seed: int) -> list[SourceId]:
    """Draw a sample in which every stratum has its share.

    The sizes are those of the strata in proportion, rounded by largest remainder. Inside a stratum the
    ids with the smallest SHA-256 of ``"{seed}:{id}"`` are taken, so that the result depends on neither the
    machine nor the order of the input. A larger sample need not hold a smaller one: the largest
    remainders may move. `split_sources` orders families the same way; another seed keeps the two apart.

    Parameters
    ----------
    ids : sequence of int or str, of length n
        What is drawn from, each once.
    strata : sequence of str, of length n
        The stratum of each. Equal remainders go by its name.
    size : int
        How many to draw; all, if there are fewer.
    seed : int
        Chooses the order of the ids.

    Returns
    -------
    list of id
        The sample, by the same SHA-256 over all strata: its order tells nothing of them.

    Raises
    ------
    ValueError
        If the lengths differ, an id comes twice, or `size` is negative; the message begins with the name.

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
    order = sorted(ids, key=lambda one: _place(one, seed))
    if size >= len(ids):
        return order
    wanted = whole_shares(dict(sorted(Counter(strata).items())), size)
    stratum_of = dict(zip(ids, strata, strict=True))
    sample: list[SourceId] = []
    for one in order:
        if wanted[stratum_of[one]] > 0:
            wanted[stratum_of[one]] -= 1
            sample.append(one)
    return sample


def score_bands(scores: npt.ArrayLike, bands: int = 3) -> IntArray:
    """Number the band of each score: of three, the lowest third, the middle and the highest.

    A score falls into the band of its mid-rank: of what lies below it and half of what equals it. Scores
    that are equal to nine decimals share a band, and so bands differ in size, or are empty, where many are
    equal; without equal scores their sizes differ by 1 at most.

    Parameters
    ----------
    scores : array_like of shape (n,)
        The scores in points.
    bands : int, default 3
        Number of bands, at least 1.

    Returns
    -------
    IntArray of shape (n,)
        0 to bands - 1, great for a great score.

    Raises
    ------
    ValueError
        If `scores` is not one-dimensional or holds NaN, or `bands` is below 1; the message begins with the name.

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
    _, which, equal = np.unique(values, return_inverse=True, return_counts=True)
    twice_rank = 2 * np.cumsum(equal) - equal
    # In whole numbers: a rank on the border of two bands must not fall by binary noise.
    return np.asarray((bands * twice_rank // (2 * max(len(values), 1)))[which], dtype=np.int64)


def _place(one: int | str, seed: int) -> str:
    return hashlib.sha256(f"{seed}:{one}".encode()).hexdigest()
