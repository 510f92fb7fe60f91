"""Documents, alignments and summaries from files, each fault named by its line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import Any, TypeAlias

from measures.core.text_files import json_objects, text_lines
from measures.projection.gale_church import propose_groups
from measures.projection.projected import Group, alignment_faults
from measures.text.normalization import canonical
from measures.text.segmentation import UNSPACED, sentences

Documents: TypeAlias = Mapping[str, Mapping[str, str]]
"""The sentences of each document by their ids, in the order of the text."""

COLUMNS = ("document", "source_ids", "target_ids")
TEXTS = ("source", "target")
"""Columns that are written so that people see what they join and part; they are not read."""
LARGEST_GRADE = 1e9
GRADES = ("system", "source", "target")
BETWEEN = "|"

_WORD = re.compile(f"[{UNSPACED}]|[^\\W{UNSPACED}]+|[^\\w\\s]")


class FilesRefused(ValueError):
    """Files that do not go together; `faults` are all of the reasons, with the lines."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


@dataclass(frozen=True)
class SummaryLine:
    """A summary of a file.

    Attributes
    ----------
    line : int
        Its line.
    documents : tuple of str
        What it is of.
    system : str
        Who made it; may be empty.
    sentences : tuple of str
        Its sentences.
    row : dict
        All that the line had.
    """

    line: int
    documents: tuple[str, ...]
    system: str
    sentences: tuple[str, ...]
    row: dict[str, Any]


def words_and_signs(text: str) -> list[str]:
    """Cut a text into words and signs; in scripts without spaces each character is a word.

    Examples
    --------
    >>> words_and_signs("It rained, again. 雨")
    ['It', 'rained', ',', 'again', '.', '雨']
    """
    found: list[str] = _WORD.findall(canonical(text))
    return found


def read_documents(name: str | Path) -> Documents:
    """Read JSON Lines of documents: ``id``, and ``sentences``, each a text or an object with ``id`` and ``text``.

    Sentences without ids are numbered from 1.

    Raises
    ------
    ValueError
        If a line cannot be read; it names the file and the line.
    """
    found: dict[str, dict[str, str]] = {}
    for line, row in json_objects(name):
        place = f"{name}, line {line}"
        document, given = _id(row.get("id"), place, "the id"), row.get("sentences")
        if document in found:
            raise ValueError(f"{place}: the document {document} stands further up")
        if not isinstance(given, list) or not given:
            raise ValueError(f"{place}: sentences must be a list")
        found[document] = own = {}
        for number, each in enumerate(given, start=1):
            is_text = isinstance(each, str)
            sentence = str(number) if is_text else _id(_field(each, "id"), place, f"the id of sentence {number}")
            text = each if is_text else _field(each, "text")
            if not isinstance(text, str) or not text.strip():
                raise ValueError(f"{place}: sentence {number} has no text")
            if sentence in own:
                raise ValueError(f"{place}: two sentences have the id {sentence}")
            own[sentence] = text
    if not found:
        raise ValueError(f"{name}: there is no document")
    return found


