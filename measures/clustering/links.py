"""Which sentences of a document belong together: a classifier that is trained on links of people."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from measures.clustering.link_features import FEATURES, Document, TermWeights, pair_features, pairs_of
from measures.core.arrays import BoolArray, FloatArray
from measures.core.undefined import Undefined

NO_TRAINING = Undefined("the training documents have no pair of sentences")
ALL_ALIKE = Undefined("in training either all pairs are linked or none")
THRESHOLD = 0.5


def linked(links: Iterable[Collection[int]], sentences: int) -> BoolArray:
    """Return which pairs of sentences are linked.

    Parameters
    ----------
    links : iterable of collection of int
        Pairs of sentences, in any order.
    sentences : int
        Number of sentences, n.

    Returns
    -------
    array of bool, shape (n (n - 1) / 2,)
        In the order of `pairs_of`.

    Raises
    ------
    ValueError
        If a pair is not two sentences of the document.

    Examples
    --------
    >>> linked([(2, 0)], 3).tolist()
    [False, True, False]
    """
    table = np.zeros((sentences, sentences), dtype=bool)
    for link in links:
        one, other = sorted(link) if len(link) == 2 else (-1, -1)
        if not 0 <= one < other < sentences:
            raise ValueError(f"link {tuple(link)} is not two of {sentences} sentences")
        table[one, other] = True
    one_of, other_of = pairs_of(sentences).T
    return np.asarray(table[one_of, other_of])


class LinkClassifier:
    """Logistic regression on standardised features of pairs, by scikit-learn.

    Source: Murray et al. 2012, section 5.2 (liblinear). L2 penalty with C = 1, no weights of classes: the paper does
    not say.

    Attributes
    ----------
    coefficients : dict of str to float
        The change in the log odds of a link for one standard deviation of each feature.
    pairs : int
        Number of pairs it was trained on.
    """

    def __init__(self, weights: TermWeights, features: FloatArray, truth: BoolArray) -> None:
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        self._weights = weights
        self._pipeline = make_pipeline(StandardScaler(), LogisticRegression(solver="liblinear", C=1.0))
        self._pipeline.fit(features, truth)
        self.coefficients = dict(zip(FEATURES, map(float, self._pipeline[-1].coef_[0]), strict=True))
        self.pairs = len(truth)

    @classmethod
    def trained(
        cls,
        documents: Sequence[Document],
        truths: Sequence[BoolArray],
        *,
        weights: TermWeights | None = None,
    ) -> LinkClassifier | Undefined:
        """Train on documents with known links.

        Parameters
        ----------
        documents : sequence of sequence of Sentence
            The training documents; none of them may be scored later.
        truths : sequence of array of bool, shape (n (n - 1) / 2,)
            Which pairs of each document are linked, as from `linked`.
        weights : TermWeights, optional
            Term weights; by default those of the training documents.

        Returns
        -------
        LinkClassifier or Undefined
            Undefined without pairs, and if all pairs are linked or none is.

        Raises
        ------
        ValueError
            If there is not a truth for each pair of each document, or there are no words.

        Examples
        --------
        >>> from measures.clustering.link_features import Sentence
        >>> talk = [Sentence((word, "it"), speaker="AB"[n % 2]) for n, word in enumerate("cut cut keep keep".split())]
        >>> classifier = LinkClassifier.trained([talk], [linked([(0, 1), (2, 3)], 4)])
        >>> classifier.scores(talk).round(1).tolist()
        [0.9, 0.1, 0.1, 0.3, 0.1, 0.9]
        """
        for document, its in zip(documents, truths, strict=True):
            if len(its) != len(pairs_of(len(document))):
                raise ValueError(f"{len(its)} truths for the pairs of {len(document)} sentences")
        truth = np.concatenate(truths) if truths else np.empty(0, dtype=bool)
        if not len(truth):
            return NO_TRAINING
        if truth.all() or not truth.any():
            return ALL_ALIKE
        weights = weights or TermWeights(documents)
        return cls(weights, np.concatenate([pair_features(each, weights) for each in documents]), truth)

    def scores(self, document: Document) -> FloatArray:
        """Return the probability of a link for each pair of sentences.

        Parameters
        ----------
        document : sequence of Sentence
            Sentences in order, n.

        Returns
        -------
        FloatArray of shape (n (n - 1) / 2,)
            In the order of `pairs_of`.
        """
        features = pair_features(document, self._weights)
        return np.asarray(self._pipeline.predict_proba(features)[:, 1]) if len(features) else np.empty(0)


def predicted_links(scores: FloatArray, sentences: int, *, threshold: float = THRESHOLD) -> list[tuple[int, int]]:
    """Return the pairs whose score reaches a threshold: the edges of the graph that is divided.

    Parameters
    ----------
    scores : FloatArray of shape (n (n - 1) / 2,)
        In the order of `pairs_of`.
    sentences : int
        Number of sentences, n.
    threshold : float, default 0.5
        The least score of a link. The paper does not say which it takes.

    Returns
    -------
    list of (int, int)
        Rising pairs in rising order.

    Raises
    ------
    ValueError
        If there is not one score for each pair.

    Examples
    --------
    >>> predicted_links(np.array([0.5, 0.2, 0.9]), 3)
    [(0, 1), (1, 2)]
    """
    pairs = pairs_of(sentences)
    if np.shape(scores) != (len(pairs),):
        raise ValueError(f"{len(pairs)} pairs of {sentences} sentences, not scores of shape {np.shape(scores)}")
    return [(int(one), int(other)) for one, other in pairs[scores >= threshold]]
