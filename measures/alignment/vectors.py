"""Vectors of words, from a spaCy pipeline or a file in GloVe's text format."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from measures.core.arrays import FloatArray

MAX_WORDS = 500_000
MAX_DIMENSIONS = 1_000
MAX_NUMBERS = 60_000_000


class WordVectors(Protocol):
    """What the aligner needs of vectors: a direction for a word, and a signature."""

    @property
    def signature(self) -> str:
        """What the vectors are; the same text means the same vectors."""

    def unit(self, word: str) -> FloatArray | None:
        """Return the vector of a word as written, of length 1; None if it has none."""


@dataclass(frozen=True, eq=False)
class GivenVectors:
    """Vectors that were given.

    Attributes
    ----------
    units : mapping of str to (dimensions,) array
        Vectors of length 1.
    signature : str
        What they are.
    """

    units: Mapping[str, FloatArray]
    signature: str

    def unit(self, word: str) -> FloatArray | None:
        """Return the vector of a word as written, else of its case-folded form."""
        found = self.units.get(word)
        return self.units.get(word.casefold()) if found is None else found


@dataclass(frozen=True, eq=False)
class PipelineVectors:
    """The vectors of a spaCy pipeline.

    Attributes
    ----------
    vocabulary : spacy.vocab.Vocab
        The pipeline's words.
    signature : str
        The pipeline.
    """

    vocabulary: Any
    signature: str

    def unit(self, word: str) -> FloatArray | None:
        """Return the vector of a word as written, else of its case-folded form."""
        return _pipeline_unit(self.vocabulary, word)


@lru_cache(maxsize=50_000)
def _pipeline_unit(vocabulary: Any, word: str) -> FloatArray | None:
    for form in (word, word.casefold()):
        if vocabulary.has_vector(form):
            return _unit(np.asarray(vocabulary.get_vector(form), dtype=float))
    return None


def pipeline_vectors(model: Any) -> PipelineVectors | None:
    """Return the vectors of a loaded spaCy pipeline.

    Parameters
    ----------
    model : spacy.Language
        A pipeline, as `measures.text.spacy_models.load_model` returns it.

    Returns
    -------
    PipelineVectors or None
        None if it has no vectors of words, as spaCy's small pipelines.
    """
    vectors = model.vocab.vectors
    if not vectors.shape[0] or not vectors.shape[1]:
        return None
    meta = model.meta
    return PipelineVectors(model.vocab, f"{meta['lang']}_{meta['name']}-{meta['version']}")


def read_vectors(lines: Iterable[str], *, name: str = "vectors") -> GivenVectors:
    """Read vectors in GloVe's text format.

    Parameters
    ----------
    lines : iterable of str
        Each has a word and its numbers, separated by spaces; a first line of two numbers, as word2vec writes it, is
        skipped.
        At most `MAX_WORDS` words of `MAX_DIMENSIONS` dimensions and `MAX_NUMBERS` numbers in all.
    name : str
        Where they come from, for messages.

    Returns
    -------
    GivenVectors
        The vectors: the first of a word that is given twice, and none of length 0.

    Raises
    ------
    ValueError
        If a line is not of the format, or there are too many; the message names the line.

    Examples
    --------
    >>> vectors = read_vectors(["car 3 4", "auto 6 8.5"])
    >>> vectors.unit("Car").tolist(), vectors.unit("bus")
    ([0.6, 0.8], None)
    """
    units: dict[str, FloatArray] = {}
    digest = hashlib.sha256()
    dimensions = 0
    for number, line in enumerate(lines, start=1):
        place = f"{name}, line {number}"
        word, *numbers = line.rstrip("\r\n ").split(" ")
        if number == 1 and len(numbers) == 1:
            continue
        dimensions = dimensions or len(numbers)
        _check_size(len(numbers), dimensions, len(units), place)
        vector = _numbers(numbers, place)
        digest.update(line.rstrip("\r\n ").encode("utf-8", "replace") + b"\n")
        unit = _unit(vector)
        if unit is not None:
            units.setdefault(word, unit)
    return GivenVectors(units, f"{len(units)}x{dimensions}-{digest.hexdigest()[:12]}")


def _check_size(given: int, dimensions: int, words: int, place: str) -> None:
    if not given or given != dimensions:
        raise ValueError(f"{place}: a word and {dimensions or 'its'} numbers are expected, not {given}")
    if dimensions > MAX_DIMENSIONS:
        raise ValueError(f"{place}: more than {MAX_DIMENSIONS:,} dimensions")
    if words >= MAX_WORDS or words * dimensions >= MAX_NUMBERS:
        raise ValueError(f"{place}: more than {MAX_WORDS:,} words or {MAX_NUMBERS:,} numbers")


def _numbers(fields: list[str], place: str) -> FloatArray:
    try:
        vector = np.array(fields, dtype=float)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error
    if not np.isfinite(vector).all():
        raise ValueError(f"{place}: a number is not finite")
    return vector


def _unit(vector: FloatArray) -> FloatArray | None:
    length = float(np.linalg.norm(vector))
    return vector / length if length > 0 else None
