"""Ratings of mt-metrics-eval: a line for each system and segment, with its errors as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from measures.spans.annotation import Annotation
from measures.spans.formats.losses import first_of_each_text, how_many, losses, single_place
from measures.spans.formats.places import TextPlaces, nfc
from measures.spans.formats.reading import (
    BOUNDS,
    NO_TEXTS,
    Bounds,
    Notes,
    Reading,
    Texts,
    Written,
    json_of,
    numbered_lines,
    read_each,
    text_or_empty,
    whole,
)
from measures.spans.mark import Mark
from measures.spans.scores import Weights, mark_points

NOT_RATED = "None"
_LOST = (
    *("score", "segment", "document", "languages", "times", "seconds", "texts"),
    *("answers", "note", "origin", "fate", "at", "several", "parts", "deleted"),
)


def read_mt_metrics_eval(lines: Iterable[bytes | str], *, texts: Texts = NO_TEXTS, bounds: Bounds = BOUNDS) -> Reading:
    r"""Read a file of ratings of mt-metrics-eval.

    Source: google-research/mt-metrics-eval, ratings.py. Spans end past their last character.

    Parameters
    ----------
    lines : iterable of bytes or str
        The lines: system, errors and rater, with tabs between them. The errors are an object with the list `errors` of
        `start`, `end`, `category`, `severity`, `score` and `is_source_error`, or None where nobody rated the segment.
        The lines of a system are in the order of the segments.
    texts : mapping of (str, str) to (str, str), optional
        Source and output by segment and system, which the file does not have; with them places are checked.
    bounds : Bounds
        How much is read.

    Returns
    -------
    Reading
        An annotation of each line; its segment is its number among the lines of its system, from 1. An error that
        begins where it ends is something missing. Points are not kept: weights give them.

    Raises
    ------
    ValueError
        If the file is larger than the bounds.

    Examples
    --------
    >>> errors = '{"errors": [{"start": 3, "end": 9, "category": "Style/Awkward", "severity": "Minor"}]}'
    >>> (one,) = read_mt_metrics_eval(["sys\tNone\tNone", f"sys\t{errors}\tr1"]).annotations
    >>> one.segment, one.marks[0].start, one.marks[0].severity
    ('2', 3, 'minor')
    """
    notes, found, of_system = Notes(), list[Annotation](), Counter[str]()

    def read(_line_number: int, line: str) -> None:
        cells = line.split("\t")
        of_system[cells[0]] += 1
        if len(cells) != 3 or not cells[0]:
            raise ValueError("it must be system, errors and rater, with tabs between them")
        system, errors, rater = cells
        if errors == NOT_RATED:
            notes.skipped["not rated"] += 1
            return
        segment = str(of_system[system])
        row = json_of(errors)
        listed = row.get("errors") if isinstance(row, dict) else None
        if not isinstance(listed, list) or len(listed) > bounds.marks or not all(isinstance(e, dict) for e in listed):
            raise ValueError(f"errors must be a list of at most {bounds.marks:,} objects")
        both = texts.get((segment, system))
        if texts and both is None:
            raise ValueError(f"segment {segment} of {system} is not among the texts")
        sides = None if both is None else (TextPlaces(both[0], "source"), TextPlaces(both[1], "output"))
        marks = tuple(_read_mark(each, sides, place) for place, each in enumerate(listed, start=1))
        source, output = both or ("", "")
        found.append(Annotation(rater, system, segment, nfc(source), nfc(output), marks))

    read_each(numbered_lines(lines, notes, bounds), read, notes)
    return notes.reading(found)


def _read_mark(error: dict[str, Any], sides: tuple[TextPlaces, TextPlaces] | None, place: int) -> Mark:
    name = f"error {place}"
    start, end = (whole(error.get(key), f"{name}: {key}") for key in ("start", "end"))
    side: Literal["source", "output"] = "source" if error.get("is_source_error") is True else "output"
    missing = start == end
    if not 0 <= start <= end:
        raise ValueError(f"{name}: start {start} is after end {end}, or below 0")
    if sides is not None:
        text = sides[0 if side == "source" else 1]
        start, end = (text.place(start),) * 2 if missing else text.span(start, end)
    kind = text_or_empty(error.get("category"), f"{name}: category") or None
    severity = text_or_empty(error.get("severity"), f"{name}: severity").casefold() or None
    return Mark(str(place), side, start, end, missing=missing, kind=kind, severity=severity)


def write_mt_metrics_eval(annotations: Iterable[Annotation], weights: Weights | None = None) -> Written:
    r"""Write a file of ratings for mt-metrics-eval.

    Parameters
    ----------
    annotations : iterable of Annotation
        The annotations, with texts; one of each system and segment is written.
    weights : mapping of str to float, optional
        What gives each error its `score`; by default it is null.

    Returns
    -------
    Written
        For each system a line for each segment, in the order in which the segments come first; None where nobody rated
        one. Something missing that has no place stands after the last character.

    Examples
    --------
    >>> mark = Mark("1", "output", 3, 9, severity="minor")
    >>> written = write_mt_metrics_eval([Annotation("r1", "sys", "1", "", "It snowed.", (mark,))], {"minor": 1})
    >>> json.loads(written.text.split("\t")[1])["errors"][0]["score"], written.text.split("\t")[2]
    (1.0, 'r1\n')
    """
    every, said = first_of_each_text(annotations)
    of_text = {each.text: each for each in every}
    lines = []
    for system in dict.fromkeys(each.system for each in every):
        for segment in dict.fromkeys(each.segment for each in every):
            each = of_text.get((segment, system))
            cells = (NOT_RATED, NOT_RATED) if each is None else (_errors(each, weights), each.person)
            lines.append("\t".join((system, *cells)) + "\n")
    return Written("".join(lines), (*said, *losses(every, _LOST), *_without_place(every)))


def _without_place(annotations: Sequence[Annotation]) -> tuple[str, ...]:
    number = sum(mark.missing and mark.start is None for each in annotations for mark in each.counted)
    what = how_many(number, "mark")
    return (f"Written after the last character: {what} of what is missing without a place.",) if number else ()


def _errors(annotation: Annotation, weights: Weights | None) -> str:
    errors = []
    for mark in annotation.counted:
        place = single_place(mark, annotation)
        side = mark.side if place is None else place.side
        if mark.missing:
            text = annotation.source if side == "source" else annotation.output
            start = end = len(text) if mark.start is None else mark.start
        elif place is None or mark.parts:
            continue
        else:
            start, end = place.start, place.end
        points = None if weights is None else mark_points(mark.kind, mark.severity, weights)
        errors.append(
            {
                "start": start,
                "end": end,
                "category": mark.kind,
                "severity": mark.severity,
                "score": points,
                "is_source_error": side == "source",
            }
        )
    return json.dumps({"errors": errors}, ensure_ascii=False)
