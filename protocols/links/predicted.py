"""How well links are predicted, and by whom a classifier can be taught."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from measures.clustering import (
    LinkClassifier,
    LinkReport,
    all_linked_report,
    annotator_transfers,
    link_report,
    link_set_report,
    linked,
    message_links,
    pairs_of,
    predicted_links,
)
from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from protocols.links.documents import LinkedDocument, Pairs
from protocols.links.parameters import LinksParameters
from protocols.links.rows import LINKS, TRANSFER, Row, row

FOLDS, MOST_ANNOTATORS, MOST_PAIRS = 5, 10, 1_500_000
LOWER_BOUND, MESSAGES, CLASSIFIER, FILE = "all pairs", "messages", "classifier", "file"
FIGURES = ("precision", "recall", "f", "auroc")
NOT_INSTALLED = Undefined("scikit-learn is not installed: it comes with the extra calibration")
ONE_DOCUMENT = Undefined("a classifier is trained on other documents, and there are none")
NO_ACTS = Undefined("no sentence has an act and an entity")

Scores = Mapping[str, FloatArray]
"""The scores of all pairs, by the name of the document."""


def classifier_scores(documents: Sequence[LinkedDocument], seed: int) -> Scores | Undefined:
    """Return the scores that classifiers give each document, none of which has seen it in training."""
    pairs = sum(len(pairs_of(each.nodes)) for each in documents)
    if len(documents) < 2:
        return ONE_DOCUMENT
    if pairs > MOST_PAIRS:
        return Undefined(f"there are {pairs:,} pairs of sentences; a classifier takes at most {MOST_PAIRS:,}")
    shuffled = random.Random(f"folds:{seed}").sample(list(documents), len(documents))
    found: dict[str, FloatArray] = {}
    for fold in range(min(FOLDS, len(documents))):
        held_out = shuffled[fold::FOLDS]
        names = {each.name for each in held_out}
        others = [each for each in documents if each.name not in names]
        try:
            classifier = LinkClassifier.trained(
                [each.sentences for each in others], [linked(each.pairs, each.nodes) for each in others]
            )
        except ModuleNotFoundError:
            return NOT_INSTALLED
        except ValueError as error:
            return Undefined(str(error))
        if isinstance(classifier, Undefined):
            return classifier
        found |= {each.name: classifier.scores(each.sentences) for each in held_out}
    return found


def file_scores(document: LinkedDocument) -> FloatArray:
    """Return the scores of links that were predicted elsewhere; a pair that is not in the file has 0."""
    scores = document.scores or {}
    return np.array([scores.get((int(a), int(b)), 0.0) for a, b in pairs_of(document.nodes)])


def predicted_graphs(
    documents: Sequence[LinkedDocument], learnt: Scores | Undefined, threshold: float
) -> dict[str, Pairs | Undefined]:
    """Return the predicted links of each document: those of the file, or else the classifier's."""
    found: dict[str, Pairs | Undefined] = {}
    for each in documents:
        if each.scores is not None:
            found[each.name] = sorted(pair for pair, score in each.scores.items() if score >= threshold)
        elif isinstance(learnt, Undefined):
            found[each.name] = learnt
        else:
            found[each.name] = predicted_links(learnt[each.name], each.nodes, threshold=threshold)
    return found


def link_rows(
    documents: Sequence[LinkedDocument], learnt: Scores | Undefined, parameters: LinksParameters
) -> Iterator[Row]:
    """Yield precision, recall, F and area of each way to predict links, over documents."""
    truths = [linked(each.pairs, each.nodes) for each in documents]
    yield from _report_rows(LOWER_BOUND, all_linked_report(truths))
    messages = [message_links(each.acts, each.entities) for each in documents]
    has_messages = any(not isinstance(each, Undefined) for each in messages)
    report = link_set_report(messages, [each.pairs for each in documents]) if has_messages else NO_ACTS
    yield from _report_rows(MESSAGES, report)
    if isinstance(learnt, Undefined):
        yield from _report_rows(CLASSIFIER, learnt)
    else:
        scores = [learnt[each.name] for each in documents]
        yield from _report_rows(CLASSIFIER, link_report(truths, scores, threshold=parameters.threshold))
    if of_file := [place for place, each in enumerate(documents) if each.scores is not None]:
        scores = [file_scores(documents[place]) for place in of_file]
        found = link_report([truths[place] for place in of_file], scores, threshold=max(parameters.threshold, 1e-9))
        yield from _report_rows(FILE, found)


def _report_rows(name: str, found: LinkReport | Undefined) -> Iterator[Row]:
    for figure in FIGURES:
        if isinstance(found, Undefined):
            yield row(LINKS, figure, found, n=0, one=name, against="macro")
            continue
        yield row(LINKS, figure, getattr(found.macro, figure), n=found.documents[figure], one=name, against="macro")
        micro = getattr(found.micro, figure)
        yield row(LINKS, figure, micro, n=len(found.by_document), one=name, against="micro")


def transfer_rows(documents: Sequence[LinkedDocument], parameters: LinksParameters) -> Iterator[Row]:
    """Yield how well classifiers that learnt from one annotator predict the links of each."""
    counted = Counter(name for each in documents for name in {annotator.name for annotator in each.annotators})
    names = sorted(counted, key=lambda name: (-counted[name], name))[:MOST_ANNOTATORS]
    order = random.Random(f"halves:{parameters.seed}").sample([each.name for each in documents], len(documents))
    train, test = order[::2], order[1::2]
    if len(names) < 2 or not test or sum(len(pairs_of(each.nodes)) for each in documents) > MOST_PAIRS:
        return
    links = {
        name: {each.name: _pairs(each, name) for each in documents if name in {a.name for a in each.annotators}}
        for name in names
    }
    try:
        found = annotator_transfers(
            {each.name: each.sentences for each in documents},
            links,
            train=train,
            test=test,
            threshold=parameters.threshold,
        )
    except (ModuleNotFoundError, ValueError) as error:
        reason = NOT_INSTALLED if isinstance(error, ModuleNotFoundError) else Undefined(str(error))
        yield row(TRANSFER, "f", reason, n=0)
        return
    for each in found:
        about = {"one": each.train, "other": each.test}
        for figure in FIGURES:
            report = each.report
            value = report if isinstance(report, Undefined) else getattr(report.macro, figure)
            n = 0 if isinstance(report, Undefined) else report.documents[figure]
            yield row(TRANSFER, figure, value, n=n, **about)
        yield row(TRANSFER, "kappa", each.kappa, n=each.documents, **about)


def _pairs(document: LinkedDocument, name: str) -> Pairs:
    return sorted({pair for each in document.annotators if each.name == name for pair in each.pairs})
