"""Places in the texts of a file as places in the texts in form NFC, and back."""

from __future__ import annotations

import unicodedata

from measures.spans.characters import from_utf16, nfc_place, to_utf16


def nfc(text: str) -> str:
    """Return a text in form NFC, as marks count it."""
    return unicodedata.normalize("NFC", text)


def span_of(text: str, start: int, end: int, side: str) -> tuple[int, int]:
    """Return a span of a text as one of the text in form NFC.

    Parameters
    ----------
    text : str
        The text as the file has it.
    start, end : int
        Half-open span in its code points.
    side : str
        What the text is, for the message.

    Returns
    -------
    tuple of (int, int)
        The span.

    Raises
    ------
    ValueError
        If the span is not one of the text.

    Examples
    --------
    >>> span_of("cafe\\u0301 noir", 6, 10, "output")
    (5, 9)
    """
    if not 0 <= start < end <= len(text):
        raise ValueError(f"places {start} to {end} are not a span of the {side} of {len(text)} characters")
    return nfc_place(text, start), nfc_place(text, end)


def span_of_utf16(text: str, start: int, end: int, side: str) -> tuple[int, int]:
    """Return a half-open span in UTF-16 code units as one of the text in form NFC; see `span_of`.

    Parameters
    ----------
    text : str
        The text as the file has it.
    start, end : int
        Half-open span in UTF-16 code units.
    side : str
        What the text is, for the message.

    Returns
    -------
    tuple of (int, int)
        The span in code points.

    Raises
    ------
    ValueError
        If the span is not one of the text, or cuts a character.

    Examples
    --------
    >>> span_of_utf16("\\U0001f44d rain", 3, 7, "output")
    (2, 6)
    """
    try:
        places = from_utf16(text, start), from_utf16(text, end)
    except ValueError as error:
        raise ValueError(f"places {start} to {end} of the {side}: {error}") from error
    return span_of(text, *places, side)


def utf16_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span in code points as one in UTF-16 code units.

    Parameters
    ----------
    text : str
        The text; an empty one, as where a file has no texts, leaves the span as it is.
    start, end : int
        Half-open span in code points.

    Returns
    -------
    tuple of (int, int)
        The span in code units.

    Examples
    --------
    >>> utf16_span("\\U0001f44d rain", 2, 6), utf16_span("", 2, 6)
    ((3, 7), (2, 6))
    """
    return (to_utf16(text, start), to_utf16(text, end)) if text else (start, end)
