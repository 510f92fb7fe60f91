"""The correlation that a perfect metric would have, given how well raters agree with each other."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray, FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.bootstrap import weighted_correlations
from measures.meta_evaluation.system_differences import QUALITY_DECIMALS, system_pairs

FEW_RATERS = Undefined("fewer than 2 inputs have two ratings of the output of each system")
NOT_RELIABLE = Undefined("halves of the raters do not agree more than by chance")
NO_SPREAD = Undefined("the difference between the two systems is the same for every input, by half of the raters")
SPLITS = 100


@dataclass(frozen=True)
class Ceiling:
    """Reliability of the judgement on one pair of systems.

    Attributes
    ----------
    halves : float or Undefined
        Correlation of the differences by one half of the raters with those by the other half, mean over the splits.
    reliability : float or Undefined
        The same for the full panel (Spearman and Brown).
    ceiling : float or Undefined
        Its square root: the correlation that the true quality is expected to have with the judgement.
    """

    halves: float | Undefined
    reliability: float | Undefined
    ceiling: float | Undefined


def ceilings(ratings: npt.ArrayLike, *, seed: int, splits: int = SPLITS) -> list[Ceiling]:
    """Split the raters of each output in two halves, and see how well the halves agree.

    Parameters
    ----------
    ratings : array_like of shape (s, n, r)
        Ratings of the outputs of each system; NaN where an output has fewer than r. With an odd number, the first
        half has one rater more.
    seed : int
        Seed of the random number generator.
    splits : int, default 100
        Number of splits.

    Returns
    -------
    list of Ceiling
        One for each pair of systems.

    Raises
    ------
    ValueError
        If `splits` is below 1 or the ratings are not three-dimensional.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> ratings = rng.normal(size=(2, 200, 1)) + rng.normal(size=(2, 200, 4))
    >>> (found,) = ceilings(ratings, seed=1)
    >>> round(found.reliability, 1), round(found.ceiling, 1)
    (0.8, 0.9)
    """
    values = np.asarray(ratings, dtype=np.float64)
    if values.ndim != 3 or splits < 1:
        raise ValueError("ratings must be systems by inputs by raters, and splits at least 1")
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(splits):
        keys = np.where(np.isnan(values), np.inf, rng.random(values.shape))
        found.append(split_correlations(values, keys.argsort(axis=2).argsort(axis=2) % 2 == 0))
    has_halves = (~np.isnan(values)).sum(axis=2) > 1
    first, second = system_pairs(len(values)).T
    shared = (has_halves[first] & has_halves[second]).sum(axis=1)
    return [
        Ceiling(NO_SPREAD, NO_SPREAD, NO_SPREAD) if inputs > 1 and np.isnan(column).all() else ceiling_of(column)
        for inputs, column in zip(shared.tolist(), np.array(found).T, strict=True)
    ]


def split_correlations(ratings: FloatArray, first: BoolArray) -> FloatArray:
    """Correlate the differences by one half of the raters with those by the other, for each pair of systems.

    Parameters
    ----------
    ratings : FloatArray of shape (s, n, r)
        The ratings, NaN where missing.
    first : BoolArray of shape (s, n, r)
        Whether a rating is of the first half.

    Returns
    -------
    FloatArray of shape (p,)
        The correlations over inputs; NaN where undefined.

    Examples
    --------
    >>> ratings = np.array([[[1, 2], [2, 2], [3, 3]], [[1.0, 1], [1, 1], [1, 1]]])
    >>> split_correlations(ratings, np.arange(2) == np.zeros((2, 3, 1))).round(3).tolist()
    [0.866]
    """
    halves = [_half_means(ratings, chosen) for chosen in (first, ~first)]
    systems = len(ratings)
    found = []
    for a in range(systems):
        for b in range(a + 1, systems):
            both = np.round(np.stack([half[a] - half[b] for half in halves]), QUALITY_DECIMALS)
            both = both[:, ~np.isnan(both).any(axis=0)]
            found.append(weighted_correlations(both, None)[0, 0] if both.shape[1] > 1 else np.nan)
    return np.array(found)


def ceiling_of(correlations: npt.ArrayLike) -> Ceiling:
    """Return the ceiling from correlations of halves.

    Source: Spearman 1910, "Correlation calculated from faulty data"; Brown 1910.

    Parameters
    ----------
    correlations : array_like of shape (k,)
        Correlations of halves in the splits; NaN where undefined.

    Returns
    -------
    Ceiling
        Of the mean over the splits.

    Examples
    --------
    >>> round(ceiling_of([0.5, 0.5]).ceiling, 3), ceiling_of([-0.1]).ceiling.reason
    (0.816, 'halves of the raters do not agree more than by chance')
    """
    values = np.asarray(correlations, dtype=np.float64)
    known = values[~np.isnan(values)]
    if not len(known):
        return Ceiling(FEW_RATERS, FEW_RATERS, FEW_RATERS)
    halves = float(known.mean())
    if halves <= 0:
        return Ceiling(halves, NOT_RELIABLE, NOT_RELIABLE)
    full = 2 * halves / (1 + halves)
    return Ceiling(halves, full, sqrt(full))


def _half_means(ratings: FloatArray, chosen: BoolArray) -> FloatArray:
    known = chosen & ~np.isnan(ratings)
    count = known.sum(axis=2)
    return np.where(count > 0, np.where(known, ratings, 0).sum(axis=2) / np.maximum(count, 1), np.nan)
