"""Summaries of utterances by maximal marginal relevance: near to the whole text, unlike what is chosen already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import scipy

from measures.core.arrays import FloatArray
from measures.text.normalization import canonical

BALANCE, SHARE = 0.7, 0.2


def mmr_summary(utterances: Sequence[str], *, balance: float = BALANCE, share: float = SHARE) -> tuple[int, ...]:
    """Choose utterances until they have a share of the words; the one that crosses it stays.

    An utterance is a vector of tf · idf: how often a word is in it, times ln(N / df) of N utterances, df of them with
    the word. The next one has the greatest balance · cos(u, sum of all) - (1 - balance) · max cos(u, chosen); ties go
    to the earlier one, and the cosine with a vector of length 0 is 0.

    Source: Carbonell and Goldstein 1998. McCallum et al. 2012, §3.5, name neither the query nor the balance; both are
    ours.

    Parameters
    ----------
    utterances : sequence of str
        The text, in its order.
    balance : float
        Weight of the likeness to the whole, 0 to 1.
    share : float
        Of the words, above 0, up to 1.

    Returns
    -------
    tuple of int
        Places of the chosen utterances, from 0, in the order in which they were chosen.

    Raises
    ------
    ValueError
        If `balance` or `share` is out of its range.

    Examples
    --------
    >>> mmr_summary(["the bridge fell", "the bridge fell down", "nobody saw the bridge", "hello"], share=0.5)
    (2, 1)
    """
    if not 0 <= balance <= 1 or not 0 < share <= 1:
        raise ValueError("balance must be from 0 to 1, and share above 0 and up to 1")
    lines = [words_of_utterance(each) for each in utterances]
    lengths = np.array([len(line) for line in lines])
    vectors = _vectors(lines)
    query = np.asarray(vectors.sum(axis=0)).ravel()
    unit = _unit_rows(vectors)
    relevance = unit @ (query / (np.linalg.norm(query) or 1))
    wanted = share * lengths.sum() - 1e-9

    def open_after(chosen: tuple[int, ...]) -> list[int]:
        if lengths[list(chosen)].sum() >= wanted:
            return []
        left = lengths > 0
        left[list(chosen)] = False
        return np.flatnonzero(left).tolist()

    def cosines(place: int) -> FloatArray:
        found: FloatArray = unit @ unit[[place]].toarray().ravel()
        return found

    return marginal_relevance(relevance, cosines, open_after, balance=balance)


def marginal_relevance(
    relevance: FloatArray,
    likeness: Callable[[int], FloatArray],
    open_after: Callable[[tuple[int, ...]], Sequence[int]],
    *,
    balance: float = BALANCE,
) -> tuple[int, ...]:
    """Choose one thing after another that is relevant and unlike those that are chosen, until none is left open.

    The next one has the greatest balance · relevance - (1 - balance) · greatest likeness to a chosen one, to 12 digits;
    ties go to the earlier one.

    Source: Carbonell and Goldstein 1998.

    Parameters
    ----------
    relevance : ndarray, (things,)
        Of each thing.
    likeness : callable
        Of the place of a thing: its likeness to each, at least 0.
    open_after : callable
        Of the places that are chosen: those one of which may be next, in ascending order.
    balance : float
        Weight of the relevance, 0 to 1.

    Returns
    -------
    tuple of int
        Places, from 0, in the order in which they were chosen.

    Examples
    --------
    >>> alike = np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> marginal_relevance(np.array([0.9, 0.8, 0.5]), lambda place: alike[place], lambda chosen: [1, 2][len(chosen) :])
    (1, 2)
    """
    nearest, chosen = np.zeros(len(relevance)), tuple[int, ...]()
    while candidates := open_after(chosen):
        gains = np.round(balance * relevance - (1 - balance) * nearest, 12)[candidates]
        best = candidates[int(gains.argmax())]
        chosen = (*chosen, best)
        nearest = np.maximum(nearest, likeness(best))
    return chosen


def words_of_utterance(text: str) -> list[str]:
    """Return the words, whatever their case and the signs around them.

    Examples
    --------
    >>> words_of_utterance("Well, it - fell.")
    ['well', 'it', 'fell']
    """
    runs = (run.strip("".join(each for each in set(run) if not each.isalnum())) for run in canonical(text).split(" "))
    return [run.casefold() for run in runs if run]


def _vectors(lines: Sequence[Sequence[str]]) -> scipy.sparse.csr_array:
    """Return tf · idf of each utterance, (utterances, words)."""
    counted = [Counter(line) for line in lines]
    found = Counter(word for counts in counted for word in counts)
    place = {word: number for number, word in enumerate(found)}
    idf = np.log(len(lines) / np.array(list(found.values()), dtype=float)) if found else np.zeros(0)
    rows = [row for row, counts in enumerate(counted) for _word in counts]
    columns = [place[word] for counts in counted for word in counts]
    values = [count * idf[place[word]] for counts in counted for word, count in counts.items()]
    return scipy.sparse.csr_array((values, (rows, columns)), shape=(len(lines), len(found)))


def _unit_rows(vectors: scipy.sparse.csr_array) -> scipy.sparse.csr_array:
    norms = np.sqrt(np.asarray(vectors.multiply(vectors).sum(axis=1)).ravel())
    return scipy.sparse.csr_array(vectors.multiply((1 / np.where(norms > 0, norms, 1))[:, None]))
