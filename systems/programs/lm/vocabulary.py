"""The words of a language model, as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from measures.core.arrays import IntArray

UNKNOWN, BEGIN, END = "<unk>", "<s>", "</s>"
FIRST_WORD = 3
MOST_WORDS = 200_000
BITS = 21
"""A word's number has so many bits, so that three of them fit into an int64."""


@dataclass(frozen=True)
class Vocabulary:
    """Words in the order of their numbers; the first three are the unknown word, the beginning and the end.

    Attributes
    ----------
    words : tuple of str
        All words, none twice.

    Raises
    ------
    ValueError
        If the first three words are others, a word is there twice, or there are 2 to the power of 21 or more.

    Examples
    --------
    >>> known = Vocabulary((UNKNOWN, BEGIN, END, "cat"))
    >>> known.numbers(["a", "cat"]).tolist()
    [0, 3]
    """

    words: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.words[:3] != (UNKNOWN, BEGIN, END):
            raise ValueError(f"the first words must be {UNKNOWN}, {BEGIN} and {END}")
        if len(self._places) != len(self.words):
            raise ValueError("a word is there twice")
        if len(self.words) >= 1 << BITS:
            raise ValueError(f"{len(self.words):,} words; there is room for {(1 << BITS) - 1:,}")

    @cached_property
    def _places(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def number(self, word: str) -> int:
        """Return the number of a word; 0 for an unknown one."""
        return self._places.get(word, 0)

    def numbers(self, words: Iterable[str]) -> IntArray:
        """Return the number of each word."""
        return np.array([self._places.get(word, 0) for word in words], dtype=np.int64)

    def first(self, number: int) -> Vocabulary:
        """Return the first words alone, so many."""
        return Vocabulary(self.words[: FIRST_WORD + number])

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]], *, least: int = 2, most: int = MOST_WORDS) -> Vocabulary:
        """Take the words of sentences that occur often enough.

        Parameters
        ----------
        sentences : iterable of sequence of str
            Words of each sentence.
        least : int, default 2
            Fewest occurrences of a word.
        most : int, default 200_000
            Most words; the most frequent ones stay, of equally frequent ones those that come first in the alphabet.

        Returns
        -------
        Vocabulary
            The most frequent words first.

        Examples
        --------
        >>> Vocabulary.of([["the", "cat", "the"], ["a", "cat"]]).words[3:]
        ('cat', 'the')
        """
        counts = Counter(chain.from_iterable(sentences))
        for word in (UNKNOWN, BEGIN, END):
            counts.pop(word, None)
        kept = sorted(
            (word for word, number in counts.items() if number >= least), key=lambda word: (-counts[word], word)
        )
        return cls((UNKNOWN, BEGIN, END, *kept[:most]))
