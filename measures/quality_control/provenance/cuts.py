"""Texts that are their source with one piece cut out, and those that leave out its small words."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from measures.text.endings import words_of

MOST_KEPT, FEWEST_WORDS = 0.85, 3
FEWEST_SMALL, FEWEST_COUNTED = 4, 5
_ENGLISH = (
    "a an and are as at be been but by for from had has have he her his in is it its not of on or she that the their "
    "they this to was were which who with"
)
SMALL_WORDS = {"en": frozenset(_ENGLISH.split())}
"""Function words that a telegraph would leave out. English alone has a list."""


class Cut(StrEnum):
    """Which part of the source is left."""

    PREFIX = "prefix"
    SUFFIX = "suffix"
    MIDDLE = "middle"
    """Beginning and end: the middle is cut out."""


def one_cut(source: str, text: str) -> Cut | None:
    """Say whether a text is its source with one piece cut out, and which part is left.

    The words of the text are the beginning of the source's, its end, or a beginning and an end. One more word may be
    missing in them, or the last word of a beginning, or the first of an end, be broken.

    Parameters
    ----------
    source, text : str
        The source and the text, within the bounds of ``check_compression``.

    Returns
    -------
    Cut or None
        None also for texts below 3 words or with more than 85% of the source's. Takes linear time.

    Examples
    --------
    >>> source = "They met on Monday, in the town hall, and left early."
    >>> [one_cut(source, text) for text in ("They met on Monday.", "They met and left early.", "They met in the hall.")]
    [<Cut.PREFIX: 'prefix'>, <Cut.MIDDLE: 'middle'>, None]
    """
    written, original = words_of(text), words_of(source)
    if len(written) < FEWEST_WORDS or len(written) > MOST_KEPT * len(original):
        return None
    if _begins(written, original):
        return Cut.PREFIX
    if _begins([word[::-1] for word in reversed(written)], [word[::-1] for word in reversed(original)]):
        return Cut.SUFFIX
    front, back = _reach(written, original), _reach(written[::-1], original[::-1])
    with_front, with_back = front[0] + back[1], front[1] + back[0]
    return Cut.MIDDLE if max(with_front, with_back) >= len(written) else None


def _begins(written: Sequence[str], original: Sequence[str]) -> bool:
    """Say whether words are the beginning of others, of which one may be missing, or the last be broken."""
    exact, with_gap = _reach(written, original)
    is_broken = exact == len(written) - 1 and original[exact].startswith(written[exact])
    return with_gap >= len(written) or is_broken


def _reach(written: Sequence[str], original: Sequence[str]) -> tuple[int, int]:
    """Return how many words are the beginning of others, and how many are if one of those is skipped."""
    exact = _common(written, original, 0)
    return exact, exact + _common(written[exact:], original, exact + 1)


def _common(words: Sequence[str], others: Sequence[str], begin: int) -> int:
    count = 0
    while count < len(words) and begin + count < len(others) and words[count] == others[begin + count]:
        count += 1
    return count


def small_word_share(source: str, text: str, language: str) -> float | None:
    """Return the share of function words in a text over that in its source.

    Parameters
    ----------
    source, text : str
        The source and the text.
    language : str
        Tag of their language.

    Returns
    -------
    float or None
        A ratio from 0; None for languages without a list, below 4 function words in the source, and below 5 words in
        the text.

    Examples
    --------
    >>> source = "The men who met in the hall left it at noon."
    >>> small_word_share(source, "Men met hall left noon.", "en"), small_word_share(source, "Männer.", "de")
    (0.0, None)
    """
    small = SMALL_WORDS.get(language.partition("-")[0].lower())
    if small is None:
        return None
    written, original = words_of(text), words_of(source)
    in_source = sum(word in small for word in original)
    if in_source < FEWEST_SMALL or len(written) < FEWEST_COUNTED:
        return None
    return sum(word in small for word in written) / len(written) / (in_source / len(original))
