"""Texts, sentence by sentence, each within its share of the characters."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from measures.core.undefined import Undefined
from measures.text.normalization import length
from systems.programs.baselines import Compress, first
from systems.programs.texts import Output, Range, Source, Status, is_usable, joined

Shorten: TypeAlias = Callable[[str, str, int, int], str | None]
"""Shorten a sentence of a language to so many characters, at least and at most, or else to fewer; None if none fit."""

TOO_SHORT, NOTHING = "no text in the range was found", "no text was found that is short enough"


def by_sentence(shorten: Shorten) -> Compress:
    """Return a system that shortens each sentence.

    Parameters
    ----------
    shorten : callable
        Shortens a sentence.

    Returns
    -------
    callable
        The system. The last sentence has what the others left, too. A text below the range, and the `first` words
        where nothing keeps the length rule, are a `fallback`.
    """

    def compress(source: Source, range_: Range, seed: int) -> Output | Undefined:
        parts, is_short = list[str](), False
        for number, sentence in enumerate(source.sentences):
            least, most = range_.least_length(sentence), range_.most_length(sentence)
            if number == len(source.sentences) - 1:
                most = range_.most_length(source.text) - sum(length(part) + 1 for part in parts)
            parts.append(shorten(sentence, source.language, least, most) or "")
            is_short = is_short or length(parts[-1]) < least
        text = joined(parts)
        if not is_usable(source, text, range_):
            words = first(source, range_, seed)
            return words if isinstance(words, Undefined) else Output(words.text, Status.FALLBACK, NOTHING)
        return Output(text, Status.FALLBACK, TOO_SHORT) if is_short else Output(text)

    return compress
