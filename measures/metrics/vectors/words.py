"""Vectors of the words that texts use, and how many of these words have one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from measures.core.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Coverage:
    """How many words have a vector.

    Attributes
    ----------
    tokens, known_tokens : int
        Words of all texts, each time they stand there, and those of them with a vector.
    types, known_types : int
        Distinct words, and those of them with a vector.
    """

    tokens: int
    known_tokens: int
    types: int
    known_types: int

    def __str__(self) -> str:
        return (
            f"{self.known_tokens:,} of {self.tokens:,} words have a vector; of distinct words "
            f"{self.known_types:,} of {self.types:,}"
        )


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Vectors of words.

    Attributes
    ----------
    rows : mapping of str to int
        The row of each word.
    matrix : FloatArray of shape (v, d)
        The vectors, as they were given.
    signature : str
        What they are.
    repeated : int
        Words that were given more than once; the first vector counts.
    """

    rows: Mapping[str, int]
    matrix: FloatArray
    signature: str
    repeated: int = 0

    def rows_of(self, words: Sequence[str]) -> IntArray:
        """Return the row of each word: of its form, else of its form in lower case; -1 where there is no vector.

        A vector of zeros says nothing, and counts as none.

        Parameters
        ----------
        words : sequence of str, of length n
            The words.

        Returns
        -------
        IntArray of shape (n,)
            Rows of `matrix`.

        Examples
        --------
        >>> vectors = WordVectors({"a": 0, "b": 1}, np.array([[3.0, 4.0], [0.0, 0.0]]), "by hand")
        >>> vectors.rows_of(["A", "a", "b", "c"])
        array([ 0,  0, -1, -1])
        """
        is_zero = np.asarray(~self.matrix.any(axis=1))
        found = [self.rows.get(word, self.rows.get(word.lower(), -1)) for word in words]
        return np.array([-1 if row < 0 or is_zero[row] else row for row in found], dtype=np.int64)

    def coverage(self, texts: Iterable[Iterable[str]]) -> Coverage:
        """Count the words that have a vector.

        Parameters
        ----------
        texts : iterable of iterables of str
            The words of each text.

        Returns
        -------
        Coverage
            By token and by type.

        Examples
        --------
        >>> print(WordVectors({"a": 0}, np.ones((1, 2)), "by hand").coverage([["a", "b", "a"]]))
        2 of 3 words have a vector; of distinct words 1 of 2
        """
        numbers: dict[str, int] = {}
        for text in texts:
            for word in text:
                numbers[word] = numbers.get(word, 0) + 1
        known = self.rows_of(list(numbers)) >= 0
        tokens = np.array(list(numbers.values()), dtype=np.int64)
        return Coverage(int(tokens.sum()), int(tokens[known].sum()), len(tokens), int(known.sum()))
