"""Outputs and references in files: plain text, one a line, or JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from measures.core.text_files import id_in, json_objects, text_checked, text_lines


@dataclass(frozen=True)
class Entry:
    """An output with its references.

    Attributes
    ----------
    name : str
        What it is called in the results.
    output : str
        The text.
    references : tuple of str
        Texts to compare it with.
    """

    name: str
    output: str
    references: tuple[str, ...]


def read_entries(outputs: Path, references: Sequence[Path]) -> list[Entry]:
    """Read outputs and their references.

    Plain text has one output a line, and in each file of references a reference in the same line; an empty
    line there says that this output has none in this file. Files whose name ends with ``.jsonl`` have one
    object a line: ``{"id": ..., "text": ...}``, and an output may carry its ``"references"`` itself; in a
    file of references several lines may have the same id.

    Parameters
    ----------
    outputs : Path
        The file of outputs.
    references : sequence of Path
        Files of references; none if the outputs carry them.

    Returns
    -------
    list of Entry
        In the order of the outputs.

    Raises
    ------
    ValueError
        If a line cannot be read, files do not fit each other, or an output has no reference; it names the
        file and the line.
    """
    given: dict[str, _Output] = {}
    for output in _outputs(outputs):
        if output.name in given:
            raise ValueError(f"{outputs}, line {output.line}: the same id {output.name!r} stands further up")
        given[output.name] = output
    for path in references:
        if _is_jsonl(path):
            _add_by_id(path, given, outputs)
        else:
            _add_by_line(path, given, outputs)
    for output in given.values():
        if not output.references:
            raise ValueError(f"{outputs}, line {output.line}: the output {output.name!r} has no reference")
    return [Entry(output.name, output.text, tuple(output.references)) for output in given.values()]


@dataclass(frozen=True)
class _Output:
    line: int
    name: str
    text: str
    references: list[str]


def _outputs(path: Path) -> Iterator[_Output]:
    if not _is_jsonl(path):
        yield from (_Output(number, str(number), text, []) for number, text in enumerate(_texts(path), start=1))
        return
    for line, row in json_objects(path):
        carried = row.get("references", [])
        if not isinstance(carried, list) or not all(isinstance(each, str) for each in carried):
            raise ValueError(f"{path}, line {line}: references must be a list of texts")
        texts = [text_checked(path, line, each, "a reference") for each in carried if each.strip()]
        yield _Output(line, id_in(path, line, row, str(line)), text_checked(path, line, row.get("text"), "text"), texts)


def _add_by_id(path: Path, given: dict[str, _Output], outputs: Path) -> None:
    for line, row in json_objects(path):
        name = id_in(path, line, row)
        if name not in given:
            raise ValueError(f"{path}, line {line}: {outputs} has no output {name!r}")
        text = text_checked(path, line, row.get("text"), "text")
        if text.strip():
            given[name].references.append(text)


def _add_by_line(path: Path, given: dict[str, _Output], outputs: Path) -> None:
    lines = _texts(path)
    if len(lines) != len(given):
        raise ValueError(f"{path} has {len(lines)} lines, and {outputs} has outputs: {len(given)}")
    for output, text in zip(given.values(), lines, strict=True):
        if text.strip():
            output.references.append(text)


def _is_jsonl(path: Path) -> bool:
    return path.suffix.lower() == ".jsonl"


def _texts(path: Path) -> list[str]:
    """The lines of plain text; JSON under another name is not taken for it."""
    lines = text_lines(path)
    if lines and _is_object(lines[0]):
        raise ValueError(f"{path}, line 1: this looks like JSON; name the file .jsonl to have it read so")
    return lines


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
