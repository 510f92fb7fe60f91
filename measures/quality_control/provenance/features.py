"""The features of a text as numbers: for comparison with other texts of a campaign, and to learn from labelled ones."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import floor, sqrt

from measures.keystrokes.edit_log import Kind
from measures.quality_control.provenance.text_evidence import CHUNKED, TextEvidence

FEWEST_COMPARED = 30
"""Among fewer texts by others, no place is told. Our choice."""

DIGITS = 6


class Feature(StrEnum):
    """Features by the names under which they are stored; what each is, says `TextEvidence`.

    Those with `100` are for each 100 code points put in.
    """

    READING_S = "reading_s"
    FRESH = "fresh"
    TYPED = "typed"
    PASTED = "pasted"
    BY_PROGRAM = "by_program"
    LINEAR = "linear"
    BEHIND100 = "behind100"
    DELETED_AFTER = "deleted_after"
    PAUSES100 = "pauses100"
    SPREAD = "spread"
    TAIL = "tail"
    WORD_PAUSE = "word_pause"
    WORD_Z = "word_z"
    AWAY_S = "away_s"
    AFTER_RETURN = "after_return"
    CUT = "cut"
    SMALL_WORDS = "small_words"


SHOWN_ONLY = {Feature.READING_S}
"""Told, and in no rule: how long somebody reads depends most on the text."""


def text_features(evidence: TextEvidence, *, is_cut: bool, small_words: float | None) -> dict[str, float]:
    """Return the features of a text by name; those that are not defined for it are left out.

    Parameters
    ----------
    evidence : TextEvidence
        From its edit log.
    is_cut : bool
        Whether the text is its source with one piece cut out (`one_cut`).
    small_words : float or None
        As `small_word_share`.

    Returns
    -------
    dict of str to float
        Times in seconds, shares from 0 to 1; rounded to six digits after the point.

    Examples
    --------
    >>> from measures.keystrokes.edit_log import Operation
    >>> from measures.quality_control.provenance.text_evidence import text_evidence
    >>> log = [Operation(2, "long ", "", Kind.DELETION, 900)]
    >>> found = text_features(text_evidence("A long text.", "A long text.", log), is_cut=True, small_words=None)
    >>> found["reading_s"], found["fresh"], found["cut"], "spread" in found
    (0.9, 0.0, 1.0, False)
    """
    rhythm = evidence.rhythm
    is_behind_known = evidence.linear is not None and evidence.behind is not None
    values: dict[Feature, float | None] = {
        Feature.READING_S: None if evidence.first_ms is None else evidence.first_ms / 1000,
        Feature.FRESH: evidence.fresh if evidence.shares else None,
        Feature.TYPED: evidence.share(Kind.TYPING) if evidence.shares else None,
        Feature.PASTED: evidence.share(Kind.PASTE, Kind.DROP, CHUNKED) if evidence.shares else None,
        Feature.BY_PROGRAM: evidence.share(Kind.SCRIPTED, Kind.OTHER) if evidence.shares else None,
        Feature.LINEAR: evidence.linear,
        Feature.BEHIND100: 100 * (evidence.behind or 0) / evidence.put_in if is_behind_known else None,
        Feature.DELETED_AFTER: evidence.deleted_after,
        Feature.PAUSES100: evidence.pauses_per_hundred,
        Feature.SPREAD: rhythm.spread,
        Feature.TAIL: rhythm.tail,
        Feature.WORD_PAUSE: rhythm.word_pause,
        Feature.WORD_Z: (rhythm.excess or 0.0) / sqrt(rhythm.variance) if rhythm.variance else None,
        Feature.AWAY_S: evidence.away_ms / 1000,
        Feature.AFTER_RETURN: evidence.after_return,
        Feature.CUT: float(is_cut),
        Feature.SMALL_WORDS: small_words,
    }
    return {name.value: round(float(value), DIGITS) for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class Place:
    """Where a value lies among the texts of others.

    Attributes
    ----------
    percent : int
        How many percent of them are on the far side, rounded down.
    is_higher : bool
        Whether these are below the value, else above it.
    texts : int
        Of how many texts.

    Examples
    --------
    >>> Place(97, False, 240).percent
    97
    """

    percent: int
    is_higher: bool
    texts: int


def place_among(value: float, others: Sequence[float]) -> Place | None:
    """Return where a value lies among those of other texts: above so many percent of them, or below.

    Parameters
    ----------
    value : float
        The value.
    others : sequence of float
        Those of the other texts in ascending order.

    Returns
    -------
    Place or None
        Told from the side on which more texts are; None below 30 texts.

    Examples
    --------
    >>> place_among(2.0, [1.0, *range(3, 42)])
    Place(percent=97, is_higher=False, texts=40)
    >>> place_among(2.0, [1.0]) is None
    True
    """
    if len(others) < FEWEST_COMPARED:
        return None
    below, above = bisect_left(others, value), len(others) - bisect_right(others, value)
    return Place(floor(100 * max(below, above) / len(others)), below > above, len(others))


def features_sorted(texts: Sequence[Mapping[str, float]]) -> dict[str, list[float]]:
    """Return the values of each feature over some texts in ascending order, without those that are missing.

    Parameters
    ----------
    texts : sequence of mapping of str to float
        Features as `text_features` returns them.

    Returns
    -------
    dict of str to list of float
        By the name of the feature; one that no text has is an empty list.

    Examples
    --------
    >>> features_sorted([{"fresh": 0.5}, {"fresh": 0.25}, {}])["fresh"]
    [0.25, 0.5]
    """
    return {name.value: sorted(text[name] for text in texts if name in text) for name in Feature}
