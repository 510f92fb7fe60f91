"""Characters that make a text look other than it is: hints for staff, never a reason to refuse."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from measures.text.normalization import canonical

_OVERRIDES = "\u202d\u202e"
_EMBEDDINGS = "\u202a\u202b" + _OVERRIDES
_ISOLATES = "\u2066\u2067\u2068"
_CLOSES = {"\u202c": _EMBEDDINGS, "\u2069": _ISOLATES}
_CONTROLS = re.compile(f"[{_EMBEDDINGS}{_ISOLATES}{''.join(_CLOSES)}]|[\n\r\u2029]")
_WORDS = re.compile(r"[^\W\d_]+")
_LOOK_ALIKE = ("Cyrillic", "Greek")


class DisguiseName(StrEnum):
    """Kinds of disguises."""

    BIDIRECTIONAL = "hidden writing direction"
    MIXED_ALPHABETS = "alphabets mixed in a word"


@dataclass(frozen=True)
class Disguise:
    """One thing for staff to look at, and why.

    Attributes
    ----------
    name : DisguiseName
        The kind of disguise.
    evidence : str
        The reason in words, with code points.

    Examples
    --------
    >>> Disguise(DisguiseName.BIDIRECTIONAL, "U+202E").name.value
    'hidden writing direction'
    """

    name: DisguiseName
    evidence: str


def disguises(source: str, text: str) -> tuple[Disguise, ...]:
    r"""Find characters with which a text may look like another one.

    `BIDIRECTIONAL`: invisible characters override the direction of writing, or begin an embedding or isolate that does
    not end in the same line, or end one that has not begun. Right-to-left scripts need balanced ones only.

    `MIXED_ALPHABETS`: a word has letters of Latin and of Cyrillic or Greek, some of which look alike. Words that the
    source has too do not count, whatever their case. Words wholly of one alphabet are not looked into.

    Parameters
    ----------
    source : str
        The text that was shortened. What it does itself is not held against the other.
    text : str
        The text to look at, within the bounds of ``check_compression``.

    Returns
    -------
    tuple of Disguise
        In the order of `DisguiseName`, at most one of each kind. Takes linear time.

    Examples
    --------
    >>> (found,) = disguises("The committee met.", "The c\u043emmittee met.")
    >>> found.evidence
    '“cоmmittee” has U+043E (Cyrillic) among Latin letters'
    """
    found = []
    if (control := _loose_control(text)) and not _loose_control(source):
        evidence = f"U+{ord(control):04X} {unicodedata.name(control).lower()}"
        found.append(Disguise(DisguiseName.BIDIRECTIONAL, evidence))
    known = {word for word, _ in _mixed_words(source)}
    for word, stranger in _mixed_words(text):
        if word not in known:
            place = f"U+{ord(stranger):04X} ({_alphabet(stranger)}) among Latin letters"
            found.append(Disguise(DisguiseName.MIXED_ALPHABETS, f"“{word}” has {place}"))
            break
    return tuple(found)


def _loose_control(text: str) -> str | None:
    """Return an invisible character that overrides the direction, or has no partner in its line; None without one."""
    opened: list[str] = []
    for match in _CONTROLS.finditer(text):
        control = match[0]
        if control in _OVERRIDES:
            return control
        if control in _EMBEDDINGS or control in _ISOLATES:
            opened.append(control)
        elif control in _CLOSES:
            if not opened or opened.pop() not in _CLOSES[control]:
                return control
        elif opened:
            return opened[-1]
    return opened[-1] if opened else None


def _mixed_words(text: str) -> Iterator[tuple[str, str]]:
    """Yield the words that mix alphabets, in lower case, each with its first letter that is not Latin."""
    if text.isascii():
        return
    for match in _WORDS.finditer(canonical(text)):
        if match[0].isascii():
            continue
        word = match[0].casefold()
        alphabets = {_alphabet(letter): letter for letter in reversed(word)}
        stranger = next((alphabets[name] for name in _LOOK_ALIKE if name in alphabets), None)
        if stranger and "Latin" in alphabets:
            yield word, stranger


def _alphabet(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0].capitalize()
