"""The spans of ESA: their end is their last character, and they count UTF-16 code units."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Any

from measures.spans.annotation import Annotation
from measures.spans.characters import to_utf16
from measures.spans.formats.losses import single_place
from measures.spans.formats.places import TextPlaces
from measures.spans.formats.reading import BOUNDS, Bounds, json_of, text_or_empty, whole
from measures.spans.mark import Mark

MISSING = "missing"
LOST_OF_MARKS = ("kind", "place", "answers", "note", "origin", "fate", "at", "source", "several", "parts", "deleted")
"""What ESA's spans have no place for."""


def listed_spans(text: str) -> Any:
    """Read a list of spans in JSON, or as Python writes it.

    Parameters
    ----------
    text : str
        The list.

    Returns
    -------
    object
        What it says.

    Raises
    ------
    ValueError
        If it is neither.

    Examples
    --------
    >>> listed_spans("[{'start_i': 1, 'error_type': None}]")
    [{'start_i': 1, 'error_type': None}]
    """
    try:
        return json_of(text)
    except ValueError:
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
            raise ValueError("spans must be a list in JSON") from error


def esa_marks(spans: Any, output: str, bounds: Bounds = BOUNDS) -> tuple[Mark, ...]:
    """Make marks of spans whose end is their last character.

    Parameters
    ----------
    spans : object
        A list of objects with `start_i`, `end_i`, `severity` and perhaps `error_type`.
    output : str
        The text as people saw it; empty if it is not known.
    bounds : Bounds
        How many there may be.

    Returns
    -------
    tuple of Mark
        In order; places in code points of the text in form NFC, if it is known.

    Raises
    ------
    ValueError
        If a value is not what it must be, or a span is not one of the text; it says which.

    Examples
    --------
    >>> esa_marks([{"start_i": "missing", "end_i": "missing", "severity": "Major"}], "")[0].missing
    True
    """
    if not isinstance(spans, list) or not all(isinstance(each, dict) for each in spans):
        raise ValueError("spans must be a list of objects")
    if len(spans) > bounds.marks:
        raise ValueError(f"there are more than {bounds.marks:,} spans")
    places = _places(output) if output else None
    return tuple(_esa_mark(each, places, place) for place, each in enumerate(spans, start=1))


@lru_cache(maxsize=8)
def _places(output: str) -> TextPlaces:
    """Return the places of a text, which several people in a row may have marked."""
    return TextPlaces(output, "output")


def _esa_mark(span: dict[str, Any], places: TextPlaces | None, place: int) -> Mark:
    severity = text_or_empty(span.get("severity"), f"span {place}: severity").casefold() or None
    kind = text_or_empty(span.get("error_type"), f"span {place}: error_type") or None
    ends = span.get("start_i"), span.get("end_i")
    if ends == (MISSING, MISSING):
        return Mark(str(place), missing=True, kind=kind, severity=severity)
    start, end = (whole(each, f"span {place}: {name}") for each, name in zip(ends, ("start_i", "end_i"), strict=True))
    if not 0 <= start <= end:
        raise ValueError(f"span {place}: start_i {start} is after end_i {end}, or below 0")
    start, end = (start, end + 1) if places is None else places.span_of_utf16(start, end + 1)
    return Mark(str(place), "output", start, end, kind=kind, severity=severity)


def esa_spans(annotation: Annotation) -> list[dict[str, Any]]:
    """Return the spans of an annotation as ESA has them.

    Parameters
    ----------
    annotation : Annotation
        The annotation.

    Returns
    -------
    list of dict
        `start_i`, `end_i` (the last character), `severity` and `error_type` (always None: ESA has no kinds), of the
        output alone.

    Examples
    --------
    >>> esa_spans(Annotation("A", "s", "1", "", "It snowed.", (Mark("1", "output", 3, 9, severity="minor"),)))
    [{'start_i': 3, 'end_i': 8, 'severity': 'minor', 'error_type': None}]
    """
    found = []
    for mark in annotation.counted:
        if mark.parts or mark.side == "source":
            continue
        place = single_place(mark, annotation, sides=("output",))
        start: int | str = MISSING
        end: int | str = MISSING
        if place is not None:
            text = annotation.output
            first, past = (to_utf16(text, each) if text else each for each in place[1:])
            start, end = first, past - 1
        if place is not None or mark.missing:
            found.append({"start_i": start, "end_i": end, "severity": mark.severity, "error_type": None})
    return found
