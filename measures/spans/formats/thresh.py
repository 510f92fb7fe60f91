"""Edits as thresh and SALSA write them: a JSON list of pairs of texts, and the preset as their template."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from measures.spans.annotation import Annotation
from measures.spans.formats.losses import losses
from measures.spans.formats.places import TextPlaces, nfc
from measures.spans.formats.reading import (
    BOUNDS,
    Bounds,
    Notes,
    Reading,
    Written,
    json_of,
    numbered_lines,
    read_each,
    text_or_empty,
    whole,
)
from measures.spans.mark import Mark, Place, Side
from measures.spans.presets import Kind, Preset, Question

_WORDS: dict[str, bool | int] = {"yes": True, "no": False, "a lot": 3, "somewhat": 2, "minor": 1}
_SIDES = (("input_idx", "source"), ("output_idx", "output"))
_LOST = (
    *("segment", "document", "languages", "times", "seconds", "score"),
    *("place", "note", "origin", "fate", "at", "deleted"),
)
_ANY = "error"
_DEEPEST = 8


def read_thresh(lines: Iterable[bytes | str], *, bounds: Bounds = BOUNDS) -> Reading:
    """Read annotations of thresh, such as those of SALSA.

    Source: davidheineman/thresh (commit 7a06e57) and davidheineman/salsa (ce5ddba).

    Parameters
    ----------
    lines : iterable of bytes or str
        The lines of a JSON list of objects with `source`, `target`, `metadata` (`annotator`, `system`) and `edits`,
        which have `category`, `input_idx` and `output_idx` (lists of half-open spans), `annotation` (the answers), `id`
        (the number among those of the category), and `constituent_edits`, if they are made of others.
    bounds : Bounds
        How much is read; an entry counts as a line.

    Returns
    -------
    Reading
        An annotation of each entry. Its segment is the number of its source among the different sources, from 1. Of the
        answers "yes" and "no" are true and false, and "a lot", "somewhat" and "minor" 3, 2 and 1; a `severity` is the
        mark's. An edit without a span, or edits that it is made of, is something missing. Refusals count entries.

    Raises
    ------
    ValueError
        If the file is not a JSON list, or larger than the bounds.

    Examples
    --------
    >>> entry = {"source": "It rained.", "target": "Rain.", "edits": [{"category": "deletion", "input_idx": [[0, 2]]}]}
    >>> (one,) = read_thresh([json.dumps([entry])]).annotations
    >>> one.marks[0].kind, one.marks[0].side, one.marks[0].end
    ('deletion', 'source', 2)
    """
    notes, found, segments = Notes(), list[Annotation](), dict[str, str]()
    whole_file = Bounds(lines=bounds.size, size=bounds.size, line_size=bounds.size)
    text = "\n".join(line for _, line in numbered_lines(lines, notes, whole_file))
    if notes.refusals:
        raise ValueError(f"line {notes.refusals[0].line}: {notes.refusals[0].reason}")
    entries = json_of(text)
    if not isinstance(entries, list) or len(entries) > bounds.lines:
        raise ValueError(f"the file must be a list of at most {bounds.lines:,} entries")

    def read(entry_number: int, entry: Any) -> None:
        texts = (entry.get("source"), entry.get("target")) if isinstance(entry, dict) else (None, None)
        if not isinstance(texts[0], str) or not isinstance(texts[1], str):
            raise ValueError("it must be an object with source and target")
        metadata = entry.get("metadata") or {}
        if not isinstance(metadata, dict):
            raise ValueError("metadata must be an object")
        person, system = (text_or_empty(metadata.get(key), key) for key in ("annotator", "system"))
        marks = _Edits((texts[0], texts[1])).marks(entry.get("edits") or [], bounds)
        source = nfc(texts[0])
        segment = segments.setdefault(source, str(len(segments) + 1))
        found.append(Annotation(person, system, segment, source, nfc(texts[1]), marks, line=entry_number))

    read_each(enumerate(entries, start=1), read, notes)
    return notes.reading(found)


class _Edits:
    """The edits of one entry, as they become marks."""

    def __init__(self, texts: tuple[str, str]) -> None:
        self._texts = {side: TextPlaces(text, side) for (_, side), text in zip(_SIDES, texts, strict=True)}
        self._marks: list[Mark] = []
        self._by_number: dict[tuple[str, Any], str] = {}

    def marks(self, edits: Any, bounds: Bounds) -> tuple[Mark, ...]:
        if not isinstance(edits, list) or not all(isinstance(each, dict) for each in edits):
            raise ValueError("edits must be a list of objects")
        numbers = [(number, each) for number, each in enumerate(edits, start=1)]
        made = [(number, each) for number, each in numbers if each.get("constituent_edits")]
        for number, each in numbers:
            if not each.get("constituent_edits"):
                mark = self._mark(str(number), each)
                self._marks.append(mark)
                self._by_number.setdefault((str(mark.kind), each.get("id")), mark.id)
        extra = len(edits)
        for number, each in made:
            parts = each["constituent_edits"]
            if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
                raise ValueError(f"edit {number}: constituent_edits must be a list of objects")
            names = []
            for part in parts:
                name = self._found(part)
                if name is None:
                    extra += 1
                    name = str(extra)
                    self._marks.append(self._mark(name, part))
                names.append(name)
            self._marks.append(self._mark(str(number), each, tuple(dict.fromkeys(names))))
        if len(self._marks) > bounds.marks:
            raise ValueError(f"there are more than {bounds.marks:,} edits")
        return tuple(sorted(self._marks, key=lambda mark: int(mark.id)))

    def _found(self, part: dict[str, Any]) -> str | None:
        """Return the name of the mark that a constituent is: of its category and number, or of its spans."""
        if part.get("id") is not None:
            name = self._by_number.get((str(part.get("category")), part["id"]))
            if name is not None:
                return name
        places = self._places("", part)
        same = (mark.id for mark in self._marks if mark.kind == part.get("category") and mark.places == places)
        return next(same, None)

    def _mark(self, name: str, edit: dict[str, Any], parts: tuple[str, ...] = ()) -> Mark:
        kind = edit.get("category")
        if not isinstance(kind, str) or not kind:
            raise ValueError(f"edit {name}: category must be a text")
        answers = edit.get("annotation") or {}
        if not isinstance(answers, dict):
            raise ValueError(f"edit {name}: annotation must be an object")
        severity = answers.get("severity")
        if severity is not None and not isinstance(severity, str):
            raise ValueError(f"edit {name}: severity must be a text")
        given = {key: _converted(value) for key, value in answers.items() if key != "severity"}
        if parts:
            return Mark(name, "both", kind=kind, severity=severity, answers=given, parts=parts)
        places = self._places(name, edit)
        if len(places) == 1:
            (place,) = places
            return Mark(name, place.side, place.start, place.end, kind=kind, severity=severity, answers=given)
        sides = {place.side for place in places}
        side: Side = "both" if len(sides) > 1 else next(iter(sides), "output")
        return Mark(name, side, missing=not places, kind=kind, severity=severity, answers=given, pairs=places)

    def _places(self, name: str, edit: dict[str, Any]) -> tuple[Place, ...]:
        found = []
        for key, side in _SIDES:
            spans = edit.get(key) or []
            if not isinstance(spans, list) or not all(isinstance(each, list) and len(each) == 2 for each in spans):
                raise ValueError(f"edit {name}: {key} must be a list of [start, end]")
            for span in spans:
                start, end = (whole(each, f"edit {name}: {key}") for each in span)
                try:
                    found.append(Place(side, *self._texts[side].span(start, end)))  # type: ignore[arg-type]
                except ValueError as error:
                    raise ValueError(f"edit {name}: {error}") from error
        return tuple(found)


def _converted(answer: Any, depth: int = 0) -> Any:
    """Return an answer with truth values and numbers; what was chosen (`val`) stays a name."""
    if isinstance(answer, str):
        return _WORDS.get(answer, answer)
    if isinstance(answer, dict):
        if depth > _DEEPEST:
            raise ValueError(f"an answer is more than {_DEEPEST} deep")
        return {key: each if key == "val" else _converted(each, depth + 1) for key, each in answer.items()}
    if answer is None or isinstance(answer, bool | int):
        return answer
    raise ValueError("an answer must be a text, a whole number or an object")


def _written(answer: Any) -> Any:
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, int):
        return {3: "a lot", 2: "somewhat", 1: "minor"}.get(answer, answer)
    if isinstance(answer, Mapping):
        return {key: each if key == "val" else _written(each) for key, each in answer.items()}
    return answer


def write_thresh(annotations: Iterable[Annotation]) -> Written:
    """Write annotations for thresh.

    Parameters
    ----------
    annotations : iterable of Annotation
        The annotations, with texts.

    Returns
    -------
    Written
        A JSON list. A mark without a kind is of the category "error"; numbers are those of the marks of an annotation.

    Examples
    --------
    >>> mark = Mark("1", "source", 0, 2, kind="deletion")
    >>> json.loads(write_thresh([Annotation("A", "s", "1", "It rained.", "Rain.", (mark,))]).text)[0]["edits"]
    [{'id': 1, 'category': 'deletion', 'input_idx': [[0, 2]], 'annotation': {}}]
    """
    every = list(annotations)
    entries = [
        {
            "source": each.source,
            "target": each.output,
            "metadata": {"annotator": each.person, "system": each.system},
            "edits": _edits(each),
        }
        for each in every
    ]
    return Written(json.dumps(entries, ensure_ascii=False, indent=1) + "\n", losses(every, _LOST))


def _edits(annotation: Annotation) -> list[dict[str, Any]]:
    numbers = {mark.id: number for number, mark in enumerate(annotation.counted, start=1)}
    heads = {mark.id: _head(mark, numbers[mark.id]) for mark in annotation.counted}
    found = []
    for mark in annotation.counted:
        edit = dict(heads[mark.id])
        if mark.parts:
            edit["constituent_edits"] = [heads[part] for part in mark.parts if part in heads]
        severity = {} if mark.severity is None else {"severity": mark.severity}
        edit["annotation"] = {**severity, **_written(mark.answers)}
        found.append(edit)
    return found


def _head(mark: Mark, number: int) -> dict[str, Any]:
    head: dict[str, Any] = {"id": number, "category": mark.kind or _ANY}
    for key, side in _SIDES:
        spans = [[place.start, place.end] for place in mark.places if place.side == side]
        if spans:
            head[key] = spans
    return head


def write_template(preset: Preset) -> str:
    """Write a preset as a template of thresh.

    Parameters
    ----------
    preset : Preset
        The preset.

    Returns
    -------
    str
        YAML (in its form that is also JSON). Severities become a question of each kind without others. Weights, scores
        and bounds have no place there.

    Examples
    --------
    >>> from measures.spans.presets import preset
    >>> [each["name"] for each in json.loads(write_template(preset("salsa")))["edits"]][:3]
    ['deletion', 'insertion', 'substitution']
    """
    kinds = preset.kinds or (Kind(_ANY, "Error", "output"),)
    template = {
        "template_name": preset.key,
        "template_label": preset.name,
        "edits": [_template_edit(kind, preset.severities) for kind in kinds],
    }
    return json.dumps(template, ensure_ascii=False, indent=2) + "\n"


def _template_edit(kind: Kind, severities: Sequence[str]) -> dict[str, Any]:
    edit: dict[str, Any] = {
        "name": kind.key,
        "label": kind.name,
        "type": "composite" if kind.composite else "primitive",
    }
    if not kind.composite:
        edit |= {"enable_input": True} if kind.side in ("source", "either", "both") else {}
        edit |= {"enable_output": True} if kind.side != "source" else {}
        edit |= {"multi_span": True} if kind.several else {}
    options = [{"name": each, "label": each} for each in kind.severities or severities]
    severity = [{"name": "severity", "question": "How severe is it?", "options": options}] if options else []
    edit["annotation"] = [*severity, *map(_template_question, kind.questions)]
    return edit


def _template_question(question: Question) -> dict[str, Any]:
    return {
        "name": question["key"],
        "question": question["question"],
        "options": _template_options(question["options"]),
    }


def _template_options(options: Any) -> Any:
    if isinstance(options, str):
        return options
    return [
        {"name": each["key"], "label": each["name"]}
        | (
            {"question": each.get("question", ""), "options": _template_options(each["options"])}
            if "options" in each
            else {}
        )
        for each in options
    ]
