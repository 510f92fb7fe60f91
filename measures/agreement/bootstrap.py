"""Agreement and kappa of two raters, with bootstrap intervals over the items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.agreement.cohen import Weights, defined_kappa, kappa_of_table, pair_table
from measures.core.intervals import ALL_DRAWS_UNDEFINED, Interval
from measures.core.rating_scale import Categories
from measures.core.undefined import Undefined


@dataclass(frozen=True)
class BootstrapAgreement:
    """How far two raters agree, with bootstrap intervals over the items.

    Attributes
    ----------
    agreement : float
        Share of the items on which they agree, 0 to 1.
    agreement_interval : Interval
        The agreement in the replications.
    kappa : float
        Their kappa.
    kappa_interval : Interval
        Kappa in the replications in which it is defined.
    items, replications : int
        Number of items and of replications.
    undefined_replications : int
        Replications left out because they drew one category only.
    """

    agreement: float
    agreement_interval: Interval
    kappa: float
    kappa_interval: Interval
    items: int
    replications: int
    undefined_replications: int


def bootstrap_agreement(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    categories: Categories,
    replications: int = 25_000,
    seed: int,
    weights: Weights = "quadratic",
) -> BootstrapAgreement | Undefined:
    """Compute agreement and kappa of two raters with bootstrap intervals over the items.

    Source: Toutanova et al. 2016, §3.2, Table 4 (expert vs worker: 25,000 replications). Agreement depends
    on the items through the table of their pairs only, so that a replication is one multinomial draw
    over its cells: the same distribution as drawing items with replacement.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        The ratings of the same items by two raters, none missing.
    categories : int or sequence of float
        The scale.
    replications : int, default 25_000
        Number of replications.
    seed : int
        Seed of the random numbers.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.

    Returns
    -------
    BootstrapAgreement or Undefined
        The values; undefined without items, or if all ratings are in one category.

    Raises
    ------
    ValueError
        If the lengths differ, a rating is missing or not one of the categories, or `replications` < 1.

    Examples
    --------
    >>> a, b = [3, 3, 2, 1, 3, 2, 3, 1, 2, 3], [3, 2, 2, 1, 3, 3, 3, 2, 2, 3]
    >>> result = bootstrap_agreement(a, b, categories=3, seed=1)
    >>> result.agreement, round(result.kappa, 4)
    (0.7, 0.717)
    >>> result.kappa_interval.low < result.kappa < result.kappa_interval.high
    True
    """
    if replications < 1:
        raise ValueError(f"replications must be at least 1, not {replications}")
    table = pair_table(a, b, categories)
    items, k = int(table.sum()), len(table)
    kappa = defined_kappa(float(kappa_of_table(table, weights)), items)
    if isinstance(kappa, Undefined):
        return kappa
    draws = np.random.default_rng(seed).multinomial(items, table.ravel() / items, size=replications)
    intervals = table_intervals(draws.reshape(-1, k, k), weights)
    if isinstance(intervals, Undefined):
        return intervals
    agreement_interval, kappa_interval, undefined = intervals
    return BootstrapAgreement(
        agreement=float(table.trace() / items),
        agreement_interval=agreement_interval,
        kappa=kappa,
        kappa_interval=kappa_interval,
        items=items,
        replications=replications,
        undefined_replications=undefined,
    )


def table_intervals(tables: npt.ArrayLike, weights: Weights) -> tuple[Interval, Interval, int] | Undefined:
    """Summarise the agreement and kappa of drawn tables.

    Parameters
    ----------
    tables : array_like of shape (d, k, k)
        Tables of counts, none empty.
    weights : {"quadratic", "linear", "none"}
        How disagreement grows with distance.

    Returns
    -------
    agreement : Interval
        Over all draws.
    kappa : Interval
        Over the draws in which it is defined.
    undefined : int
        Number of the other draws.

    If no draw has a kappa, all this is Undefined.

    Examples
    --------
    >>> table_intervals([[[2, 0], [0, 2]], [[4, 0], [0, 0]]], "none")[2]
    1
    """
    counts = np.asarray(tables, dtype=np.float64)
    agreement = counts.trace(axis1=1, axis2=2) / counts.sum(axis=(1, 2))
    kappa = kappa_of_table(counts, weights)
    defined = kappa[~np.isnan(kappa)]
    if not len(defined):
        return ALL_DRAWS_UNDEFINED
    return Interval.of(agreement), Interval.of(defined), len(kappa) - len(defined)
