"""MQM as Google publishes it: tab-separated lines, an error each, with the whole texts."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias

from measures.spans.annotation import Annotation
from measures.spans.formats.losses import losses, single_place
from measures.spans.formats.places import TextPlaces, nfc
from measures.spans.formats.reading import (
    BOUNDS,
    Bounds,
    Notes,
    Reading,
    Written,
    json_of,
    number,
    numbered_lines,
    read_each,
    text_or_empty,
    whole,
)
from measures.spans.mark import FATES, PERSON, Mark

Quoting: TypeAlias = Literal["none", "minimal"]

COLUMNS = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity", "metadata")
_AS = {"docsegid": "doc_id", "globalsegid": "seg_id"}
_NEEDED = COLUMNS[:-1]
_OPEN, _CLOSE = "<v>", "</v>"
_NO_ERROR = ("no-error", "no error")
_BREAKS = str.maketrans("\t\n\r", "   ")
_LOST = ("score", "languages", "times", "answers", "at", "several", "parts", "deleted")


class _Row(NamedTuple):
    """A line by the names of its columns, with the span taken out of its text."""

    cells: Mapping[str, str]
    texts: tuple[str, str]
    span: tuple[Literal["source", "output"], int, int] | None
    metadata: Mapping[str, Any]


def read_mqm(lines: Iterable[bytes | str], *, quoting: Quoting = "none", bounds: Bounds = BOUNDS) -> Reading:
    r"""Read MQM annotations.

    Source: google/wmt-mqm-human-evaluation (commit 7fadea2) and google-research's program Marot, which calls `doc_id`
    and `seg_id` `docSegId` and `globalSegId`. `doc_id` becomes `document_segment`, `seg_id` `segment`.

    Parameters
    ----------
    lines : iterable of bytes or str
        The lines; the first names the columns `system`, `doc`, `doc_id`, `seg_id`, `rater`, `source`, `target`,
        `category`, `severity`, and perhaps `comment` or `metadata` (JSON). Each line is an error, with its span between
        ``<v>`` and ``</v>`` in the target, or in the source; no errors are a line with `No-error` twice.
    quoting : {"none", "minimal"}
        Whether quotation marks are those of the texts, or around cells with others doubled, as in some files of 2020.
    bounds : Bounds
        How much is read.

    Returns
    -------
    Reading
        An annotation of each rater, system and segment, in order. Severities are lower case; kinds are as in the file,
        and `measures.spans.formats.keyed` makes them those of a preset. Texts are in form NFC. An annotation stays
        without the errors of lines that are refused, and is then among the `incomplete`.

    Raises
    ------
    ValueError
        If the first line does not name the columns, or the file is larger than the bounds.

    Examples
    --------
    >>> head = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
    >>> row = "sys\td1\t1\t7\tr1\tIt rained.\tIt <v>snowed</v>.\tAccuracy/Mistranslation\tMajor"
    >>> (one,) = read_mqm([head, row]).annotations
    >>> one.segment, one.output, one.marks[0].start, one.marks[0].end, one.marks[0].severity
    ('7', 'It snowed.', 3, 9, 'major')
    """
    notes = Notes()
    numbered = numbered_lines(lines, notes, bounds)
    names = _columns(next(numbered, (1, ""))[1], quoting)
    found: dict[tuple[str, str, str], Annotation] = {}
    first_line: dict[tuple[str, str, str], tuple[int, bool]] = {}

    def read(line_number: int, line: str) -> None:
        cells = _named(_cells(line, quoting), names)
        key = (cells["rater"], cells["system"], cells["seg_id"])
        try:
            add(line_number, key, _row(cells))
        except ValueError:
            notes.incomplete.add(key)
            raise

    def add(line_number: int, key: tuple[str, str, str], row: _Row) -> None:
        mark = _mark(row, len(found[key].marks) + 1 if key in found else 1)
        if key not in found:
            found[key] = replace(_annotation(row, key), line=line_number)
            first_line[key] = (line_number, mark is None)
        elif (found[key].source, found[key].output) != row.texts:
            raise ValueError(f"its texts are not those of line {first_line[key][0]}")
        elif mark is None or first_line[key][1]:
            raise ValueError(f"No-error stands beside line {first_line[key][0]}")
        if mark is not None:
            if len(found[key].marks) == bounds.marks:
                raise ValueError(f"there are more than {bounds.marks:,} errors of this text")
            found[key] = replace(found[key], marks=(*found[key].marks, mark))

    read_each(numbered, read, notes)
    return notes.reading(found.values())


def _columns(line: str, quoting: Quoting) -> list[str]:
    names = [_AS.get(name.strip().casefold(), name.strip().casefold()) for name in _cells(line, quoting)]
    missing = [name for name in _NEEDED if name not in names]
    if missing:
        raise ValueError(f"line 1: the columns {', '.join(missing)} are missing")
    return names


def _cells(line: str, quoting: Quoting) -> list[str]:
    if quoting == "none":
        return line.split("\t")
    try:
        return next(csv.reader([line], delimiter="\t", strict=True))
    except csv.Error as error:
        raise ValueError(f"quotation marks: {error}") from error


def _named(cells: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    if len(cells) not in (len(names), len(names) - 1) or (len(cells) < len(names) and names[-1] in _NEEDED):
        raise ValueError(f"it has {len(cells)} cells, and there are {len(names)} columns")
    return dict(zip(names, cells, strict=False))


def _row(row: Mapping[str, str]) -> _Row:
    empty = [name for name in ("system", "seg_id", "rater", "category", "severity") if not row[name].strip()]
    if empty:
        raise ValueError(f"{empty[0]} is empty")
    spans = [(side, *_span(row[column], column)) for side, column in (("source", "source"), ("output", "target"))]
    marked = [each for each in spans if each[2] is not None]
    if len(marked) > 1:
        raise ValueError("there are two spans, in source and target")
    span = None
    if marked:
        side, text, ends = marked[0]
        assert ends is not None
        span = ("source" if side == "source" else "output", *TextPlaces(text, side).span(*ends))
    metadata = json_of(row["metadata"]) if row.get("metadata", "").strip() else {}
    if not isinstance(metadata, dict):
        raise ValueError("metadata must be an object")
    return _Row(row, (nfc(spans[0][1]), nfc(spans[1][1])), span, metadata)  # type: ignore[arg-type]


def _span(text: str, column: str) -> tuple[str, tuple[int, int] | None]:
    """Take the signs around a span out of a text."""
    if _OPEN not in text and _CLOSE not in text:
        return text, None
    if text.count(_OPEN) > 1 or text.count(_CLOSE) > 1:
        raise ValueError(f"there are two spans in {column}")
    start, end = text.find(_OPEN), text.find(_CLOSE) - len(_OPEN)
    if start < 0 or end <= start:
        raise ValueError(f"{column} must have characters between {_OPEN} and {_CLOSE}")
    return text.replace(_OPEN, "").replace(_CLOSE, ""), (start, end)


def _annotation(row: _Row, key: tuple[str, str, str]) -> Annotation:
    seconds = row.metadata.get("seconds")
    return Annotation(
        *key,
        *row.texts,
        document=row.cells["doc"],
        document_segment=row.cells["doc_id"],
        seconds=None if seconds is None else number(seconds, "seconds in metadata"),
    )


def _mark(row: _Row, number_of_mark: int) -> Mark | None:
    category, severity = row.cells["category"].strip(), row.cells["severity"].strip()
    if category.casefold() in _NO_ERROR or severity.casefold() in _NO_ERROR:
        if category.casefold() not in _NO_ERROR or severity.casefold() not in _NO_ERROR or row.span is not None:
            raise ValueError("No-error must stand in category and severity, without a span")
        return None
    own = row.metadata
    missing = own.get("missing", False)
    if row.span is None and missing is not True:
        raise ValueError("no span is marked")
    fate = own.get("fate")
    if fate is not None and fate not in FATES:
        raise ValueError(f"fate in metadata must be {', '.join(FATES)}")
    side: Literal["source", "output"] = "source" if own.get("side") == "source" else "output"
    start = end = None if own.get("place") is None else whole(own["place"], "place in metadata")
    if row.span is not None:
        side, start, end = row.span
    return Mark(
        str(number_of_mark),
        side,
        start,
        end,
        missing=row.span is None,
        kind=category,
        severity=severity.casefold(),
        note=row.cells.get("comment", "") or text_or_empty(own.get("note"), "note in metadata"),
        origin=text_or_empty(own.get("origin"), "origin in metadata") or PERSON,
        fate=fate,
    )


def write_mqm(annotations: Iterable[Annotation]) -> Written:
    r"""Write MQM annotations: ten columns, with seconds, fate, origin and note in `metadata`.

    Parameters
    ----------
    annotations : iterable of Annotation
        The annotations, with texts. Severities begin with a capital, as Google writes them.

    Returns
    -------
    Written
        The lines. Tabs and line breaks in texts become spaces. Something missing has no span, and `missing` in
        `metadata`.

    Raises
    ------
    ValueError
        If a text has ``<v>`` or ``</v>`` in it, or a mark has no kind or severity.

    Examples
    --------
    >>> mark = Mark("1", "output", 3, 9, kind="Accuracy/Mistranslation", severity="major")
    >>> one = Annotation("r1", "sys", "7", "It rained.", "It snowed.", (mark,), document="d1", document_segment="1")
    >>> write_mqm([one]).text.splitlines()[1].split("\t")[6:]
    ['It <v>snowed</v>.', 'Accuracy/Mistranslation', 'Major', '{}']
    """
    every = list(annotations)
    rows = ["\t".join(COLUMNS)]
    for each in every:
        _check_texts(each)
        written = [mark for mark in each.counted if not mark.parts]
        rows += [_line(each, mark) for mark in written] or [_line(each, None)]
    lost = losses(every, _LOST)
    if any(set("\t\n\r") & set(each.source + each.output) for each in every):
        lost = (*lost, "Tabs and line breaks in texts are written as spaces.")
    return Written("\n".join(rows) + "\n", lost)


def _check_texts(annotation: Annotation) -> None:
    if any(sign in text for text in (annotation.source, annotation.output) for sign in (_OPEN, _CLOSE)):
        raise ValueError(f"segment {annotation.segment} of {annotation.system}: a text has {_OPEN} or {_CLOSE} in it")


def _line(each: Annotation, mark: Mark | None) -> str:
    texts = {"source": each.source, "output": each.output}
    metadata: dict[str, Any] = {} if each.seconds is None else {"seconds": each.seconds}
    category = severity = "No-error"
    if mark is not None:
        if not mark.kind or not mark.severity:
            raise ValueError(f"segment {each.segment} of {each.system}: mark {mark.id} has no kind or no severity")
        category, severity = mark.kind, mark.severity[:1].upper() + mark.severity[1:]
        place = single_place(mark, each)
        if place is not None:
            text = texts[place.side]
            texts[place.side] = text[: place.start] + _OPEN + text[place.start : place.end] + _CLOSE + text[place.end :]
        metadata |= _metadata(mark)
    cells = (each.system, each.document, each.document_segment, each.segment, each.person, *texts.values())
    plain = [cell.translate(_BREAKS) for cell in (*cells, category, severity)]
    return "\t".join([*plain, json.dumps(metadata, ensure_ascii=False)])


def _metadata(mark: Mark) -> dict[str, Any]:
    found = {
        "missing": mark.missing,
        "side": mark.side if mark.missing and mark.side == "source" else None,
        "place": mark.start if mark.missing else None,
        "origin": mark.origin if mark.origin != PERSON else None,
        "fate": mark.fate,
        "note": mark.note or None,
    }
    return {key: value for key, value in found.items() if value is not None and value is not False}
