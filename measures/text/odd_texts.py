"""What staff should look at in a text beside its source: hints, never a reason to refuse."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from measures.text.endings import cut_off_word
from measures.text.normalization import length
from measures.text.other_language import LanguageLimits, other_language
from measures.text.second_thoughts import SecondThoughtLimits, is_unlike_source, is_very_short, shared_words
from measures.text.squeezed import has_steady_vowels, joined_words, vowel_share, words_without_vowels

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
