"""How well alignments agree with gold ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from measures.core.undefined import Undefined

Pair: TypeAlias = tuple[int, int]
"""Places of a source word and a target word."""
Figure: TypeAlias = float | Undefined

_NO_PREDICTED = Undefined("no word is aligned by the aligner")
_NO_SURE = Undefined("no pair of the gold alignment is sure")
_NO_TEXTS = Undefined("there are no texts")


@dataclass(frozen=True)
class AlignmentScores:
    """How well one alignment, or many, agree with gold.

    Attributes
    ----------
    precision, recall, f1 : float or Undefined
        Of the sure pairs, from 0 to 1.
    exact : float
        1 if the pairs are the sure ones and no others, else 0; of many texts the share of such texts.
    aer : float or Undefined
        Alignment error rate by sure and possible pairs (Och and Ney 2003): 0 is best.
    texts : int
        How many texts were compared.
    """

    precision: Figure
    recall: Figure
    f1: Figure
    exact: Figure
    aer: Figure
    texts: int = 1


def places_as_pairs(places: Iterable[int | None]) -> frozenset[Pair]:
    """Return the pairs of an alignment.

    Examples
    --------
    >>> sorted(places_as_pairs((2, None, 0)))
    [(0, 2), (2, 0)]
    """
    return frozenset((place, j) for j, place in enumerate(places) if place is not None)


def alignment_scores(
    gold_sure: Collection[Pair], gold_possible: Collection[Pair], predicted: Collection[Pair]
) -> AlignmentScores:
    """Score one alignment by a gold one.

    Parameters
    ----------
    gold_sure, gold_possible : collection of (int, int)
        Gold pairs of places; a sure pair need not be among the possible ones.
    predicted : collection of (int, int)
        Pairs to score.

    Returns
    -------
    AlignmentScores
        If neither has a pair, precision, recall and F1 are 1. If only one has, the figure that would divide by 0 is
        undefined and F1 is 0.

    Examples
    --------
    >>> scores = alignment_scores({(0, 0), (1, 1), (2, 2), (3, 3)}, {(4, 3)}, {(0, 0), (1, 1), (4, 3), (5, 2)})
    >>> scores.precision, scores.recall, scores.f1, scores.exact, scores.aer
    (0.5, 0.5, 0.5, 0.0, 0.375)
    """
    sure, found = frozenset(gold_sure), frozenset(predicted)
    if not sure and not found:
        return AlignmentScores(1.0, 1.0, 1.0, 1.0, 0.0)
    hits, allowed = len(found & sure), len(found & (sure | frozenset(gold_possible)))
    return AlignmentScores(
        hits / len(found) if found else _NO_PREDICTED,
        hits / len(sure) if sure else _NO_SURE,
        2 * hits / (len(found) + len(sure)),
        float(found == sure),
        1 - (hits + allowed) / (len(found) + len(sure)),
    )


def macro_scores(scores: Sequence[AlignmentScores]) -> AlignmentScores:
    """Return the mean precision and recall of texts, and the F1 of these two means.

    Parameters
    ----------
    scores : sequence of AlignmentScores
        Of each text.

    Returns
    -------
    AlignmentScores
        Means over the texts. Undefined precision counts as 0 if the gold alignment has pairs to find, and undefined
        recall if the aligner has pairs that gold lacks. Undefined for no texts.

    Examples
    --------
    >>> both = alignment_scores({(0, 0)}, (), {(0, 0)}), alignment_scores({(0, 0), (1, 1)}, (), {(0, 0)})
    >>> macro_scores(both)
    AlignmentScores(precision=1.0, recall=0.75, f1=0.8571428571428571, exact=0.5, aer=0.16666666666666669, texts=2)
    """
    if not scores:
        return AlignmentScores(_NO_TEXTS, _NO_TEXTS, _NO_TEXTS, _NO_TEXTS, _NO_TEXTS, 0)

    def mean(figure: Callable[[AlignmentScores], Figure]) -> float:
        values = map(figure, scores)
        return sum(0.0 if isinstance(value, Undefined) else value for value in values) / len(scores)

    precision, recall = mean(lambda each: each.precision), mean(lambda each: each.recall)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return AlignmentScores(
        precision, recall, f1, mean(lambda each: each.exact), mean(lambda each: each.aer), len(scores)
    )


def pooled_f1(texts: Iterable[tuple[Collection[Pair], Collection[Pair]]]) -> Figure:
    """Return the F1 of the pairs of all texts together.

    Parameters
    ----------
    texts : iterable of (collection of (int, int), collection of (int, int))
        The sure gold pairs and the aligner's pairs of each text, such as those of words that are not identical.

    Returns
    -------
    float or Undefined
        F1; undefined if neither has a pair.

    Examples
    --------
    >>> pooled_f1([({(0, 0)}, {(0, 0), (1, 1)}), (set(), set())])
    0.6666666666666666
    """
    hits = total = 0
    for gold, found in texts:
        hits += len(frozenset(gold) & frozenset(found))
        total += len(frozenset(gold)) + len(frozenset(found))
    return 2 * hits / total if total else Undefined("no words of different forms are aligned")
