"""Baselines that keep words, without training."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from measures.core.undefined import Undefined
from measures.text.normalization import length
from systems.programs.texts import Output, Range, Source, Status, is_usable
from systems.programs.tokens import CLOSING, FINAL, Token, kept_text, stop_words, tokens_of

Compress: TypeAlias = Callable[[Source, Range, int], Output | Undefined]
"""A system at work: of a source, the range and a seed."""

NO_WORD_FITS = Undefined("no whole word is short enough")
TOO_SHORT = "shorter than the range"


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


def of_language(system: Compress, language: str) -> Compress:
    """Return a system that learnt from texts in a language: a text in another one gets the `first` words.

    Parameters
    ----------
    system : callable
        The system.
    language : str
        Tag of the language; of tags such as "en-GB" the first part counts.

    Returns
    -------
    callable
        The system.

    Examples
    --------
    >>> system = of_language(longest_sentence, "en")
    >>> system(Source("1", "de", ("Es regnete den ganzen Tag.", "Wir gingen.")), Range(), 0).note
    'it learnt from texts in en, and this one is in de'
    """

    def compress(source: Source, range_: Range, seed: int) -> Output | Undefined:
        if _tag(source.language) == _tag(language):
            return system(source, range_, seed)
        note = f"it learnt from texts in {language}, and this one is in {source.language}"
        return or_first("", source, range_, seed, note)

    return compress


def _tag(language: str) -> str:
    return language.partition("-")[0].lower()
