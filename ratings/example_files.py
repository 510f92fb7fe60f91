"""Read files of questions with known answers: JSONL, CSV or TSV. Every fault names its line and its field."""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from pathlib import PurePath
from typing import Any

from django.utils.translation import gettext as _

from common.errors import Refused
from compressions.readers import JSON_SUFFIXES, TOO_LONG, BadLine, json_fault, lines_of, table_rows, text_fault
from crowd.models import Campaign
from crowd.scales import Scale
from measures.text.normalization import forbidden_character
from ratings.example_check import MOST_QUESTIONS, ExampleText

MAX_FILE_BYTES = 2 * 2**20
MAX_TEXT_LENGTH = 5_000
MAX_FAULTS = 50
MOST_UNKNOWN = 5  # scales named in a line
MOST_LINES = 200_000
"""Texts may have line breaks, and questions many texts; lines of nothing take time, too."""
TEXTS = ("source", "compression")
YES, NO = {"yes", "true", "1", "x"}, {"", "no", "false", "0"}
_POINT = re.compile(r"[^\s,;/|]+")


class Kind(StrEnum):
    TEST = "test"
    GOLD = "gold"


@dataclass(frozen=True)
class Fault:
    """Why a line cannot be used; `field` is empty if the whole line cannot be read, `line` is 0 for the whole file."""

    line: int
    field: str
    reason: str

    def __str__(self) -> str:
        where = [f"line {self.line}"] * bool(self.line) + [repr(self.field)] * bool(self.field)
        return ": ".join([*where, self.reason])


class FileRefused(Refused):
    """Nothing of a file is stored, because some of its lines cannot be used."""

    def __init__(self, file_name: str, faults: list[Fault]) -> None:
        self.faults, self.more = faults[:MAX_FAULTS], max(0, len(faults) - MAX_FAULTS)
        super().__init__(f"{file_name}, {faults[0]}")


@dataclass(frozen=True)
class _Line:
    """A line as it was read: the fields of its texts, and the accepted points by scale."""

    number: int
    fields: Mapping[str, Any]
    answers: Any


