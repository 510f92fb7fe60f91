"""Read files of ratings: JSONL, CSV or TSV, one rating a line. Lines that cannot be used come with the reason."""

import csv
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import PurePath
from typing import Any

from django.utils.translation import gettext as _

from common.errors import Refused
from compressions.models import text_digest
from compressions.readers import (
    JSON_SUFFIXES,
    TOO_LONG,
    BadLine,
    json_fault,
    lines_of,
    table_rows,
    text_fault,
    with_wide_lines,
)
from crowd.models import Campaign
from crowd.models.people import MAX_NAME_LENGTH
from crowd.scales import Scale, plain_number
from measures.text.normalization import display_text, forbidden_character
from ratings.models import MAX_MODEL_NAME_LENGTH, ImportPool

COLUMNS = ("id", "text", "system", "rater")
_DIALECTS: dict[str, dict[str, Any]] = {
    ".csv": {"strict": True},
    ".tsv": {"delimiter": "\t", "quoting": csv.QUOTE_NONE},
}
_NUMBER = re.compile(r"[+-]?[0-9]{1,20}(\.[0-9]{0,20})?")
_SHOWN, _MOST_NAMED = 40, 50
_NOT_IN_NAMES = set("/\\;|")


@dataclass(frozen=True, slots=True)
class FileRating:
    """A line of a file: points for a text of a source, which is named by its digest, or as a system's output.

    `output` is the id of that output, once it has been found, in a file of people's ratings: they are of the output
    alone. A model's ratings are of the text.
    """

    line: int
    source_id: str
    digest: str
    system: str
    rater: str
    scores: Mapping[str, float]
    output: int | None = None


class Unusable(Exception):
    """Why a line cannot be used."""


Lines = Iterator[FileRating | BadLine]
_Fields = tuple[int, Mapping[str, Any]]


class LeftAside(dict[str, int]):
    """The columns that a file has beside those that are read, each with the line that has it first."""

    def warnings(self) -> list[tuple[int, str]]:
        words = _("the column %(name)s is left aside")
        return [(line, words % {"name": repr(name[:_SHOWN])}) for name, line in list(self.items())[:_MOST_NAMED]]


def rating_lines(
    file_name: str, content: bytes, scales: Sequence[Scale], pool: ImportPool, aside: LeftAside | None = None
) -> Lines:
    """Read a file, identified by its suffix; raise Refused if nothing of it can be used.

    Other columns than those of the scales are refused, or where their names are wanted they are left `aside`.
    """
    line_of = _reader_of_lines(scales, pool)
    for found in _fields(file_name, content, scales, pool, aside):
        if isinstance(found, BadLine):
            yield found
            continue
        try:
            yield line_of(*found)
        except Unusable as reason:
            yield BadLine(found[0], str(reason))


def wide_lines(
    file_name: str, content: bytes, long: str, columns: Mapping[str, str], values: Collection[str] = ()
) -> bytes:
    """Return a table with a line for each rating and scale as one with a line for each rating.

    `long` names, with `=` between them, the column that has the name of the scale and that of the number; `columns` the
    columns of the file for those that are wanted, and `values` those that are filled in for all lines.
    """
    name, _equals, value = long.partition("=")
    if not name.strip() or not value.strip():
        words = _("%(option)s: write COLUMN=COLUMN, the name of the scale and the number.")
        raise Refused(words % {"option": repr(long[:_SHOWN])})
    there = _names(next(lines_of(content), None) or b"", _DIALECTS.get(PurePath(file_name).suffix.lower(), {}))
    of_file = {each: columns.get(each, each).strip().lower() for each in COLUMNS if each not in values}
    same = [column for each, column in of_file.items() if each in ("id", "rater") or column in there]
    return with_wide_lines(file_name, content, names=name, values=value, same=same)


def refuse_unfit(campaign: Campaign, scales: Sequence[Scale]) -> None:
    """Raise Refused if a campaign has no place for ratings of single texts, or its scales none for their points."""
    if not campaign.task.judges_single_texts:
        raise Refused(_("Raters of this campaign compare two texts; a file has ratings of single texts."))
    if taken := [scale.key for scale in scales if scale.key in COLUMNS]:
        words = _("The scale %(key)s has the name of another column, so no file can have points for it.")
        raise Refused(words % {"key": taken[0]})


