"""How well predicted links agree with those of people: precision, recall, F and the area under the curve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt
import scipy

from measures.clustering.links import THRESHOLD
from measures.core.arrays import BoolArray, FloatArray
from measures.core.undefined import Undefined

NONE_PREDICTED = Undefined("no pair is predicted to be linked")
NONE_LINKED = Undefined("no pair is linked")
NEITHER = Undefined("no pair is linked or predicted to be")
ONE_CLASS = Undefined("all pairs are linked, or none is")
NO_DOCUMENT = Undefined("no document has a value")
NO_ORDER = Undefined("links without scores have no order")


@dataclass(frozen=True)
class LinkScores:
    """How well links are predicted.

    Attributes
    ----------
    precision, recall, f : float or Undefined
        Of the pairs that are predicted to be linked, at a threshold.
    auroc : float or Undefined
        How often a linked pair has a higher score than one that is not linked; a tie counts one half.
    """

    precision: float | Undefined
    recall: float | Undefined
    f: float | Undefined
    auroc: float | Undefined


@dataclass(frozen=True)
class LinkReport:
    """How well links are predicted in several documents.

    Attributes
    ----------
    micro : LinkScores
        Of the pairs of all documents together.
    macro : LinkScores
        Means over the documents for which a score is defined.
    by_document : tuple of LinkScores
        Of each document.
    documents : dict of str to int
        Over how many documents the mean of each score goes.
    """

    micro: LinkScores
    macro: LinkScores
    by_document: tuple[LinkScores, ...]
    documents: dict[str, int]


def link_scores(truth: npt.ArrayLike, scores: npt.ArrayLike, *, threshold: float = THRESHOLD) -> LinkScores:
    """Score the links that are predicted for pairs of sentences.

    Parameters
    ----------
    truth : array_like of bool, shape (p,)
        Which pairs are linked.
    scores : array_like of shape (p,)
        Scores or probabilities of a link; predicted is what reaches the threshold.
    threshold : float, default 0.5
        The least score of a link.

    Returns
    -------
    LinkScores
        Precision is undefined if nothing is predicted, recall if nothing is linked, F if both are so; the area if all
        pairs are linked or none is. Takes time p log p.

    Raises
    ------
    ValueError
        If shapes differ or a score is not finite.

    Examples
    --------
    >>> found = link_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.4, 0.4])
    >>> round(found.precision, 3), round(found.recall, 3), round(found.f, 3), round(found.auroc, 3)
    (0.667, 0.667, 0.667, 0.583)
    """
    is_linked, values = np.asarray(truth, dtype=bool), np.asarray(scores, dtype=np.float64)
    if is_linked.ndim != 1 or is_linked.shape != values.shape or not np.isfinite(values).all():
        raise ValueError(f"a finite score for each pair, not shapes {is_linked.shape} and {values.shape}")
    return _scores(is_linked, values >= threshold, _area(is_linked, values))


def link_report(
    truths: Sequence[npt.ArrayLike], scores: Sequence[npt.ArrayLike], *, threshold: float = THRESHOLD
) -> LinkReport:
    """Score predicted links in several documents, micro and macro.

    Source: Murray et al. 2012, sections 6.1 and 7.1. The F of .54 printed there beside a precision of .62 and a
    recall of .54 can only be a mean over documents, so that macro is what compares with the paper.

    Parameters
    ----------
    truths : sequence of array_like of bool, shape (p,)
        For each document, which pairs are linked.
    scores : sequence of array_like of shape (p,)
        For each document, the scores of the pairs.
    threshold : float, default 0.5
        The least score of a link.

    Returns
    -------
    LinkReport
        Scores that are undefined in a document are not in the means.

    Raises
    ------
    ValueError
        As `link_scores`, and if there are not as many truths as scores.

    Examples
    --------
    >>> report = link_report([[1, 0], [0, 0, 1, 1]], [[0.9, 0.1], [0.8, 0.1, 0.6, 0.2]])
    >>> report.macro.f, report.micro.auroc, report.documents["f"]
    (0.75, 0.7777777777777778, 2)
    """
    found = [link_scores(truth, its, threshold=threshold) for truth, its in zip(truths, scores, strict=True)]
    of_all = [
        np.concatenate([np.ravel(each) for each in parts]) if parts else np.empty(0) for parts in (truths, scores)
    ]
    return _report(found, link_scores(of_all[0], of_all[1], threshold=threshold))


def all_linked_report(truths: Sequence[npt.ArrayLike]) -> LinkReport:
    """Score the lower bound that links every pair.

    Parameters
    ----------
    truths : sequence of array_like of bool, shape (p,)
        For each document, which pairs are linked.

    Returns
    -------
    LinkReport
        Recall is 1 and the area .5 wherever they are defined.

    Examples
    --------
    >>> all_linked_report([[1, 0, 0, 0]]).macro
    LinkScores(precision=0.25, recall=1.0, f=0.4, auroc=0.5)
    """
    return link_report(truths, [np.ones(np.shape(each)) for each in truths])


def link_set_scores(found: Iterable[tuple[int, int]], gold: Iterable[tuple[int, int]]) -> LinkScores:
    """Score a set of links that have no scores, such as those of messages.

    Parameters
    ----------
    found, gold : iterable of (int, int)
        Rising pairs of sentences.

    Returns
    -------
    LinkScores
        The area is undefined: there is nothing to order the pairs by.

    Examples
    --------
    >>> scores = link_set_scores([(0, 1), (0, 5), (1, 2), (1, 5)], [(0, 1), (1, 5), (2, 3), (0, 4)])
    >>> scores.precision, scores.recall, scores.f, scores.auroc.reason
    (0.5, 0.5, 0.5, 'links without scores have no order')
    """
    one, other = set(found), set(gold)
    every = sorted(one | other)
    truth = np.array([each in other for each in every], dtype=bool)
    return _scores(truth, np.array([each in one for each in every], dtype=bool), NO_ORDER)


def link_set_report(
    found: Sequence[Iterable[tuple[int, int]] | Undefined], gold: Sequence[Iterable[tuple[int, int]]]
) -> LinkReport:
    """Score sets of links without scores in several documents, micro and macro.

    Parameters
    ----------
    found : sequence of (iterable of (int, int) or Undefined)
        For each document, the links that were found, as by `message_links`; documents where that is undefined are left
        out.
    gold : sequence of iterable of (int, int)
        For each document, the links of people.

    Returns
    -------
    LinkReport
        The area is undefined.

    Raises
    ------
    ValueError
        If the lengths differ.

    Examples
    --------
    >>> report = link_set_report([[(0, 1)], [(0, 1), (1, 2)]], [[(0, 1)], [(0, 2)]])
    >>> report.macro.precision, round(report.micro.precision, 3)
    (0.5, 0.333)
    """
    there = [(set(its), set(people)) for its, people in zip(found, gold, strict=True) if not isinstance(its, Undefined)]
    pooled = [{(place, *pair) for place, both in enumerate(there) for pair in both[side]} for side in (0, 1)]
    every = sorted(pooled[0] | pooled[1])
    of_found, of_gold = (np.array([each in side for each in every], dtype=bool) for side in pooled)
    return _report([link_set_scores(*each) for each in there], _scores(of_gold, of_found, NO_ORDER))


def _scores(truth: BoolArray, predicted: BoolArray, area: float | Undefined) -> LinkScores:
    both, ours, theirs = int((truth & predicted).sum()), int(predicted.sum()), int(truth.sum())
    return LinkScores(
        both / ours if ours else NONE_PREDICTED,
        both / theirs if theirs else NONE_LINKED,
        2 * both / (ours + theirs) if ours + theirs else NEITHER,
        area,
    )


def _area(truth: BoolArray, scores: FloatArray) -> float | Undefined:
    positive = int(truth.sum())
    negative = len(truth) - positive
    if not positive or not negative:
        return ONE_CLASS
    ranks = scipy.stats.rankdata(scores)
    return float((ranks[truth].sum() - positive * (positive + 1) / 2) / (positive * negative))


def _report(found: Sequence[LinkScores], micro: LinkScores) -> LinkReport:
    names = [each.name for each in fields(LinkScores)]
    values = {
        name: [value for each in found if not isinstance(value := getattr(each, name), Undefined)] for name in names
    }
    macro = LinkScores(**{name: float(np.mean(its)) if its else NO_DOCUMENT for name, its in values.items()})
    return LinkReport(micro, macro, tuple(found), {name: len(its) for name, its in values.items()})
