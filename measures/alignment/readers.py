"""Texts to align from files: plain text, one a line, or JSON Lines, with gold alignments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from measures.alignment.pharaoh import GoldPairs, read_pairs
from measures.core.text_files import json_objects, text_lines


@dataclass(frozen=True)
class Entry:
    """A pair of texts: their words, lemmas and gold alignment where given, and the row they came in."""

    source: list[str]
    target: list[str]
    gold: GoldPairs | None
    source_lemmas: list[str] | None
    target_lemmas: list[str] | None
    row: dict[str, Any]


def read_lines(source: str, target: str, gold: str | None, possible: str | None) -> Iterator[Entry]:
    """Read files of one text a line, words separated by white space; each line of `gold` has the pairs of that line.

    Raises
    ------
    ValueError
        If files differ in length or a line cannot be read; it names the file and the line.
    """
    names = [name for name in (source, target, gold, possible) if name is not None]
    files = [text_lines(name) for name in names]
    for name, lines in zip(names, files, strict=True):
        if len(lines) != len(files[0]):
            raise ValueError(
                f"{name}, line {min(len(lines), len(files[0])) + 1}: {name} has {len(lines)} lines, "
                f"and {names[0]} has {len(files[0])}"
            )
    for number, fields in enumerate(zip(*files, strict=True), start=1):
        words, others = fields[0].split(), fields[1].split()
        pairs = None
        if gold is not None:
            pairs = _gold(fields[2], " ".join(fields[3:]), words, others, f"{gold}, line {number}")
        yield Entry(words, others, pairs, None, None, {})


def read_jsonl(name: str) -> Iterator[Entry]:
    """Read JSON Lines with ``source`` and ``target``, each a text or a list of words, and its optional keys.

    Raises
    ------
    ValueError
        If a line cannot be read; it names the file and the line.
    """
    for number, row in json_objects(name):
        yield _entry(row, f"{name}, line {number}")


def _entry(row: dict[str, Any], place: str) -> Entry:
    source, target = (_words(row.get(key), key, place) for key in ("source", "target"))
    source_lemmas = _lemmas(row.get("source_lemmas"), source, "source", place)
    target_lemmas = _lemmas(row.get("target_lemmas"), target, "target", place)
    gold = None
    if "sure" in row:
        sure, possible = row["sure"], row.get("possible", "")
        if not isinstance(sure, str) or not isinstance(possible, str):
            raise ValueError(f'{place}: sure and possible must be texts such as "0-0 1-2"')
        gold = _gold(sure, possible, source, target, place)
    return Entry(source, target, gold, source_lemmas, target_lemmas, row)


def _words(value: object, key: str, place: str) -> list[str]:
    if isinstance(value, str):
        return value.split()
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return value
    raise ValueError(f"{place}: {key} must be a text or a list of words")


def _lemmas(value: object, words: list[str], key: str, place: str) -> list[str] | None:
    if value is None:
        return None
    lemmas = _words(value, f"{key}_lemmas", place)
    if len(lemmas) != len(words):
        raise ValueError(f"{place}: {key} has {len(words)} words and {len(lemmas)} lemmas")
    return lemmas


def _gold(sure: str, possible: str, source: list[str], target: list[str], place: str) -> GoldPairs:
    try:
        first = read_pairs(sure, len(source), len(target))
        second = read_pairs(possible, len(source), len(target))
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error
    return GoldPairs(first.sure, first.possible | second.sure | second.possible)