def _fields(
    file_name: str, content: bytes, scales: Sequence[Scale], pool: ImportPool, aside: LeftAside | None
) -> Iterator[_Fields | BadLine]:
    suffix = PurePath(file_name).suffix.lower()
    if suffix in JSON_SUFFIXES:
        return _json_fields(content, scales, aside)
    if suffix in _DIALECTS:
        return _table_fields(file_name, content, scales, pool, aside)
    raise Refused(_("%(file)s: a file of ratings ends in .jsonl, .csv or .tsv.") % {"file": file_name})


def _json_fields(content: bytes, scales: Sequence[Scale], aside: LeftAside | None) -> Iterator[_Fields | BadLine]:
    for number, line in enumerate(lines_of(content), start=1):
        if line is None:
            yield BadLine(number, TOO_LONG)
        elif line.strip():
            yield _json_object(number, line, scales, aside)


def _json_object(number: int, line: bytes, scales: Sequence[Scale], aside: LeftAside | None) -> _Fields | BadLine:
    try:
        value = json.loads(line.decode())
    except UnicodeDecodeError as error:
        return BadLine(number, _("not UTF-8 (byte %(n)s of the line)") % {"n": error.start + 1})
    except (ValueError, RecursionError) as error:
        return BadLine(number, _("not JSON (%(fault)s)") % {"fault": json_fault(error)})
    if not isinstance(value, dict):
        return BadLine(number, _("not a JSON object"))
    fault = _unknown_column(value, scales, number, aside)
    return BadLine(number, fault) if fault else (number, value)


def _table_fields(
    file_name: str, content: bytes, scales: Sequence[Scale], pool: ImportPool, aside: LeftAside | None
) -> Iterator[_Fields | BadLine]:
    """Yield the rows of a table; people's points need a column for each scale, a model's at least one."""
    dialect = _DIALECTS[PurePath(file_name).suffix.lower()]
    first = next(lines_of(content), None) or b""
    names = _names(first, dialect)
    if "id" in names and (fault := _unknown_column(names, scales, 1, aside)):
        raise Refused(_("%(file)s, line 1: %(reason)s") % {"file": file_name, "reason": fault})
    keys = [scale.key for scale in scales]
    wanted = ["id", "rater", *(key for key in keys if key in names)] if pool == ImportPool.MODEL else ["id", *keys]
    optional = [name for name in (*COLUMNS, *keys) if name in names and name not in wanted]
    for row in table_rows(file_name, lines_of(content), wanted, optional, **dialect):
        yield row if isinstance(row, BadLine) else (row.line, row.fields)


def _names(first: bytes, dialect: Mapping[str, Any]) -> list[str]:
    """Return the names in the first line of a table; none where it is unreadable, which its reader will say."""
    try:
        header = next(csv.reader([first.decode(errors="surrogateescape")], **dialect), [])
    except csv.Error:
        return []
    return [name.strip().lower() for name in header]


def _unknown_column(
    names: Mapping[str, Any] | Sequence[str], scales: Sequence[Scale], line: int, aside: LeftAside | None
) -> str:
    """Return why a line cannot have these columns, or note those that are left aside."""
    known = [*COLUMNS, *(scale.key for scale in scales)]
    unknown = next((name for name in names if name and name not in known), None)
    if unknown is None:
        return ""
    if aside is not None:
        for name in names:
            if name and name not in known and len(aside) < _MOST_NAMED:
                aside.setdefault(name, line)
        return ""
    words = _("there is no scale or column %(name)s; there are %(known)s.")
    return words % {"name": repr(unknown[:_SHOWN]), "known": ", ".join(known)}


def _reader_of_lines(scales: Sequence[Scale], pool: ImportPool) -> Callable[[int, Mapping[str, Any]], FileRating]:
    """Return a function that makes a rating of the fields of a line, or raises Unusable."""
    point_of = _number if pool == ImportPool.MODEL else _point

    def line_of(number: int, fields: Mapping[str, Any]) -> FileRating:
        cells = {name: _cell(name, fields.get(name)) for name in COLUMNS}
        if not cells["id"]:
            raise Unusable(_("no id of a source"))
        if not cells["text"].strip() and not cells["system"]:
            raise Unusable(_("neither a text nor a system"))
        rater, digest = rater_name(cells["rater"], pool), _digest(cells["text"])
        scores = {scale.key: point_of(scale, fields.get(scale.key)) for scale in scales}
        given = {key: point for key, point in scores.items() if point is not None}
        if not given:
            raise Unusable(_("no number on any scale"))
        return FileRating(number, cells["id"], digest, cells["system"], rater, given)

    return line_of


