"""The beam search for a text, by a weighted sum of what the network says and what the source has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.text.normalization import length
from systems.programs.neural.namas.writing import Piece, added
from systems.programs.neural.vocabulary import BEGIN, END, UNKNOWN

FEATURES = ("ln p", "word in source", "two words in source", "three words in source", "reordered")
"""Of each word; Rush et al. 2015, §5.1."""

ABS_WEIGHTS = (1.0, 0.0, 0.0, 0.0, 0.0)
MOST_REPEATS = 2
"""Times that a text may have a word, where repeating is forbidden."""


class Steps(Protocol):
    """What knows how probable the next words are."""

    def next_words(self, contexts: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return log probabilities of the next words, shape (n, words), and the attention, shape (n, m)."""
        ...


@dataclass(frozen=True)
class Search:
    """How texts are searched for.

    Attributes
    ----------
    beam, context : int
        Texts that go on from each word to the next; words that the network looks at.
    copies_unknown : bool
        Whether the source word of largest attention stands for an unknown word, else there is none.
    may_repeat : bool
        Whether a word may come more than twice, and three words in a row again.
    """

    beam: int
    context: int
    copies_unknown: bool = False
    may_repeat: bool = False


@dataclass(frozen=True, eq=False)
class Words:
    """The words that a text of one source may have.

    Attributes
    ----------
    source : tuple of int
        Numbers of the source's words. Those that the network does not know have numbers beyond its own.
    known : int
        How many numbers the network knows.
    pieces : sequence of Piece
        How each number is written.
    is_forbidden : BoolArray of shape (known,)
        Which numbers are never written.
    """

    source: tuple[int, ...]
    known: int
    pieces: Sequence[Piece]
    is_forbidden: BoolArray

    @cached_property
    def costs(self) -> IntArray:
        """Characters of each number, with the white space to its left."""
        return np.array([length(piece.text) + piece.is_spaced for piece in self.pieces], dtype=np.int64)

    @cached_property
    def runs(self) -> frozenset[tuple[int, ...]]:
        """Each one, two and three words in a row of the source."""
        size = len(self.source)
        return frozenset(self.source[start : start + n] for n in (1, 2, 3) for start in range(size - n + 1))

    @cached_property
    def followers(self) -> dict[int, set[int]]:
        """The words that stand after each word of the source, next to it."""
        found: dict[int, set[int]] = {}
        for word, follower in zip(self.source, self.source[1:], strict=False):
            found.setdefault(word, set()).add(follower)
        return found

    @cached_property
    def last_places(self) -> dict[int, int]:
        """Where each word of the source stands last."""
        return {word: place for place, word in enumerate(self.source)}

    @cached_property
    def first_places(self) -> dict[int, int]:
        """Where each word of the source stands first."""
        return {word: place for place, word in reversed(list(enumerate(self.source)))}

    @cached_property
    def order(self) -> IntArray:
        """The numbers that the network knows, the source's words first: of equal ones the first is taken."""
        ours = [word for word in self.first_places if word < self.known]
        ours.sort(key=self.first_places.__getitem__)
        rest = np.setdiff1d(np.arange(self.known), ours)
        return np.concatenate([np.array(ours, dtype=np.int64), rest])

    def features(self, before: Sequence[int], word: int) -> tuple[int, int, int, int]:
        """Return the features of a word after others, but for its probability."""
        last, two = tuple(before[-1:]), tuple(before[-2:])
        reordered = bool(last) and self.first_places.get(word, len(self.source)) < self.last_places.get(last[0], -1)
        return (
            int((word,) in self.runs),
            int(bool(last) and (*last, word) in self.runs),
            int(len(two) == 2 and (*two, word) in self.runs),
            int(reordered),
        )


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A text so far.

    Attributes
    ----------
    words : tuple of int
        Numbers of its words.
    text : str
        As it is written.
    features : FloatArray of shape (5,)
        Sums of `FEATURES`.
    is_open : bool
        Whether its last word lets no white space stand to its right.
    is_ended : bool
        Whether it is whole.
    """

    words: tuple[int, ...] = ()
    text: str = ""
    features: FloatArray = field(default_factory=lambda: np.zeros(len(FEATURES)))
    is_open: bool = False
    is_ended: bool = False

    @property
    def per_word(self) -> FloatArray:
        """The features per word, the end being one."""
        return self.features / (len(self.words) + 1)

    def plus(self, word: int, piece: Piece, features: FloatArray) -> Hypothesis:
        """Return it with one more word."""
        text = added(self.text, piece, is_open=self.is_open)
        return Hypothesis((*self.words, word), text, self.features + features, piece.is_open)

    def ended(self, log_p: float) -> Hypothesis:
        """Return it as a whole text."""
        end = np.array([log_p, *[0.0] * (len(FEATURES) - 1)])
        return Hypothesis(self.words, self.text, self.features + end, self.is_open, is_ended=True)


def texts(
    steps: Steps, words: Words, weights: Sequence[float], least: int, most: int, search: Search
) -> list[Hypothesis]:
    """Search for texts of `least` to `most` characters.

    Parameters
    ----------
    steps : Steps
        Knows how probable words are.
    words : Words
        The words there are.
    weights : sequence of float
        Of `FEATURES`.
    least, most : int
        Characters.
    search : Search
        How texts are searched for.

    Returns
    -------
    list of Hypothesis
        Whole texts, the one with the best score per word first. If there is none, the longest text that is short enough
        alone; nothing if no word is.
    """
    weight, live, whole = np.asarray(weights, dtype=np.float64), [Hypothesis()], list[Hypothesis]()
    longest = live[0]
    while live:
        contexts = np.array([_context(each, search.context, words.known) for each in live])
        log_p, attention = steps.next_words(contexts)
        if search.copies_unknown:
            unknown = [words.source[place] for place in attention.argmax(axis=1)]
        else:
            unknown = [UNKNOWN] * len(live)
        for each, row in zip(live, log_p, strict=True):
            longest = max(longest, each, key=lambda text: length(text.text))
            if each.words and length(each.text) >= least:
                whole.append(each.ended(float(row[END])))
        scores = _scores(live, words, weight, log_p, unknown)
        scores[_forbidden(live, words, most, unknown, search)] = -np.inf
        live = _best(live, words, log_p, scores, unknown, search.beam)
    if not whole:
        return [longest] if longest.words else []
    return sorted(whole, key=lambda text: -float(text.per_word @ weight))


def _context(text: Hypothesis, context: int, known: int) -> list[int]:
    last = [word if word < known else UNKNOWN for word in text.words[-context:]]
    return [BEGIN] * (context - len(last)) + last


def _scores(
    live: Sequence[Hypothesis], words: Words, weight: FloatArray, log_p: FloatArray, unknown: Sequence[int]
) -> FloatArray:
    """Return the score of each text with each word added, shape (texts, words)."""
    scores: FloatArray = weight[0] * log_p + np.array([each.features @ weight for each in live])[:, None]
    if not weight[1:].any():
        return scores
    ours = [word for word in words.first_places if word < words.known]
    for row, (text, copied) in enumerate(zip(live, unknown, strict=True)):
        for word in ours:
            scores[row, word] += weight[1:] @ words.features(text.words, word)
        scores[row, UNKNOWN] += weight[1:] @ words.features(text.words, copied)
    return scores


def _forbidden(
    live: Sequence[Hypothesis], words: Words, most: int, unknown: Sequence[int], search: Search
) -> BoolArray:
    """Return which words no text may go on with, shape (texts, words)."""
    left = np.array([most - length(each.text) for each in live])
    space = np.array([not each.text or each.is_open for each in live])
    is_spaced = words.costs[: words.known]
    found: BoolArray = words.is_forbidden | (is_spaced[None] - space[:, None] > left[:, None])
    for row, (text, copied) in enumerate(zip(live, unknown, strict=True)):
        if search.copies_unknown:
            found[row, UNKNOWN] = words.costs[copied] - space[row] > left[row]
        if not search.may_repeat:
            repeated = {word for word in text.words if text.words.count(word) >= MOST_REPEATS}
            repeated.update(_third_words(text.words))
            found[row, [word for word in repeated if word < words.known]] = True
            found[row, UNKNOWN] |= copied in repeated
    return found


def _third_words(words: tuple[int, ...]) -> Iterable[int]:
    """Return the words that would make three words in a row come again."""
    pairs = zip(words, words[1:], words[2:], strict=False)
    return (third for first, second, third in pairs if (first, second) == words[-2:])


def _best(
    live: Sequence[Hypothesis],
    words: Words,
    log_p: FloatArray,
    scores: FloatArray,
    unknown: Sequence[int],
    beam: int,
) -> list[Hypothesis]:
    """Return the best texts with a word more; of equal ones that of the better text, then the source's first word."""
    flat = scores[:, words.order].reshape(-1)
    size = min(beam, int(np.isfinite(flat).sum()))
    if not size:
        return []
    least = np.partition(flat, -size)[-size]
    places = np.flatnonzero(flat >= least)
    places = places[np.argsort(-flat[places], kind="stable")][:size]
    found = []
    for row, column in zip(*np.divmod(places, words.known), strict=True):
        number = int(words.order[column])
        word = unknown[row] if number == UNKNOWN else number
        features = np.array([log_p[row, number], *words.features(live[row].words, word)])
        found.append(live[row].plus(word, words.pieces[word], features))
    return found
