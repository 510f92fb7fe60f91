"""Correlations of metrics with people over systems, within inputs, and grouped in other ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import BoolArray, FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.system_correlations import TWO_SYSTEMS
from measures.meta_evaluation.system_differences import (
    QUALITY_DECIMALS,
    SCORE_DECIMALS,
    checked_arrays,
    pair_differences,
    rounded,
    system_pairs,
)

Kind: TypeAlias = Literal["pearson", "spearman", "kendall"]
Grouping: TypeAlias = Literal["input", "system", "none"]
CONSTANT = Undefined("the metric or the quality is constant, or fewer than 2 values are left")
NONE_DEFINED = Undefined("no group has a defined correlation")
_FEW_VALUES = 30
NO_PAIR_IN_RANGE = Undefined("no pair of systems has a difference of the metric in the range")


@dataclass(frozen=True)
class GroupedCorrelation:
    """Mean of the correlations within groups.

    Attributes
    ----------
    value : float or Undefined
        The mean over groups with a correlation.
    groups, skipped : int
        Groups with one, and groups without.
    """

    value: float | Undefined
    groups: int
    skipped: int


@dataclass(frozen=True)
class RangedCorrelation:
    """Kendall's tau over the pairs of systems whose difference lies in a range.

    Attributes
    ----------
    value : float or Undefined
        Concordant minus discordant pairs, divided by all pairs.
    pairs : int
        Pairs of systems in the range.
    """

    value: float | Undefined
    pairs: int


def pearson_rows(rows: FloatArray, other: FloatArray) -> FloatArray:
    """Correlate each row with another vector.

    Parameters
    ----------
    rows : FloatArray of shape (rows, n)
        Values, none missing.
    other : FloatArray of shape (n,) or (rows, n)
        What they are correlated with.

    Returns
    -------
    FloatArray of shape (rows,)
        Pearson's correlation; NaN where one of the two is constant.

    Examples
    --------
    >>> pearson_rows(np.array([[1.0, 2.0, 4.0], [1.0, 1.0, 1.0]]), np.array([1.0, 2.0, 4.0])).round(9).tolist()
    [1.0, nan]
    """
    if not rows.shape[-1]:
        return np.full(rows.shape[:-1], np.nan)
    x, y = rows - rows.mean(axis=-1, keepdims=True), other - other.mean(axis=-1, keepdims=True)
    lengths = np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1))
    varies = (rounded(np.ptp(rows, axis=-1), SCORE_DECIMALS) > 0) & (rounded(np.ptp(other, axis=-1), 9) > 0)
    return np.where(varies, np.clip((x * y).sum(axis=-1) / np.where(varies, lengths, 1), -1, 1), np.nan)


def spearman_rows(rows: FloatArray, other: FloatArray) -> FloatArray:
    """Correlate the ranks of each row with those of another vector; see `pearson_rows`.

    Parameters
    ----------
    rows : FloatArray of shape (rows, n)
        Values, none missing.
    other : FloatArray of shape (n,) or (rows, n)
        What they are correlated with.

    Returns
    -------
    FloatArray of shape (rows,)
        Spearman's correlation; NaN where one of the two is constant.

    Examples
    --------
    >>> spearman_rows(np.array([[1.0, 2.0, 9.0]]), np.array([1.0, 3.0, 4.0])).round(9).tolist()
    [1.0]
    """
    x, y = rounded(rows, SCORE_DECIMALS), rounded(other, QUALITY_DECIMALS)
    return pearson_rows(scipy.stats.rankdata(x, axis=-1), scipy.stats.rankdata(y, axis=-1))


def kendall_rows(rows: FloatArray, other: FloatArray) -> FloatArray:
    """Return Kendall's tau-b of each row with another vector; see `pearson_rows`.

    Parameters
    ----------
    rows : FloatArray of shape (rows, n)
        Values, none missing.
    other : FloatArray of shape (n,) or (rows, n)
        What they are correlated with.

    Returns
    -------
    FloatArray of shape (rows,)
        Tau-b; NaN where one of the two is constant.

    Examples
    --------
    >>> kendall_rows(np.array([[1.0, 2.0, 9.0, 8.0]]), np.array([1.0, 3.0, 4.0, 5.0])).round(3).tolist()
    [0.667]
    """
    if rows.shape[-1] > _FEW_VALUES:
        return _kendall_of_many(rows, other)
    first, second = system_pairs(rows.shape[-1]).T
    x = np.sign(rounded(rows[..., first] - rows[..., second], SCORE_DECIMALS))
    y = np.sign(rounded(other[..., first] - other[..., second], QUALITY_DECIMALS))
    untied = np.sqrt((x != 0).sum(axis=-1) * (y != 0).sum(axis=-1))
    return np.where(untied > 0, (x * y).sum(axis=-1) / np.maximum(untied, 1), np.nan)


def _kendall_of_many(rows: FloatArray, other: FloatArray) -> FloatArray:
    """Sort each row: pairs grow with the square of its length."""
    x, y = rounded(rows, SCORE_DECIMALS), rounded(np.broadcast_to(other, rows.shape), QUALITY_DECIMALS)
    varies = (np.ptp(x, axis=-1) > 0) & (np.ptp(y, axis=-1) > 0)
    found = np.full(len(rows), np.nan)
    found[varies] = [scipy.stats.kendalltau(*both).statistic for both in zip(x[varies], y[varies], strict=True)]
    return found


ROWS: dict[Kind, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "pearson": pearson_rows,
    "spearman": spearman_rows,
    "kendall": kendall_rows,
}


def system_level_correlations(
    scores: npt.ArrayLike, quality: npt.ArrayLike, *, kind: Kind = "pearson"
) -> tuple[float | Undefined, ...]:
    """Correlate means of systems (r_SYS).

    Source: Deutsch, Dror and Roth 2021.

    Parameters
    ----------
    scores : array_like of shape (metrics, systems, inputs)
        Large is good; NaN where a score is missing.
    quality : array_like of shape (systems, inputs)
        NaN where an output has no rating.
    kind : {"pearson", "spearman", "kendall"}
        Kind of correlation.

    Returns
    -------
    tuple of (float or Undefined)
        For each metric, over its systems, each with the mean of its outputs that have both; undefined for two systems,
        of which any correlation would be 1 or -1.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> system_level_correlations([[[0.1, 0.2], [0.3, 0.2], [0.6, 0.4]]], [[1, 1], [2, 1], [3, 3]], kind="kendall")
    (1.0,)
    """
    x, q = checked_arrays(scores, quality)
    return tuple(_of_systems(each, q, kind) for each in x)


def grouped_correlation(
    scores: npt.ArrayLike,
    quality: npt.ArrayLike,
    *,
    by: Grouping = "input",
    kind: Kind = "pearson",
) -> tuple[GroupedCorrelation, ...]:
    """Correlate outputs within inputs (r_SUM), within systems, or all together.

    The last two reward a metric for knowing which inputs are easy: show them only beside sentinels that know the
    source alone.

    Source: Deutsch, Dror and Roth 2021; Perrella et al. 2024.

    Parameters
    ----------
    scores : array_like of shape (metrics, systems, inputs)
        Large is good; NaN where a score is missing.
    quality : array_like of shape (systems, inputs)
        NaN where an output has no rating.
    by : {"input", "system", "none"}
        Groups.
    kind : {"pearson", "spearman", "kendall"}
        Kind of correlation.

    Returns
    -------
    tuple of GroupedCorrelation
        One for each metric. Groups without a correlation are skipped and counted.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> grouped_correlation([[[0.1, 0.5], [0.3, 0.5], [0.6, 0.5]]], [[1, 1], [2, 1], [3, 3]], kind="spearman")
    (GroupedCorrelation(value=1.0, groups=1, skipped=1),)
    """
    x, q = checked_arrays(scores, quality)
    groups = q.T if by == "input" else q if by == "system" else q.reshape(1, q.size)
    rows = x.transpose(0, 2, 1) if by == "input" else x
    flat = rows.reshape(len(x) * len(groups), groups.shape[1])
    values = _rows_with_gaps(flat, np.tile(groups, (len(x), 1)), kind).reshape(len(x), len(groups))
    return tuple(_mean_of_groups(each) for each in values)


def ranged_correlation(
    scores: npt.ArrayLike, quality: npt.ArrayLike, low: float, high: float
) -> tuple[RangedCorrelation, ...]:
    """Compare the order only of pairs of systems whose difference in the metric lies in (low, high): r_SYS(l, u).

    Source: Deutsch, Dror and Roth 2022, "Re-examining system-level correlations of automatic summarization evaluation
    metrics".

    Parameters
    ----------
    scores : array_like of shape (metrics, systems, inputs)
        Large is good; NaN where a score is missing.
    quality : array_like of shape (systems, inputs)
        NaN where an output has no rating.
    low, high : float
        Range of the difference of means, without its sign, in units of the metric.

    Returns
    -------
    tuple of RangedCorrelation
        One for each metric; ties of the quality count as neither.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> ranged_correlation([[[0.1], [0.2], [0.9]]], [[2], [1], [3]], 0, 0.5)
    (RangedCorrelation(value=-1.0, pairs=1),)
    """
    d = pair_differences(scores, quality)
    inputs = np.maximum(d.used.sum(axis=1), 1)
    mine = rounded(d.scores.sum(axis=2) / inputs, SCORE_DECIMALS)
    theirs = rounded(d.quality.sum(axis=1) / inputs, QUALITY_DECIMALS)
    inside = d.scored & (np.abs(mine) > low) & (np.abs(mine) < high)
    sums, pairs = (np.sign(mine) * np.sign(theirs) * inside).sum(axis=1), inside.sum(axis=1)
    return tuple(
        RangedCorrelation(float(total) / int(n) if n else NO_PAIR_IN_RANGE, int(n))
        for total, n in zip(sums, pairs, strict=True)
    )


def _of_systems(x: FloatArray, q: FloatArray, kind: Kind) -> float | Undefined:
    both: BoolArray = np.isfinite(x) & np.isfinite(q)
    there = both.any(axis=1)
    number = both[there].sum(axis=1)
    mine, theirs = (np.where(both, each, 0.0)[there].sum(axis=1) / number for each in (x, q))
    if len(mine) == 2:
        return TWO_SYSTEMS
    (found,) = ROWS[kind](rounded(mine, SCORE_DECIMALS)[None], rounded(theirs, QUALITY_DECIMALS))
    return CONSTANT if np.isnan(found) else float(found)


def _mean_of_groups(values: FloatArray) -> GroupedCorrelation:
    defined = values[~np.isnan(values)]
    mean = float(defined.mean()) if len(defined) else NONE_DEFINED
    return GroupedCorrelation(mean, len(defined), len(values) - len(defined))


def _rows_with_gaps(rows: FloatArray, groups: FloatArray, kind: Kind) -> FloatArray:
    """Correlate row by row; rows that lack the same places are taken together."""
    there = np.isfinite(rows) & np.isfinite(groups)
    found = np.full(len(rows), np.nan)
    bits = np.packbits(there, axis=1)
    _patterns, first, places = np.unique(bits, axis=0, return_index=True, return_inverse=True)
    for number, pattern in enumerate(there[first]):
        same = places.reshape(-1) == number
        found[same] = ROWS[kind](rows[same][:, pattern], groups[same][:, pattern])
    return found
