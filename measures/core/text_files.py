"""Files of lines and of JSON Lines, whose faults are named by file and line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


def text_lines(name: str | Path) -> list[str]:
    """Read the lines of a file in UTF-8. They end with a line feed alone: other breaks may stand in a text.

    Parameters
    ----------
    name : str or Path
        The file; ``"-"`` is standard input.

    Returns
    -------
    list of str
        Without their ends.

    Raises
    ------
    ValueError
        If the file cannot be read or is not in UTF-8.
    """
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise ValueError(f"{name}: {error.strerror}") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{name}, line {number}: byte {error.start} of the file is not UTF-8") from error
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []


def json_objects(name: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read JSON Lines; empty lines are passed over.

    Parameters
    ----------
    name : str or Path
        The file; ``"-"`` is standard input.

    Yields
    ------
    int, dict
        The number of a line, from 1, and its object.

    Raises
    ------
    ValueError
        If the file cannot be read, or a line is not a JSON object.
    """
    for number, line in enumerate(text_lines(name), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{name}, line {number}: {error}") from error
        if not isinstance(row, dict):
            raise ValueError(f"{name}, line {number}: not an object")
        yield number, row


def id_in(name: str | Path, line: int, row: Mapping[str, Any], instead: str | None = None) -> str:
    """Return the id of an object of JSON Lines.

    Parameters
    ----------
    name : str or Path
        The file.
    line : int
        The number of the line.
    row : mapping of str to Any
        The object.
    instead : str, optional
        The id of an object without one.

    Returns
    -------
    str
        A number as it is written.

    Raises
    ------
    ValueError
        If it is neither a text nor a number, or is missing.
    """
    found = row.get("id", instead)
    if isinstance(found, bool) or not isinstance(found, str | int):
        raise ValueError(f"{name}, line {line}: the id must be a text or a number")
    return text_checked(name, line, str(found), "id")


def text_checked(name: str | Path, line: int, text: object, what: str) -> str:
    """Return what stands in a line as a text, without half characters that no file can hold.

    Parameters
    ----------
    name : str or Path
        The file.
    line : int
        The number of the line.
    text : object
        What stands there.
    what : str
        What it should be.

    Returns
    -------
    str
        The text.

    Raises
    ------
    ValueError
        If it is none.
    """
    if not isinstance(text, str):
        raise ValueError(f"{name}, line {line}: there is no {what}")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(f"{name}, line {line}: {what} has half of a character (a surrogate)")
    return text
