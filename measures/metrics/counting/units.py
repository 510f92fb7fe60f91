"""The units that texts share: n-grams, skip bigrams, dependencies, each as (text, number) pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from measures.core.arrays import IntArray
from measures.metrics.counting.batching import Chunk
from measures.metrics.counting.reference_sets import JaggedArray
from measures.metrics.options import Options

# A number of a unit stands in a key beside its source and its text, which want some bits of 63 for themselves.
_UNIT_BITS = 40


@dataclass(frozen=True, eq=False)
class Units:
    """All units of one kind in some texts.

    Attributes
    ----------
    text : IntArray of shape (u,)
        The text of each unit.
    unit : IntArray of shape (u,)
        Equal for equal units of the same source, at least 0.
    """

    text: IntArray
    unit: IntArray


@dataclass(frozen=True)
class UnitKind:
    """A kind of units that metrics count.

    Attributes
    ----------
    name : str
        What metrics call it, such as "LR-2".
    extract : callable of (Chunk, Options) to Units
        Returns the units of all texts of a chunk.
    units_per_word : callable of Options to int
        Upper bound of the units that begin at one word; it bounds the memory of a chunk.
    wants_parser : bool
        Whether texts must have been parsed.
    signature : callable of Options to list of str
        The settings that the units depend on, each as ``name:value``.
    """

    name: str
    extract: Callable[[Chunk, Options], Units]
    units_per_word: Callable[[Options], int] = lambda _: 1
    wants_parser: bool = False
    signature: Callable[[Options], list[str]] = lambda _: []


def ngrams(words: JaggedArray, n: int) -> Units:
    """Return all runs of `n` words.

    Source: Toutanova et al. 2016, §4.1 (LR-1 to LR-4).

    Parameters
    ----------
    words : JaggedArray
        Words as numbers from 0.
    n : int
        Words of a run, at least 1.

    Returns
    -------
    Units
        In the order of the texts.

    Examples
    --------
    >>> units = ngrams(JaggedArray.of([[0, 1, 0, 1], [0, 1], [1]]), 2)
    >>> units.text, units.unit
    (array([0, 0, 0, 1]), array([1, 2, 1, 1]))
    """
    text = np.repeat(np.arange(len(words.lengths)), words.lengths)
    number = max(0, len(text) - n + 1)
    whole = text[:number] == text[n - 1 : n - 1 + number]
    unit, base = words.values[:number], int(words.values.max(initial=0)) + 1
    size = base
    for later in range(1, n):
        unit, size = _small(unit, size, base)
        unit = unit * base + words.values[later : later + number]
        size *= base
    return Units(text[:number][whole], unit[whole])


def skip_bigrams(words: JaggedArray, window: int) -> Units:
    """Return all pairs of words in their order with at most `window` words between them.

    Source: Toutanova et al. 2016, §4.1 (SKIP-2, four words between, as ROUGE-S4).

    Parameters
    ----------
    words : JaggedArray
        Words as numbers from 0.
    window : int
        Most words between, at least 0.

    Returns
    -------
    Units
        Neighbours first, then pairs with one word between, and so on.

    Examples
    --------
    >>> units = skip_bigrams(JaggedArray.of([[0, 1, 2], [0, 2]]), 1)
    >>> units.text, units.unit
    (array([0, 0, 1, 0]), array([1, 5, 2, 2]))
    """
    text = np.repeat(np.arange(len(words.lengths)), words.lengths)
    base = int(words.values.max(initial=0)) + 1
    texts, units = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for distance in range(1, min(window + 1, int(words.lengths.max(initial=0)) - 1) + 1):
        inside = np.flatnonzero(text[:-distance] == text[distance:])
        texts.append(text[inside])
        units.append(words.values[inside] * base + words.values[inside + distance])
    return Units(np.concatenate(texts), np.concatenate(units))


def whole_rows(rows: JaggedArray) -> Units:
    """Return rows of units that have their numbers already, as dependencies do.

    Parameters
    ----------
    rows : JaggedArray
        The units of each text.

    Returns
    -------
    Units
        The same.

    Examples
    --------
    >>> whole_rows(JaggedArray.of([[4], [], [5, 4]])).text
    array([0, 2, 2])
    """
    return Units(np.repeat(np.arange(len(rows.lengths)), rows.lengths), rows.values)


def _small(unit: IntArray, size: int, base: int) -> tuple[IntArray, int]:
    """Numbers that another word can be added to without running over; ranks where they have grown too long."""
    if size * base < 2**_UNIT_BITS:
        return unit, size
    known, ranks = np.unique(unit, return_inverse=True)
    return ranks, len(known)


def _triples(chunk: Chunk, _: Options) -> Units:
    if chunk.triples is None:
        raise ValueError("the texts are not parsed")
    return whole_rows(chunk.triples)


def _ngram_kind(n: int) -> UnitKind:
    return UnitKind(f"LR-{n}", lambda chunk, _: ngrams(chunk.words, n))


NGRAMS = tuple(_ngram_kind(n) for n in (1, 2, 3, 4))
"""Words, and runs of two, three and four words."""

SKIP_BIGRAMS = UnitKind(
    "SKIP-2",
    lambda chunk, options: skip_bigrams(chunk.words, options.window),
    units_per_word=lambda options: options.window + 1,
    signature=lambda options: [f"window:{options.window}"],
)
DEPENDENCIES = UnitKind("PARSE-2", _triples, wants_parser=True)