def _cell(name: str, value: object) -> str:
    """Return a field as text; that of `text` is as it stands, the others have no white space around them."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise Unusable(_("%(name)s is not a string") % {"name": repr(name)})
    return value if name == "text" and isinstance(value, str) else str(value).strip()


def _digest(text: str) -> str:
    """Return the digest of a text as campaigns keep it; empty if no text is given."""
    if not text.strip():
        return ""
    if reason := text_fault(text):
        raise Unusable(_("the text: %(reason)s") % {"reason": reason})
    if forbidden := forbidden_character(text):
        position, character = forbidden
        words = _("%(character)s at character %(n)s of the text")
        raise Unusable(words % {"character": character, "n": position + 1})
    return text_digest(display_text(text))


def rater_name(name: str, pool: ImportPool) -> str:
    """Return a rater's name in its composed form. People may have none: then nobody knows whose the rating is."""
    most = MAX_MODEL_NAME_LENGTH if pool == ImportPool.MODEL else MAX_NAME_LENGTH
    if not name and pool == ImportPool.MODEL:
        raise Unusable(_("no rater: the name of the model"))
    if len(name) > most:
        words = _("the rater’s name has %(n)s characters, at most %(most)s allowed")
        raise Unusable(words % {"n": f"{len(name):,}", "most": most})
    if not name.isprintable() or set(name) & _NOT_IN_NAMES:
        raise Unusable(_(r"a rater’s name has no control characters and none of / \ ; |"))
    tidied = display_text(name)
    if len(tidied) > most:
        raise Unusable(_("the rater’s name is too long"))
    return tidied


def _number(scale: Scale, value: object) -> float | None:
    """Return a number from the lowest point of a scale to its highest; None if none is given."""
    number = _parsed(value)
    if number is None:
        return None
    if isinstance(number, str) or not scale.lowest <= number <= scale.highest:
        raise Unusable(_out_of_range(scale, value))
    return plain_number(number)


def _out_of_range(scale: Scale, value: object) -> str:
    words = _("%(scale)s: %(value)s is not a number from %(lowest)s to %(highest)s")
    return words % {"scale": scale.key, **_shown(value), "lowest": scale.lowest, "highest": scale.highest}


def _point(scale: Scale, value: object) -> float:
    """Return one of the points of a scale, or a number of one that takes any; people always give one."""
    number = _parsed(value)
    if number is None:
        raise Unusable(_("%(scale)s: no point") % {"scale": scale.key})
    if isinstance(number, str) or not scale.has(number):
        if not scale.has_few_points:
            step = scale.numbers.step if scale.numbers else None
            words = _("%(reason)s in steps of %(step)s") if step is not None else "%(reason)s"
            reason = _out_of_range(scale, value)
            raise Unusable(words % {"reason": reason, "step": step if step is None else plain_number(step)})
        words = _("%(scale)s: %(value)s is not one of the points %(points)s")
        points = ", ".join(map(str, scale.values))
        raise Unusable(words % {"scale": scale.key, **_shown(value), "points": points})
    return plain_number(number)


def _parsed(value: object) -> float | str | None:
    """Return the number in a field, None if it is empty, or an empty string if it is something else."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        return value if isinstance(value, int) or isfinite(value) else ""
    is_number = isinstance(value, str) and len(value) <= 2 * _SHOWN and _NUMBER.fullmatch(value.strip())
    return float(value) if isinstance(value, str) and is_number else ""


def _shown(value: object) -> dict[str, str]:
    return {"value": repr(value[:_SHOWN]) if isinstance(value, str) else f"{value!r:.{_SHOWN}}"}


TextLine = tuple[int, FileRating]
"""The id of a text, and a line that rates it."""


@dataclass
class AddedRatings:
    """How many lines were added, how many accepted (added or known before), and why the others were refused."""

    added: int = 0
    accepted: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)

    def judge(self, line: int, *, is_same: bool, otherwise: str) -> None:
        """Accept a line that says what is known; refuse one that says otherwise."""
        if is_same:
            self.accepted += 1
        else:
            self.problems.append((line, otherwise))
