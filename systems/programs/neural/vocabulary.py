"""Words as numbers, the rare ones as one."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from measures.core.arrays import IntArray

PADDING, UNKNOWN, BEGIN, END = range(4)
FIRST_WORD = 4
LEAST_SEEN = 2
"""Words seen less often are unknown, so that what stands for unknown words is learnt."""


@dataclass(frozen=True)
class Vocabulary:
    """The words that a network knows, numbered from `FIRST_WORD` on.

    Attributes
    ----------
    words : tuple of str
        The words, in the form that `form` gives.

    Examples
    --------
    >>> known = Vocabulary.of([["The", "cat", "the", "cat", "dog"]], 10)
    >>> known.words, known.numbers(["the", "Cat", "dog"]).tolist()
    (('cat', 'the'), [5, 4, 1])
    """

    words: tuple[str, ...]

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]], most: int, least: int = LEAST_SEEN) -> Vocabulary:
        """Take the most frequent words, in the order of the alphabet where they are equally frequent."""
        counts = Counter(form(word) for words in texts for word in words)
        seen = [word for word, number in counts.items() if number >= least and word]
        return cls(tuple(sorted(seen, key=lambda word: (-counts[word], word))[:most]))

    @cached_property
    def places(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words, start=FIRST_WORD)}

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return FIRST_WORD + len(self.words)

    def numbers(self, words: Sequence[str]) -> IntArray:
        """Return the numbers of words as they are written."""
        return np.array([self.places.get(form(word), UNKNOWN) for word in words], dtype=np.int64)


def form(word: str) -> str:
    """Return the form of a word that a network knows: in lower case, composed, without white space.

    Examples
    --------
    >>> form("Cafe\\u0301")
    'café'
    """
    return unicodedata.normalize("NFC", "".join(word.lower().split()))


def padded(rows: Sequence[IntArray], fill: int = PADDING) -> IntArray:
    """Return rows of numbers as one array, of shape (rows, most numbers of a row)."""
    table = np.full((len(rows), max(map(len, rows), default=0)), fill, dtype=np.int64)
    for row, numbers in zip(table, rows, strict=True):
        row[: len(numbers)] = numbers
    return table
