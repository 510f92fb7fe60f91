"""ESA as WMT publishes it: lines of CSV without a header, whose spans end with their last character."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from measures.spans.annotation import Annotation
from measures.spans.formats.esa_spans import LOST_OF_MARKS, esa_marks, esa_spans, listed_spans
from measures.spans.formats.losses import losses
from measures.spans.formats.places import nfc
from measures.spans.formats.reading import (
    BOUNDS,
    NO_TEXTS,
    Bounds,
    Notes,
    Reading,
    Texts,
    Written,
    number,
    numbered_lines,
    read_each,
)

COLUMNS = 12
COLUMNS_WITH_BATCH = 14
NOTHING: Mapping[str, Any] = {}
_NOT_WORK = ("#bad", "#dup", "#incomplete")
_LOST = ("texts", "document_segment", "seconds", *LOST_OF_MARKS)


def read_esa(lines: Iterable[bytes | str], *, texts: Texts = NO_TEXTS, bounds: Bounds = BOUNDS) -> Reading:
    """Read ESA annotations of WMT 2024, as Appraise exports them.

    Source: wmt24-news-systems (commit bfa937e). Its spans end with their last character: of the 1,251 of the ESA
    authors' own data (ErrorSpanAnnotations, b6458f9), 805 end a word so, and 205 if the end were past it. Appraise
    counts UTF-16 code units, as JavaScript does.

    Parameters
    ----------
    lines : iterable of bytes or str
        The lines: user, system, segment, TGT or BAD, language of the source, of the target, score, document, False,
        spans, beginning and end (seconds since 1970), perhaps with the batch and item after them. Spans are a list, in
        JSON or as Python writes it, of `start_i`, `end_i`, `severity` and `error_type`; both places are "missing" for
        what is missing.
    texts : mapping of (str, str) to (str, str), optional
        Source and output by segment and system, which the file does not have. With them places are checked and become
        code points of the text in form NFC; without them they stay as they are, but for the end.
    bounds : Bounds
        How much is read.

    Returns
    -------
    Reading
        An annotation of each person, system and segment: the last where there are several. Checks, repetitions,
        incomplete documents and tutorials are skipped and counted.

    Raises
    ------
    ValueError
        If the file is larger than the bounds.

    Examples
    --------
    >>> spans = '"[{""start_i"": 3, ""end_i"": 8, ""severity"": ""minor"", ""error_type"": null}]"'
    >>> (one,) = read_esa([f"A,sys,7,TGT,eng,deu,92,doc1,False,{spans},1.5,9.5"]).annotations
    >>> one.score, one.marks[0].start, one.marks[0].end
    (92.0, 3, 9)
    """
    notes = Notes()
    found: dict[tuple[str, str, str], Annotation] = {}

    def read(line_number: int, line: str) -> None:
        cells = csv_cells(line)
        if len(cells) not in (COLUMNS, COLUMNS_WITH_BATCH):
            raise ValueError(f"it has {len(cells)} cells instead of {COLUMNS}")
        skipped = _skipped(cells)
        if skipped:
            notes.skipped[skipped] += 1
            return
        one = esa_annotation(
            (cells[0], cells[1], cells[2]),
            (cells[6], cells[9], cells[10], cells[11]),
            texts,
            bounds,
            document=cells[7],
            languages=(cells[4], cells[5]),
        )
        keep_last(found, replace(one, line=line_number), notes)

    read_each(numbered_lines(lines, notes, bounds), read, notes)
    return notes.reading(found.values())


def csv_cells(line: str) -> list[str]:
    """Return the cells of a line of CSV.

    Parameters
    ----------
    line : str
        The line.

    Returns
    -------
    list of str
        Its cells.

    Raises
    ------
    ValueError
        If its quotation marks do not fit.

    Examples
    --------
    >>> csv_cells('a,"b,c"')
    ['a', 'b,c']
    """
    try:
        return next(csv.reader([line], strict=True))
    except csv.Error as error:
        raise ValueError(f"not CSV: {error}") from error


def keep_last(found: dict[tuple[str, str, str], Annotation], one: Annotation, notes: Notes) -> None:
    """Keep an annotation, in place of an earlier one by the same person of the same text, which is counted.

    Parameters
    ----------
    found : dict
        The annotations by person, system and segment.
    one : Annotation
        The next one.
    notes : Notes
        Where earlier ones are counted as "earlier answer".

    Examples
    --------
    >>> found, notes = {}, Notes()
    >>> for score in (5, 7):
    ...     keep_last(found, Annotation("A", "s", "1", score=score), notes)
    >>> [each.score for each in found.values()], dict(notes.skipped)
    ([7], {'earlier answer': 1})
    """
    key = (one.person, one.system, one.segment)
    if found.pop(key, None) is not None:
        notes.skipped["earlier answer"] += 1
    found[key] = one


def _skipped(cells: Sequence[str]) -> str | None:
    """Return what a line is that is not work, if it is none."""
    document = cells[7]
    if "tutorial" in document or "tutorial" in cells[1]:
        return "tutorial"
    for ending in _NOT_WORK:
        if document.endswith(ending):
            return ending
    return None if cells[3] == "TGT" else f"type {cells[3][:20]}"


def esa_annotation(
    key: tuple[str, str, str],
    values: tuple[str, str, str, str],
    texts: Texts,
    bounds: Bounds = BOUNDS,
    *,
    document: str = "",
    languages: tuple[str, str] = ("", ""),
    extra: Mapping[str, Any] = NOTHING,
) -> Annotation:
    """Make an annotation of the cells of a line.

    Parameters
    ----------
    key : tuple of (str, str, str)
        Person, system and segment.
    values : tuple of (str, str, str, str)
        Score, spans, beginning and end.
    texts, bounds
        As in `read_esa`.
    document : str
        The document.
    languages : tuple of (str, str)
        The languages.
    extra : mapping
        What else is kept.

    Returns
    -------
    Annotation
        The annotation.

    Raises
    ------
    ValueError
        If a value is not what it must be, or a span is not one of the text.

    Examples
    --------
    >>> esa_annotation(("A", "s", "1"), ("80", "[]", "1", "2"), {}).times
    (1.0, 2.0)
    """
    if not all(key):
        raise ValueError("person, system or segment is empty")
    score = number(values[0], "score")
    if not 0 <= score <= 100:
        raise ValueError("score must be from 0 to 100")
    source, output = texts.get((key[2], key[1]), ("", ""))
    if texts and not output:
        raise ValueError(f"segment {key[2]} of {key[1]} is not among the texts")
    return Annotation(
        *key,
        nfc(source),
        nfc(output),
        esa_marks(listed_spans(values[1]), output, bounds),
        score,
        document,
        languages=languages,
        times=(number(values[2], "beginning"), number(values[3], "end")),
        extra=extra,
    )


def write_esa(annotations: Iterable[Annotation]) -> Written:
    """Write ESA annotations of 12 columns, whose spans end with their last character.

    Parameters
    ----------
    annotations : iterable of Annotation
        The annotations, with scores. Places are written in UTF-16 code units of the text; as they are where the text is
        not known.

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
    >>> from measures.spans.mark import Mark
    >>> mark = Mark("1", "output", 3, 9, severity="minor")
    >>> write_esa([Annotation("A", "sys", "7", "", "It snowed.", (mark,), 92)]).text[:26]
    'A,sys,7,TGT,,,92,,False,"['
    """
    every = list(annotations)
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    for each in every:
        writer.writerow(
            (
                each.person,
                each.system,
                each.segment,
                "TGT",
                *each.languages,
                written_score(each),
                each.document,
                "False",
                json.dumps(esa_spans(each), ensure_ascii=False),
                *(time or 0 for time in each.times),
            )
        )
    return Written(file.getvalue(), losses(every, _LOST))


def written_score(annotation: Annotation) -> float:
    """Return the score of an annotation, as a whole number where it is one, or raise ValueError that names it."""
    if annotation.score is None:
        raise ValueError(f"segment {annotation.segment} of {annotation.system}, {annotation.person}: there is no score")
    return int(annotation.score) if annotation.score == int(annotation.score) else annotation.score