def _field(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _id(value: object, place: str, what: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise ValueError(f"{place}: {what} must be a text or a number")
    if (found := str(value)) != found.strip() or BETWEEN in found or not found.isprintable():
        raise ValueError(f"{place}: {what} has a {BETWEEN}, a tab or a space at an end")
    return found


def proposed(source: Documents, target: Documents) -> dict[str, tuple[Group, ...]]:
    """Propose the groups of all documents by the lengths of their sentences.

    Raises
    ------
    FilesRefused
        If a document is on one side alone, or has too many sentences.
    """
    found, faults = {}, list(_unpaired(source, target))
    for document in source.keys() & target.keys():
        sides = [list(each[document]) for each in (source, target)]
        try:
            groups = propose_groups(*([len(text) for text in each[document].values()] for each in (source, target)))
        except ValueError as error:
            faults.append(f"document {document}: {error}")
            continue
        found[document] = tuple(
            (tuple(sides[0][place] for place in one), tuple(sides[1][place] for place in other))
            for one, other in groups
        )
    if faults:
        raise FilesRefused(faults)
    return {document: found[document] for document in source}


def _unpaired(source: Documents, target: Documents) -> Iterator[str]:
    for one, other, side in ((source, target, "translations"), (target, source, "sources")):
        yield from (f"document {each} is not among the {side}" for each in one if each not in other)


def alignment_lines(alignment: Mapping[str, Sequence[Group]], source: Documents, target: Documents) -> Iterator[str]:
    """Yield the lines of an alignment with a head, and beside the ids the texts."""
    yield "\t".join((*COLUMNS, *TEXTS))
    for document, groups in alignment.items():
        for group in groups:
            texts = (
                " ".join(side[document][each] for each in ids)
                for side, ids in zip((source, target), group, strict=True)
            )
            yield "\t".join((document, *map(BETWEEN.join, group), *(" ".join(each.split()) for each in texts)))


def read_alignment(name: str | Path, source: Documents, target: Documents) -> dict[str, tuple[Group, ...]]:
    """Read an alignment: lines with a head, of a document and the ids of a group, with ``|`` between several.

    Columns after the three are not read.

    Returns
    -------
    dict of str to tuple of Group
        The groups of each document in the order of the file.

    Raises
    ------
    FilesRefused
        With everything that is wrong, by line.
    """
    groups: dict[str, list[Group]] = {document: [] for document in source}
    lines: dict[str, list[int]] = {document: [] for document in source}
    faults = list(_unpaired(source, target))
    rows = [line.split("\t") for line in text_lines(name)]
    if not rows or tuple(rows[0][: len(COLUMNS)]) != COLUMNS:
        raise FilesRefused([f"{name}, line 1: the head must be {', '.join(COLUMNS)}, with tabs between"])
    for number, cells in enumerate(rows[1:], start=2):
        place = f"{name}, line {number}"
        if cells == [""]:
            continue
        if len(cells) < len(COLUMNS):
            faults.append(f"{place}: {len(cells)} columns, not {len(COLUMNS)}")
        elif cells[0] not in groups:
            faults.append(f"{place}: there is no document {cells[0]}")
        else:
            groups[cells[0]].append((_ids(cells[1]), _ids(cells[2])))
            lines[cells[0]].append(number)
    for document, own in groups.items():
        if document in target:
            for fault in alignment_faults(own, list(source[document]), list(target[document])):
                at = f"document {document}" if fault.group is None else f"line {lines[document][fault.group]}"
                faults.append(f"{name}, {at}: {fault.words}")
    if faults:
        raise FilesRefused(faults)
    return {document: tuple(own) for document, own in groups.items()}


def _ids(cell: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in cell.split(BETWEEN)) if cell.strip() else ()


def read_summaries(name: str | Path, documents: Documents) -> list[SummaryLine]:
    """Read JSON Lines of summaries: ``document`` or a list ``documents``, ``system``, and ``sentences`` or ``text``.

    Raises
    ------
    ValueError
        If a line cannot be read, or has what another has; it names the file and the line.
    """
    found: dict[tuple[tuple[str, ...], str], SummaryLine] = {}
    for line, row in json_objects(name):
        summary = _summary(line, row, f"{name}, line {line}", documents)
        key = summary.documents, summary.system
        if key in found:
            raise ValueError(f"{name}, line {line}: line {found[key].line} is of the same documents and system")
        found[key] = summary
    if not found:
        raise ValueError(f"{name}: there is no summary")
    return list(found.values())


def _summary(line: int, row: dict[str, Any], place: str, documents: Documents) -> SummaryLine:
    given = row.get("documents", [row.get("document")])
    if not isinstance(given, list) or not given:
        raise ValueError(f"{place}: documents must be a list of ids")
    of = tuple(_id(each, place, "the document") for each in given)
    if unknown := [each for each in of if each not in documents]:
        raise ValueError(f"{place}: there is no document {unknown[0]}")
    if len(set(of)) < len(of):
        raise ValueError(f"{place}: a document stands twice in documents")
    own, system, text = row.get("sentences"), row.get("system", ""), row.get("text")
    if own is None and isinstance(text, str):
        own = list(sentences(text))
    if not isinstance(own, list) or not all(isinstance(each, str) for each in own):
        raise ValueError(f"{place}: sentences must be a list of texts, or text a text")
    if not isinstance(system, str) or not system.isprintable():
        raise ValueError(f"{place}: system must be a text in one line")
    return SummaryLine(line, of, system, tuple(own), row)


def read_grades(name: str | Path, systems: Collection[str]) -> dict[str, tuple[float, float]]:
    """Read the grades that people gave systems: lines with a head, of a system and its grade in either language.

    Returns
    -------
    dict of str to tuple of float
        For each system of the file its grades in the language of the source and in that of the translation; NaN for an
        empty one.

    Raises
    ------
    FilesRefused
        With everything that is wrong, by line.
    """
    found: dict[str, tuple[float, float]] = {}
    faults = []
    rows = [line.split("\t") for line in text_lines(name)]
    if not rows or tuple(rows[0]) != GRADES:
        raise FilesRefused([f"{name}, line 1: the head must be {', '.join(GRADES)}, with tabs between"])
    for number, cells in enumerate(rows[1:], start=2):
        if cells == [""]:
            continue
        fault = ""
        if len(cells) != len(GRADES):
            fault = f"{len(cells)} columns, not {len(GRADES)}"
        elif cells[0] not in systems:
            fault = f"no summary is of system {cells[0]}"
        elif cells[0] in found:
            fault = f"the system {cells[0]} stands further up"
        else:
            try:
                found[cells[0]] = _grade(cells[1]), _grade(cells[2])
            except ValueError:
                fault = f"a grade must be a number up to {LARGEST_GRADE:,.0f}, or empty"
        if fault:
            faults.append(f"{name}, line {number}: {fault}")
    if faults:
        raise FilesRefused(faults)
    return found


def _grade(cell: str) -> float:
    grade = float(cell) if cell.strip() else nan
    if cell.strip() and not abs(grade) <= LARGEST_GRADE:
        raise ValueError(cell)
    return grade
