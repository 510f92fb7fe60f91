"""What staff should look at in a text beside its source, such as disguised characters: hints, no reason to refuse."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from measures.text.endings import cut_off_word
from measures.text.normalization import canonical, length
from measures.text.other_language import LanguageLimits, other_language
from measures.text.second_thoughts import SecondThoughtLimits, is_unlike_source, is_very_short, shared_words
from measures.text.squeezed import has_steady_vowels, joined_words, vowel_share, words_without_vowels

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


_MOST_QUOTED = 3
_MOST_LETTERS = 40


class OddTextName(StrEnum):
    """Kinds of odd texts, as they are stored."""

    VERY_SHORT = "very short"
    UNLIKE_SOURCE = "hardly a word of the original"
    SQUEEZED = "spaces or vowels left out"
    CUT_OFF = "end cut off"
    OTHER_LANGUAGE = "in another language"


@dataclass(frozen=True)
class OddText:
    """One thing for staff to look at, and why.

    Attributes
    ----------
    name : OddTextName
        The kind.
    evidence : str
        The reason in words, with numbers.

    Examples
    --------
    >>> OddText(OddTextName.CUT_OFF, "it ends with “the”").name.value
    'end cut off'
    """

    name: OddTextName
    evidence: str


@dataclass(frozen=True)
class OddTextThresholds:
    """From how much on a text is odd. All of it is this project's choice; no paper gives any.

    Attributes
    ----------
    second_thoughts : SecondThoughtLimits
        Of very short texts and those unlike their source: the limits by which the browser asks.
    language : LanguageLimits
        Of texts in another language.
    spaces_left_out : int, default 3
        Least number of spaces missing between words that are adjacent in the source. One is a slip, two a habit of
        writing "everyone" or "underway".
    words_without_vowels : int, default 3
        Least number of different words of the source without their vowels. Fewer may be units and titles.
    vowel_letters : int, default 30
        Least number of letters of a text whose share of vowels is looked at.
    vowel_percent : int, default 60
        The share of vowels is low below this percentage of that in the source.

    Examples
    --------
    >>> OddTextThresholds(spaces_left_out=5).vowel_letters
    30
    """

    second_thoughts: SecondThoughtLimits = field(default_factory=SecondThoughtLimits)
    language: LanguageLimits = field(default_factory=LanguageLimits)
    spaces_left_out: int = 3
    words_without_vowels: int = 3
    vowel_letters: int = 30
    vowel_percent: int = 60


DEFAULT_THRESHOLDS = OddTextThresholds()


def odd_texts(
    source: str, text: str, *, allowed: int, language: str, thresholds: OddTextThresholds = DEFAULT_THRESHOLDS
) -> tuple[OddText, ...]:
    """Find what is odd about a text beside its source.

    Parameters
    ----------
    source, text : str
        The source and the text, within the bounds of ``check_compression``.
    allowed : int
        The greatest allowed length, in characters.
    language : str
        Tag of their language; empty if unknown.
    thresholds : OddTextThresholds
        From how much on a text is odd.

    Returns
    -------
    tuple of OddText
        In the order of `OddTextName`, at most one of each kind. Takes linear time.

    Examples
    --------
    >>> (found,) = odd_texts("They met in the town hall on Monday.", "They met in the", allowed=27, language="en")
    >>> found.evidence
    'it ends with “the”'
    """
    reasons = {
        OddTextName.VERY_SHORT: _very_short(text, allowed, thresholds),
        OddTextName.UNLIKE_SOURCE: _unlike_source(source, text, thresholds),
        OddTextName.SQUEEZED: _without_spaces(source, text, language, thresholds)
        or _without_vowels(source, text, language, thresholds),
        OddTextName.CUT_OFF: _cut_off(source, text, language),
        OddTextName.OTHER_LANGUAGE: other_language(source, text, language, thresholds.language),
    }
    return tuple(OddText(name, reason) for name, reason in reasons.items() if reason)


def _very_short(text: str, allowed: int, thresholds: OddTextThresholds) -> str | None:
    size = length(text)
    if not is_very_short(size, allowed, thresholds.second_thoughts):
        return None
    return f"{size} of {allowed} allowed characters"


def _unlike_source(source: str, text: str, thresholds: OddTextThresholds) -> str | None:
    found = shared_words(source, text, thresholds.second_thoughts)
    if not is_unlike_source(found, thresholds.second_thoughts):
        return None
    return f"{found.shared} of {found.words} longer words are in the original"


def _without_spaces(source: str, text: str, language: str, thresholds: OddTextThresholds) -> str | None:
    joined = joined_words(source, text, language)
    spaces = sum(missing for _, missing in joined)
    if spaces < thresholds.spaces_left_out:
        return None
    return f"{spaces} spaces of the original are missing: {_quoted([word for word, _ in joined])}"


def _without_vowels(source: str, text: str, language: str, thresholds: OddTextThresholds) -> str | None:
    if not has_steady_vowels(language):
        return None
    words = words_without_vowels(source, text)
    if len(words) >= thresholds.words_without_vowels:
        return f"{len(words)} words of the original without their vowels: {_quoted(words)}"
    (share, letters), (usual, _) = vowel_share(text), vowel_share(source)
    if letters < thresholds.vowel_letters or 100 * share >= thresholds.vowel_percent * usual:
        return None
    return f"{round(100 * share)}% of its letters are vowels, and {round(100 * usual)}% of those of the original"


def _cut_off(source: str, text: str, language: str) -> str | None:
    word = cut_off_word(source, text, language)
    return f"it ends with “{word}”" if word else None


def _quoted(words: list[str]) -> str:
    shown = (word if len(word) <= _MOST_LETTERS else f"{word[: _MOST_LETTERS - 1]}…" for word in words[:_MOST_QUOTED])
    return "“" + "”, “".join(shown) + "”" + (" …" if len(words) > _MOST_QUOTED else "")
