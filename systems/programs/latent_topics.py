"""A baseline that extracts sentences by latent semantic analysis (Steinberger and Turchi 2012)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import numpy as np

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.scored_variants import variant_analysis
from measures.text.length_rule import allowed_length
from measures.text.normalization import length
from measures.text.segmentation import sentences

NONE_FITS = Undefined("no sentence is short enough")


def weighted_terms(sentences: Sequence[Sequence[str]]) -> FloatArray:
    """Count the terms of sentences: binary local weight times 1 - entropy.

    Parameters
    ----------
    sentences : sequence of sequence of str
        Words of each sentence.

    Returns
    -------
    FloatArray of shape (terms, sentences)
        Terms in the order of their names. A term of every sentence weighs nothing; with one sentence all weigh 1.

    Examples
    --------
    >>> weighted_terms([["a", "b"], ["a"]]).tolist()
    [[0.0, 0.0], [1.0, 0.0]]
    """
    terms = {each: place for place, each in enumerate(sorted({word for words in sentences for word in words}))}
    counts = np.zeros((len(terms), len(sentences)))
    for place, words in enumerate(sentences):
        for word in words:
            counts[terms[word], place] += 1
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    logarithm = np.log(np.where(share > 0, share, 1))
    entropy = -(share * logarithm).sum(axis=1) / max(np.log(max(len(sentences), 1)), np.finfo(float).tiny)
    weight = np.maximum(1 - entropy, 0) if len(sentences) > 1 else np.ones(len(terms))
    return np.asarray((counts > 0) * np.round(weight, 12)[:, None], dtype=np.float64)


def sentence_scores(matrix: FloatArray, *, least: float = 0.5) -> FloatArray:
    """Score sentences by their length in the space of the strongest topics.

    Parameters
    ----------
    matrix : FloatArray of shape (terms, sentences)
        Weights.
    least : float
        Singular values of at least this share of the first are kept; 0 keeps all.

    Returns
    -------
    FloatArray of shape (sentences,)
        sqrt(sum over kept topics j of v_kj² s_j²).

    Examples
    --------
    >>> sentence_scores(np.array([[3.0, 0.0], [0.0, 1.0]])).tolist()
    [3.0, 0.0]
    """
    if not matrix.size:
        return np.zeros(matrix.shape[1])
    _, s, v = np.linalg.svd(matrix, full_matrices=False)
    kept = s >= least * s[0] - 1e-12
    return np.asarray(np.sqrt(((v[kept] * s[kept, None]) ** 2).sum(axis=0)), dtype=np.float64)


def extract(matrix: FloatArray, fits: Callable[[tuple[int, ...]], bool], *, least: float = 0.5) -> tuple[int, ...]:
    """Take the best sentence that fits, remove its direction, and repeat.

    Parameters
    ----------
    matrix : FloatArray of shape (terms, sentences)
        Weights, from `weighted_terms`.
    fits : callable
        Says whether sentences, in their order, are short enough together.
    least : float
        See `sentence_scores`.

    Returns
    -------
    tuple of int
        Places of the sentences, in their order; none if none fits, or if all that is left says nothing new.

    Examples
    --------
    >>> extract(np.array([[3.0, 3.0, 0.0], [0.0, 0.0, 1.0]]), lambda chosen: len(chosen) <= 2)
    (0, 2)
    """
    chosen: tuple[int, ...] = ()
    left = matrix.astype(np.float64)
    while True:
        scores = np.round(sentence_scores(left, least=least), 9)
        order = np.argsort(-scores, kind="stable").tolist()
        new = [k for k in order if scores[k] > 0 and k not in chosen and fits(tuple(sorted((*chosen, k))))]
        if not new:
            return chosen
        chosen = tuple(sorted((*chosen, new[0])))
        direction = left[:, new[0]]
        left = left - np.outer(direction, direction @ left) / (direction @ direction)


def lsa_text(
    text: str, allowed: int, words: Callable[[Sequence[str]], Iterable[Sequence[str]]], *, least: float = 0.5
) -> str | Undefined:
    """Shorten a text to its best sentences, as the baseline system of Steinberger and Turchi 2012 does.

    Parameters
    ----------
    text : str
        The text, such as a paragraph.
    allowed : int
        Greatest length of the result, in characters as `measures.text.normalization.length` counts them.
    words : callable
        Gives the words of each text, such as `Tokenizer.words`.
    least : float
        See `sentence_scores`.

    Returns
    -------
    str or Undefined
        The sentences in their order, joined by spaces; undefined if none is short enough, or none has words.

    Examples
    --------
    >>> split = lambda texts: [text.lower().split() for text in texts]
    >>> lsa_text("It rained. The old bridge fell into the river.", 40, split)
    'The old bridge fell into the river.'
    >>> lsa_text("The old bridge fell into the river.", 25, split).reason
    'no sentence is short enough'
    """
    parts = sentences(text)

    def fits(chosen: tuple[int, ...]) -> bool:
        return length(_joined(parts, chosen)) <= allowed

    chosen = extract(weighted_terms(list(words(parts))), fits, least=least)
    return _joined(parts, chosen) if chosen else NONE_FITS


def lsa_summarizer(keep_percent: int) -> Callable[[str, str], str | Undefined]:
    """Return a function that shortens texts of any language to their best sentences.

    Terms are words with a letter or a digit in lower case, by `variant_analysis` without stems. A text whose end of
    sentences `measures.text.segmentation` does not know, such as one in Chinese, is one sentence.

    Parameters
    ----------
    keep_percent : int
        Share of the characters that may be kept, in percent, 1 to 99.

    Returns
    -------
    callable
        Of a text and the tag of its language.

    Examples
    --------
    >>> lsa_summarizer(75)("It rained all day. The old bridge fell into the river.", "en")
    'The old bridge fell into the river.'
    """

    def shortened(text: str, language: str) -> str | Undefined:
        return lsa_text(text, allowed_length(text, keep_percent), _terms_in(language))

    return shortened


@lru_cache(maxsize=8)
def _terms_in(language: str) -> Callable[[Sequence[str]], list[list[str]]]:
    tokenizer = variant_analysis(language, stemmed=False).tokenizer

    def terms(texts: Sequence[str]) -> list[list[str]]:
        return [[word for word in words if any(map(str.isalnum, word))] for words in tokenizer.words(texts)]

    return terms


def _joined(parts: Sequence[str], chosen: Iterable[int]) -> str:
    return " ".join(parts[place] for place in chosen)
