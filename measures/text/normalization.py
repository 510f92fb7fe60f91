"""The one way to count and compare text, in the browser and on the server alike.

Every figure about length in the project is ``length`` of this module. The sets of characters that do
not count are frozen tables, since the categories known to a Python version, and what a browser takes
for white space, differ from machine to machine.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

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
"""General category Cf of Unicode 15.1, and the variation selectors (first, last; both included)."""

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


def canonical(text: str) -> str:
    r"""Bring a text to the form in which texts are counted and compared.

    The steps are: Unicode normalisation form C; removal of invisible characters; form C again; every
    run of white space becomes one space; white space at both ends is removed.

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
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFC", text))
    # What an invisible character held apart may combine now: without this, it could save characters.
    return _collapse(unicodedata.normalize("NFC", visible))


def length(text: str) -> int:
    r"""Count the characters of a text: code points of its canonical form.

    Source: Toutanova et al. 2016, §3.1 speaks of characters and leaves open how they are counted.

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
    r"""Tidy a text for readers: as ``canonical``, but with the invisible characters kept.

    Some of these characters change what is seen: they join emoji and shape letters.

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
    return _collapse(unicodedata.normalize("NFC", text))


def forbidden_character(text: str) -> tuple[int, str] | None:
    r"""Find the first character that no text may hold.

    These are control characters other than tab, newline and carriage return, surrogates, and the 66
    noncharacters of Unicode.

    Parameters
    ----------
    text : str
        Any text, before it is made canonical.

    Returns
    -------
    tuple of (int, str), or None
        Position in code points and name of the character; None where there is none.

    Examples
    --------
    >>> forbidden_character("bell\a")
    (4, 'U+0007 control character')
    >>> forbidden_character("fine\n") is None
    True
    """
    match = _FORBIDDEN.search(text)
    if match is None or match.lastgroup is None:
        return None
    return match.start(), f"U+{ord(match[0]):04X} {_FORBIDDEN_NAMES[match.lastgroup]}"


def _collapse(text: str) -> str:
    return _WHITE_SPACE.sub(" ", text).strip(" ")
