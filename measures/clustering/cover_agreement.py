"""What stands beside the Omega index: shared pairs, shared information and alpha of overlapping communities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from measures.agreement.krippendorff import AlphaResult, krippendorff_alpha
from measures.clustering.covers import Communities, membership, together
from measures.clustering.products import product
from measures.core.arrays import FloatArray
from measures.core.undefined import NO_PAIRS, Undefined

# Pairs of communities that are compared at a time.
_BLOCK = 1_000_000

NO_PAIR_TOGETHER = Undefined("no two sentences are together")
NO_INFORMATION = Undefined("every community of both holds all sentences or none")


@dataclass(frozen=True)
class PairScores:
    """Precision, recall and F of the pairs of sentences that are together.

    Attributes
    ----------
    precision, recall, f : float or Undefined
        Undefined where the denominator is 0.
    """

    precision: float | Undefined
    recall: float | Undefined
    f: float | Undefined


def together_scores(found: Communities, gold: Communities, nodes: int) -> PairScores:
    """Score the pairs of sentences that share a community of a cover against those of another.

    Parameters
    ----------
    found, gold : sequence of collection of int
        Communities. How many a pair shares does not count.
    nodes : int
        Number of sentences.

    Returns
    -------
    PairScores
        The scores. F is symmetric.

    Raises
    ------
    ValueError
        As `covers.membership`.

    Examples
    --------
    >>> together_scores([[0, 1, 2]], [[0, 1], [1, 2]], 3)
    PairScores(precision=0.6666666666666666, recall=1.0, f=0.8)
    """
    first, second = together(found, nodes) > 0, together(gold, nodes) > 0
    both, in_first, in_second = int((first & second).sum()), int(first.sum()), int(second.sum())
    return PairScores(
        both / in_first if in_first else NO_PAIR_TOGETHER,
        both / in_second if in_second else NO_PAIR_TOGETHER,
        2 * both / (in_first + in_second) if in_first + in_second else NO_PAIR_TOGETHER,
    )


def overlapping_information(one: Communities, other: Communities, nodes: int) -> float | Undefined:
    """Compute the normalised mutual information of two covers that may overlap.

    Source: McDaid, Greene and Hurley 2011, "Normalized mutual information to evaluate overlapping community finding
    algorithms", normalised by the larger entropy; the conditional entropy is that of Lancichinetti,
    Fortunato and Kertész 2009.

    Parameters
    ----------
    one, other : sequence of collection of int
        Communities.
    nodes : int
        Number of sentences.

    Returns
    -------
    float or Undefined
        0 to 1, 1 for equal covers; undefined if no community of either tells anything, as one that holds all sentences.
        Takes time nodes times communities^2.

    Raises
    ------
    ValueError
        As `covers.membership`.

    Examples
    --------
    >>> overlapping_information([[0, 1], [2, 3]], [[2, 3], [0, 1]], 4)
    1.0
    >>> round(overlapping_information([[0, 1, 2], [2, 3]], [[0, 1], [2, 3]], 4), 3)
    0.656
    """
    first, second = membership(one, nodes), membership(other, nodes)
    of_first, of_second = (_entropy(each.sum(axis=0), nodes) for each in (first, second))
    largest = max(float(of_first.sum()), float(of_second.sum()))
    if largest <= 0:
        return NO_INFORMATION
    shared = of_first.sum() - _left(first, second).sum() + of_second.sum() - _left(second, first).sum()
    return min(1.0, max(0.0, float(shared) / 2 / largest))


def _entropy(members: FloatArray, nodes: int) -> FloatArray:
    """Return the entropy, in bits per sentence, of whether a sentence is in each community."""
    return _bits(members, nodes) + _bits(nodes - members, nodes)


def _bits(counts: FloatArray, nodes: int) -> FloatArray:
    share = counts / nodes if nodes else counts
    return np.asarray(-share * np.log2(np.where(share > 0, share, 1)))


def _left(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return what is left of the entropy of each community once the most telling one of the other cover is known."""
    if not second.shape[1]:
        return _entropy(first.sum(axis=0), len(first))
    step = max(1, _BLOCK // second.shape[1])
    blocks = [first[:, start : start + step] for start in range(0, first.shape[1], step)]
    return np.concatenate([np.empty(0), *(_left_of_block(each, second) for each in blocks)])


def _left_of_block(first: FloatArray, second: FloatArray) -> FloatArray:
    nodes = len(first)
    size, of_other = first.sum(axis=0)[:, None], second.sum(axis=0)[None]
    both = product(np.ascontiguousarray(first.T), second)
    neither, only_other, only_first, of_both = (
        _bits(each, nodes) for each in (nodes - size - of_other + both, of_other - both, size - both, both)
    )
    left = neither + only_other + only_first + of_both - _entropy(of_other, nodes)
    # A community that is nearly the complement of another would otherwise count as explained by it.
    telling = neither + of_both >= only_other + only_first
    return np.asarray(np.where(telling, left, _entropy(size, nodes)).min(axis=1))


def together_alpha(documents: Sequence[Sequence[Communities]], nodes: Sequence[int]) -> AlphaResult | Undefined:
    """Compute Krippendorff's alpha of how many communities each pair of sentences shares, as a nominal value.

    Parameters
    ----------
    documents : sequence of sequence of sequence of collection of int
        For each document, the covers of its annotators.
    nodes : sequence of int
        Number of sentences of each document.

    Returns
    -------
    AlphaResult or Undefined
        Its items are pairs of sentences; its interval is over documents, since pairs of one document depend on each
        other. Undefined if no pair has two annotators, or all have the same number.

    Raises
    ------
    ValueError
        If the lengths differ, and as `covers.membership`.

    Examples
    --------
    >>> covers = [[[0, 1], [2, 3]], [[0, 1], [2], [3]]]
    >>> round(together_alpha([covers, covers], [4, 4]).alpha, 3)
    0.574
    """
    counts = [[together(cover, number) for cover in covers] for covers, number in zip(documents, nodes, strict=True)]
    raters = max((len(each) for each in counts), default=0)
    tables = [np.full((number * (number - 1) // 2, raters), np.nan) for number in nodes]
    for table, columns in zip(tables, counts, strict=True):
        for place, column in enumerate(columns):
            table[:, place] = column
    matrix = np.concatenate(tables) if tables else np.empty((0, 0))
    if not raters or np.isnan(matrix).all():
        return NO_PAIRS
    sources = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    values = np.unique(matrix[~np.isnan(matrix)])
    return krippendorff_alpha(matrix, level="nominal", categories=values.tolist(), sources=sources)
