"""The search for the best labels whose text is as long as it may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.text.normalization import length
from systems.programs.neural.deletion.examples import DROPPED, KEPT
from systems.programs.tokens import Token


class Steps(Protocol):
    """What knows how probable labels are, step by step."""

    def log_probabilities(self, rows: IntArray, labels: IntArray) -> FloatArray:
        """Return the log probabilities of both labels of the next word, shape (n, 2)."""
        ...


@dataclass(frozen=True)
class Found:
    """Labels of a sentence.

    Attributes
    ----------
    kept : tuple of int
        Places of the words that stay.
    score : float
        Mean log probability of the labels.
    used : int
        Characters of the text.
    """

    kept: tuple[int, ...]
    score: float
    used: int


@dataclass(frozen=True, eq=False)
class _Beam:
    """Rows of labels, one for each text so far: n of them, t labels each."""

    labels: IntArray
    scores: FloatArray
    used: IntArray
    is_apart: IntArray

    def take(self, rows: IntArray) -> _Beam:
        return _Beam(self.labels[rows], self.scores[rows], self.used[rows], self.is_apart[rows])


def best_labels(
    steps: Steps, tokens: Sequence[Token], least: int, most: int, *, beam: int = 8, bins: int = 8
) -> Found | None:
    """Search for the most probable labels whose text has from `least` to `most` characters.

    Texts so far compete only with others of about their length, since a beam by probability alone shortens.

    Parameters
    ----------
    steps : Steps
        Knows how probable labels are.
    tokens : sequence of Token
        The words of the sentence.
    least, most : int
        Characters of the text.
    beam : int
        Rows of labels that go on from each word to the next, of each bin.
    bins : int
        Bins of the characters used, from 0 to `most`.

    Returns
    -------
    Found or None
        Of equal ones, the one that keeps earlier words; the longest one where none is as long as that. None if each
        word is longer than `most`.
    """
    if most < 1:
        return None
    lengths = [length(token.text) for token in tokens]
    left = np.cumsum([0, *(number + 1 for number in reversed(lengths))])[::-1]
    none = np.zeros(1, dtype=np.int64)
    now, rows = _Beam(np.zeros((1, 0), dtype=np.int64), np.zeros(1), none, none), none
    for place, token in enumerate(tokens):
        found = steps.log_probabilities(rows, now.labels)
        both = _extended(now, token, lengths[place], found)
        is_short = both.used <= most
        may_suffice = is_short & (both.used + left[place + 1] >= least)
        possible = np.flatnonzero(may_suffice if may_suffice.any() else is_short)
        chosen = _best_of_bins(both, possible, beam, both.used * bins // (most + 1))
        now, rows = both.take(chosen), chosen // 2
    fitting = np.flatnonzero(now.used >= min(least, now.used.max()))
    best = fitting[np.argmax(now.scores[fitting])]
    if not now.used[best]:
        return None
    kept = tuple(np.flatnonzero(now.labels[best] == KEPT).tolist())
    return Found(kept, float(now.scores[best]) / len(tokens), int(now.used[best]))


def _extended(now: _Beam, token: Token, characters: int, found: FloatArray) -> _Beam:
    """Return each row twice: with the next word kept, and dropped. What is written is that of `kept_text`."""
    space = (now.used > 0) & (token.is_spaced | ((now.is_apart > 0) & (not token.is_sign)))
    kept, dropped = now.used + characters + space, now.used
    number = len(now.scores)
    labels = np.repeat(now.labels, 2, axis=0)
    both = np.column_stack([labels, np.tile([KEPT, DROPPED], number)])
    is_apart = np.column_stack([np.zeros(number, dtype=np.int64), now.is_apart | int(token.is_spaced)]).reshape(-1)
    scores = (now.scores[:, None] + found[:, [KEPT, DROPPED]]).reshape(-1)
    return _Beam(both, scores, np.column_stack([kept, dropped]).reshape(-1), is_apart)


def _best_of_bins(rows: _Beam, possible: IntArray, beam: int, bins: IntArray) -> IntArray:
    """Return the places of the best rows of each bin, in their order."""
    order = possible[np.lexsort((possible, -rows.scores[possible], bins[possible]))]
    group = bins[order]
    begins = np.concatenate([[0], np.flatnonzero(np.diff(group)) + 1])
    rank = np.arange(len(order)) - np.repeat(begins, np.diff([*begins, len(order)]))
    return np.sort(order[rank < beam])
