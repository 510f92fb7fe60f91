"""Places in the texts of a file as places in the texts in form NFC."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from itertools import accumulate, pairwise

from measures.spans.characters import Span, cluster_starts
from measures.text.normalization import MAX_MARKS_IN_A_ROW, stacked_marks


def nfc(text: str) -> str:
    """Return a text in form NFC, as marks count it, or raise ValueError if that would take long."""
    place = stacked_marks(text)
    if place is not None:
        raise ValueError(f"more than {MAX_MARKS_IN_A_ROW} marks stand on one letter, at character {place + 1}")
    return unicodedata.normalize("NFC", text)


class TextPlaces:
    r"""The places of a text of a file, each found in time log n.

    Parameters
    ----------
    text : str
        The text as the file has it.
    side : str
        What it is, for messages.

    Examples
    --------
    >>> TextPlaces("cafe\u0301 noir", "output").span(6, 10)
    (5, 9)
    >>> TextPlaces("\U0001f44d rain", "output").span_of_utf16(3, 7)
    (2, 6)
    """

    def __init__(self, text: str, side: str) -> None:
        self._side, self._length, self._plain = side, len(text), text.isascii()
        if self._plain:
            return
        self._starts = [*cluster_starts(text), len(text)]
        nfc(text)  # refuses a cluster that would take long
        clusters = (text[start:end] for start, end in pairwise(self._starts))
        self._nfc = list(accumulate((len(unicodedata.normalize("NFC", each)) for each in clusters), initial=0))
        wide = (place for place, character in enumerate(text) if character > "\uffff")
        self._wide = [place + number for number, place in enumerate(wide)]

    def span(self, start: int, end: int) -> Span:
        """Return a half-open span in code points as one of the text in form NFC.

        Raises
        ------
        ValueError
            If it is not a span of the text. One that cuts a grapheme cluster takes in the whole of it.
        """
        if not 0 <= start < end <= self._length:
            raise ValueError(f"places {start} to {end} are not a span of the {self._side} of {self._length} characters")
        return (start, end) if self._plain else (self._composed(start), self._nfc[bisect_left(self._starts, end)])

    def place(self, place: int) -> int:
        """Return a place in code points as one of the text in form NFC, or raise ValueError if there is none."""
        if not 0 <= place <= self._length:
            raise ValueError(f"place {place} is not in the {self._side} of {self._length} characters")
        return self._composed(place)

    def span_of_utf16(self, start: int, end: int) -> Span:
        """Return a half-open span in UTF-16 code units as one in code points of the text in form NFC.

        Raises
        ------
        ValueError
            If it is not a span of the text, or cuts a code point.
        """
        return self.span(self._from_utf16(start), self._from_utf16(end))

    def _composed(self, place: int) -> int:
        return place if self._plain else self._nfc[bisect_right(self._starts, place) - 1]

    def _from_utf16(self, unit: int) -> int:
        wide = [] if self._plain else self._wide
        units = self._length + len(wide)
        if not 0 <= unit <= units:
            raise ValueError(f"UTF-16 place {unit} is not in the {self._side} of {units} units")
        before = bisect_left(wide, unit)
        if before and wide[before - 1] + 1 == unit:
            raise ValueError(f"UTF-16 place {unit} of the {self._side} is inside a character")
        return unit - before
