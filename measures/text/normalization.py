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


_INVISIBLE = re.compile(character_class(INVISIBLE_RANGES))
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
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFC", text))
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
