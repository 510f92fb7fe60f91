"""The compression rule: how long a compression may be, and why one is refused."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from measures.text.normalization import canonical, forbidden_character, length

KEEP_PERCENT = 75
"""A compression keeps at most this share of the characters of its source, in percent."""

# Letters by their category that show nothing: the Hangul fillers, and two hieroglyphic blanks of Unicode 15.
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\U00013441\U00013442")
_FRACTION_SLASH = "\u2044"


class Reason(StrEnum):
    """Why a compression is refused."""

    EMPTY = "empty"
    TOO_LONG = "too long"
    STRETCHED = "stretched characters"
    NO_LETTERS = "no letters"
    CUT_IN_WORD = "cut in mid-word"
    FORBIDDEN_CHARACTER = "forbidden character"


@dataclass(frozen=True)
class Verdict:
    """What the rule says of one compression.

    Attributes
    ----------
    length : int
        Length of the compression in characters.
    allowed : int
        The greatest length allowed.
    source_length : int
        Length of the source in characters.
    reasons : tuple of Reason
        Every reason to refuse the compression; empty if it is accepted.

    Examples
    --------
    >>> verdict = Verdict(length=80, allowed=75, source_length=100, reasons=(Reason.TOO_LONG,))
    >>> verdict.accepted, verdict.excess, verdict.spare
    (False, 5, 0)
    """

    length: int
    allowed: int
    source_length: int
    reasons: tuple[Reason, ...]

    @property
    def accepted(self) -> bool:
        """Whether nothing speaks against the compression."""
        return not self.reasons

    @property
    def excess(self) -> int:
        """Characters still to remove."""
        return max(0, self.length - self.allowed)

    @property
    def spare(self) -> int:
        """Characters that may still be added."""
        return max(0, self.allowed - self.length)


def allowed_length(source: str, keep_percent: int = KEEP_PERCENT) -> int:
    """Return the greatest length that a compression of a source may have.

    Source: Toutanova et al. 2016, §3.1 (shorten by at least 25 per cent).

    Parameters
    ----------
    source : str
        The source text.
    keep_percent : int, default 75
        Share of the characters that may be kept, 1 to 100.

    Returns
    -------
    int
        ``floor(keep_percent / 100 * length(source))``, computed with integers.

    Raises
    ------
    ValueError
        If `keep_percent` is not between 1 and 100.

    Examples
    --------
    >>> allowed_length("The cat sat on it.")
    13
    """
    return _allowed(length(source), keep_percent)


def check_compression(source: str, compression: str, keep_percent: int = KEEP_PERCENT) -> Verdict:
    r"""Judge a compression by the rule.

    Source: Toutanova et al. 2016, §3.1. The reasons other than `TOO_LONG` are not in the paper.

    `STRETCHED`: some characters stand for several letters or digits, such as ﬃ, ㎏, ™ or ⑳. A
    compression that is short enough is refused if it is too long once such characters are written
    out (by Unicode normalisation form KC). Those that the source has too, as often as it has them, are
    no trick and stay as they are; so does a fraction such as ½. What form KC does not take apart, as
    æ or an emoji, is one character.

    `NO_LETTERS`: characters that are letters to Unicode and show nothing, such as the Hangul filler,
    are none here.

    `CUT_IN_WORD`: the compression is the beginning of its source and stops between two letters or
    digits, which supposes a script that puts spaces between words.

    Parameters
    ----------
    source, compression : str
        The texts as they were typed.
    keep_percent : int, default 75
        Share of the characters that may be kept, 1 to 100.

    Returns
    -------
    Verdict
        The lengths and all reasons to refuse.

    Raises
    ------
    ValueError
        If `keep_percent` is not between 1 and 100.

    Examples
    --------
    >>> check_compression("The cat sat on the mat.", "The cat sat.").accepted
    True
    >>> check_compression("The cat sat on the mat.", "The ca").reasons
    (<Reason.CUT_IN_WORD: 'cut in mid-word'>,)
    >>> check_compression("It is a waffle.", "It's a wa\ufb04e").reasons
    (<Reason.STRETCHED: 'stretched characters'>,)
    """
    whole, part = canonical(source), canonical(compression)
    allowed = _allowed(len(whole), keep_percent)
    findings = {
        Reason.EMPTY: not part,
        Reason.TOO_LONG: len(part) > allowed,
        Reason.STRETCHED: len(part) <= allowed < _written_out_length(whole, part),
        Reason.NO_LETTERS: bool(part) and not any(map(str.isalpha, set(part) - _BLANK_LETTERS)),
        Reason.CUT_IN_WORD: _stops_in_word(whole, part),
        Reason.FORBIDDEN_CHARACTER: forbidden_character(compression) is not None,
    }
    reasons = tuple(reason for reason, found in findings.items() if found)
    return Verdict(length=len(part), allowed=allowed, source_length=len(whole), reasons=reasons)


def _allowed(source_length: int, keep_percent: int) -> int:
    if not 1 <= keep_percent <= 100:
        raise ValueError(f"keep_percent must be between 1 and 100, not {keep_percent}")
    return source_length * keep_percent // 100


def _written_out_length(whole: str, part: str) -> int:
    """The length of `part` once its characters that stand for several, and are not from `whole`, are written out."""
    new = Counter(part) - Counter(whole)
    return len(part) + sum(count * _further_letters(character) for character, count in new.items())


def _further_letters(character: str) -> int:
    """How many letters and digits a character stands for, beyond one."""
    # One character at a time is no loss: form KC of a whole text has at most as many letters, since joining
    # characters only ever makes fewer of them.
    written = unicodedata.normalize("NFKC", character)
    return 0 if _FRACTION_SLASH in written else max(0, sum(map(str.isalnum, written)) - 1)


def _stops_in_word(whole: str, part: str) -> bool:
    if not part or len(part) == len(whole) or not whole.startswith(part):
        return False
    return _of_word(whole[len(part) - 1]) and _of_word(whole[len(part)])


def _of_word(character: str) -> bool:
    # Combining marks belong to the letter before them: scripts such as Devanagari write vowels so.
    is_of_word = character.isalnum() or unicodedata.category(character).startswith("M")
    return is_of_word and character not in _BLANK_LETTERS
