"""Evidence from the texts of others: nearly the same text, and other words kept than others keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

import numpy as np

from measures.core.arrays import FloatArray
from measures.text.endings import words_of

SAME, FEWEST_NEW = 0.9, 2
"""From how much on two texts are nearly the same, and how many new pairs they share at least. Our choice."""

MOST_OTHERS, FEWEST_OTHERS = 8, 2
FEWEST_TEXTS = 5
MOSTLY_KEPT = 0.8

Bigram = tuple[str, str]


@dataclass(frozen=True)
class SourceWords:
    """A source's words, and the pairs of neighbours among them.

    Attributes
    ----------
    words : tuple of str
        Its words, as `words_of` finds them.
    known : frozenset of str
        The same, each once.
    pairs : frozenset of (str, str)
        Words that stand side by side.

    Examples
    --------
    >>> SourceWords.of("Rain fell.").words
    ('rain', 'fell')
    """

    words: tuple[str, ...]
    known: frozenset[str]
    pairs: frozenset[Bigram]

    @classmethod
    def of(cls, source: str) -> SourceWords:
        """Return the words of a source."""
        words = tuple(words_of(source))
        return cls(words, frozenset(words), frozenset(pairwise(words)))


@dataclass(frozen=True)
class TextWords:
    """A text's words, and what is new among them.

    Attributes
    ----------
    words : tuple of str
        Its words.
    counts : Counter of str
        How often it has each of them.
    new : frozenset of (str, str)
        Words side by side that are not so in the source, and of which one is not in it at all.

    Examples
    --------
    >>> TextWords.of("Snow fell.", SourceWords.of("Rain fell.")).new
    frozenset({('snow', 'fell')})
    """

    words: tuple[str, ...]
    counts: Counter[str]
    new: frozenset[Bigram]

    @classmethod
    def of(cls, text: str, source: SourceWords) -> TextWords:
        """Return the words of a text for a source."""
        words = tuple(words_of(text))
        unseen = {pair for pair in pairwise(words) if pair not in source.pairs}
        return cls(words, Counter(words), frozenset(pair for pair in unseen if not source.known.issuperset(pair)))


def is_near_same(one: TextWords, other: TextWords) -> bool:
    """Say whether two texts for one source are nearly the same, in words that neither has from the source.

    Deletions alone coincide by chance, so at least two new pairs of neighbours must be common to both.

    Parameters
    ----------
    one, other : TextWords
        Two texts for one source.

    Returns
    -------
    bool
        Whether the edit distance in words is at most a tenth of the longer text, and two new pairs are shared.

    Examples
    --------
    >>> source = SourceWords.of("The rain that fell on Monday flooded the town.")
    >>> one, other = (TextWords.of(text, source) for text in ("Heavy rain drowned it.", "Heavy rain drowned it!"))
    >>> is_near_same(one, other)
    True
    """
    return len(one.new & other.new) >= FEWEST_NEW and is_near_copy(one, other)


def is_near_copy(one: TextWords, other: TextWords) -> bool:
    """Say whether two texts have nearly the same words, wherever they have them from.

    Parameters
    ----------
    one, other : TextWords
        Two texts for one source.

    Returns
    -------
    bool
        Whether the edit distance in words is at most a tenth of the longer text.

    Examples
    --------
    >>> source = SourceWords.of("The rain that fell on Monday flooded the town.")
    >>> one, other = (TextWords.of(text, source) for text in ("The rain flooded the town.", "Rain fell on Monday."))
    >>> is_near_copy(one, one), is_near_copy(one, other)
    (True, False)
    """
    longest = max(len(one.words), len(other.words))
    most = int((1 - SAME) * longest + 1e-9)
    # The distance is at least what one text has more of than the other.
    if max(sum((one.counts - other.counts).values()), sum((other.counts - one.counts).values())) > most:
        return False
    return _distance(one.words, other.words) <= most


def _distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Return Levenshtein's distance."""
    row = list(range(len(other) + 1))
    for index, word in enumerate(one, start=1):
        before, row[0] = row[0], index
        for place, each in enumerate(other, start=1):
            before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (word != each))
    return row[-1]


