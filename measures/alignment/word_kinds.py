"""Kinds of words as classes of texts count them: punctuation, content words and function words."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from measures.alignment.norms import LONGEST_WORD, function_words, kind_of, norm_of

_LETTERS = {"mark": "p", "content": "c", "function": "f"}


def plain_word_kind(word: str) -> str:
    """Return "p" for a word without a letter or digit, else "c": a kind of words that knows no function words.

    Parameters
    ----------
    word : str
        A word.

    Returns
    -------
    str
        "p" or "c".

    Examples
    --------
    >>> plain_word_kind("--"), plain_word_kind("the")
    ('p', 'c')
    """
    return "c" if any(map(str.isalnum, word)) else "p"


@lru_cache(maxsize=32)
def word_kinds(language: str = "en") -> Callable[[str], str]:
    """Return the rule for kinds of words that the aligner itself goes by.

    Parameters
    ----------
    language : str
        Tag of the words' language, such as "en" or "pt-BR".

    Returns
    -------
    callable
        From a word to "p" for punctuation, "f" for a function word and "c" for a content word. Function words are those
        of a closed list in English, else spaCy's stop words; where spaCy is not installed or does not have the
        language, there are none.

    Examples
    --------
    >>> [word_kinds()(word) for word in ["The", "bridge", "-LRB-", "."]]
    ['f', 'c', 'p', 'p']
    """
    return partial(_letter, words=function_words(language.partition("-")[0].lower()))


def _letter(word: str, words: frozenset[str]) -> str:
    return _new_letter(word, words) if len(word) > LONGEST_WORD else _kept_letter(word, words)


def _new_letter(word: str, words: frozenset[str]) -> str:
    return _LETTERS[kind_of(word, norm_of(word), words)]


_kept_letter = lru_cache(maxsize=100_000)(_new_letter)
