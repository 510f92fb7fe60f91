"""Texts in another language than their source's: hints for staff, never a reason to refuse."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass

from measures.text.endings import words_of

# Where the letters of scripts begin and end; enough to tell scripts apart, not to know every letter.
_SCRIPTS = sorted(
    [
        (0x41, 0x24F, "Latin"),
        (0x1E00, 0x1EFF, "Latin"),
        (0x370, 0x3FF, "Greek"),
        (0x1F00, 0x1FFF, "Greek"),
        (0x400, 0x52F, "Cyrillic"),
        (0x530, 0x58F, "Armenian"),
        (0x590, 0x5FF, "Hebrew"),
        (0x600, 0x6FF, "Arabic"),
        (0x750, 0x77F, "Arabic"),
        (0x900, 0x97F, "Devanagari"),
        (0x980, 0x9FF, "Bengali"),
        (0xB80, 0xBFF, "Tamil"),
        (0xC00, 0xC7F, "Telugu"),
        (0xE00, 0xE7F, "Thai"),
        (0x10A0, 0x10FF, "Georgian"),
        (0x1100, 0x11FF, "Hangul"),
        (0xAC00, 0xD7A3, "Hangul"),
        (0x3040, 0x30FF, "Chinese or Japanese"),
        (0x3400, 0x4DBF, "Chinese or Japanese"),
        (0x4E00, 0x9FFF, "Chinese or Japanese"),
        (0x20000, 0x3FFFF, "Chinese or Japanese"),
    ]
)
_BEGINNINGS = [first for first, _, _ in _SCRIPTS]
_LETTER = re.compile(r"[^\W\d_]")

# Frequent words of one of these languages that are no words of the others.
_PROFILES = {
    "en": "the and of is was were are with this that which from have has been they their would will it its for not",
    "de": "und der das ist nicht mit von auf für sich auch werden wurde ein eine einen dem den im zum zur nach wird",
    "fr": "et les des est dans une pour du au aux sur avec qui ne pas cette ces ont sont été plus par leur où il elle",
    "es": "y el los las por con para una del que fue más como pero sus al ha han está son también muy según este",
}
_FREQUENT = {language: frozenset(words.split()) for language, words in _PROFILES.items()}
_NAMES = {"en": "English", "de": "German", "fr": "French", "es": "Spanish"}


@dataclass(frozen=True)
class LanguageLimits:
    """From how much on another language is told. They are this project's choice.

    Attributes
    ----------
    fewest_letters : int, default 12
        A text of fewer letters is not looked at for its script.
    script_percent : int, default 80
        Least percentage of the letters of a text in a script that the source hardly has.
    source_percent : int, default 5
        Greatest percentage of the source's letters in that script, or of its words that are frequent in the other
        language.
    fewest_words : int, default 8
        A text of fewer words is not looked at for frequent words.
    frequent_percent : int, default 20
        Least percentage of the words of a text that are frequent in the other language.
    different_words : int, default 3
        Least number of different words among them.

    Examples
    --------
    >>> LanguageLimits(fewest_words=20).fewest_letters
    12
    """

    fewest_letters: int = 12
    script_percent: int = 80
    source_percent: int = 5
    fewest_words: int = 8
    frequent_percent: int = 20
    different_words: int = 3


DEFAULT_LIMITS = LanguageLimits()


def other_language(source: str, text: str, language: str, limits: LanguageLimits = DEFAULT_LIMITS) -> str | None:
    """Return by what a text seems to be in another language than its source.

    Parameters
    ----------
    source, text : str
        The source and the text, within the bounds of ``check_compression``.
    language : str
        Tag of the language of the source.
    limits : LanguageLimits
        From how much on it is told.

    Returns
    -------
    str or None
        The reason in words. None if it seems to be in the same language, and if there is too little to tell: short
        texts, and languages of the same script other than English, French, German and Spanish. Takes linear time.

    Examples
    --------
    >>> other_language("The committee met.", "Комитет собрался снова.", "en")
    '100% of its letters are Cyrillic, and 0% of those of the original'
    >>> other_language("They met in the town hall.", "Sie trafen sich im Rathaus und auf dem Markt.", "en")
    '5 of 9 words are frequent in German: “sich im und auf dem”'
    """
    return _by_script(source, text, limits) or _by_words(source, text, language, limits)


def _by_script(source: str, text: str, limits: LanguageLimits) -> str | None:
    if text.isascii() and source.isascii():
        return None
    counts, of_source = _scripts(text), _scripts(source)
    letters, in_source = counts.total(), of_source.total()
    if letters < limits.fewest_letters or not in_source:
        return None
    script, count = counts.most_common(1)[0]
    share, before = 100 * count // letters, 100 * of_source[script] // in_source
    if not script or share < limits.script_percent or before >= limits.source_percent:
        return None
    return f"{share}% of its letters are {script}, and {before}% of those of the original"


def _by_words(source: str, text: str, language: str, limits: LanguageLimits) -> str | None:
    base = language.partition("-")[0].lower()
    words = words_of(text)
    if base not in _PROFILES or len(words) < limits.fewest_words:
        return None
    own = len(_frequent(words, base))
    for other in _PROFILES:
        found = [] if other == base else _frequent(words, other)
        if len(found) > 2 * own and _is_much(found, words, limits) and not _quotes(source, other, limits):
            shown = " ".join(dict.fromkeys(found))
            return f"{len(found)} of {len(words)} words are frequent in {_NAMES[other]}: “{shown}”"
    return None


def _is_much(found: list[str], words: list[str], limits: LanguageLimits) -> bool:
    is_share = 100 * len(found) >= limits.frequent_percent * len(words)
    return is_share and len(set(found)) >= limits.different_words


def _quotes(source: str, language: str, limits: LanguageLimits) -> bool:
    """Say whether the source itself has words of that language."""
    words = words_of(source)
    return 100 * len(_frequent(words, language)) > limits.source_percent * len(words)


def _frequent(words: list[str], language: str) -> list[str]:
    profile = _FREQUENT[language]
    return [word for word in words if word in profile]


def _scripts(text: str) -> Counter[str]:
    """Count the letters of a text by script; "" for scripts that are not known here."""
    return Counter(map(_script, _LETTER.findall(text)))


def _script(letter: str) -> str:
    code = ord(letter)
    found = bisect_right(_BEGINNINGS, code) - 1
    return _SCRIPTS[found][2] if found >= 0 and code <= _SCRIPTS[found][1] else ""
