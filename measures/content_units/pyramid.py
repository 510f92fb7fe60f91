"""Pyramids: units of content weighted by the number of references that have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from measures.agreement.mean_rounding import rounded
from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.item_means import ItemMean, item_mean
from measures.core.rating_scale import DECIMALS
from measures.core.undefined import Undefined
from measures.experiments.rankings import midranks

MOST_REFERENCES = 10
"""So many references have 1,022 subsets; more would be slow."""

NO_UNITS = Undefined("the text has no units")
EMPTY_PYRAMID = Undefined("no reference has a unit")
NO_SCORE = "the texts have no score in any source"


@dataclass(frozen=True)
class PyramidScore:
    """How well a text chooses among the units of its references.

    Attributes
    ----------
    weight : int
        D, the sum of the weights of its units.
    units : int
        X, their number, units outside the pyramid included.
    most : int
        The greatest weight that so many units can have.
    original : float or Undefined
        `weight` / `most`, 0 to 1: it falls with each unit of low weight. Undefined for a text without units, and for a
        pyramid without any.
    reference_units : float
        Mean number of units of a reference.
    most_for_references : int
        The greatest weight of as many units as that, rounded half up.
    modified : float or Undefined
        `weight` / `most_for_references`: how much of what a reference could hold is there. Above 1 for a text that has
        more. Undefined for a pyramid without any units.
    """

    weight: int
    units: int
    most: int
    original: float | Undefined
    reference_units: float
    most_for_references: int
    modified: float | Undefined


def pyramid_score(contributors: npt.ArrayLike, expressed: npt.ArrayLike, further: int = 0) -> PyramidScore:
    """Score one text by the pyramid of its references.

    The same with factoids: a factoid is a unit, and the chosen texts of people are the references.

    Source: Nenkova and Passonneau 2004, "Evaluating content selection in summarization: the pyramid method",
    for the original score; Nenkova, Passonneau and McKeown 2007, "The pyramid method", for the modified one.

    Parameters
    ----------
    contributors : array_like of bool, of shape (units, references)
        Which reference has which unit.
    expressed : array_like of bool, of shape (units,)
        Which units the text has.
    further : int, default 0
        Number of its units that are in no reference.

    Returns
    -------
    PyramidScore
        The score.

    Raises
    ------
    ValueError
        If the shapes do not fit, there is no reference, or `further` < 0.

    Examples
    --------
    >>> contributors = [[1, 1, 1], [1, 1, 0], [0, 0, 1], [0, 1, 0]]
    >>> score = pyramid_score(contributors, [1, 0, 1, 0], further=1)
    >>> score.weight, score.most, round(score.original, 3), score.most_for_references, score.modified
    (4, 6, 0.667, 5, 0.8)
    """
    source = judged_peers(contributors, np.asarray(expressed)[None], [further])
    everyone = np.ones(source.contributors.shape[1], dtype=np.bool_)
    weight, units, most, modified_most, mean = _scores(source, everyone)
    return PyramidScore(
        weight=int(weight[0]),
        units=int(units[0]),
        most=int(most[0]),
        original=float(weight[0] / most[0]) if most[0] else EMPTY_PYRAMID if units[0] else NO_UNITS,
        reference_units=mean,
        most_for_references=modified_most,
        modified=float(weight[0] / modified_most) if modified_most else EMPTY_PYRAMID,
    )


def reference_as_peer(contributors: npt.ArrayLike, reference: int) -> PyramidScore:
    """Score a reference by the pyramid of the others.

    Source: as `pyramid_score`.

    Parameters
    ----------
    contributors : array_like of bool, of shape (units, references)
        Which reference has which unit.
    reference : int
        Number of the reference, from 0.

    Returns
    -------
    PyramidScore
        Its own units count in X, and only what others have of them in D.

    Raises
    ------
    ValueError
        As `pyramid_score`; if there are fewer than two references, or `reference` is not one of them.

    Examples
    --------
    >>> reference_as_peer([[1, 1, 1], [1, 1, 0], [0, 0, 1], [0, 1, 0]], 1).original
    0.75
    """
    table = np.asarray(contributors, dtype=np.bool_)
    if table.ndim != 2 or table.shape[1] < 2 or not 0 <= reference < table.shape[1]:
        raise ValueError(f"reference {reference} and another one are needed in a table of shape {table.shape}")
    return pyramid_score(np.delete(table, reference, axis=1), table[:, reference])


@dataclass(frozen=True, eq=False)
class JudgedPeers:
    """The pyramid of one source, and what each peer has of it.

    Attributes
    ----------
    contributors : BoolArray of shape (units, references)
        Which reference has which unit.
    expressed : BoolArray of shape (peers, units)
        Which peer has which unit.
    further : IntArray of shape (peers,)
        Number of units of each peer that are in no reference.
    judged : BoolArray of shape (peers,)
        Which peers have a text that was judged.
    """

    contributors: BoolArray
    expressed: BoolArray
    further: IntArray
    judged: BoolArray


def judged_peers(
    contributors: npt.ArrayLike,
    expressed: npt.ArrayLike,
    further: npt.ArrayLike | None = None,
    judged: npt.ArrayLike | None = None,
) -> JudgedPeers:
    """Check the pyramid of one source and what its peers have of it.

    Parameters
    ----------
    contributors : array_like of bool, of shape (units, references)
        Which reference has which unit.
    expressed : array_like of bool, of shape (peers, units)
        Which peer has which unit.
    further : array_like of int, of shape (peers,), optional
        Number of units of each peer that are in no reference; 0 unless given.
    judged : array_like of bool, of shape (peers,), optional
        Which peers have a text that was judged; all unless given.

    Returns
    -------
    JudgedPeers
        The same as arrays.

    Raises
    ------
    ValueError
        If the shapes do not fit, there is no reference, or a number is below 0.

    Examples
    --------
    >>> judged_peers([[1, 0], [1, 1]], [[1, 1], [0, 1]]).further.tolist()
    [0, 0]
    """
    table, has = np.asarray(contributors, dtype=np.bool_), np.asarray(expressed, dtype=np.bool_)
    peers = len(has) if has.ndim else 0
    more = np.zeros(peers, dtype=np.int64) if further is None else np.asarray(further, dtype=np.int64)
    there = np.ones(peers, dtype=np.bool_) if judged is None else np.asarray(judged, dtype=np.bool_)
    if table.ndim != 2 or not table.shape[1]:
        raise ValueError(f"contributors must be of shape (units, references), at least one, not {table.shape}")
    if has.shape != (peers, len(table)) or more.shape != (peers,) or there.shape != (peers,):
        raise ValueError(f"peers of shape {has.shape}, {more.shape} and {there.shape} do not fit {len(table)} units")
    if (more < 0).any():
        raise ValueError("the number of further units must be at least 0")
    return JudgedPeers(table, has, more, there)


@dataclass(frozen=True)
class PyramidMeans:
    """Mean scores of a system over sources.

    Attributes
    ----------
    original, modified : ItemMean or Undefined
        With intervals over sources; sources without a score are left out and counted.
    """

    original: ItemMean | Undefined
    modified: ItemMean | Undefined


def pyramid_means(sources: Sequence[JudgedPeers]) -> tuple[PyramidMeans, ...]:
    """Compute the mean pyramid scores of systems over sources.

    Source: as `pyramid_score`.

    Parameters
    ----------
    sources : sequence of JudgedPeers
        One for each source, with the systems as peers in one order.

    Returns
    -------
    tuple of PyramidMeans
        One for each system.

    Raises
    ------
    ValueError
        If there is no source, or their numbers of peers differ.

    Examples
    --------
    >>> one = judged_peers([[1, 1], [1, 0]], [[1, 0], [0, 1]])
    >>> two = judged_peers([[1, 0], [1, 1]], [[1, 1], [1, 0]])
    >>> [each.original.value for each in pyramid_means([one, two])]
    [1.0, 0.5]
    """
    _check_peers(sources)
    original, modified = _tables(sources, [np.ones(each.contributors.shape[1], dtype=np.bool_) for each in sources])
    return tuple(
        PyramidMeans(item_mean(one, bounds=(0, 1), nothing=NO_SCORE), item_mean(other, nothing=NO_SCORE))
        for one, other in zip(original.T, modified.T, strict=True)
    )


@dataclass(frozen=True, eq=False)
class SubsetRanks:
    """The order of systems by the pyramids of fewer references.

    Attributes
    ----------
    subsets : tuple of tuple of int
        The numbers of the references, by size: each non-empty subset but the whole.
    original, modified : FloatArray of shape (subsets, systems)
        Midrank of the mean score of each system over sources, 1 for the best; NaN for a system without a score.
    """

    subsets: tuple[tuple[int, ...], ...]
    original: FloatArray
    modified: FloatArray


def subset_ranks(sources: Sequence[JudgedPeers]) -> SubsetRanks:
    """Rank systems by the pyramids of all subsets of the references: does their order hang on who wrote these?

    The same references are taken in all sources. Units that only the others have keep counting in X, with weight 0.

    Source: Nenkova and Passonneau 2004, "Evaluating content selection in summarization: the pyramid method",
    which asks how many references a pyramid needs.

    Parameters
    ----------
    sources : sequence of JudgedPeers
        One for each source, with as many references and peers each.

    Returns
    -------
    SubsetRanks
        The ranks by subset.

    Raises
    ------
    ValueError
        If there is no source, their numbers of references or peers differ, or there are fewer than 2 or more than 10
        references.

    Examples
    --------
    >>> found = subset_ranks([judged_peers([[1, 1], [1, 0], [0, 1]], [[1, 1, 0], [1, 0, 1]])])
    >>> found.subsets, found.original.tolist()
    (((0,), (1,)), [[1.0, 2.0], [2.0, 1.0]])
    """
    _check_peers(sources)
    references = sources[0].contributors.shape[1]
    if any(each.contributors.shape[1] != references for each in sources):
        raise ValueError("every source needs the same number of references")
    if not 2 <= references <= MOST_REFERENCES:
        raise ValueError(f"there must be 2 to {MOST_REFERENCES} references, not {references}")
    subsets = [each for size in range(1, references) for each in combinations(range(references), size)]
    ranks = []
    for subset in subsets:
        chosen = np.isin(np.arange(references), subset)
        ranks.append([_ranks(table) for table in _tables(sources, [chosen] * len(sources))])
    original, modified = np.moveaxis(np.array(ranks), 1, 0)
    return SubsetRanks(tuple(subsets), original, modified)


def _check_peers(sources: Sequence[JudgedPeers]) -> None:
    if len({len(each.expressed) for each in sources}) != 1:
        raise ValueError("there must be a source, and every source needs the same number of peers")


def _ranks(scores: FloatArray) -> FloatArray:
    """Return midranks of the means of (sources, systems), the largest first."""
    count = (~np.isnan(scores)).sum(axis=0)
    means = np.where(count > 0, np.nansum(scores, axis=0) / np.maximum(count, 1), np.nan)
    return midranks(-means.round(DECIMALS))


def _tables(sources: Sequence[JudgedPeers], chosen: Sequence[BoolArray]) -> tuple[FloatArray, FloatArray]:
    """Return original and modified scores (sources, peers), NaN where there is none."""
    original, modified = [], []
    for source, references in zip(sources, chosen, strict=True):
        weight, _, most, modified_most, _ = _scores(source, references)
        original.append(np.where(source.judged & (most > 0), weight / np.maximum(most, 1), np.nan))
        modified.append(np.where(source.judged & (modified_most > 0), weight / max(modified_most, 1), np.nan))
    return np.array(original), np.array(modified)


def _scores(source: JudgedPeers, references: BoolArray) -> tuple[IntArray, IntArray, IntArray, int, float]:
    """Return D, X and Max(X) of each peer, and Max(X_a) and the mean number of units of the references."""
    table = source.contributors[:, references]
    weights = table.sum(axis=1)
    heaviest = np.concatenate([[0], np.cumsum(np.sort(weights)[::-1])])
    units = source.expressed.sum(axis=1) + source.further
    total, number = int(table.sum()), table.shape[1]
    of_reference = min(int(rounded(total, number)), len(weights))
    return (
        source.expressed @ weights,
        units,
        heaviest[np.minimum(units, len(weights))],
        int(heaviest[of_reference]),
        total / number,
    )
