"""Texts made short by leaving out spaces or vowels instead of words: hints for staff, never a reason to refuse."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from measures.text.normalization import canonical
from measures.text.segmentation import has_word_spaces

MOST_JOINED = 8
"""The greatest number of words of the source that are looked for in one word."""

LONGEST_WORD = 40
"""A longer run of letters is no word of any language here, if the source has nothing half as long."""

# Languages of the Latin alphabet in which every word has a vowel, and whose share of vowels is known to be steady.
_WITH_VOWELS = "af ca da de en es eu fi fr gl id is it lb ms nb nl nn no oc pt sv sw tl tr"
_VOWELS = frozenset("aeiouyæøœåäöüıəɛɔ")
_A_VOWEL = re.compile(f"[{''.join(sorted(_VOWELS))}]")
_A_LETTER = re.compile(r"[^\W\d_]")
_BETWEEN_SPACES = re.compile(r"[^\W_](?:\S*[^\W_])?")  # without the signs around it
_LETTERS_APART = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")
_LETTERS_ONLY = re.compile(r"[^\W\d_]+")


def has_steady_vowels(language: str) -> bool:
    """Say whether a language is one in which missing vowels are told from its spelling.

    Parameters
    ----------
    language : str
        Tag of the language, such as "en" or "pt-BR".

    Returns
    -------
    bool
        False for abjads, for Slavic languages, which have words without a vowel, and for what is unknown.

    Examples
    --------
    >>> has_steady_vowels("en-GB"), has_steady_vowels("ar"), has_steady_vowels("cs")
    (True, False, False)
    """
    return language.partition("-")[0].lower() in _WITH_VOWELS.split()


def joined_words(source: str, text: str, language: str) -> list[tuple[str, int]]:
    """Return the words of a text that are several adjacent words of the source without the spaces between them.

    Words with digits do not count: "5 km" is written "5km" as well. Of "long-term" each part is a word. A run of more
    than `LONGEST_WORD` letters counts without being looked for, as words of the source's mean length.

    Parameters
    ----------
    source, text : str
        The source and the text, within the bounds of ``check_compression``.
    language : str
        Tag of their language.

    Returns
    -------
    list of tuple of str and int
        Each different word in lower case, with the number of spaces that it lacks; none for languages without spaces
        between words. Takes linear time.

    Examples
    --------
    >>> joined_words("They agreed to reopen it.", "They agreed toreopen it.", "en")
    [('toreopen', 1)]
    """
    if not has_word_spaces(language):
        return []
    written = _spaced(source)
    if not written:
        return []
    known = set(written)
    parts = _LETTERS_APART.findall(canonical(text).casefold())
    strange = dict.fromkeys(word for word in parts if word not in known)
    if not strange:
        return []
    runs = _runs(written, max(map(len, strange)))
    longest = max(LONGEST_WORD, 2 * max(map(len, written), default=0))
    runs |= {word: len(word) * len(written) // sum(map(len, written)) for word in strange if len(word) > longest}
    return [(word, runs[word]) for word in strange if word in runs]


def _runs(words: Sequence[str], longest: int) -> dict[str, int]:
    """Return what adjacent words make together, with the number of spaces between them."""
    runs: dict[str, int] = {}
    for start in range(len(words)):
        size = 0
        for end in range(start + 1, min(start + MOST_JOINED, len(words)) + 1):
            size += len(words[end - 1])
            if size > longest:
                break
            if end > start + 1:
                runs.setdefault("".join(words[start:end]), end - start - 1)
    return runs


def _spaced(text: str) -> list[str]:
    found: list[str] = _BETWEEN_SPACES.findall(canonical(text).casefold())
    return found


def vowel_share(text: str) -> tuple[float, int]:
    """Return the share of vowels among the letters of a text, and the number of its letters.

    Parameters
    ----------
    text : str
        The text, within the bounds of ``check_compression``.

    Returns
    -------
    share : float
        From 0 to 1; 0 without letters. Letters count without their accents.
    letters : int
        Number of letters.

    Examples
    --------
    >>> vowel_share("Café au lait"), vowel_share("Cf lt")
    ((0.6, 10), (0.0, 4))
    """
    bare = _bare(text)
    letters = len(_A_LETTER.findall(bare))
    return (len(_A_VOWEL.findall(bare)) / letters if letters else 0.0), letters


def words_without_vowels(source: str, text: str) -> list[str]:
    """Return the different words of a text that are words of the source without their vowels.

    Parameters
    ----------
    source, text : str
        The source and the text, within the bounds of ``check_compression``.

    Returns
    -------
    list of str
        In lower case, in the order of the text; of at least three letters. Takes linear time.

    Examples
    --------
    >>> words_without_vowels("The committee will meet on Tuesday.", "The cmmtt will mt on Tuesday.")
    ['cmmtt']
    """
    written = set(words := _LETTERS_ONLY.findall(_bare(text)))
    # Nearly every word has a vowel, so there is hardly one to look for.
    strange = {word for word in written if len(word) > 2 and not _A_VOWEL.search(word)}
    if not strange:
        return []
    known = set(_LETTERS_ONLY.findall(_bare(source)))
    strange &= {_A_VOWEL.sub("", word) for word in known} - known
    return [word for word in dict.fromkeys(words) if word in strange]


@lru_cache(maxsize=4)
def _bare(text: str) -> str:
    """Return a text in lower case without accents."""
    lower = canonical(text).casefold()
    if lower.isascii():
        return lower
    return "".join(each for each in unicodedata.normalize("NFD", lower) if not unicodedata.combining(each))
