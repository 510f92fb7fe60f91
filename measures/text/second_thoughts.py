"""What a person is asked about before a text is sent: that it is very short, or unlike its source.

`static/js/lib/second-thoughts.js` asks by the same rule; both are tested on the same file of cases. A question is not a
refusal: whoever means it sends the text, and staff see that it was so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from measures.text.normalization import canonical, length
from measures.text.segmentation import UNSPACED

# Of scripts whose words are not parted by spaces, and of Hangul, whose words are short, each letter stands for a word.
_SINGLE = f"{UNSPACED}\uac00-\ud7a3"
_ANY_SINGLE = re.compile(f"[{_SINGLE}]")
_WORDS = re.compile(rf"[{_SINGLE}]|(?:(?![{_SINGLE}])[^\W_])+")


class SecondThought(StrEnum):
    """What a person is asked about."""

    VERY_SHORT = "very short"
    UNLIKE_SOURCE = "hardly a word of the original"


@dataclass(frozen=True)
class SecondThoughtLimits:
    """Below what a person is asked. They are this project's choice.

    Attributes
    ----------
    short_percent : int, default 20
        A text with less than this percentage of the allowed length is very short.
    shared_percent : int, default 15
        A text of whose words less than this percentage are in the source is unlike it.
    fewest_words : int, default 4
        A text of fewer words that count is not compared, and neither is one whose source has fewer.
    word_letters : int, default 4
        Only words of at least so many letters or digits count, by that many letters from their beginning. Shorter
        words are mostly those that any two texts of a language share, and endings change when a sentence is rewritten.

    Examples
    --------
    >>> SecondThoughtLimits(short_percent=10).shared_percent
    15
    """

    short_percent: int = 20
    shared_percent: int = 15
    fewest_words: int = 4
    word_letters: int = 4


DEFAULT_LIMITS = SecondThoughtLimits()


@dataclass(frozen=True)
class SharedWords:
    """How many of the words of a text that count are in its source.

    Attributes
    ----------
    shared, words : int
        Number of words of the text that are in the source, and number of words of the text.
    in_source : int
        Number of words of the source.

    Examples
    --------
    >>> SharedWords(0, 5, 9).words
    5
    """

    shared: int
    words: int
    in_source: int


def is_very_short(text_length: int, allowed: int, limits: SecondThoughtLimits = DEFAULT_LIMITS) -> bool:
    """Say whether a text is so short that little of its source can be left.

    Parameters
    ----------
    text_length, allowed : int
        The length of the text and the greatest allowed one, in characters as ``length`` counts them.
    limits : SecondThoughtLimits
        Below what a text is very short.

    Returns
    -------
    bool
        Whether it is below the limit.

    Examples
    --------
    >>> is_very_short(19, 100), is_very_short(20, 100)
    (True, False)
    """
    return 100 * text_length < limits.short_percent * allowed


def shared_words(source: str, text: str, limits: SecondThoughtLimits = DEFAULT_LIMITS) -> SharedWords:
    """Count the words of a text that are in its source.

    Parameters
    ----------
    source, text : str
        The source and the text, within the bounds of ``check_compression``.
    limits : SecondThoughtLimits
        Which words count.

    Returns
    -------
    SharedWords
        Words are compared in lower case by their first letters. In scripts without spaces, each letter is a word.

    Examples
    --------
    >>> shared_words("The committee will meet again on Tuesday.", "Committees met again.")
    SharedWords(shared=2, words=2, in_source=5)
    """
    known = _words(source, limits.word_letters)
    words = _words(text, limits.word_letters)
    among = set(known)
    return SharedWords(sum(word in among for word in words), len(words), len(known))


def is_unlike_source(found: SharedWords, limits: SecondThoughtLimits = DEFAULT_LIMITS) -> bool:
    """Say whether a text has hardly a word in common with its source; False where there are too few words to tell.

    Parameters
    ----------
    found : SharedWords
        The words of the text that are in its source.
    limits : SecondThoughtLimits
        Below what a text is unlike its source.

    Returns
    -------
    bool
        Whether it is below the limit.

    Examples
    --------
    >>> is_unlike_source(SharedWords(0, 5, 9)), is_unlike_source(SharedWords(0, 3, 9))
    (True, False)
    """
    if found.words < limits.fewest_words or found.in_source < limits.fewest_words:
        return False
    return 100 * found.shared < limits.shared_percent * found.words


def second_thought(
    source: str, text: str, allowed: int, limits: SecondThoughtLimits = DEFAULT_LIMITS
) -> SecondThought | None:
    """Return what a person is asked about before a text is sent.

    Parameters
    ----------
    source, text : str
        The source and the text, within the bounds of ``check_compression``.
    allowed : int
        The greatest allowed length, in characters.
    limits : SecondThoughtLimits
        Below what they are asked.

    Returns
    -------
    SecondThought or None
        The first that applies; None if there is nothing to ask. Takes linear time.

    Examples
    --------
    >>> second_thought("The committee will meet again on Tuesday.", "Yes.", 30)
    <SecondThought.VERY_SHORT: 'very short'>
    >>> second_thought("The committee will meet again on Tuesday.", "They meet on Tuesday.", 30) is None
    True
    """
    if is_very_short(length(text), allowed, limits):
        return SecondThought.VERY_SHORT
    if is_unlike_source(shared_words(source, text, limits), limits):
        return SecondThought.UNLIKE_SOURCE
    return None


def _words(text: str, letters: int) -> list[str]:
    found = _WORDS.findall(canonical(text).lower())
    return [word[:letters] for word in found if len(word) >= letters or _ANY_SINGLE.match(word)]
