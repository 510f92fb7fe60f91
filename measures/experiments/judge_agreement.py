"""How far the people agree who judge systems' outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import scipy

from measures.agreement.cohen import Weights, kappa_of_table
from measures.agreement.krippendorff import AlphaResult, krippendorff_alpha
from measures.agreement.rater_pairs import PairKappa, pairwise_kappa
from measures.core.arrays import FloatArray, IntArray
from measures.core.drawn_sources import drawn_interval, source_draws
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.experiments.judgements import Judgements
from measures.experiments.paired import DRAWS

Table: TypeAlias = Any  # of numbers, sparse

LEAST_COMMON = 5
"""A pair of judges with fewer texts in common has no kappa."""
NO_COMMON = Undefined(f"no two judges have {LEAST_COMMON} texts in common")
NO_KAPPA = Undefined("no pair of judges has a kappa: each used one category")
_BLOCK = 2_000_000


@dataclass(frozen=True)
class MeanKappa:
    """Cohen's kappa, averaged over pairs of judges.

    Attributes
    ----------
    value : float
        The mean over the pairs that have a kappa.
    interval : Interval or Undefined
        Over draws of the sources with all their texts.
    pairs, undefined : int
        Pairs with a kappa, and those whose ratings are all in one category.
    """

    value: float
    interval: Interval | Undefined
    pairs: int
    undefined: int


@dataclass(frozen=True, eq=False)
class JudgeAgreement:
    """How far judges agree about the texts.

    Attributes
    ----------
    pairs : tuple of PairKappa
        Unweighted kappa of each two judges with at least 5 texts in common; raters are places in `judges`.
    common : IntArray
        How many texts each two judges both rated, shape (judges, judges).
    kappa, quadratic : MeanKappa or Undefined
        The means of these kappas, and of the quadratic ones.
    alpha : AlphaResult or Undefined
        Krippendorff's alpha, ordinal, of all judges.
    """

    pairs: tuple[PairKappa, ...]
    common: IntArray
    kappa: MeanKappa | Undefined
    quadratic: MeanKappa | Undefined
    alpha: AlphaResult | Undefined


def judge_agreement(found: Judgements, *, draws: int = DRAWS, seed: int) -> JudgeAgreement:
    """Compute the agreement of judges over all texts, with the judges taken as given.

    Source: Cohen 1960, "A coefficient of agreement for nominal scales"; Cohen 1968; Krippendorff 2011.

    Parameters
    ----------
    found : Judgements
        The ratings. All points of the scale count as labels, also those that nobody gave.
    draws : int, default 10_000
        Draws of the sources for the intervals of mean kappas.
    seed : int
        Seed of these draws.

    Returns
    -------
    JudgeAgreement
        The coefficients.

    Examples
    --------
    >>> points, texts = [1, 1, 2, 2, 3, 3, 4, 4, 5, 4], np.repeat(range(5), 2)
    >>> from measures.experiments.judgements import judgements
    >>> table = judgements(points, ["a"] * 10, texts, ["x", "y"] * 5, categories=5)
    >>> found = judge_agreement(table, seed=1)
    >>> round(found.kappa.value, 3), round(found.quadratic.value, 3), round(found.alpha.alpha, 3)
    (0.75, 0.941, 0.954)
    """
    cube = found.cube
    text = cube.transpose(0, 2, 1).reshape(-1, cube.shape[1])
    sources = np.repeat(np.arange(len(cube)), cube.shape[2])
    rated = (text >= 0).any(axis=1)
    text, sources = text[rated], sources[rated]
    given = text >= 0
    matrix = np.where(given, text + found.categories[0], np.nan)
    categories = found.categories.tolist()
    pairs = pairwise_kappa(matrix, categories=categories, weights="none", min_items=LEAST_COMMON, sources=sources)
    tables = _pair_tables(text, sources, pairs, len(categories))
    return JudgeAgreement(
        tuple(pairs),
        given.T.astype(np.int64) @ given,
        _mean_kappa(tables, len(categories), "none", draws, seed),
        _mean_kappa(tables, len(categories), "quadratic", draws, seed),
        krippendorff_alpha(matrix, level="ordinal", categories=categories, sources=sources),
    )


def _pair_tables(text: IntArray, sources: IntArray, pairs: Sequence[PairKappa], k: int) -> Table:
    """Return how often each two judges gave each two points to texts of a source: shape (sources, pairs * k * k)."""
    _, place = np.unique(sources, return_inverse=True)
    rows, columns = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for number, pair in enumerate(pairs):
        one, other = text[:, pair.rater_a], text[:, pair.rater_b]
        both = (one >= 0) & (other >= 0)
        rows.append(place[both])
        columns.append((number * k + one[both]) * k + other[both])
    at = np.concatenate(rows), np.concatenate(columns)
    shape = int(place.max(initial=-1)) + 1, len(pairs) * k * k
    return scipy.sparse.csr_array((np.ones(len(at[0])), at), shape=shape)


def _mean_kappa(tables: Table, k: int, weights: Weights, draws: int, seed: int) -> MeanKappa | Undefined:
    sources, cells = tables.shape
    pairs = cells // k**2
    if not pairs:
        return NO_COMMON
    kappas = kappa_of_table(np.asarray(tables.sum(axis=0)).reshape(pairs, k, k), weights)
    defined = kappas[~np.isnan(kappas)]
    if not len(defined):
        return NO_KAPPA
    step = max(1, _BLOCK // cells)
    drawn = [
        _mean_defined(kappa_of_table((times[start : start + step] @ tables).reshape(-1, pairs, k, k), weights))
        for times in source_draws(sources, draws, seed)
        for start in range(0, len(times), step)
    ]
    interval = drawn_interval(np.concatenate(drawn), sources)
    return MeanKappa(float(defined.mean()), interval, len(defined), pairs - len(defined))


def _mean_defined(kappas: FloatArray) -> FloatArray:
    """Return the mean over the pairs that have a kappa, for each draw that has such a pair."""
    known = ~np.isnan(kappas)
    number = known.sum(axis=1)
    return np.asarray(np.where(known, kappas, 0).sum(axis=1)[number > 0] / number[number > 0])
