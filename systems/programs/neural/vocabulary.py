"""Words as numbers, the rare ones as one."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.metrics.vectors.files import read_word_vectors

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


@dataclass(frozen=True, eq=False)
class GivenVectors:
    """Vectors that some words of a network begin with.

    Attributes
    ----------
    numbers : IntArray of shape (n,)
        The words, by number.
    vectors : FloatArray of shape (n, d)
        Theirs.
    signature : str
        The file that they are from.
    """

    numbers: IntArray
    vectors: FloatArray
    signature: str

    @classmethod
    def of(cls, file: str | Path, vocabulary: Vocabulary) -> GivenVectors:
        """Read the vectors of the words that a network knows.

        Parameters
        ----------
        file : str or Path
            A file of word2vec or GloVe.
        vocabulary : Vocabulary
            The words.

        Returns
        -------
        GivenVectors
            Of the words that the file has.

        Raises
        ------
        ValueError
            If the file cannot be read or has none of the words; the message names it.
        """
        found = read_word_vectors(Path(file), vocabulary.words)
        rows = found.rows_of(vocabulary.words)
        known = np.flatnonzero(rows >= 0)
        if not len(known):
            raise ValueError(f"{file}: none of the {len(vocabulary.words):,} words has a vector")
        return cls(known + FIRST_WORD, found.matrix[rows[known]], found.signature)

    @property
    def dimensions(self) -> int:
        """Numbers of a vector."""
        return int(self.vectors.shape[1])

    @property
    def about(self) -> dict[str, int | str]:
        """What a model says of them."""
        return {"vectors": self.signature, "words with a vector": len(self.numbers)}


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
