"""Which sentences of a document belong together: features of pairs and a classifier that is trained on links."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from measures.clustering.covers import MOST_SENTENCES
from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.undefined import Undefined

FEATURES = (
    "sentences between",
    "position",
    "combined length",
    "difference in length",
    "same speaker",
    "shared bigrams",
    "shared parts of speech",
    "sum of tf.idf",
    "mean tf.idf",
    "cosine",
)
"""The features of a pair, in order."""

NO_TRAINING = Undefined("the training documents have no pair of sentences")
ALL_ALIKE = Undefined("in training either all pairs are linked or none")
THRESHOLD = 0.5


@dataclass(frozen=True)
class Sentence:
    """A sentence of a document.

    Attributes
    ----------
    words : tuple of str
        Its words, in the form in which they are to be compared.
    tags : tuple of str
        The parts of speech of its words; empty if they are not known.
    speaker : str or None
        Who said it; None if that is not known, and never the same as another's then.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...] = ()
    speaker: str | None = None


Document = Sequence[Sentence]


def pairs_of(sentences: int) -> IntArray:
    """Return all pairs of the sentences of a document.

    Parameters
    ----------
    sentences : int
        Number of sentences, n.

    Returns
    -------
    array of int, shape (n (n - 1) / 2, 2)
        (0, 1), (0, 2) ...

    Raises
    ------
    ValueError
        If there are more than 2,000 sentences.

    Examples
    --------
    >>> pairs_of(3).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    if sentences > MOST_SENTENCES:
        raise ValueError(f"a document has at most {MOST_SENTENCES:,} sentences, not {sentences:,}")
    return np.column_stack(np.triu_indices(sentences, 1)).astype(np.int64)


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


class TermWeights:
    """How much words tell: tf-idf by scikit-learn, counted over the sentences of documents.

    idf is ln((1 + N) / (1 + n)) + 1, of N sentences and n with the word; words that these documents do not have weigh
    nothing. The paper does not say which tf.idf it takes.

    Parameters
    ----------
    documents : iterable of sequence of Sentence
        The training documents; at least one word.

    Raises
    ------
    ValueError
        If there is no word.

    Examples
    --------
    >>> weights = TermWeights([[Sentence(("the", "cat")), Sentence(("the", "dog"))]])
    >>> weights.of([Sentence(("the", "cow"))]).toarray().tolist()
    [[0.0, 0.0, 1.0]]
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer

        sentences = [sentence.words for document in documents for sentence in document]
        if not any(sentences):
            raise ValueError("the training documents have no words")
        self._vectors = TfidfVectorizer(analyzer=_itself, norm=None).fit(sentences)

    def of(self, document: Document) -> Any:
        """Return the weights of words in sentences, a sparse array of shape (sentences, words)."""
        return self._vectors.transform([sentence.words for sentence in document])


def pair_features(document: Document, weights: TermWeights) -> FloatArray:
    """Compute the features of all pairs of sentences of a document.

    Source: Murray et al. 2012, section 3. The paper does not define them further. Here, position is the mean place of
    the two sentences over the number of sentences; lengths are in words; shared are the distinct bigrams of words, and
    the distinct parts of speech, that both have; tf.idf is summed over all words of both, and its mean is over them;
    the cosine is of the vectors of tf.idf, 0 if one is empty.

    Parameters
    ----------
    document : sequence of Sentence
        Sentences in order, n.
    weights : TermWeights
        Of the training documents.

    Returns
    -------
    FloatArray of shape (n (n - 1) / 2, 10)
        A row for each of `pairs_of`, columns as in `FEATURES`.

    Raises
    ------
    ValueError
        If there are more than 2,000 sentences.

    Examples
    --------
    >>> talk = [Sentence(("we", "cut", "costs"), speaker="A"), Sentence(("costs", "fall"), speaker="A")]
    >>> dict(zip(FEATURES, pair_features(talk, TermWeights([talk]))[0].round(2).tolist()))  # doctest: +ELLIPSIS
    {'sentences between': 0.0, 'position': 0.25, 'combined length': 5.0, 'difference in length': 1.0, ...}
    """
    one, other = pairs_of(len(document)).T
    if not len(one):
        return np.empty((0, len(FEATURES)))
    length = np.array([len(sentence.words) for sentence in document], dtype=np.float64)
    names = [sentence.speaker for sentence in document]
    known = {name: place for place, name in enumerate(sorted({name for name in names if name is not None}))}
    speaker = np.array([-1 if name is None else known[name] for name in names])
    vectors = weights.of(document)
    weight = np.asarray(vectors.sum(axis=1)).ravel()
    norm = np.sqrt(np.asarray(vectors.multiply(vectors).sum(axis=1)).ravel())
    words, summed = length[one] + length[other], weight[one] + weight[other]
    return np.column_stack(
        [
            other - one - 1,
            (one + other) / 2 / len(document),
            words,
            np.abs(length[one] - length[other]),
            (speaker[one] == speaker[other]) & (speaker[one] >= 0),
            _shared([list(zip(each.words, each.words[1:], strict=False)) for each in document])[one, other],
            _shared([each.tags for each in document])[one, other],
            summed,
            _ratio(summed, words),
            _ratio((vectors @ vectors.T).toarray()[one, other], norm[one] * norm[other]),
        ]
    )


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


def _itself(words: tuple[str, ...]) -> tuple[str, ...]:
    return words


def _shared(of_sentences: Sequence[Collection[Any]]) -> FloatArray:
    """Return how many distinct things each two sentences both have, shape (n, n)."""
    place_of = dict[Any, int]()
    rows, columns = list[int](), list[int]()
    for row, things in enumerate(of_sentences):
        for thing in set(things):
            rows.append(row)
            columns.append(place_of.setdefault(thing, len(place_of)))
    shape = (len(of_sentences), max(1, len(place_of)))
    table = scipy.sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
    return np.asarray((table @ table.T).toarray(), dtype=np.float64)


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    found = np.zeros(above.shape)
    np.divide(above, below, out=found, where=below > 0)
    return found
