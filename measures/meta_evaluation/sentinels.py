"""Sentinels: scores that no metric should lose to, computed like metrics."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray
from measures.meta_evaluation.ceiling import of_panels

CONSTANT = "constant"
RANDOM = "random"
SOURCE_LENGTH = "length of the source, characters"
LENGTH_CHARACTERS = "length, characters"
LENGTH_WORDS = "length, words"
RATE = "share of the source's length"
COPIED = "share of words copied"
ONE_RATER = "one rater"

_WORD = re.compile(r"\w+")


def word_list(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation.

    Examples
    --------
    >>> word_list("It fell, at last.")
    ['it', 'fell', 'at', 'last']
    """
    return _WORD.findall(text.casefold())


def text_sentinels(
    sources: Sequence[str],
    outputs: Sequence[Sequence[str | None]],
    *,
    seed: int,
    words: Callable[[str], list[str]] = word_list,
) -> dict[str, FloatArray]:
    """Score outputs by properties that say nothing, or hardly anything, about their quality.

    Longer counts as better, as it does for recall. The length of the source is the same for all systems: at input level
    it is undefined, as a constant is; a report that shows a number for it has gone wrong.

    Source: Perrella et al. 2024, "Guardians of the machine translation meta-evaluation".

    Parameters
    ----------
    sources : sequence of str, of length n
        The inputs.
    outputs : sequence of s sequences of n str or None
        What each system made of each input; None where there is nothing.
    seed : int
        Seed of the random scores.
    words : callable, optional
        Cuts a text into words.

    Returns
    -------
    dict of str to FloatArray of shape (s, n)
        Scores by the name of the sentinel; NaN where there is no output, or nothing to divide by.

    Raises
    ------
    ValueError
        If a system does not have an entry for each source.

    Examples
    --------
    >>> found = text_sentinels(["The old bridge fell."], [["The bridge fell."], [None]], seed=1)
    >>> found["length, words"].tolist(), found["share of words copied"].tolist(), found["constant"].tolist()
    ([[3.0], [nan]], [[1.0], [nan]], [[0.5], [nan]])
    """
    if any(len(row) != len(sources) for row in outputs):
        raise ValueError("each system needs an entry for each source")
    shape = (len(outputs), len(sources))
    there = np.array([[text is not None for text in row] for row in outputs], dtype=bool).reshape(shape)
    texts = [[text or "" for text in row] for row in outputs]
    cut = [words(source) for source in sources]
    characters = _array([[len(text) for text in row] for row in texts], shape)
    source_lengths = np.broadcast_to(np.array([float(len(source)) for source in sources]), shape)
    found = {
        LENGTH_CHARACTERS: characters,
        LENGTH_WORDS: _array([[len(words(text)) for text in row] for row in texts], shape),
        RATE: np.divide(characters, source_lengths, out=np.full(shape, np.nan), where=source_lengths > 0),
        COPIED: _array([[_copied(words(text), cut[at]) for at, text in enumerate(row)] for row in texts], shape),
        SOURCE_LENGTH: source_lengths,
        RANDOM: np.random.default_rng(seed).random(shape),
        CONSTANT: np.full(shape, 0.5),
    }
    return {name: np.where(there, scores, np.nan) for name, scores in found.items()}


def rater_sentinel(
    ratings: npt.ArrayLike, *, seed: int, panels: npt.ArrayLike | None = None
) -> tuple[FloatArray, FloatArray]:
    """Treat one rater of each output as a metric; the mean of the others is the judgement to compare it with.

    Parameters
    ----------
    ratings : array_like of shape (s, n, r)
        Ratings of each output; NaN where missing.
    seed : int
        Seed of the draw of raters.
    panels : array_like of shape (s, n), optional
        For each output the first system that has the same ratings of the same text: one rater is drawn for all of
        these. By default each output has ratings of its own.

    Returns
    -------
    one : FloatArray of shape (s, n)
        The rating of the rater who was drawn; NaN without two ratings.
    others : FloatArray of shape (s, n)
        The mean of the others.

    Examples
    --------
    >>> one, others = rater_sentinel([[[1, 3, np.nan], [2, np.nan, np.nan]]], seed=1)
    >>> (one + others).tolist()
    [[4.0, nan]]
    """
    values = np.asarray(ratings, dtype=np.float64)
    if not values.shape[2]:  # nobody rated anything
        return np.full(values.shape[:2], np.nan), np.full(values.shape[:2], np.nan)
    known = ~np.isnan(values)
    keys = np.where(known, of_panels(np.random.default_rng(seed).random(values.shape), panels), -1.0)
    chosen = np.take_along_axis(values, keys.argmax(axis=2)[..., None], axis=2)[..., 0]
    count = known.sum(axis=2)
    enough = count > 1
    others = (np.where(known, values, 0).sum(axis=2) - np.nan_to_num(chosen)) / np.maximum(count - 1, 1)
    return np.where(enough, chosen, np.nan), np.where(enough, others, np.nan)


def _array(rows: list[list[float]] | list[list[int]], shape: tuple[int, int]) -> FloatArray:
    return np.array(rows, dtype=np.float64).reshape(shape)


def _copied(text: list[str], source: list[str]) -> float:
    shared = (Counter(text) & Counter(source)).total()
    return shared / len(text) if text else float("nan")
