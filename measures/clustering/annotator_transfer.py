"""Classifiers that learn from the links of one annotator, tested on those of another."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from measures.agreement.cohen import weighted_kappa
from measures.clustering.link_features import Document, TermWeights
from measures.clustering.link_scores import LinkReport, link_report
from measures.clustering.links import THRESHOLD, LinkClassifier, linked
from measures.core.arrays import BoolArray, FloatArray
from measures.core.undefined import Undefined

Links: TypeAlias = Mapping[str, Iterable[Collection[int]]]
"""The linked pairs of sentences by the name of a document; of an annotator, those of the documents that they had."""

SAME_ANNOTATOR = Undefined("an annotator beside themselves")
NOTHING_IN_COMMON = Undefined("no document was annotated by both")
NO_TEST = Undefined("the annotator has none of the test documents")


@dataclass(frozen=True)
class Transfer:
    """What a classifier that learnt from one annotator is worth to another.

    Attributes
    ----------
    train, test : str
        The annotators.
    report : LinkReport or Undefined
        Scores on the test documents of the second; undefined if nothing can be learnt or tested.
    kappa : float or Undefined
        Cohen's kappa of the two, of whether pairs of sentences are linked, over all pairs of the documents that both
        annotated.
    documents : int
        Number of these documents.
    """

    train: str
    test: str
    report: LinkReport | Undefined
    kappa: float | Undefined
    documents: int


def annotator_transfers(
    documents: Mapping[str, Document],
    links: Mapping[str, Links],
    *,
    train: Collection[str],
    test: Collection[str],
    threshold: float = THRESHOLD,
) -> list[Transfer]:
    """Train on each annotator's links in training documents, and test on each annotator's in test documents.

    Murray et al. 2012, section 5.1, give a kappa of .45 between annotators of extracts. What it means for a classifier
    is not in the paper.

    Parameters
    ----------
    documents : mapping of str to sequence of Sentence
        The sentences of each document.
    links : mapping of str to mapping of str to iterable of collection of int
        For each annotator, the linked pairs of sentences in each document they had.
    train, test : collection of str
        The names of the training and of the test documents.
    threshold : float, default 0.5
        The least score of a link.

    Returns
    -------
    list of Transfer
        One for each two annotators and for each with themselves, by rows of the annotator in training, in the order of
        `links`.

    Raises
    ------
    ValueError
        If a document is on both sides or unknown, or a link is not two sentences of its document.

    Examples
    --------
    >>> from measures.clustering.link_features import Sentence
    >>> talk = [Sentence((word, "it"), speaker="AB"[n % 2]) for n, word in enumerate("cut cut keep keep".split())]
    >>> links = {"A": {"one": [(0, 1)], "two": [(0, 1), (2, 3)]}, "B": {"one": [(0, 1)], "two": [(0, 1)]}}
    >>> found = annotator_transfers({"one": talk, "two": talk}, links, train=["one"], test=["two"])
    >>> [(each.train, each.test) for each in found], round(found[1].kappa, 3), found[0].kappa.reason
    ([('A', 'A'), ('A', 'B'), ('B', 'A'), ('B', 'B')], 0.75, 'an annotator beside themselves')
    """
    for name in sorted({*train, *test}):
        if name not in documents or (name in train and name in test):
            raise ValueError(f"document {name!r} is unknown, or both of training and of test")
    truths = {
        name: {document: linked(pairs, len(documents[document])) for document, pairs in its.items()}
        for name, its in links.items()
    }
    weights = TermWeights([documents[each] for each in sorted(train)])
    scores = {one: _scores(documents, truths[one], weights, train, test) for one in truths}
    return [
        Transfer(one, other, _report(scores[one], truths[other], threshold), *_kappa(truths, one, other))
        for one in truths
        for other in truths
    ]


def _scores(
    documents: Mapping[str, Document],
    truth: Mapping[str, BoolArray],
    weights: TermWeights,
    train: Collection[str],
    test: Collection[str],
) -> dict[str, FloatArray] | Undefined:
    """Return the scores of the pairs of each test document, from one annotator's training documents."""
    learnt = [each for each in sorted(train) if each in truth]
    classifier = LinkClassifier.trained(
        [documents[each] for each in learnt], [truth[each] for each in learnt], weights=weights
    )
    if isinstance(classifier, Undefined):
        return classifier
    return {each: classifier.scores(documents[each]) for each in sorted(test)}


def _report(
    scores: Mapping[str, FloatArray] | Undefined, truth: Mapping[str, BoolArray], threshold: float
) -> LinkReport | Undefined:
    if isinstance(scores, Undefined):
        return scores
    tested = [each for each in scores if each in truth]
    if not tested:
        return NO_TEST
    return link_report([truth[each] for each in tested], [scores[each] for each in tested], threshold=threshold)


def _kappa(truths: Mapping[str, Mapping[str, BoolArray]], one: str, other: str) -> tuple[float | Undefined, int]:
    both = [each for each in truths[one] if each in truths[other]]
    if one == other:
        return SAME_ANNOTATOR, len(both)
    if not both:
        return NOTHING_IN_COMMON, 0
    first, second = (np.concatenate([truths[name][each] for each in both]) for name in (one, other))
    return weighted_kappa(first, second, categories=(0, 1), weights="none"), len(both)
