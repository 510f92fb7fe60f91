r"""Bounds within which a text is cheap to normalise: its length, and how many marks stand in a row.

Unicode normalisation sorts the marks of each letter, in time quadratic in their number. Texts from outside are
checked here before anything normalises them.
"""

from __future__ import annotations

import unicodedata

from measures.text.normalization import INVISIBLE_RANGES, display_text, tidy_spaces

MAX_MARKS_IN_A_ROW = 30
"""Greatest number of marks on one letter. The Stream-Safe Text Format of Unicode (UAX #15) has the same bound."""

MAX_TYPED_LENGTH = 20_000
"""Greatest length of a text that a person types, in code points, before anything is normalised."""

_MARKS = frozenset({"Mn", "Mc", "Me"})
_INVISIBLE = frozenset(chr(code) for first, last in INVISIBLE_RANGES for code in range(first, last + 1))
# Letters by category that normalisation form KC turns into marks: the halfwidth voiced sound marks.
_BECOME_MARKS = frozenset("\uff9e\uff9f")


def stacked_marks(text: str) -> int | None:
    r"""Find the first run of more than `MAX_MARKS_IN_A_ROW` combining marks.

    Combining marks are the characters of the categories Mn, Mc and Me, whether or not normalisation reorders them,
    and the two halfwidth letters that form KC turns into marks. Invisible characters, among them the variation
    selectors, neither count nor end a run, because the canonical form removes them. Takes linear time, and next to
    none for ASCII.

    Parameters
    ----------
    text : str
        Any text, not yet normalised.

    Returns
    -------
    int or None
        Position in code points of the first mark of the run; None if there is no such run.

    Examples
    --------
    >>> stacked_marks("cafe" + "\u0301" * 30) is None
    True
    >>> stacked_marks("cafe" + "\u0301\u200b" * 31)
    4
    """
    if text.isascii():
        return None
    characters = set(text) - _INVISIBLE
    categories = map(unicodedata.category, characters)
    marks = {each for each, category in zip(characters, categories, strict=True) if category in _MARKS}
    marks |= characters & _BECOME_MARKS
    if not marks:
        return None
    start = in_a_row = 0
    for position, character in enumerate(text):
        if character in marks:
            start = start if in_a_row else position
            in_a_row += 1
            if in_a_row > MAX_MARKS_IN_A_ROW:
                return start
        elif character not in _INVISIBLE:
            in_a_row = 0
    return None


def bounded_display_text(text: str) -> str:
    r"""Return a text tidied for display in linear time, whatever marks it has.

    Parameters
    ----------
    text : str
        Any text, also one that nobody could submit.

    Returns
    -------
    str
        Its ``display_text``; where marks are stacked, only white space is tidied and nothing is normalised.

    Examples
    --------
    >>> bounded_display_text(" cafe\u0301 "), len(bounded_display_text("e" + "\u0301" * 31 + "  !"))
    ('café', 34)
    """
    return display_text(text) if stacked_marks(text) is None else tidy_spaces(text)
