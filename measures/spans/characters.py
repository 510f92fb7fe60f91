"""Places in texts: grapheme clusters, UTF-16 code units."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""First and past-the-end place, in code points."""

_JOINER = "\u200d"
_EXTENDS = frozenset("\u200c\uff9e\uff9f") | {
    chr(each) for each in (*range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080))
}
_EXTENDING = frozenset(("Mn", "Me", "Mc"))
_PICTURES = ((0x1F000, 0x1F1E5), (0x1F200, 0x1FAFF), (0x2190, 0x21FF), (0x2300, 0x27BF), (0x2B00, 0x2BFF))
_SINGLE_PICTURES = frozenset("©®‼⁉™ℹ〰〽㊗㊙⤴⤵")
_HANGUL_BLOCKS = {"L": (0x1100, 0x115F), "V": (0x1160, 0x11A7), "T": (0x11A8, 0x11FF), "S": (0xAC00, 0xD7A3)}
_HANGUL_AFTER = {"L": "LVS", "V": "VT", "LV": "VT", "T": "T", "LVT": "T"}
# Scripts whose consonants a virama joins: Devanagari, Bengali, Gujarati, Oriya, Telugu and Malayalam.
_JOINING_SCRIPTS = ((0x0900, 0x09FF), (0x0A80, 0x0B7F), (0x0C00, 0x0C7F), (0x0D00, 0x0D7F))
_VIRAMA = 9


def cluster_starts(text: str) -> list[int]:
    r"""Return where the grapheme clusters of a text begin: what readers take for one character each.

    Source: Unicode Standard Annex 29, extended grapheme clusters, by the categories of Python's Unicode tables: marks
    of any kind extend, so that the few which the annex excepts stay with the letter before them.

    Parameters
    ----------
    text : str
        Any text, of n code points.

    Returns
    -------
    list of int
        Places in code points, in order; the first is 0 if the text is not empty. Takes time n.

    Examples
    --------
    >>> cluster_starts("e\u0301a"), cluster_starts("\U0001f469\u200d\U0001f680!")
    ([0, 2], [0, 3])
    """
    if text.isascii() and "\r" not in text:
        return list(range(len(text)))
    starts, run = [], _Run()
    for place, character in enumerate(text):
        if not run.takes(character):
            starts.append(place)
    return starts


class _Run:
    """What of a cluster decides whether the next character belongs to it."""

    def __init__(self) -> None:
        self._last = self._base = ""
        self._flags = 0
        self._linked = False

    def takes(self, character: str) -> bool:
        """Whether the next character belongs to the cluster; what follows is asked of the cluster that it is in."""
        taken = bool(self._last) and self._joins(character)
        if self._extends(character):
            self._linked = self._linked or unicodedata.combining(character) == _VIRAMA
        else:
            self._base, self._linked = character, False
        if not taken:
            self._flags = 0
            self._base = character
        self._flags += _is_flag(character)
        self._last = character
        return taken

    def _joins(self, character: str) -> bool:
        last = self._last
        if last == "\r":
            return character == "\n"
        if _is_control(last) or _is_control(character):
            return False
        return (
            self._extends(character)
            or (last == _JOINER and _is_picture(character) and _is_picture(self._base))
            or (_is_flag(character) and _is_flag(last) and self._flags % 2 == 1)
            or (self._linked and _is_joining_letter(self._base) and _is_joining_letter(character))
            or _joins_syllable(last, character)
        )

    @staticmethod
    def _extends(character: str) -> bool:
        return character == _JOINER or character in _EXTENDS or unicodedata.category(character) in _EXTENDING


def _is_control(character: str) -> bool:
    if character == _JOINER or character in _EXTENDS:
        return False
    return unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cf", "Cs")


def _is_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _is_picture(character: str) -> bool:
    return character in _SINGLE_PICTURES or _within(character, _PICTURES)


def _is_joining_letter(character: str) -> bool:
    return unicodedata.category(character) == "Lo" and _within(character, _JOINING_SCRIPTS)


def _within(character: str, ranges: Sequence[Span]) -> bool:
    return any(low <= ord(character) <= high for low, high in ranges)


def _joins_syllable(last: str, character: str) -> bool:
    kind = _hangul(character)
    return bool(kind) and kind[0] in _HANGUL_AFTER.get(_hangul(last), "")


def _hangul(character: str) -> str:
    for name, (low, high) in _HANGUL_BLOCKS.items():
        if low <= ord(character) <= high:
            if name == "S":
                return "LV" if (ord(character) - low) % 28 == 0 else "LVT"
            return name
    return ""


def whole_clusters(text: str, start: int, end: int) -> Span:
    r"""Widen a span until it cuts no grapheme cluster.

    Parameters
    ----------
    text : str
        The text.
    start, end : int
        A half-open span in code points, within the text.

    Returns
    -------
    tuple of (int, int)
        The narrowest span of whole clusters that holds it; an empty one moves to the beginning of its cluster.

    Raises
    ------
    ValueError
        If the span is not one of the text.

    Examples
    --------
    >>> whole_clusters("cafe\u0301s", 0, 4), whole_clusters("cafe\u0301s", 4, 4)
    ((0, 5), (3, 3))
    """
    if not 0 <= start <= end <= len(text):
        raise ValueError(f"places {start} to {end} are not in a text of {len(text)} characters")
    starts = [*cluster_starts(text), len(text)]
    first = starts[bisect_right(starts, start) - 1]
    return first, first if start == end else starts[bisect_left(starts, end)]


def to_utf16(text: str, place: int) -> int:
    r"""Return a place in code points as one in UTF-16 code units, which JavaScript counts.

    Parameters
    ----------
    text : str
        The text.
    place : int
        From 0 to its length in code points.

    Returns
    -------
    int
        From 0 to its length in code units.

    Raises
    ------
    ValueError
        If the place is not one of the text.

    Examples
    --------
    >>> to_utf16("Rain \U0001f44d fell", 7), from_utf16("Rain \U0001f44d fell", 8)
    (8, 7)
    """
    if not 0 <= place <= len(text):
        raise ValueError(f"place {place} is not in a text of {len(text)} characters")
    return len(text[:place].encode("utf-16-le", "surrogatepass")) // 2


def from_utf16(text: str, unit: int) -> int:
    r"""Return a place in UTF-16 code units as one in code points.

    Parameters
    ----------
    text : str
        The text.
    unit : int
        From 0 to its length in code units.

    Returns
    -------
    int
        From 0 to its length in code points.

    Raises
    ------
    ValueError
        If the place is not one of the text, or is between the two units of one code point.

    Examples
    --------
    >>> from_utf16("\U0001f44d", 2)
    1
    """
    units = 0
    for place, character in enumerate((*text, "")):
        if units == unit:
            return place
        if units > unit:
            raise ValueError(f"UTF-16 place {unit} is inside a character")
        units += 2 if character > "\uffff" else 1
    raise ValueError(f"UTF-16 place {unit} is not in a text of {to_utf16(text, len(text))} units")