@dataclass(frozen=True)
class KeptWords:
    """Which words of its source a text keeps.

    Attributes
    ----------
    kept : FloatArray of shape (words of the source,)
        1 for a word that is kept in place, else 0.
    share : float
        Share of the text's words that are such words.

    Examples
    --------
    >>> kept_words(TextWords.of("Rain fell.", (source := SourceWords.of("Rain often fell.")), ), source).share
    1.0
    """

    kept: FloatArray
    share: float


def kept_words(text: TextWords, source: SourceWords) -> KeptWords:
    """Return which words of its source a text keeps: a longest common subsequence, of earlier words where that is open.

    Parameters
    ----------
    text : TextWords
        The text.
    source : SourceWords
        Its source.

    Returns
    -------
    KeptWords
        Takes time in proportion to the product of both lengths.

    Examples
    --------
    >>> source = SourceWords.of("the cat saw the dog")
    >>> kept_words(TextWords.of("The dog.", source), source).kept.tolist()
    [1.0, 0.0, 0.0, 0.0, 1.0]
    """
    rest = [[0] * (len(source.words) + 1)]  # of each end of the text: the longest with each end of the source
    for word in reversed(text.words):
        below, row = rest[-1], [0] * (len(source.words) + 1)
        for place in range(len(source.words) - 1, -1, -1):
            is_same = word == source.words[place]
            row[place] = below[place + 1] + 1 if is_same else max(below[place], row[place + 1])
        rest.append(row)
    rest.reverse()
    kept, place = np.zeros(len(source.words)), 0
    for index, word in enumerate(text.words):
        if rest[index][place] == rest[index + 1][place]:
            continue  # nothing is lost without this word
        while source.words[place] != word or rest[index][place] != rest[index + 1][place + 1] + 1:
            place += 1
        kept[place], place = 1.0, place + 1
    return KeptWords(kept, float(kept.sum()) / len(text.words) if text.words else 0.0)


def keep_z(texts: Iterable[tuple[KeptWords, Sequence[KeptWords]]]) -> tuple[float, int] | None:
    """Compare which words a person keeps with what others keep of the same sources.

    It is a permutation test within texts: under it, the words that a person keeps of a source could be any others.
    Centred within each text, own a and the others' mean b, z is the sum of a b over the root of the sum of
    a² b² / (n - 1), with n words in the source.

    Source: Hoeffding 1951, theorem 2, as for ``permutation_z``. The thresholds are our choice.

    Parameters
    ----------
    texts : iterable of (KeptWords, sequence of KeptWords)
        Each text with those by others for the same source. It counts if 80% of its words are kept ones, and two others
        are there; of others, the first 8 count.

    Returns
    -------
    (float, int) or None
        z and the number of texts that count; None below 5.

    Examples
    --------
    >>> one, other = KeptWords(np.array([1.0, 0, 0]), 1.0), KeptWords(np.array([1.0, 1, 0]), 1.0)
    >>> z, texts = keep_z([(one, [other, other])] * 6)
    >>> round(z, 2), texts
    (1.73, 6)
    """
    total = variance = 0.0
    counted = 0
    for own, others in texts:
        if own.share < MOSTLY_KEPT or len(others) < FEWEST_OTHERS or len(own.kept) < 2:
            continue
        a = own.kept - own.kept.mean()
        mean = np.mean([each.kept for each in others[:MOST_OTHERS]], axis=0)
        b = mean - mean.mean()
        total += float(a @ b)
        variance += float(a @ a) * float(b @ b) / (len(a) - 1)
        counted += 1
    if counted < FEWEST_TEXTS or variance <= 0:
        return None
    return total / sqrt(variance), counted
