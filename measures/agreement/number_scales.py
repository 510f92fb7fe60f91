"""Agreement on scales of many points or real numbers, on which hardly any two raters give the same number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
import scipy

from measures.agreement.intraclass import NOTHING_VARIES, ONE_ITEM, IntraclassResult, of_sums
from measures.agreement.krippendorff import AlphaResult
from measures.agreement.two_way import two_way_interval
from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import NO_PAIRS, Undefined

UNKNOWN_RATERS = Undefined("nobody knows who gave each rating")
TOO_FEW_CROSSED = Undefined("raters and items do not overlap enough to tell severity from noise")
NO_COMMON_ITEMS = Undefined("no two raters have enough items in common")
NO_RANKS = Undefined("every pair of raters has one who gives all items the same number")

_NOTHING = 1e-12
Terms = Callable[[FloatArray], FloatArray]
"""What items contribute to a statistic: from number, sum and sum of squares of ratings (n, 3) to terms (n, v)."""


@dataclass(frozen=True, eq=False)
class SampledNumbers:
    """Numbers that raters gave to items, with the source of each item, as `two_way_interval` takes them.

    Attributes
    ----------
    moments : FloatArray of shape (n, 3)
        Number, sum and sum of squares of the ratings of each item.
    source : IntArray of shape (n,)
        Source of each item, from 0 without gaps.
    item, rater : IntArray of shape (m,)
        The item and the rater of each rating; raters are numbered from 0 without gaps.
    number : FloatArray of shape (m,)
        The number that was given, less the mean of all.
    raters : int
        Number of raters; 0 where the raters are not known.
    """

    moments: FloatArray
    source: IntArray
    item: IntArray
    rater: IntArray
    number: FloatArray
    raters: int

    @property
    def sources(self) -> int:
        """Number of sources."""
        return int(self.source.max(initial=-1)) + 1

    def terms(self, of: Terms) -> tuple[FloatArray, FloatArray]:
        """Return what each item contributes, and how much of it would go with each rating.

        Parameters
        ----------
        of : callable
            What items with given moments contribute.

        Returns
        -------
        items : FloatArray of shape (n, v)
            Contribution of each item.
        ratings : FloatArray of shape (m, v)
            Contribution of the rating's item, less what the item would contribute without the rating.
        """
        own = np.column_stack([np.ones(len(self.number)), self.number, self.number**2])
        contributed = of(self.moments)
        return contributed, contributed[self.item] - of(self.moments[self.item] - own)


def sampled_numbers(
    matrix: npt.ArrayLike,
    *,
    sources: npt.ArrayLike | None = None,
    raters: npt.ArrayLike | None = None,
    min_ratings: int = 1,
) -> SampledNumbers:
    """Bring numbers into the form that the functions of this module take.

    Parameters
    ----------
    matrix : array_like of shape (n, r)
        Items by raters, NaN where missing.
    sources : array_like of shape (n,), optional
        Source of each item, numbers or names. By default each item has a source of its own.
    raters : array_like of int, of shape (n, r), optional
        The rater of each rating, 0 or above. If one of them is negative, or by default, the raters are unknown.
    min_ratings : int, default 1
        Items with fewer ratings are left out.

    Returns
    -------
    SampledNumbers
        The ratings.

    Raises
    ------
    ValueError
        If a shape is wrong.

    Examples
    --------
    >>> found = sampled_numbers([[70, 72.5], [10, np.nan]], raters=[[4, 9], [4, -1]])
    >>> found.moments[:, 0].tolist(), found.sources, found.raters
    ([2.0, 1.0], 2, 2)
    """
    table = np.asarray(matrix, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"a matrix of items by raters, not of shape {table.shape}")
    labels = np.arange(len(table)) if sources is None else np.asarray(sources)
    people = np.full(table.shape, -1) if raters is None else np.asarray(raters, dtype=np.int64)
    if labels.shape != table.shape[:1] or people.shape != table.shape:
        raise ValueError(f"a source for each item and a rater for each rating of {table.shape}")
    enough = (~np.isnan(table)).sum(axis=1) >= max(1, min_ratings)
    table, people, labels = table[enough], people[enough], labels[enough]
    item, column = np.nonzero(~np.isnan(table))
    number = table[item, column]
    number = number - (number.mean() if len(number) else 0)
    rater, known = people[item, column], 0
    if len(rater) and (rater >= 0).all():
        names, places = np.unique(rater, return_inverse=True)
        rater, known = places.reshape(-1), len(names)
    else:
        rater = np.zeros(len(item), np.int64)
    moments = np.stack(
        [np.bincount(item, weights=number**power, minlength=len(table)) for power in (0, 1, 2)], axis=1
    ).astype(np.float64)
    source = np.unique(labels, return_inverse=True)[1].reshape(-1)
    return SampledNumbers(moments, source, item, rater, number, known)


def interval_alpha(ratings: SampledNumbers) -> AlphaResult | Undefined:
    """Compute Krippendorff's alpha at interval level from sums, however many numbers there are.

    Source: Krippendorff 2011, "Computing Krippendorff's alpha-reliability", with squared differences;
    `two_way_interval` for the interval.

    Parameters
    ----------
    ratings : SampledNumbers
        The ratings.

    Returns
    -------
    AlphaResult or Undefined
        The estimate; undefined if no item has two ratings, or all of these are the same number.

    Examples
    --------
    >>> ratings = sampled_numbers([[1, 1], [2, 2], [3, 3], [3, 2], [1, np.nan]])
    >>> found = interval_alpha(ratings)
    >>> round(found.alpha, 3), found.items, found.left_out
    (0.821, 4, 1)
    """
    sums = ratings.terms(_alpha_terms)[0].sum(axis=0)
    paired = int((ratings.moments[:, 0] > 1).sum())
    if not paired:
        return NO_PAIRS
    alpha = float(_alpha(sums[None])[0])
    if np.isnan(alpha):
        return NOTHING_VARIES
    interval = two_way_interval(ratings, _alpha_terms, _alpha, bounds=(-1, 1))
    return AlphaResult(alpha, interval, paired, len(ratings.moments) - paired)


def number_intraclass(ratings: SampledNumbers) -> IntraclassResult | Undefined:
    """Compute ICC(1) and ICC(1,k), as `intraclass` does for categories.

    Source: Shrout and Fleiss 1979, case 1; Donner 1986 for unequal numbers of ratings.

    Parameters
    ----------
    ratings : SampledNumbers
        The ratings.

    Returns
    -------
    IntraclassResult or Undefined
        Undefined with fewer than two items, without an item that has two ratings, or if nothing varies.

    Examples
    --------
    >>> found = number_intraclass(sampled_numbers([[1, 1], [2, 3], [3, 3], [1, 2]]))
    >>> round(found.single, 3), round(found.panel, 3), found.ratings
    (0.739, 0.85, 2.0)
    """
    return of_sums(
        ratings.terms(_variance_terms)[0].sum(axis=0)[None],
        partial(two_way_interval, ratings, _variance_terms),
    )


@dataclass(frozen=True)
class CrossedIntraclass:
    """ICC(2,1) and ICC(2,k): raters are drawn, and their severity counts as disagreement.

    Attributes
    ----------
    single, panel : float
        Of one rating, and of the mean of `ratings` by different raters.
    ratings : float
        Ratings of an item, averaged so that unequal numbers do not bias the variance between items.
    items, raters : int
        Numbers of each.
    """

    single: float
    panel: float
    ratings: float
    items: int
    raters: int


def crossed_intraclass(ratings: SampledNumbers) -> CrossedIntraclass | Undefined:
    """Compute ICC(2,1) and ICC(2,k) of raters who each rated some of the items.

    The variances of items, of raters and of the rest come from the sums of squares of Henderson's method 1. Where every
    rater has rated every item, the result is that of Shrout and Fleiss.

    Source: Shrout and Fleiss 1979, "Intraclass correlations", case 2; Searle 1971, "Linear models", section 11.2, for
    the sums of squares of unequal numbers.

    Parameters
    ----------
    ratings : SampledNumbers
        The ratings, with known raters.

    Returns
    -------
    CrossedIntraclass or Undefined
        Undefined with unknown raters, fewer than two items or raters, where the two do not overlap, or if nothing
        varies.

    Examples
    --------
    The six targets and four judges of Shrout and Fleiss, Table 2:

    >>> judges = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> found = crossed_intraclass(sampled_numbers(judges, raters=[[0, 1, 2, 3]] * 6))
    >>> round(found.single, 2), round(found.panel, 2)
    (0.29, 0.62)
    """
    if not ratings.raters:
        return UNKNOWN_RATERS
    items, m = len(ratings.moments), len(ratings.number)
    if items < 2 or ratings.raters < 2:
        return ONE_ITEM if items < 2 else TOO_FEW_CROSSED
    per_item, per_rater = ratings.moments[:, 0], np.bincount(ratings.rater).astype(np.float64)
    of_raters = np.bincount(ratings.rater, weights=ratings.number)
    total = float(ratings.number.sum() ** 2 / m)
    between = float((ratings.moments[:, 1] ** 2 / per_item).sum()) - total
    severity = float((of_raters**2 / per_rater).sum()) - total
    rest = float(ratings.moments[:, 2].sum()) - total - between - severity
    a, b = float((per_item**2).sum() / m), float((per_rater**2).sum() / m)
    number = ratings.raters
    expected = np.array(
        [
            [m - a, items - b, items - 1],
            [number - a, m - b, number - 1],
            [a - number, b - items, m - items - number + 1],
        ]
    )
    if abs(np.linalg.det(expected / m)) < _NOTHING:
        return TOO_FEW_CROSSED
    item, rater, error = np.maximum(np.linalg.solve(expected, np.array([between, severity, rest])), 0)
    if item + rater + error < _NOTHING:
        return NOTHING_VARIES
    mean = (m - a) / (items - 1)
    return CrossedIntraclass(
        float(item / (item + rater + error)),
        float(item / (item + (rater + error) / mean)) if item else 0.0,
        float(mean),
        items,
        number,
    )


@dataclass(frozen=True)
class RankCorrelations:
    """Spearman's rho and Kendall's tau-b of the raters two by two, as means over the pairs where they are defined.

    Attributes
    ----------
    spearman, kendall : float
        The means.
    pairs, constant : int
        Pairs of raters with enough items in common, and those among them of whom one gave all the same number.
    items : int
        Items that any such pair has in common.
    """

    spearman: float
    kendall: float
    pairs: int
    constant: int
    items: int


def rank_correlations(ratings: SampledNumbers, *, min_items: int = 5) -> RankCorrelations | Undefined:
    """Correlate the ranks that every two raters give to the items they share.

    Source: Spearman 1904, "The proof and measurement of association between two things"; Kendall 1945, "The
    treatment of ties in ranking problems", for tau-b.

    Parameters
    ----------
    ratings : SampledNumbers
        The ratings, with known raters.
    min_items : int, default 5
        Pairs of raters with fewer common items are left out.

    Returns
    -------
    RankCorrelations or Undefined
        Undefined with unknown raters, or without a pair that can be correlated.

    Examples
    --------
    >>> table = [[1, 10], [2, 30], [3, 20], [4, 40], [5, 50]]
    >>> found = rank_correlations(sampled_numbers(table, raters=[[0, 1]] * 5))
    >>> round(found.spearman, 3), round(found.kendall, 3), found.pairs
    (0.9, 0.8, 1)
    """
    if not ratings.raters:
        return UNKNOWN_RATERS
    by_rater = [np.flatnonzero(ratings.rater == rater) for rater in range(ratings.raters)]
    of_rater = [dict(zip(ratings.item[rows].tolist(), ratings.number[rows].tolist(), strict=True)) for rows in by_rater]
    rhos, taus, pairs, items = list[float](), list[float](), 0, set[int]()
    for first, second in _pairs(ratings, min_items):
        shared = sorted(of_rater[first].keys() & of_rater[second].keys())
        pairs += 1
        items.update(shared)
        mine, theirs = ([of_rater[rater][item] for item in shared] for rater in (first, second))
        if len(set(mine)) > 1 and len(set(theirs)) > 1:
            rhos.append(float(scipy.stats.spearmanr(mine, theirs).statistic))
            taus.append(float(scipy.stats.kendalltau(mine, theirs).statistic))
    if not pairs:
        return NO_COMMON_ITEMS
    if not rhos:
        return NO_RANKS
    return RankCorrelations(sum(rhos) / len(rhos), sum(taus) / len(taus), pairs, pairs - len(rhos), len(items))


def _pairs(ratings: SampledNumbers, least: int) -> list[tuple[int, int]]:
    """Return the pairs of raters with so many items in common."""
    order = np.lexsort((ratings.rater, ratings.item))
    item, rater = ratings.item[order], ratings.rater[order]
    codes = [np.zeros(0, np.int64)]
    for distance in range(1, int(np.bincount(item).max(initial=1))):
        first = np.flatnonzero(item[:-distance] == item[distance:])
        codes.append(rater[first] * ratings.raters + rater[first + distance])
    found, number = np.unique(np.concatenate(codes), return_counts=True)
    chosen = [divmod(int(code), ratings.raters) for code in found[number >= least]]
    return [(first, second) for first, second in chosen if first != second]


def _alpha_terms(moments: FloatArray) -> FloatArray:
    """Return number, sum and squares of items with pairs, and their squared differences over the number less one."""
    number, total, squares = moments.T
    paired = number > 1
    differences = 2 * (number * squares - total**2) / np.maximum(number - 1, 1)
    return np.where(paired[:, None], np.column_stack([number, total, squares, differences]), 0.0)


def _alpha(sums: FloatArray) -> FloatArray:
    number, total, squares, observed = sums.T
    expected = 2 * (number * squares - total**2)
    there = expected > _NOTHING * np.maximum(number, 1) ** 2
    return np.asarray(np.where(there, 1 - observed * (number - 1) / np.where(there, expected, 1.0), np.nan))


def _variance_terms(moments: FloatArray) -> FloatArray:
    """Return the terms of `measures.agreement.intraclass`."""
    number, total, squares = moments.T
    return np.column_stack([number > 0.5, number, number**2, total, total**2 / np.maximum(number, 1), squares])
