"""Baselines that keep words or whole sentences, without training."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

import numpy as np

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.text.normalization import length
from measures.text.segmentation import sentences
from systems.programs.latent_topics import extract, weighted_terms
from systems.programs.texts import Output, Range, Source, Status, is_usable, joined
from systems.programs.tokens import CLOSING, FINAL, Token, kept_text, stop_words, tokens_of

Compress: TypeAlias = Callable[[Source, Range, int], Output | Undefined]
"""A system at work: of a source, the range and a seed."""

NO_WORD_FITS = Undefined("no whole word is short enough")
NO_SENTENCE_FITS = "no whole sentence is short enough"
TOO_SHORT = "shorter than the range"
MMR_BALANCE, REDUNDANT = 0.7, 0.7


def first(source: Source, range_: Range, seed: int = 0) -> Output | Undefined:
    """Keep whole words from the start while they fit, and the mark at the end if it fits, too.

    Parameters
    ----------
    source : Source
        The text.
    range_ : Range
        How long the output may be.
    seed : int
        Not used.

    Returns
    -------
    Output or Undefined
        Undefined if not even the first word is short enough.

    Examples
    --------
    >>> first(Source("1", "en", ("The old cat sat on the red mat.",)), Range()).text
    'The old cat sat on the.'
    """
    del seed
    tokens = tokens_of(source.text, source.language)
    most = range_.most_length(source.text)
    mark = [len(tokens) - 1] if tokens and tokens[-1].text in FINAL else []
    ends = [place for place in range(1, len(tokens)) if _may_end(tokens, place)]
    for end in reversed(ends):
        kept = range(end)
        for places in ([*kept, *mark], kept):
            text = kept_text(tokens, places)
            if length(text) <= most and is_usable(source, text, range_):
                return Output(text)
    return NO_WORD_FITS


def _may_end(tokens: Sequence[Token], end: int) -> bool:
    """Say whether a text may end before a token: after a word, and not inside of what is written as one."""
    after, before = tokens[end], tokens[end - 1]
    return not before.is_sign and (after.is_spaced or after.text in CLOSING)


def random_words(source: Source, range_: Range, seed: int) -> Output | Undefined:
    """Keep words by chance until the output is as long as the middle of the range, then no longer than it may be.

    Parameters
    ----------
    source : Source
        The text.
    range_ : Range
        How long the output may be.
    seed : int
        The same seed and source give the same words.

    Returns
    -------
    Output or Undefined
        Undefined if no word is short enough. Final marks stay.

    Examples
    --------
    >>> source = Source("1", "en", ("The old cat sat on the red mat.",))
    >>> random_words(source, Range(), 1) == random_words(source, Range(), 1)
    True
    """
    tokens = tokens_of(source.text, source.language)
    rng = Random(int.from_bytes(hashlib.sha256(f"{seed} {source.id}".encode()).digest()[:8]))
    order = [place for place, token in enumerate(tokens) if not token.is_sign]
    rng.shuffle(order)
    kept = {len(tokens) - 1} if tokens and tokens[-1].text in FINAL else set()
    most, wanted = range_.most_length(source.text), (range_.least + range_.most) * length(source.text) / 200
    for place in order:
        text = kept_text(tokens, kept | {place})
        if length(text) <= most:
            kept.add(place)
            if length(text) >= wanted:
                break
    text = kept_text(tokens, kept)
    return Output(text) if is_usable(source, text, range_) else first(source, range_)


def without_stop_words(source: Source, range_: Range, seed: int) -> Output | Undefined:
    """Keep all words but the most frequent ones of the language, and the final marks.

    Source: Daumé and Marcu 2004, "Generic sentence fusion is an ill-defined summarization task" (a baseline).

    Parameters
    ----------
    source : Source
        The text.
    range_ : Range
        How long the output may be.
    seed : int
        Not used.

    Returns
    -------
    Output or Undefined
        The `first` words where that is too long, or nothing is left.

    Examples
    --------
    >>> without_stop_words(Source("1", "en", ("The old cat sat on the mat.",)), Range(), 0).text
    'Old cat sat mat.'
    """
    tokens = tokens_of(source.text, source.language)
    stops = stop_words(source.language)
    kept = [
        place
        for place, token in enumerate(tokens)
        if (token.text in FINAL if token.is_sign else token.text.lower() not in stops)
    ]
    text = kept_text(tokens, kept)
    return or_first(text, source, range_, seed, "without stop words it is too long, or empty")


def longest_sentence(source: Source, range_: Range, seed: int) -> Output | Undefined:
    """Keep the longest sentence, the earlier one of equal ones.

    Source: Daumé and Marcu 2004 (a baseline, of two sentences).

    Parameters
    ----------
    source : Source
        The text.
    range_ : Range
        How long the output may be.
    seed : int
        Not used.

    Returns
    -------
    Output or Undefined
        The `first` words where that sentence is too long.

    Examples
    --------
    >>> longest_sentence(Source("1", "en", ("It rained.", "We left early.")), Range(), 0).text
    'We left early.'
    """
    return or_first(max(source.sentences, key=length), source, range_, seed, "the longest sentence is too long")


def or_first(text: str, source: Source, range_: Range, seed: int, note: str) -> Output | Undefined:
    """Return a text as the output, or the `first` words if it breaks the length rule.

    Parameters
    ----------
    text : str
        What a system made.
    source : Source
        Of this.
    range_ : Range
        How long the output may be.
    seed : int
        Seed of the system.
    note : str
        Why it may break the rule.

    Returns
    -------
    Output or Undefined
        A text below the range is `relaxed`.
    """
    if is_usable(source, text, range_):
        is_short = length(text) < range_.least_length(source.text)
        return Output(text, Status.RELAXED, TOO_SHORT) if is_short else Output(text)
    words = first(source, range_, seed)
    return words if isinstance(words, Undefined) else Output(words.text, Status.FALLBACK, note)


# Whole sentences

Places: TypeAlias = tuple[int, ...]
Choose: TypeAlias = Callable[[Source, Callable[[Places], bool]], Places]
"""Choose sentences of a source, given what says whether some of them are short enough together."""


def extractive(choose: Choose) -> Compress:
    """Return a system that keeps the sentences which `choose` picks.

    Parameters
    ----------
    choose : callable
        Of a source, and of what says whether sentences are short enough together.

    Returns
    -------
    callable
        The system. Where no sentence is short enough, it gives the `first` words. Outputs below the range are
        `relaxed`: sentences are never cut.

    Examples
    --------
    >>> source = Source("1", "en", ("It rained.", "The old bridge fell into the river."))
    >>> extractive(lead)(source, Range(), 0)
    Output(text='It rained.', status=<Status.RELAXED: 'relaxed'>, note='shorter than the range')
    """

    def compress(source: Source, range_: Range, seed: int) -> Output | Undefined:
        most = range_.most_length(source.text)

        def fits(places: Places) -> bool:
            return length(_at(source, places)) <= most

        return or_first(_at(source, choose(source, fits)), source, range_, seed, NO_SENTENCE_FITS)

    return compress


def _at(source: Source, places: Places) -> str:
    return joined([source.sentences[place] for place in sorted(places)])


def lead(source: Source, fits: Callable[[Places], bool]) -> Places:
    """Choose sentences from the start while they fit."""
    number = max((n for n in range(len(source.sentences) + 1) if fits(tuple(range(n)))), default=0)
    return tuple(range(number))


def terms_of(source: Source) -> list[list[str]]:
    """Return the words of each sentence, in lower case, without signs."""
    return [
        [token.text.casefold() for token in tokens_of(sentence, source.language) if not token.is_sign]
        for sentence in source.sentences
    ]


def latent_topics(source: Source, fits: Callable[[Places], bool]) -> Places:
    """Choose sentences by latent semantic analysis (Steinberger and Turchi 2012, §3)."""
    return extract(weighted_terms(terms_of(source)), fits)


def sentence_summarizer(keep_percent: int) -> Callable[[str, str], str | Undefined]:
    """Return a function that shortens texts of any language to their best sentences by latent semantic analysis.

    A text whose end of sentences `measures.text.segmentation` does not know, such as one in Chinese, is one sentence.

    Parameters
    ----------
    keep_percent : int
        Share of the characters that may be kept, in percent, 1 to 99.

    Returns
    -------
    callable
        Of a text and the tag of its language; undefined if no sentence is short enough.

    Examples
    --------
    >>> sentence_summarizer(75)("It rained all day. The old bridge fell into the river.", "en")
    'The old bridge fell into the river.'
    """
    compress, allowed = extractive(latent_topics), Range(1, keep_percent)

    def shortened(text: str, language: str) -> str | Undefined:
        output = compress(Source("", language, sentences(text) or (text,)), allowed, 0)
        if isinstance(output, Undefined) or output.status == Status.FALLBACK:
            return Undefined(NO_SENTENCE_FITS)
        return output.text

    return shortened


@dataclass(frozen=True)
class Weights:
    """How rare words are among the sentences of many sources: ln((1 + N) / (1 + n)) + 1 of a word that n of N have.

    Attributes
    ----------
    sentences : int
        N.
    by_word : mapping of str to int
        n of each word.

    Examples
    --------
    >>> weights = Weights.of([Source("1", "en", ("a cat", "a dog"))])
    >>> weights.sentences, weights.by_word["a"]
    (2, 2)
    """

    sentences: int
    by_word: Mapping[str, int]

    @classmethod
    def of(cls, sources: Iterable[Source]) -> Weights:
        """Count the words of sources."""
        number, counts = 0, dict[str, int]()
        for source in sources:
            for words in terms_of(source):
                number += 1
                for word in set(words):
                    counts[word] = counts.get(word, 0) + 1
        return cls(number, counts)

    def vectors(self, source: Source) -> FloatArray:
        """Return the tf-idf of each sentence, of length 1, of shape (sentences, words of the source)."""
        lines = terms_of(source)
        words = {word: place for place, word in enumerate(sorted({word for line in lines for word in line}))}
        table = np.zeros((len(lines), len(words)))
        for number, line in enumerate(lines):
            for word in line:
                table[number, words[word]] += np.log((1 + self.sentences) / (1 + self.by_word.get(word, 0))) + 1
        norms = np.linalg.norm(table, axis=1, keepdims=True)
        return np.asarray(table / np.where(norms > 0, norms, 1), dtype=np.float64)


def mmr(weights: Weights, *, balance: float = MMR_BALANCE) -> Choose:
    """Choose by maximal marginal relevance: near to the whole, unlike what is chosen.

    Source: Carbonell and Goldstein 1998; the baseline of McCallum et al. 2012.

    Parameters
    ----------
    weights : Weights
        How rare words are.
    balance : float
        Weight of the likeness to the whole, 0 to 1; the rest is that of the greatest likeness to a chosen sentence.

    Returns
    -------
    callable
        It adds the best sentence that still fits, until none does; ties go to the earlier one.

    Examples
    --------
    >>> source = Source("1", "en", ("A cat sat.", "A cat sat on a mat.", "Dogs ran off."))
    >>> mmr(Weights.of([source]), balance=1.0)(source, lambda chosen: len(chosen) <= 1)
    (0,)
    """

    def choose(source: Source, fits: Callable[[Places], bool]) -> Places:
        vectors = weights.vectors(source)
        whole = _unit(vectors.sum(axis=0))
        chosen: Places = ()
        while True:
            gains = {
                place: balance * float(vectors[place] @ whole) - (1 - balance) * _likeness(vectors, place, chosen)
                for place in range(len(vectors))
                if place not in chosen and fits((*chosen, place))
            }
            if not gains:
                return chosen
            chosen = (*chosen, max(gains, key=lambda place: (round(gains[place], 12), -place)))

    return choose


def centroid(weights: Weights, *, redundant: float = REDUNDANT) -> Choose:
    """Choose by the weight of the words that a sentence shares with the centroid, as MEAD does.

    Source: Radev et al. 2004, "Centroid-based summarization of multiple documents".

    Parameters
    ----------
    weights : Weights
        How rare words are.
    redundant : float
        A sentence whose cosine with a chosen one is above this is left out.

    Returns
    -------
    callable
        It adds the best sentence that still fits, until none does; ties go to the earlier one.

    Examples
    --------
    >>> source = Source("1", "en", ("A cat sat on a mat.", "A cat sat on a mat.", "Dogs ran off."))
    >>> centroid(Weights.of([source]))(source, lambda chosen: True)
    (0, 2)
    """

    def choose(source: Source, fits: Callable[[Places], bool]) -> Places:
        vectors = weights.vectors(source)
        weight = vectors.mean(axis=0)
        scores = np.round((vectors > 0) @ weight, 12)
        chosen: Places = ()
        for place in np.argsort(-scores, kind="stable").tolist():
            if scores[place] > 0 and _likeness(vectors, place, chosen) <= redundant and fits((*chosen, place)):
                chosen = (*chosen, place)
        return tuple(sorted(chosen))

    return choose


def _likeness(vectors: FloatArray, place: int, chosen: Places) -> float:
    return max((float(vectors[place] @ vectors[other]) for other in chosen), default=0.0)


def _unit(vector: FloatArray) -> FloatArray:
    norm = float(np.linalg.norm(vector))
    return vector / norm if norm else vector
