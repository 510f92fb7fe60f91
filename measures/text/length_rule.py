"""The length rule: how long a compression may be, and the other checks that it has to pass."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from measures.text.normalization import MAX_TYPED_LENGTH, canonical, forbidden_character, length, stacked_marks
from measures.text.segmentation import UNSPACED

KEEP_PERCENT = 75
"""Greatest share of the characters of a source that its compression may keep, in percent."""

# Invisible characters with a letter category: the Hangul fillers, and two hieroglyphic blanks of Unicode 15.
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\U00013441\U00013442")
_FRACTION_SLASH = "\u2044"
_UNSPACED = re.compile(f"[{UNSPACED}]")


class Reason(StrEnum):
    """Why a compression is refused."""

    EMPTY = "empty"
    TOO_LONG = "too long"
    STRETCHED = "stretched characters"
    NO_LETTERS = "no letters"
    CUT_IN_WORD = "cut in mid-word"
    FORBIDDEN_CHARACTER = "forbidden character"
    STACKED_MARKS = "stacked marks"


@dataclass(frozen=True)
class Verdict:
    """Result of checking one compression.

    Attributes
    ----------
    length : int
        Length of the compression in characters.
    allowed : int
        Greatest length allowed.
    source_length : int
        Length of the source in characters.
    reasons : tuple of Reason
        All reasons to refuse the compression; empty if it is accepted.
    stacked_at : int or None
        Where the first run of too many marks begins, in code points of the text as typed; None if there is none.

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
    stacked_at: int | None = None

    @property
    def accepted(self) -> bool:
        """Whether there is no reason to refuse the compression."""
        return not self.reasons

    @property
    def excess(self) -> int:
        """Number of characters still to remove."""
        return max(0, self.length - self.allowed)

    @property
    def spare(self) -> int:
        """Number of characters that may still be added."""
        return max(0, self.allowed - self.length)


def allowed_length(source: str, keep_percent: int = KEEP_PERCENT) -> int:
    """Return the greatest length allowed for a compression of a source.

    Source: Toutanova et al. 2016, §3.1 (shorten by at least 25 per cent).

    Parameters
    ----------
    source : str
        The source text.
    keep_percent : int, default 75
        Share of the characters that may be kept, in percent, 1 to 100.

    Returns
    -------
    int
        ``floor(keep_percent / 100 * length(source))``, in integer arithmetic.

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
    r"""Check a compression against the length rule, and for tricks to get around it.

    Source: Toutanova et al. 2016, §3.1. The reasons other than `TOO_LONG` are not in the paper.

    `STRETCHED`: some characters represent several letters or digits, such as ﬃ, ㎏, ™ or ⑳. A
    compression within the limit is refused if it exceeds the limit once these are expanded by Unicode
    normalisation form KC. Such characters count as one where the source contains them too, as often as it
    does; so do fractions such as ½, and characters that form KC leaves alone, such as æ or an emoji.

    `NO_LETTERS`: the compression contains no letter. Invisible characters that Unicode classifies as
    letters, such as the Hangul filler, do not count.

    `CUT_IN_WORD`: the compression is a prefix of its source that ends between two letters or digits.
    Beside a letter of a script that puts no spaces between words, nobody knows where a word ends, so nothing is said.

    `STACKED_MARKS`: more than 30 combining marks follow each other (`stacked_marks`). Like a compression of more than
    `MAX_TYPED_LENGTH` characters, which is `TOO_LONG`, it is refused for this reason alone and its length is the
    number of code points as typed: normalising it could take minutes.

    Parameters
    ----------
    source, compression : str
        The texts as they were typed.
    keep_percent : int, default 75
        Share of the characters that may be kept, in percent, 1 to 100.

    Returns
    -------
    Verdict
        The lengths, and all reasons to refuse the compression.

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
    whole = canonical(source)
    allowed = _allowed(len(whole), keep_percent)
    if refusal := _refusal_as_typed(compression):
        reason, stacked_at = refusal
        return Verdict(len(compression), allowed, len(whole), (reason,), stacked_at)
    part = canonical(compression)
    findings = {
        Reason.EMPTY: not part,
        Reason.TOO_LONG: len(part) > allowed,
        Reason.STRETCHED: len(part) <= allowed < _expanded_length(whole, part),
        Reason.NO_LETTERS: bool(part) and not any(map(str.isalpha, set(part) - _BLANK_LETTERS)),
        Reason.CUT_IN_WORD: _stops_in_word(whole, part),
        Reason.FORBIDDEN_CHARACTER: forbidden_character(compression) is not None,
    }
    reasons = tuple(reason for reason, found in findings.items() if found)
    return Verdict(length=len(part), allowed=allowed, source_length=len(whole), reasons=reasons)


def _refusal_as_typed(compression: str) -> tuple[Reason, int | None] | None:
    """Return why a compression must not even be normalised, and where its marks are stacked."""
    if len(compression) > MAX_TYPED_LENGTH:
        return Reason.TOO_LONG, None
    stacked_at = stacked_marks(compression)
    return None if stacked_at is None else (Reason.STACKED_MARKS, stacked_at)


def _allowed(source_length: int, keep_percent: int) -> int:
    if not 1 <= keep_percent <= 100:
        raise ValueError(f"keep_percent must be between 1 and 100, not {keep_percent}")
    return source_length * keep_percent // 100


def _expanded_length(whole: str, part: str) -> int:
    """Return the length of `part` with its compatibility characters expanded, unless they come from `whole`."""
    new = Counter(part) - Counter(whole)
    return len(part) + sum(count * _extra_letters(character) for character, count in new.items())


def _extra_letters(character: str) -> int:
    """Return how many letters and digits beyond one a character represents."""
    # Normalising one character at a time never undercounts: composition across characters only merges letters.
    expanded = unicodedata.normalize("NFKC", character)
    return 0 if _FRACTION_SLASH in expanded else max(0, sum(map(str.isalnum, expanded)) - 1)


def _stops_in_word(whole: str, part: str) -> bool:
    if not part or len(part) == len(whole) or not whole.startswith(part):
        return False
    cut = whole[len(part) - 1 : len(part) + 1]
    return all(map(_is_word_character, cut)) and not _UNSPACED.search(cut)


def _is_word_character(character: str) -> bool:
    # Combining marks belong to the letter before them: scripts such as Devanagari write vowels this way.
    in_word = character.isalnum() or unicodedata.category(character).startswith("M")
    return in_word and character not in _BLANK_LETTERS
