"""What a system is given and gives: a source, the range of lengths, and an output with its status."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from typing import Any

from measures.core.undefined import Undefined
from measures.text.length_rule import KEEP_PERCENT, Reason, allowed_length, check_compression
from measures.text.normalization import length

LEAST_PERCENT = 50
NO_OUTPUT = "none"
"""The status of a text without an output."""


class Status(StrEnum):
    """How an output came about."""

    MADE = "made"
    RELAXED = "relaxed"
    UNPROVED = "unproved"
    FALLBACK = "fallback"
    EXTERNAL = "external"


@dataclass(frozen=True)
class Source:
    """A text to be compressed.

    Attributes
    ----------
    id : str
        Its id.
    language : str
        Tag of its language.
    sentences : tuple of str
        Its sentences in order, at least one.

    Examples
    --------
    >>> Source("7", "en", ("It rained.", "We left.")).text
    'It rained. We left.'
    """

    id: str
    language: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole text."""
        return " ".join(self.sentences)


@dataclass(frozen=True)
class Range:
    """How long an output may be, in percent of the characters of its source.

    Source: Toutanova et al. 2016, §4.2, held two of its systems between 50% and 75% of the input, without saying of
    what; here it is characters.

    Attributes
    ----------
    least, most : int
        Percent, with 1 <= least <= most <= 100.

    Raises
    ------
    ValueError
        If they are not in this order.

    Examples
    --------
    >>> Range().least_length("The cat sat on it."), Range().most_length("The cat sat on it.")
    (9, 13)
    """

    least: int = LEAST_PERCENT
    most: int = KEEP_PERCENT

    def __post_init__(self) -> None:
        if not 1 <= self.least <= self.most <= 100:
            raise ValueError(f"a range of {self.least}% to {self.most}%")

    @classmethod
    def below(cls, most: int) -> Range:
        """Return the range below a limit: from half of the source on, or from two thirds of the limit if that is less.

        Examples
        --------
        >>> Range.below(75), Range.below(30)
        (Range(least=50, most=75), Range(least=20, most=30))
        """
        return cls(max(1, min(LEAST_PERCENT, most * 2 // 3)), most)

    def least_length(self, text: str) -> int:
        """Return the fewest characters of an output."""
        return ceil(self.least * length(text) / 100)

    def most_length(self, text: str) -> int:
        """Return the most characters of an output."""
        return allowed_length(text, self.most)

    def holds(self, source: str, text: str) -> bool:
        """Say whether an output is as long as it may be."""
        return self.least_length(source) <= length(text) <= self.most_length(source)


@dataclass(frozen=True)
class Output:
    """What a system made of a source.

    Attributes
    ----------
    text : str
        The output; it keeps the length rule, unless it was made elsewhere and its note says so.
    status : Status
        How it came about.
    note : str
        Why the status is not `made`.
    """

    text: str
    status: Status = Status.MADE
    note: str = ""


def is_usable(source: Source, text: str, range_: Range) -> bool:
    """Say whether a text keeps the length rule, as every output must.

    Examples
    --------
    >>> is_usable(Source("1", "en", ("The old cat sat on it.",)), "The cat sat.", Range())
    True
    """
    return check_compression(source.text, text, range_.most).accepted


def outside_output(
    source: Source, text: str, range_: Range, *, is_as_is: bool = False, note: str = ""
) -> Output | Undefined:
    """Return what was made elsewhere as an output, if it keeps the length rule.

    Parameters
    ----------
    source : Source
        The text.
    text : str
        What was made of it.
    range_ : Range
        How long the output may be.
    is_as_is : bool
        Take a text that breaks the rule, too, unless it is empty, and say so in its note.
    note : str
        What else is known of it.

    Returns
    -------
    Output or Undefined
        Undefined, with the reasons, if it breaks the rule.

    Examples
    --------
    >>> source = Source("1", "en", ("The old cat sat on it.",))
    >>> outside_output(source, "The cat sat on it all day.", Range())
    Undefined(reason='too long: 26 of 16 characters')
    >>> outside_output(source, "The cat sat on it all day.", Range(), is_as_is=True).note
    'too long: 26 of 16 characters'
    """
    verdict = check_compression(source.text, text, range_.most)
    reasons = ", ".join(verdict.reasons)
    if verdict.excess:
        reasons += f": {verdict.length} of {verdict.allowed} characters"
    if verdict.reasons and (not is_as_is or Reason.EMPTY in verdict.reasons):
        return Undefined(reasons)
    return Output(text, Status.EXTERNAL, "; ".join(filter(None, (note, reasons))))


def described(source: Source, output: Output | Undefined, seconds: float) -> dict[str, Any]:
    """Return what a file of outputs has of a text.

    Parameters
    ----------
    source : Source
        The text.
    output : Output or Undefined
        What became of it.
    seconds : float
        How long it took.

    Returns
    -------
    dict
        `text` is None where there is no output, and `note` says why.

    Examples
    --------
    >>> described(Source("1", "en", ("It rained.",)), Output("Rain."), 0.5)
    {'id': '1', 'text': 'Rain.', 'status': 'made', 'note': '', 'seconds': 0.5}
    """
    if isinstance(output, Undefined):
        found: dict[str, Any] = {"text": None, "status": NO_OUTPUT, "note": output.reason}
    else:
        found = {"text": output.text, "status": str(output.status), "note": output.note}
    return {"id": source.id, **found, "seconds": round(seconds, 6)}


def joined(parts: Sequence[str]) -> str:
    """Return the parts of a text as one, without those that are empty."""
    return " ".join(part for part in parts if part)
