"""The one way to count and compare text, in the browser and on the server alike.

Every figure about length in the project is ``length`` of this module. The sets of characters that do
not count are frozen tables, since the categories known to a Python version, and what a browser takes
for white space, differ from machine to machine.
"""

from __future__ import annotations

import itertools
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


def _character_class(ranges: Iterable[tuple[int, int]]) -> str:
    return "[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges) + "]"


_INVISIBLE = re.compile(_character_class(INVISIBLE_RANGES))
_WHITE_SPACE = re.compile(_character_class(WHITE_SPACE_RANGES) + "+")
_SPACE_BEFORE_VISIBLE = re.compile(f" (?={_character_class(INVISIBLE_RANGES)}*+[^ ])")
_FORBIDDEN = re.compile(
    f"(?P<control>{_character_class(_CONTROL_RANGES)})"
    f"|(?P<surrogate>{_character_class(_SURROGATE_RANGES)})"
    f"|(?P<noncharacter>{_character_class(_NONCHARACTER_RANGES)})"
)
_FORBIDDEN_NAMES = {
    "control": "control character",
    "surrogate": "lone surrogate",
    "noncharacter": "noncharacter",
}

_ABBREVIATIONS = """
    Mr Mrs Ms Mx Dr Prof Rev Fr Sr Jr Hon Pres Gov Sen Rep Gen Col Maj Capt Cmdr Lt Sgt Cpl Pvt Adm Messrs
    Mme Mlle St Ste Mt Ft Ave Blvd Rd Inc Corp Co Ltd Bros Dept Univ Assn Ph.D M.D B.A M.A
    vs v cf e.g i.e viz al approx ca Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec
"""
_ABBREVIATIONS_BEFORE_NUMBERS = "No no Nos nos Nr Fig fig Figs figs Vol vol Ch ch Sec sec p pp Art art"
_NO_END = frozenset(_ABBREVIATIONS.split())
_NO_END_BEFORE_NUMBERS = frozenset(_ABBREVIATIONS_BEFORE_NUMBERS.split())
_CLOSING = "\"'”’»›)]}"
_OPENING = "\"'“‘„«‹([{¿¡"
_MARKS = "[.!?…]"
# The look-behind lets a run of marks be tried once only, so that the search stays linear.
_SENTENCE_END = re.compile(f"(?<!{_MARKS})(?P<mark>{_MARKS}+)[{re.escape(_CLOSING)}]* (?P<next>.)")
_DOTTED_LETTERS = re.compile(r"[^\W\d_](?:\.[^\W\d_])*")


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


def word_count(text: str) -> int:
    """Count the words: runs without white space that hold at least one letter or digit.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    int
        Number of words.

    Examples
    --------
    >>> word_count("Well-known - and 3.5% cheaper!")
    4
    """
    return sum(any(map(str.isalnum, run)) for run in canonical(text).split(" "))


def sentences(text: str) -> tuple[str, ...]:
    r"""Divide English text into its sentences by a heuristic.

    A sentence ends at ``. ! ? …`` (and closing quotes or brackets) before white space and an
    upper-case letter, a digit, or an opening quote or bracket, unless the full stop belongs to a
    common abbreviation or to initials. A piece without any word belongs to the sentence before it,
    or to the first sentence if it comes first.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    tuple of str
        The sentences, invisible characters included: joined by spaces they are the ``display_text``.
        None for a text without words.

    Examples
    --------
    >>> sentences("“Why not?” Mr. J. K. Smith left\nthe U.S. Navy. ***")
    ('“Why not?”', 'Mr. J. K. Smith left the U.S. Navy. ***')
    """
    tidy = canonical(text)
    ends = [match.start("next") for match in _SENTENCE_END.finditer(tidy) if _ends_sentence(tidy, match)]
    pieces = itertools.pairwise([0, *ends, len(tidy)])
    starts = [start for start, stop in pieces if any(map(str.isalnum, tidy[start:stop]))]
    if not starts:
        return ()
    words, spaced = iter(_shown_words(text)), tidy + " "
    spans = itertools.pairwise([0, *starts[1:], len(spaced)])
    return tuple(" ".join(itertools.islice(words, spaced.count(" ", *span))) for span in spans)


def sentence_count(text: str) -> int:
    """Count the sentences that ``sentences`` finds.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    int
        Number of sentences: at least one for a text with words, zero for a text without.

    Examples
    --------
    >>> sentence_count("Mr. J. K. Smith left the U.S. Navy. He said: “Why not?” Nobody knew…")
    3
    """
    return len(sentences(text))


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


def _shown_words(text: str) -> list[str]:
    """The words of the display text, one for each word of the canonical text."""
    words = _SPACE_BEFORE_VISIBLE.split(display_text(text))
    if not canonical(words[0]):  # nothing visible: part of the first word that is
        words[:2] = [" ".join(words[:2])]
    return words


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    following = match["next"]
    if following.islower() or not (following.isalnum() or following in _OPENING):
        return False
    if match["mark"] != ".":
        return True
    stop = match.start("mark")
    word = text[text.rfind(" ", 0, stop) + 1 : stop].lstrip(_OPENING)
    if following.isdigit() and word in _NO_END_BEFORE_NUMBERS:
        return False
    initials = word.isupper() and _DOTTED_LETTERS.fullmatch(word)
    return word not in _NO_END and not initials
