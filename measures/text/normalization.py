"""Canonical form and length of a text, identical in the browser and on the server.

Every length in the project is ``length`` of this module. The characters that do not count are fixed tables,
because Unicode categories depend on the Python version, and white space on the browser.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

INVISIBLE_RANGES: tuple[tuple[int, int], ...] = (
    (0x00AD, 0x00AD),
    (0x0600, 0x0605),
    (0x061C, 0x061C),
    (0x06DD, 0x06DD),
    (0x070F, 0x070F),
    (0x0890, 0x0891),
    (0x08E2, 0x08E2),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x2064),
    (0x2066, 0x206F),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFF9, 0xFFFB),
    (0x110BD, 0x110BD),
    (0x110CD, 0x110CD),
    (0x13430, 0x1343F),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0001, 0xE0001),
    (0xE0020, 0xE007F),
    (0xE0100, 0xE01EF),
)
"""General category Cf of Unicode 15.1, and the variation selectors, as inclusive ranges."""

WHITE_SPACE_RANGES: tuple[tuple[int, int], ...] = (
    (0x0009, 0x000D),
    (0x0020, 0x0020),
    (0x0085, 0x0085),
    (0x00A0, 0x00A0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
)
"""The Unicode property White_Space. Python's ``\\s`` has four more characters, JavaScript's lacks one."""

_CONTROL_RANGES = ((0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0x7F, 0x9F))
_SURROGATE_RANGES = ((0xD800, 0xDFFF),)
_NONCHARACTER_RANGES = (
    (0xFDD0, 0xFDEF),
    *((plane * 0x10000 + 0xFFFE, plane * 0x10000 + 0xFFFF) for plane in range(17)),
)


def character_class(ranges: Iterable[tuple[int, int]]) -> str:
    """Return a regular expression for one character in any of the inclusive ranges of code points."""
    return "[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges) + "]"


_INVISIBLE_RUN = re.compile(character_class(INVISIBLE_RANGES))
_WHITE_SPACE = re.compile(character_class(WHITE_SPACE_RANGES) + "+")
_FORBIDDEN = re.compile(
    f"(?P<control>{character_class(_CONTROL_RANGES)})"
    f"|(?P<surrogate>{character_class(_SURROGATE_RANGES)})"
    f"|(?P<noncharacter>{character_class(_NONCHARACTER_RANGES)})"
)
_FORBIDDEN_NAMES = {
    "control": "control character",
    "surrogate": "lone surrogate",
    "noncharacter": "noncharacter",
}


@lru_cache(maxsize=4)  # a check asks for the forms of one source and one text again and again
def canonical(text: str) -> str:
    r"""Return the canonical form of a text, in which texts are counted and compared.

    The steps are: Unicode normalisation form C; removal of invisible characters; form C again; every
    run of white space becomes one space; leading and trailing white space is removed.

    Parameters
    ----------
    text : str
        Any text, lone surrogates included.

    Returns
    -------
    str
        The canonical text.

    Examples
    --------
    >>> canonical("  a\u200b \n b\u00a0 ")
    'a b'
    """
    if text.isascii() and text.isprintable():  # nothing to compose and nothing unseen, as in most texts
        return tidy_spaces(text)
    visible = _INVISIBLE_RUN.sub("", unicodedata.normalize("NFC", text))
    # Characters that an invisible one kept apart may now combine; otherwise equal-looking texts differ in length.
    return tidy_spaces(unicodedata.normalize("NFC", visible))


def length(text: str) -> int:
    r"""Return the length of a text: the number of code points of its canonical form.

    Toutanova et al. 2016, §3.1, count characters without saying how; this definition is the project's.

    Parameters
    ----------
    text : str
        Any text. A lone surrogate counts as one character.

    Returns
    -------
    int
        Number of code points.

    Examples
    --------
    >>> length("cafe\u0301  au\tlait ")
    12
    """
    return len(canonical(text))


def display_text(text: str) -> str:
    r"""Return a text tidied for display: as ``canonical``, but with invisible characters kept.

    Some invisible characters affect rendering: they join emoji and shape letters.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        The text to publish.

    Examples
    --------
    >>> display_text(" a \n\n family: \U0001f469\u200d\U0001f467 ")
    'a family: 👩\u200d👧'
    """
    return tidy_spaces(unicodedata.normalize("NFC", text))


def forbidden_character(text: str) -> tuple[int, str] | None:
    r"""Find the first character that is not allowed in any text.

    Forbidden are control characters other than tab, newline and carriage return, surrogates, and the 66
    noncharacters of Unicode.

    Parameters
    ----------
    text : str
        Any text, not yet canonical.

    Returns
    -------
    tuple of (int, str), or None
        Position in code points and name of the character; None if there is none.

    Examples
    --------
    >>> forbidden_character("bell\a")
    (4, 'U+0007 control character')
    >>> forbidden_character("fine\n") is None
    True
    """
    if text.isprintable():  # no character of the kinds above is, and this takes a hundredth of the time
        return None
    match = _FORBIDDEN.search(text)
    if match is None or match.lastgroup is None:
        return None
    return match.start(), f"U+{ord(match[0]):04X} {_FORBIDDEN_NAMES[match.lastgroup]}"


def tidy_spaces(text: str) -> str:
    r"""Replace every run of white space by one space, and remove what leads and trails.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        The text, otherwise as it was.

    Examples
    --------
    >>> tidy_spaces(" a \n b\u00a0")
    'a b'
    """
    if "  " not in text and text.isprintable():  # of all white space, only the space is printable
        return text.strip(" ")
    return _WHITE_SPACE.sub(" ", text).strip(" ")


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
