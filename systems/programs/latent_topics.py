"""Sentences by latent semantic analysis (Steinberger and Turchi 2012)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from measures.core.arrays import FloatArray


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
