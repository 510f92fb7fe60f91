"""What readers and writers of files of marks have in common: lines, bounds and refusals."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from measures.spans.annotation import Annotation

Texts: TypeAlias = Mapping[tuple[str, str], tuple[str, str]]
"""Source and output by segment and system, as the people who marked them saw them."""

NO_TEXTS: Texts = {}


@dataclass(frozen=True)
class Bounds:
    """How much of a file is read.

    Attributes
    ----------
    lines : int
        Greatest number of lines.
    size, line_size : int
        Greatest number of characters of all lines, and of one.
    marks : int
        Greatest number of marks of an annotation.
    """

    lines: int = 200_000
    size: int = 512 * 2**20
    line_size: int = 2**20
    marks: int = 1_000


BOUNDS = Bounds()


@dataclass(frozen=True)
class Refusal:
    """A line, or an entry of a JSON list, that could not be used.

    Attributes
    ----------
    line : int
        Its number, from 1.
    reason : str
        Why.
    """

    line: int
    reason: str


@dataclass(frozen=True)
class Reading:
    """What a file holds.

    Attributes
    ----------
    annotations : tuple of Annotation
        In the order of the file.
    refusals : tuple of Refusal
        The lines that could not be used.
    skipped : mapping of str to int
        Lines that are not meant to be used, by what they are.
    incomplete : frozenset of (str, str, str)
        Person, system and segment of annotations that lack what a refused line says of them.
    """

    annotations: tuple[Annotation, ...]
    refusals: tuple[Refusal, ...]
    skipped: Mapping[str, int]
    incomplete: frozenset[tuple[str, str, str]] = frozenset()


@dataclass(frozen=True)
class Written:
    """A file, and what it has no place for.

    Attributes
    ----------
    text : str
        The content.
    lost : tuple of str
        A sentence for each kind of thing that the annotations have and the file does not.
    """

    text: str
    lost: tuple[str, ...]


@dataclass
class Notes:
    """What a reader notes down on its way."""

    refusals: list[Refusal] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    incomplete: set[tuple[str, str, str]] = field(default_factory=set)

    def reading(self, annotations: Iterable[Annotation]) -> Reading:
        """Return all as the outcome of reading."""
        refused = tuple(sorted(self.refusals, key=lambda each: each.line))
        return Reading(tuple(annotations), refused, dict(self.skipped), frozenset(self.incomplete))


def numbered_lines(lines: Iterable[bytes | str], notes: Notes, bounds: Bounds = BOUNDS) -> Iterator[tuple[int, str]]:
    """Give the lines of a file one by one, without their ends.

    Parameters
    ----------
    lines : iterable of bytes or str
        Lines as an open file gives them, in UTF-8 with or without a byte order mark.
    notes : Notes
        Where lines that cannot be read are noted.
    bounds : Bounds
        How much is read.

    Yields
    ------
    (int, str)
        Number from 1, and the line, unless it is empty.

    Raises
    ------
    ValueError
        If there are more lines or characters than the bounds allow.

    Examples
    --------
    >>> list(numbered_lines([b"one\\r\\n", b"\\n", b"two"], Notes()))
    [(1, 'one'), (3, 'two')]
    """
    size = 0
    for number, raw in enumerate(lines, start=1):
        size += len(raw)
        if number > bounds.lines or size > bounds.size:
            raise ValueError(
                f"line {number}: a file may have {bounds.lines:,} lines and {bounds.size:,} characters, and has more"
            )
        if len(raw) > bounds.line_size:
            notes.refusals.append(Refusal(number, f"it has more than {bounds.line_size:,} characters"))
            continue
        try:
            line = raw if isinstance(raw, str) else raw.decode()
        except UnicodeDecodeError:
            notes.refusals.append(Refusal(number, "not UTF-8"))
            continue
        line = line.removesuffix("\n").removesuffix("\r")
        line = line.removeprefix("\ufeff") if number == 1 else line
        if line:
            yield number, line


def read_each(lines: Iterable[tuple[int, Any]], read: Callable[[int, Any], None], notes: Notes) -> None:
    """Read line after line; one that raises ValueError is noted with its number and reason.

    Parameters
    ----------
    lines : iterable of (int, object)
        Numbers, and lines or entries.
    read : callable
        What reads one.
    notes : Notes
        Where refusals are noted.

    Examples
    --------
    >>> notes = Notes()
    >>> read_each([(1, "5"), (2, "five")], lambda number, line: int(line), notes)
    >>> notes.refusals[0].line
    2
    """
    for number, line in lines:
        try:
            read(number, line)
        except ValueError as error:
            notes.refusals.append(Refusal(number, str(error)))


def json_of(text: str) -> Any:
    """Read JSON, without numbers that are not numbers.

    Parameters
    ----------
    text : str
        The JSON.

    Returns
    -------
    object
        What it says.

    Raises
    ------
    ValueError
        If it is not JSON, or nested too deep.

    Examples
    --------
    >>> json_of("[1, null]")
    [1, None]
    """

    def refuse(name: str) -> None:
        raise ValueError(f"not JSON: {name}")

    try:
        return json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg}") from error
    except RecursionError as error:
        raise ValueError("not JSON: nested too deep") from error


def whole(value: object, name: str) -> int:
    """Return a whole number, or raise ValueError that names it."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name} must be a whole number")
    return value


def text_or_empty(value: object, name: str) -> str:
    """Return a text, an empty one for None, or raise ValueError that names it."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a text")
    return value


def number(value: object, name: str) -> float:
    """Return a number from a number or a text, or raise ValueError that names it."""
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        found = float("nan")
    if isinstance(value, bool) or not abs(found) < float("inf"):
        raise ValueError(f"{name} must be a number")
    return found
