"""What metrics may use besides the texts: vectors of words, and a model that reads texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from measures.core.arrays import FloatArray
from measures.metrics.counting.batching import Chunk
from measures.metrics.counting.chunk_counts import ChunkVectors, EncodedTexts
from measures.metrics.counting.reference_sets import Comparisons
from measures.metrics.vectors.words import WordVectors

Encoder = Callable[[Sequence[str]], Sequence[FloatArray]]
"""Returns for each text the vectors of its parts, each an array of shape (parts, dimensions), of length 1."""


@dataclass(frozen=True, eq=False)
class Models:
    """What metrics may use besides the texts.

    Attributes
    ----------
    words : WordVectors, optional
        Vectors of words, for ROUGE-WE.
    encoder : callable, optional
        A model that reads texts, for CONTEXT.
    """

    words: WordVectors | None = None
    encoder: Encoder | None = None


@dataclass(frozen=True, eq=False)
class ModelsOfTexts:
    """The same, for the texts of some comparisons.

    Attributes
    ----------
    models : Models
        What may be used.
    compared : Comparisons
        The texts.
    """

    models: Models
    compared: Comparisons

    @cached_property
    def _rows(self) -> ChunkVectors | None:
        words = self.models.words
        return None if words is None else ChunkVectors(words.rows_of(self.compared.vocabulary), words.matrix)

    def of_words(self, chunk: Chunk) -> ChunkVectors | None:
        """Return the vectors of the words of a chunk; None if there are no vectors."""
        found = self._rows
        return None if found is None else ChunkVectors(found.rows_of_texts[chunk.vocabulary], found.matrix)

    def encoded(self, chunk: Chunk) -> Callable[[], EncodedTexts] | None:
        """Return what reads the texts of a chunk once it is asked to; None if there is no model."""
        encoder = self.models.encoder
        if encoder is None:
            return None
        first, number = chunk.first_text, len(chunk.words.lengths)
        texts = list(self.compared.written[first : first + number])

        def read() -> EncodedTexts:
            found = encoder(texts)
            starts = np.concatenate([[0], np.cumsum([len(each) for each in found])]).astype(np.int64)
            return EncodedTexts(starts, np.concatenate(found))

        return read
