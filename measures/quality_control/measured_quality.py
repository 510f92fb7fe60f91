"""The measured quality of workers: how good, over how many items, how sure, and how far from the cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.core.rating_scale import DECIMALS


@dataclass(frozen=True)
class Convergence:
    """How an iterative estimate ended.

    Attributes
    ----------
    converged : bool
        Whether the last step changed no estimate by more than the tolerance.
    steps : int
        Number of steps taken.
    last_change : float
        The largest change of an estimate in the last step.
    tolerance : float
        The largest change that counts as settled.
    """

    converged: bool
    steps: int
    last_change: float
    tolerance: float


@dataclass(frozen=True, eq=False)
class MeasuredQuality:
    """Quality of the w workers of one role.

    Attributes
    ----------
    quality : FloatArray of shape (w,)
        Quality in points, or accuracy from 0 to 1; NaN where unknown.
    items : IntArray of shape (w,)
        Number of items on which the quality is based.
    standard_error : FloatArray of shape (w,)
        Standard error of the quality, in the same unit; NaN where unknown, as it is for fewer than two items.
    convergence : tuple of Convergence
        How the estimates ended, one for each scale; empty for a quality that is not iterated.
    """

    quality: FloatArray
    items: IntArray
    standard_error: FloatArray
    convergence: tuple[Convergence, ...] = ()


def mean_quality(worker: IntArray, values: FloatArray, n_workers: int) -> MeasuredQuality:
    """Return the mean over the items of each worker, with its standard error.

    The standard error is the standard deviation of the worker's items, with n - 1 in the denominator, divided by
    the square root of their number n. It takes the items of a worker for independent draws from all that this
    worker might have done.

    Parameters
    ----------
    worker : IntArray of shape (n,)
        The worker of each item, 0 to n_workers - 1.
    values : FloatArray of shape (n,)
        The value of each item.
    n_workers : int
        Number of workers.

    Returns
    -------
    MeasuredQuality
        NaN for a worker without items. The standard error is NaN for a worker with fewer than two, and 0 if all
        items have the same value, which says nothing of the next one.

    Examples
    --------
    >>> found = mean_quality(np.array([0, 0, 0, 1]), np.array([1.0, 2.0, 3.0, 2.5]), n_workers=3)
    >>> found.quality, found.items, found.standard_error.round(3)
    (array([2. , 2.5, nan]), array([3, 1, 0]), array([0.577,   nan,   nan]))
    """
    items = np.bincount(worker, minlength=n_workers)
    quality = _divided(_sums(worker, values, n_workers), items)
    squares = _sums(worker, (values - quality[worker]) ** 2, n_workers)
    error = np.sqrt(_divided(squares, items * (items - 1)))
    # Equal values differ from their mean in the last bits; nothing else is as close.
    return MeasuredQuality(quality, items.astype(np.int64), np.where(error < 10.0**-DECIMALS, 0.0, error))


def share_error(share: FloatArray, items: IntArray) -> FloatArray:
    """Return the standard error of a share of right answers.

    It is half the width of the score interval of Wilson for one standard error, so that a share of 0 or 1 over few
    items is not taken for certain. The unit is the item: the answers to one item need not be independent, and if
    they are, the true error is smaller.

    Source: Wilson 1927, "Probable inference, the law of succession, and statistical inference".

    Parameters
    ----------
    share : FloatArray of shape (w,)
        Share of right answers of each worker, 0 to 1.
    items : IntArray of shape (w,)
        Number of items of each worker.

    Returns
    -------
    FloatArray of shape (w,)
        The standard error, 0 to 1; NaN for a worker with fewer than two items.

    Examples
    --------
    >>> share_error(np.array([0.5, 1.0, 1.0, 1.0]), np.array([99, 99, 4, 1])).round(3)
    array([0.05 , 0.005, 0.1  ,   nan])
    """
    known = np.where(items > 1, items, np.nan)
    error = np.sqrt(share * (1 - share) / known + 1 / (2 * known) ** 2) / (1 + 1 / known)
    return np.asarray(error)


def gap_to_cut(quality: FloatArray, cut: float | None, *, smallest_is_worst: bool) -> FloatArray:
    """Return the signed distance of each quality from the cut of the worker filter.

    Parameters
    ----------
    quality : FloatArray of shape (w,)
        Quality of each worker, NaN where unknown.
    cut : float or None
        The cut as in `Cutoff`; None if there is none.
    smallest_is_worst : bool
        True for a quality, False for a deviation.

    Returns
    -------
    FloatArray of shape (w,)
        Distance in the unit of the quality: above 0 on the side of those kept, below 0 on the side of those
        removed, 0 for those in a tie that was broken. NaN if the quality is unknown or there is no cut.

    Examples
    --------
    >>> gap_to_cut(np.array([1.5, 2.0, np.nan]), 1.75, smallest_is_worst=False)
    array([ 0.25, -0.25,   nan])
    """
    if cut is None:
        return np.full(len(quality), np.nan)
    gap = np.round(quality - cut if smallest_is_worst else cut - quality, DECIMALS)
    return gap + 0.0  # turns -0.0 into 0.0


def in_standard_errors(gap: float | None, standard_error: float | None) -> float | None:
    """Return how many standard errors of a worker's quality lie between it and the cut.

    Parameters
    ----------
    gap, standard_error : float or None
        The distance from the cut, and the standard error in the same unit; None where unknown.

    Returns
    -------
    float or None
        The quotient, with the sign of the gap; None if either is unknown, or the standard error is 0.

    Examples
    --------
    >>> in_standard_errors(-0.5, 0.25), in_standard_errors(-0.5, None)
    (-2.0, None)
    """
    return gap / standard_error if gap is not None and standard_error else None


def _sums(worker: IntArray, values: FloatArray, n_workers: int) -> FloatArray:
    # Without rows, bincount would count in whole numbers.
    return np.bincount(worker, values, minlength=n_workers).astype(np.float64)


def _divided(totals: FloatArray, counts: IntArray) -> FloatArray:
    """Divide; NaN where the count is 0."""
    quotients = np.full(len(totals), np.nan)
    np.divide(totals, counts, out=quotients, where=counts > 0)
    return quotients
