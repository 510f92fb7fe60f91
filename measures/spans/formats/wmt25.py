"""ESA as WMT 2025 has it: raw lines of 15 columns, and published JSON Lines with the texts."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from measures.spans.annotation import Annotation
from measures.spans.formats.esa_csv import csv_cells, esa_annotation, keep_last, written_score
from measures.spans.formats.esa_spans import LOST_OF_MARKS, esa_marks, esa_spans
from measures.spans.formats.losses import first_of_each_text, losses
from measures.spans.formats.places import nfc
from measures.spans.formats.reading import (
    BOUNDS,
    NO_TEXTS,
    Bounds,
    Notes,
    Reading,
    Texts,
    Written,
    json_of,
    number,
    numbered_lines,
    read_each,
)

COLUMNS = 15
HUMAN = "human"
"""What the person of a published annotation is called: files do not say who it was."""

_CELLS = "wmt25"
_PART = "_#_"
_RAW_LOST = ("texts", "document", "languages", "seconds", *LOST_OF_MARKS)
_JSON_LOST = ("person", "segment", "document_segment", "languages", "times", "seconds", *LOST_OF_MARKS)


def read_wmt25(lines: Iterable[bytes | str], *, texts: Texts = NO_TEXTS, bounds: Bounds = BOUNDS) -> Reading:
    """Read raw annotations of WMT 2025.

    Source: wmt25-general-mt, humeval/04-collect_humeval.py, which says what the columns are.

    Parameters
    ----------
    lines : iterable of bytes or str
        The lines, of 15 cells: account, segment, system, (four more,) score, (two more,) spans, beginning, end, (two
        more). Spans are as in `read_esa`.
    texts, bounds
        As in `read_esa`.

    Returns
    -------
    Reading
        An annotation of each person, system and segment: the last where there are several. Tutorials are skipped and
        counted. `extra` keeps the cells.

    Raises
    ------
    ValueError
        If the file is larger than the bounds.

    Examples
    --------
    >>> (one,) = read_wmt25(["A,en-de_#_news_#_7_#_0,sys,,,,,80,,,[],1,2,,"]).annotations
    >>> one.segment, one.document, one.score
    ('en-de_#_news_#_7_#_0', 'en-de_#_news_#_7', 80.0)
    """
    notes = Notes()
    found: dict[tuple[str, str, str], Annotation] = {}

    def read(line_number: int, line: str) -> None:
        cells = csv_cells(line)
        if len(cells) != COLUMNS:
            raise ValueError(f"it has {len(cells)} cells instead of {COLUMNS}")
        person, segment, system = cells[:3]
        if "tutorial" in segment:
            notes.skipped["tutorial"] += 1
            return
        values = cells[7], cells[10], cells[11], cells[12]
        document = segment.rpartition(_PART)[0]
        one = esa_annotation((person, system, segment), values, texts, bounds, document=document, extra={_CELLS: cells})
        keep_last(found, replace(one, line=line_number), notes)

    read_each(numbered_lines(lines, notes, bounds), read, notes)
    return notes.reading(found.values())


def write_wmt25(annotations: Iterable[Annotation]) -> Written:
    """Write raw annotations of WMT 2025, of 15 columns.

    Parameters
    ----------
    annotations : iterable of Annotation
        The annotations, with scores. Cells that only the organisers know are those that were read, or empty.

    Returns
    -------
    Written
        The lines; a beginning and end that are not known are 0.

    Raises
    ------
    ValueError
        If an annotation has no score.

    Examples
    --------
    >>> write_wmt25([Annotation("A", "sys", "7", score=80)]).text
    'A,7,sys,,,,,80,,,[],0,0,,\\n'
    """
    every = list(annotations)
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    for each in every:
        cells: list[Any] = list(each.extra.get(_CELLS, [""] * COLUMNS))
        cells[:3] = each.person, each.segment, each.system
        cells[7], cells[10] = written_score(each), json.dumps(esa_spans(each), ensure_ascii=False)
        cells[11:13] = (time or 0 for time in each.times)
        writer.writerow(cells)
    kept = [each for each in every if each.document != each.segment.rpartition(_PART)[0]]
    names = [name for name in _RAW_LOST if name != "document"]
    return Written(file.getvalue(), (*losses(kept, ["document"]), *losses(every, names)))


def read_wmt25_jsonl(lines: Iterable[bytes | str], *, bounds: Bounds = BOUNDS) -> Reading:
    r"""Read the annotations that WMT 2025 published.

    Source: wmt25-general-mt, data/wmt25-genmt-humeval.jsonl, and humeval/04-collect_humeval.py, which made it.

    Parameters
    ----------
    lines : iterable of bytes or str
        Lines of JSON, a segment each: `doc_id`, `src_text`, `tgt_text` (the outputs by system) and `scores` (by system:
        `human`, from 0 to 100, and `errors`, which are spans as in `read_esa`).
    bounds : Bounds
        How much is read.

    Returns
    -------
    Reading
        An annotation of each system and segment by a person called "human". A segment is called by its document and its
        number among the lines of that document, from 0.

    Raises
    ------
    ValueError
        If the file is larger than the bounds.

    Examples
    --------
    >>> scores = '{"s": {"human": 80, "errors": [{"start_i": 0, "end_i": 3, "severity": "minor"}]}}'
    >>> line = '{"doc_id": "d", "src_text": "It rained.", "tgt_text": {"s": "Rain."}, "scores": ' + scores + '}'
    >>> (one,) = read_wmt25_jsonl([line]).annotations
    >>> one.segment, one.marks[0].end
    ('d_#_0', 4)
    """
    notes, found, of_document = Notes(), list[Annotation](), Counter[str]()

    def read(line_number: int, line: str) -> None:
        row = json_of(line)
        document = row.get("doc_id") if isinstance(row, dict) else None
        if not isinstance(document, str) or not document:
            raise ValueError("it must be an object with a doc_id")
        segment = f"{document}{_PART}{of_document[document]}"
        of_document[document] += 1
        scores, outputs = row.get("scores"), row.get("tgt_text")
        if not isinstance(row.get("src_text"), str) or not isinstance(outputs, dict) or not isinstance(scores, dict):
            raise ValueError("src_text must be a text, tgt_text and scores objects")
        of_line = [_published(segment, document, row["src_text"], outputs, each, bounds) for each in scores.items()]
        found.extend(replace(each, line=line_number) for each in of_line)

    read_each(numbered_lines(lines, notes, bounds), read, notes)
    return notes.reading(found)


def _published(
    segment: str, document: str, source: str, outputs: Mapping[str, Any], entry: tuple[str, Any], bounds: Bounds
) -> Annotation:
    system, given = entry
    output = outputs.get(system)
    if not isinstance(output, str) or not isinstance(given, dict):
        raise ValueError(f"system {system[:50]}: there is no output, or its score is not an object")
    try:
        score = number(given.get("human"), "human")
        marks = esa_marks(given.get("errors"), output, bounds)
    except ValueError as error:
        raise ValueError(f"system {system[:50]}: {error}") from error
    if not 0 <= score <= 100:
        raise ValueError(f"system {system[:50]}: human must be from 0 to 100")
    return Annotation(HUMAN, system, segment, nfc(source), nfc(output), marks, score, document)


def write_wmt25_jsonl(annotations: Iterable[Annotation]) -> Written:
    """Write annotations as WMT 2025 published them.

    Parameters
    ----------
    annotations : iterable of Annotation
        The annotations, with texts and scores; one of each system and segment is written.

    Returns
    -------
    Written
        A line of JSON for each segment.

    Raises
    ------
    ValueError
        If an annotation has no score, or the sources of a segment differ.

    Examples
    --------
    >>> print(write_wmt25_jsonl([Annotation("A", "s", "d_#_0", "It rained.", "Rain.", score=80, document="d")]).text)
    {"scores": {"s": {"human": 80, "errors": []}}, "src_text": "It rained.", "tgt_text": {"s": "Rain."}, "doc_id": "d"}
    <BLANKLINE>
    """
    every, said = first_of_each_text(annotations)
    segments: dict[str, dict[str, Any]] = {}
    for each in every:
        row = segments.setdefault(
            each.segment,
            {"scores": {}, "src_text": each.source, "tgt_text": {}, "doc_id": each.document or each.segment},
        )
        if row["src_text"] != each.source:
            raise ValueError(f"segment {each.segment}: its sources differ")
        errors = [{key: value for key, value in span.items() if key != "error_type"} for span in esa_spans(each)]
        row["scores"][each.system] = {"human": written_score(each), "errors": errors}
        row["tgt_text"][each.system] = each.output
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in segments.values())
    return Written(text, (*said, *losses(every, _JSON_LOST)))
