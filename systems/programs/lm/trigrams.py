"""Interpolated modified Kneser-Ney smoothing of trigrams (Chen and Goodman 1998)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from measures.core.arrays import BoolArray, FloatArray, IntArray
from systems.programs.lm.vocabulary import BEGIN, BITS, END, FIRST_WORD, MOST_WORDS, Vocabulary

ORDER = 3
FALLBACK = (0.5, 1.0, 1.5)
"""Discounts where the counts of counts give none."""

BEGIN_PLACE, END_PLACE = 1, 2
NEVER = -99.0 * float(np.log(10))
"""In place of ln 0, as ARPA files have it."""
_LOW, _LOW_TWO = (1 << BITS) - 1, (1 << 2 * BITS) - 1
Discounts: TypeAlias = tuple[float, float, float]


class Grams(NamedTuple):
    """N-grams of one order, sorted: their keys, log probabilities, and the logs of the weights of lower orders."""

    keys: IntArray
    log_p: FloatArray
    log_b: FloatArray


@dataclass(frozen=True, eq=False)
class TrigramModel:
    """Probabilities of a word after two others.

    Attributes
    ----------
    vocabulary : Vocabulary
        The words.
    unigrams, bigrams, trigrams : Grams
        N-grams with natural logarithms. An n-gram's key is the numbers of its words, 21 bits each, the first word
        highest. Trigrams have no weights.
    discounts : tuple of tuple of float
        Of each order, what n-grams seen once, twice and more often give away.
    used_fallback : tuple of bool
        Of each order, whether the discounts are `FALLBACK`.
    counts : IntArray of shape (v,)
        Occurrences of each word in the training text; that of the unknown word is of all words beyond the vocabulary.
    """

    vocabulary: Vocabulary
    unigrams: Grams
    bigrams: Grams
    trigrams: Grams
    discounts: tuple[Discounts, ...]
    used_fallback: tuple[bool, ...]
    counts: IntArray

    def log_probabilities(self, first: IntArray, second: IntArray, word: IntArray) -> FloatArray:
        """Return the natural logarithms of the probabilities of words after two others.

        Parameters
        ----------
        first, second, word : IntArray of equal shape
            Numbers of words. The beginning of a sentence has the number 1 and is never predicted.

        Returns
        -------
        FloatArray of that shape
            ln P(word | first second).
        """
        history = second << BITS
        at_unigram = self.unigrams.log_p[word]
        at_bigram, has_bigram = _found(self.bigrams.keys, self.bigrams.log_p, history | word)
        back_one = self.unigrams.log_b[second]
        lower = np.where(has_bigram, at_bigram, back_one + at_unigram)
        at_trigram, has_trigram = _found(self.trigrams.keys, self.trigrams.log_p, (first << 2 * BITS) | history | word)
        back_two, has_history = _found(self.bigrams.keys, self.bigrams.log_b, (first << BITS) | second)
        found: FloatArray = np.where(has_trigram, at_trigram, np.where(has_history, back_two, 0.0) + lower)
        return found

    def sentence(self, words: Sequence[str]) -> FloatArray:
        """Return ln P of each word of a sentence and of its end, given what comes before.

        Examples
        --------
        >>> model = trained([["the", "cat", "sat"], ["the", "cat", "ran"], ["a", "cat", "sat"]], least=1)
        >>> bool(model.sentence(["the", "cat", "sat"]).sum() > model.sentence(["sat", "the", "cat"]).sum())
        True
        """
        numbers = np.array([BEGIN_PLACE, BEGIN_PLACE, *self.vocabulary.numbers(words), END_PLACE], dtype=np.int64)
        return self.log_probabilities(numbers[:-2], numbers[1:-1], numbers[2:])


def _found(keys: IntArray, values: FloatArray, wanted: IntArray) -> tuple[FloatArray, BoolArray]:
    if not len(keys):
        return np.zeros(np.shape(wanted)), np.zeros(np.shape(wanted), dtype=np.bool_)
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return values[place], np.asarray(keys[place] == wanted)


def trained(
    sentences: Iterable[Sequence[str]],
    *,
    least: int = 2,
    most_words: int | None = None,
    discounts: Discounts | None = None,
) -> TrigramModel:
    """Train a model of trigrams.

    Counts of trigrams are raw. Those of bigrams and unigrams are numbers of distinct words to their left, but for
    n-grams that begin with the beginning of a sentence, which stay raw. Each order is interpolated with the one below,
    and unigrams with equal chances of all words but the beginning, which is never predicted.

    Source: Chen and Goodman 1998, "An empirical study of smoothing techniques for language modeling", §3.

    Parameters
    ----------
    sentences : iterable of sequence of str
        Words of each sentence, as the model is to know them, such as in lower case.
    least : int, default 2
        Words seen more seldom become the unknown word.
    most_words : int, optional
        Most words of the vocabulary; 200,000 if not given.
    discounts : tuple of float, optional
        What n-grams of all orders seen once, twice and more often give away, in place of what the counts say.

    Returns
    -------
    TrigramModel
        The model.

    Raises
    ------
    ValueError
        If there is no word.

    Examples
    --------
    >>> model = trained([["the", "cat", "sat"], ["the", "cat", "ran"], ["a", "cat", "sat"]], least=1)
    >>> after = np.arange(len(model.vocabulary))
    >>> p = np.exp(model.log_probabilities(*np.broadcast_arrays(1, 4, after)))
    >>> round(float(p[after != BEGIN_PLACE].sum()), 9)
    1.0
    """
    texts = [list(sentence) for sentence in sentences]
    if not any(texts):
        raise ValueError("there is no word to train on")
    whole = Vocabulary.of(texts, least=1, most=_LOW - 3)
    lines = _Lines.of(texts, whole)
    most = MOST_WORDS if most_words is None else most_words
    vocabulary = whole.first(min(int((lines.counts[FIRST_WORD:] >= least).sum()), most))
    kept = lines.cut(len(vocabulary))
    orders = _orders(kept.trigram_keys())
    # Cutting the vocabulary leaves hardly a word that was seen once.
    uncut = _orders(lines.trigram_keys())
    chosen = [_discounts(each.counts) for each in (uncut[0], *orders[1:])]
    if discounts is not None:
        chosen = [(discounts, False)] * ORDER
    (of_one, _), (of_two, _), (of_three, _) = chosen
    base = _unigrams(orders[0], of_one, len(vocabulary))
    log_p = _interpolated(orders[1], of_two, base[orders[1].keys & _LOW])
    # The beginning of a sentence is a history of two, though it is never predicted.
    keys = np.union1d(orders[1].keys, [BEGIN_PLACE << BITS | BEGIN_PLACE])
    of_keys = np.full(len(keys), NEVER)
    of_keys[np.searchsorted(keys, orders[1].keys)] = log_p
    lower = of_keys[np.searchsorted(keys, orders[2].keys & _LOW_TWO)]
    return TrigramModel(
        vocabulary,
        Grams(np.arange(len(vocabulary)), base, _log_weights(orders[1], of_two, np.arange(len(vocabulary)))),
        Grams(keys, of_keys, _log_weights(orders[2], of_three, keys)),
        Grams(orders[2].keys, _interpolated(orders[2], of_three, lower), np.zeros(len(orders[2].keys))),
        tuple(each for each, _is_fallback in chosen),
        tuple(is_fallback for _each, is_fallback in chosen),
        kept.counts,
    )


class _Counts(NamedTuple):
    """The n-grams of one order with the counts that its probabilities come from."""

    keys: IntArray
    counts: IntArray


@dataclass(frozen=True, eq=False)
class _Lines:
    """The numbers of the words of all texts in a row, each text with two beginnings and an end.

    `ends` has the place after each text, and `words` how many numbers there are.
    """

    numbers: IntArray
    ends: IntArray
    words: int

    @classmethod
    def of(cls, texts: Sequence[Sequence[str]], vocabulary: Vocabulary) -> _Lines:
        numbers = vocabulary.numbers(word for words in texts for word in (BEGIN, BEGIN, *words, END))
        ends = np.cumsum([len(words) + ORDER for words in texts])
        return cls(numbers, ends, len(vocabulary))

    def cut(self, words: int) -> _Lines:
        """Return the same with the first words alone; the others are unknown."""
        return _Lines(np.where(self.numbers < words, self.numbers, 0), self.ends, words)

    @property
    def counts(self) -> IntArray:
        """How often each number stands there, without the beginnings and ends that were added."""
        found = np.bincount(self.numbers, minlength=self.words)
        found[[BEGIN_PLACE, END_PLACE]] -= [2 * len(self.ends), len(self.ends)]
        return found

    def trigram_keys(self) -> IntArray:
        """Return the key of each trigram of each text."""
        first, second, third = self.numbers[:-2], self.numbers[1:-1], self.numbers[2:]
        is_inside = np.ones(len(third), dtype=np.bool_)
        is_inside[np.concatenate([self.ends[:-1] - 2, self.ends[:-1] - 1])] = False
        return (first << 2 * BITS | second << BITS | third)[is_inside]


def _orders(keys: IntArray) -> tuple[_Counts, _Counts, _Counts]:
    """Return unigrams, bigrams and trigrams with their counts."""
    trigrams = _Counts(*np.unique(keys, return_counts=True))
    two, place, neighbours = np.unique(trigrams.keys & _LOW_TWO, return_inverse=True, return_counts=True)
    raw = np.bincount(place, trigrams.counts, minlength=len(two)).astype(np.int64)
    bigrams = _Counts(two, np.where(two >> BITS == BEGIN_PLACE, raw, neighbours))
    return _Counts(*np.unique(two & _LOW, return_counts=True)), bigrams, trigrams


def _discounts(counts: IntArray) -> tuple[Discounts, bool]:
    """Return the discounts that the counts of counts give, and whether the usual ones stand in for them."""
    one, two, three, four = (int((counts == times).sum()) for times in (1, 2, 3, 4))
    if not one or not two or not three:
        return FALLBACK, True
    share = one / (one + 2 * two)
    found = (1 - 2 * share * two / one, 2 - 3 * share * three / two, 3 - 4 * share * four / three)
    if all(0 < each < most for each, most in zip(found, (1, 2, 3), strict=True)):
        return found, False
    return FALLBACK, True


def _given_away(counts: IntArray, discounts: Discounts) -> FloatArray:
    given: FloatArray = np.array(discounts)[np.minimum(counts, 3) - 1]
    return given


def _unigrams(found: _Counts, discounts: Discounts, words: int) -> FloatArray:
    """Return ln P of each word; the beginning is never predicted."""
    away = _given_away(found.counts, discounts)
    total = found.counts.sum()
    p = np.full(words, away.sum() / total / (words - 1))
    p[found.keys] += (found.counts - away) / total
    log_p: FloatArray = np.log(p)
    log_p[BEGIN_PLACE] = NEVER
    return log_p


def _interpolated(found: _Counts, discounts: Discounts, log_lower: FloatArray) -> FloatArray:
    """Return ln P of n-grams, given that of their last words after shorter histories."""
    _history, place = np.unique(found.keys >> BITS, return_inverse=True)
    total = np.bincount(place, found.counts)[place]
    away = _given_away(found.counts, discounts)
    left = np.bincount(place, away)[place]
    return np.asarray(np.log((found.counts - away + left * np.exp(log_lower)) / total))


def _log_weights(found: _Counts, discounts: Discounts, histories: IntArray) -> FloatArray:
    """Return for each history the ln of what its n-grams give away; 0 if it has none."""
    known, place = np.unique(found.keys >> BITS, return_inverse=True)
    weight = np.bincount(place, _given_away(found.counts, discounts)) / np.bincount(place, found.counts)
    log_b = np.zeros(len(histories))
    log_b[np.searchsorted(histories, known)] = np.log(weight)
    return log_b


class Perplexity(NamedTuple):
    """How much a text surprises a model.

    Attributes
    ----------
    value : float
        exp of the mean of -ln P over all words and ends of sentences; NaN without sentences.
    unknown : float
        Share of the words that the model does not know; NaN without words.
    words : int
        Number of words, without ends of sentences.
    """

    value: float
    unknown: float
    words: int


def perplexity(model: TrigramModel, sentences: Iterable[Sequence[str]]) -> Perplexity:
    """Measure how much sentences surprise a model.

    Parameters
    ----------
    model : TrigramModel
        The model.
    sentences : iterable of sequence of str
        Words of each sentence.

    Returns
    -------
    Perplexity
        Unknown words count as the unknown word.

    Examples
    --------
    >>> model = trained([["a", "b"], ["a", "c"]], least=1)
    >>> perplexity(model, [["a", "d"]])[1:]
    (0.5, 2)
    """
    surprise, ends, words, unknown = 0.0, 0, 0, 0
    for sentence in sentences:
        surprise -= float(model.sentence(sentence).sum())
        ends, words = ends + 1, words + len(sentence)
        unknown += int((model.vocabulary.numbers(sentence) == 0).sum())
    value = float(np.exp(surprise / (words + ends))) if ends else float("nan")
    return Perplexity(value, unknown / words if words else float("nan"), words)
