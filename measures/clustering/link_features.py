"""What two sentences of a document have to do with each other: features of all pairs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from measures.clustering.covers import MOST_SENTENCES
from measures.core.arrays import FloatArray, IntArray

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
