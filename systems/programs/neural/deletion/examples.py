"""Pairs as what the deletion network learns from: numbers of words, and whether each stays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from measures.core.arrays import IntArray
from systems.programs.neural.vocabulary import PADDING, Vocabulary
from systems.programs.pairs import Pair, embedded
from systems.programs.parses import Parse
from systems.programs.tokens import Token, tokens_of

KEPT, DROPPED, NOT_YET = 0, 1, 2
"""Labels of words. A head that stands later in the sentence is not yet decided."""


@dataclass(frozen=True, eq=False)
class Example:
    """A sentence as numbers.

    Attributes
    ----------
    words : IntArray of shape (n,)
        Numbers of its words.
    heads : IntArray of shape (n,)
        Place of the word that each depends on; its own where there is none, or no tree.
    labels : IntArray of shape (n,)
        `KEPT` or `DROPPED`; without meaning where it is not known.
    """

    words: IntArray
    heads: IntArray
    labels: IntArray

    @property
    def parents(self) -> IntArray:
        """Numbers of the words that the words depend on."""
        return np.where(self.heads == np.arange(len(self.heads)), PADDING, self.words[self.heads])

    @property
    def decided(self) -> IntArray:
        """Labels of these, as known when the word is decided."""
        return np.where(self.heads < np.arange(len(self.heads)), self.labels[self.heads], NOT_YET)


@dataclass(frozen=True)
class Deletion:
    """A sentence and the places of its words that a text keeps."""

    tokens: tuple[Token, ...]
    kept: tuple[int, ...]


def deletions_of(pairs: Iterable[Pair], language: str, parse: Parse | None) -> list[Deletion]:
    """Return the pairs whose text is the sentence without some of its words, case and final marks aside.

    Examples
    --------
    >>> pairs = [Pair("The old cat sat.", "The cat sat."), Pair("The old cat sat.", "A cat sat.")]
    >>> [deletion.kept for deletion in deletions_of(pairs, "en", None)]
    [(0, 2, 3, 4)]
    """
    found = []
    for pair in pairs:
        tokens = cut(pair.source, language, parse)
        kept = embedded([token.text for token in tokens], [token.text for token in tokens_of(pair.target, language)])
        if kept is not None:
            found.append(Deletion(tokens, kept))
    return found


def cut(sentence: str, language: str, parse: Parse | None) -> tuple[Token, ...]:
    """Return the words of a sentence: those of its tree where there is a parser."""
    return tokens_of(sentence, language) if parse is None else parse(sentence).words


def example_of(tokens: Sequence[Token], vocabulary: Vocabulary, kept: Iterable[int] = ()) -> Example:
    """Return a sentence as numbers; a word of a tree knows its head."""
    labels = np.full(len(tokens), DROPPED, dtype=np.int64)
    labels[list(kept)] = KEPT
    own = range(len(tokens))
    heads = np.array([getattr(token, "head", place) for place, token in zip(own, tokens, strict=True)], dtype=np.int64)
    return Example(vocabulary.numbers([token.text for token in tokens]), heads, labels)