def examples_read(file_name: str, content: bytes, campaign: Campaign, kind: Kind) -> list[ExampleText]:
    """Return the questions of a file; raise FileRefused with all faults if there is one."""
    if len(content) > MAX_FILE_BYTES:
        raise FileRefused(file_name, [Fault(0, "", _("larger than %(size)s MiB") % {"size": MAX_FILE_BYTES // 2**20})])
    if content.count(b"\n") + content.count(b"\r") - content.count(b"\r\n") > MOST_LINES:
        raise FileRefused(file_name, [Fault(0, "", _("more than %(n)s lines") % {"n": f"{MOST_LINES:,}"})])
    reader = _Reader(campaign, kind)
    for number, entry in enumerate(_lines(file_name, content, campaign)):
        if number == MOST_QUESTIONS:
            raise FileRefused(file_name, [Fault(0, "", _("more than %(n)s questions") % {"n": f"{MOST_QUESTIONS:,}"})])
        reader.add(entry)
    if not reader.faults and not reader.found:
        reader.faults.append(Fault(0, "", _("there are no questions in it")))
    if reader.faults:
        raise FileRefused(file_name, reader.faults)
    return list(reader.found)


class _Reader:
    """Collects questions and faults; each question once."""

    def __init__(self, campaign: Campaign, kind: Kind) -> None:
        self.campaign, self.kind = campaign, kind
        self.found: list[ExampleText] = []
        self.faults: list[Fault] = []
        self._line_of: dict[tuple[str, ...], int] = {}

    def add(self, entry: _Line | BadLine) -> None:
        if isinstance(entry, BadLine):
            self.faults.append(Fault(entry.line, "", entry.reason))
            return
        faults = [Fault(entry.number, name, reason) for name, reason in self._faults(entry)]
        if faults:
            self.faults += faults
            return
        example = self._example(entry)
        texts = (example.source, example.compression, example.other)
        if texts in self._line_of:
            self.faults.append(
                Fault(
                    entry.number,
                    "compression",
                    _("the same question as in line %(line)s") % {"line": self._line_of[texts]},
                )
            )
            return
        self._line_of[texts] = entry.number
        self.found.append(example)

    def _faults(self, line: _Line) -> Iterator[tuple[str, str]]:
        """Yield the faults of a line, each with its field."""
        wanted = [*TEXTS, *([] if self.campaign.task.judges_single_texts else ["other"])]
        explained = ["why"] if self.kind == Kind.TEST else []
        for name in ("source", "compression", "other", "why"):
            if reason := _text_fault(line.fields.get(name), is_wanted=name in [*wanted, *explained]):
                yield name, reason
        if self.campaign.task.judges_single_texts and line.fields.get("other"):
            yield "other", _("raters of this campaign rate one version at a time")
        if self.kind == Kind.TEST and _practice(line.fields.get("is_practice")) is None:
            yield "is_practice", _("must be true or false")
        yield from _answer_faults(line.answers, self.campaign.rating_scales)

    def _example(self, line: _Line) -> ExampleText:
        texts = {name: (line.fields.get(name) or "").strip() for name in ("source", "compression", "other", "why")}
        answers = {scale: sorted(set(points)) for scale, points in line.answers.items()}
        is_practice = self.kind == Kind.TEST and bool(_practice(line.fields.get("is_practice")))
        return ExampleText(answers=answers, is_practice=is_practice, **texts)


def _text_fault(text: object, *, is_wanted: bool) -> str:
    if text is None or text == "" or (isinstance(text, str) and not text.strip()):
        return _("must not be empty") if is_wanted else ""
    if not isinstance(text, str):
        return _("must be text")
    if reason := text_fault(text):
        return reason
    if len(text.strip()) > MAX_TEXT_LENGTH:
        words = _("%(n)s characters, at most %(most)s are stored")
        return words % {"n": f"{len(text.strip()):,}", "most": f"{MAX_TEXT_LENGTH:,}"}
    if forbidden := forbidden_character(text):
        position, character = forbidden
        return _("%(what)s at character %(position)s") % {"what": character, "position": position + 1}
    return ""


def _practice(value: object) -> bool | None:
    """Return whether a field says yes; None if it says neither yes nor no."""
    if value is None or isinstance(value, bool):
        return bool(value)
    word = value.strip().lower() if isinstance(value, str) else None
    return True if word in YES else False if word in NO else None


def _answer_faults(answers: object, scales: Iterable[Scale]) -> Iterator[tuple[str, str]]:
    if not isinstance(answers, dict):
        yield "answers", _("must be a list of points for each scale")
        return
    known = {scale.key: scale for scale in scales}
    for key, scale in known.items():
        if reason := _points_fault(answers.get(key), scale):
            yield key, reason
    for key in islice((key for key in answers if key not in known), MOST_UNKNOWN):
        yield "answers", _("the campaign has no scale %(scale)s") % {"scale": _named(key)}


def _points_fault(points: object, scale: Scale) -> str:
    if not isinstance(points, list) or not points:
        return _("must be a list of the points that are right")
    # Not isinstance, which accepts booleans as int.
    wrong = [point for point in points if type(point) is not int or point not in scale.values]
    if not wrong:
        return ""
    words = _("%(point)s is not among the points %(lowest)s to %(highest)s")
    return words % {"point": _named(wrong[0]), "lowest": scale.values[0], "highest": scale.values[-1]}


def _named(value: object) -> str:
    """Return the start of a value so that a page can show it: JSON may hold lone surrogates, UTF-8 may not."""
    return str(value)[:40].encode(errors="backslashreplace").decode()


def _lines(file_name: str, content: bytes, campaign: Campaign) -> Iterator[_Line | BadLine]:
    suffix, lines = PurePath(file_name).suffix.lower(), lines_of(content)
    if suffix in JSON_SUFFIXES:
        return _json_lines(lines)
    if suffix == ".csv":
        return _table_lines(file_name, lines, campaign, strict=True)
    if suffix == ".tsv":
        return _table_lines(file_name, lines, campaign, delimiter="\t", quoting=csv.QUOTE_NONE)
    raise FileRefused(file_name, [Fault(0, "", _("a file of questions ends in .jsonl, .csv or .tsv"))])


def _json_lines(lines: Iterable[bytes | None]) -> Iterator[_Line | BadLine]:
    for number, line in enumerate(lines, start=1):
        if line is None:
            yield BadLine(number, TOO_LONG)
        elif line.strip():
            yield _json_line(number, line)


def _json_line(number: int, line: bytes) -> _Line | BadLine:
    try:
        value = json.loads(line.decode())
    except UnicodeDecodeError as error:
        return BadLine(number, _("not UTF-8 (byte %(byte)s of the line)") % {"byte": error.start + 1})
    except (ValueError, RecursionError) as error:
        return BadLine(number, _("not JSON (%(fault)s)") % {"fault": json_fault(error)})
    if not isinstance(value, dict):
        return BadLine(number, _("not a JSON object"))
    return _Line(number, value, value.get("answers"))


def _table_lines(
    file_name: str, lines: Iterable[bytes | None], campaign: Campaign, **dialect: Any
) -> Iterator[_Line | BadLine]:
    """Yield the rows of a table, which has a column with the accepted points of each scale."""
    keys = [scale.key for scale in campaign.rating_scales]
    try:
        for row in table_rows(file_name, lines, (*TEXTS, *keys), None, **dialect):
            if isinstance(row, BadLine):
                yield row
            else:
                yield _Line(row.line, row.fields, {key: _points(row.fields[key]) for key in keys})
    except Refused as refusal:
        raise FileRefused(file_name, [Fault(0, "", str(refusal))]) from refusal


def _points(cell: str) -> list[object]:
    """Return the points in a cell, such as "3" or "2 3"; what is no number stays as it is, to be named."""
    return [
        int(each) if each.isascii() and each.isdecimal() and len(each) < 5 else each for each in _POINT.findall(cell)
    ]
