"""Exports of other annotation tools as tables: a line for each person's answers to an item, or for an item alone.

A line has the columns of the item, the person's answers under the names of their questions, and `item` and `person`,
the tool's own names for these. Spans are not among the answers. A column of the item that has such a name already
stands under `NAME (of the item)`.
"""

import io
import json
import lzma
import zipfile
import zlib
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import PurePath
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from common.errors import Refused
from common.extras import PARQUET
from compressions.readers import MAX_COLUMNS, json_fault, table_line

MAX_BYTES = 512 * 2**20  # of all files of an export together, unpacked
MAX_FILES = 1_000
TIMES = 4  # so much larger may the table be, which repeats an item for each person
MAX_COLUMN_LINES = 1_000  # characters in which staff name columns
CELL_COST = 32  # bytes of memory, beside its characters
_SHOWN = 40
_MAX_STEM = 250  # with ".csv", a file's name has a place in the database
UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError),  # damaged in one of the ways to pack
    *(NotImplementedError, RuntimeError, EOFError),
)
Files = Mapping[str, bytes]
Item = dict[str, Any]


@dataclass
class Answers:
    """What a person answered to an item, or nobody; a question may have several answers, as a text written twice."""

    item: Item
    number: str
    person: str
    values: dict[str, list[Any]] = field(default_factory=dict)


@dataclass
class ToolTable:
    """The lines of an export, and what of it has no line, with the reason and how often."""

    lines: list[dict[str, str]]
    left_out: Counter[str]

    def as_csv(self) -> bytes:
        names = list(dict.fromkeys(name for line in self.lines for name in line))
        rows = [
            [" ".join(name.split()) for name in names],
            *([line.get(name, "") for name in names] for line in self.lines),
        ]
        return b"".join(table_line(row, {}) for row in rows)


def tool_table(
    tool: str, file_name: str, content: bytes, *, with_items: bool = False, is_upload: bool = False
) -> ToolTable:
    """Read an export: one file, or a ZIP of its files. Raise Refused for what is no export of this tool.

    With items, those that nobody has answered have a line, too, without a person.
    What staff send is held to the size of an upload when it is unpacked, too, and has no Arrow, which can grow without
    bounds.
    """
    left_out: Counter[str] = Counter()
    begun: list[str] = []
    most = settings.UPLOAD_MAX_BYTES if is_upload else MAX_BYTES
    try:
        files = _files(file_name, content, most)
        if is_upload and any(name.endswith(".arrow") for name in files):
            raise Refused(_("Arrow files are imported by commands alone. Save the dataset as JSONL, with to_json."))
        lines = _bounded(file_name, _all_lines(TOOLS[tool](files, left_out), begun, with_items=with_items), most)
    except UnicodeDecodeError as error:
        raise Refused(_("%(file)s is not UTF-8.") % {"file": file_name}) from error
    except (json.JSONDecodeError, RecursionError) as error:
        raise Refused(f"{file_name}: {json_fault(error)}") from error
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        words = _("%(file)s is not what %(tool)s exports (%(error)s).")
        if begun:
            words = _("%(file)s is not what %(tool)s exports, after item %(item)s (%(error)s).")
        told = {"file": file_name, "tool": tool, "item": "".join(begun)[:_SHOWN], "error": repr(error)[:200]}
        raise Refused(words % told) from error
    if not lines:
        empty = _("%(file)s has no items.") if with_items else _("%(file)s: nobody has answered anything in it.")
        raise Refused(empty % {"file": file_name})
    return ToolTable(lines, left_out)


def uploaded_table(
    written_by: str, file_name: str, content: bytes, *, with_items: bool
) -> tuple[str, bytes, list[tuple[int, str]]]:
    """Read what staff send; its name and content as a table, and what has no line, as warnings of an import."""
    table = tool_table(written_by, file_name, content, with_items=with_items, is_upload=True)
    warnings = [(0, left_out_words(reason, times)) for reason, times in table.left_out.most_common()]
    return f"{file_name[:_MAX_STEM]}.csv", table.as_csv(), warnings


def left_out_words(reason: str, times: int) -> str:
    return _("Left out, %(reason)s: %(n)s") % {"reason": reason, "n": times}


def pairs(given: Iterable[str]) -> dict[str, str]:
    """Return what is written as NAME=VALUE, by the names."""
    found = list(given)
    if wrong := next((each for each in found if "=" not in each), None):
        raise Refused(_("%(option)s: write NAME=COLUMN or NAME=VALUE.") % {"option": repr(wrong)})
    return dict(each.split("=", 1) for each in found)


def column_lines(given: str) -> dict[str, str]:
    """Return columns by the names that are wanted, of which a person wrote one in each line."""
    found: dict[str, str] = {}
    for line in filter(str.strip, given.splitlines()):
        name, _equals, column = (part.strip() for part in line.partition("="))
        if not (name and column):
            raise Refused(_("%(line)s: write what is wanted, = and the name of its column.") % {"line": repr(line)})
        if found.setdefault(name, column) != column:
            raise Refused(_("Two columns are named for %(name)s.") % {"name": repr(name)})
    return found


def _bounded(file_name: str, lines: Iterable[dict[str, str]], most: int) -> list[dict[str, str]]:
    """Return the lines of a table; refuse one that outgrows its file by far, or has too many columns."""
    found, names, size = list[dict[str, str]](), dict[str, None](), 0
    for line in lines:
        found.append(line)
        names |= dict.fromkeys(line)
        size += sum(len((name + cell).encode()) + CELL_COST for name, cell in line.items())
        if max(size, len(found) * len(names) * CELL_COST) > TIMES * most or len(names) > MAX_COLUMNS:
            words = _("%(file)s: as a table it has more than %(n)s MiB or %(columns)s columns. Split it.")
            raise Refused(words % {"file": file_name, "n": TIMES * most // 2**20, "columns": f"{MAX_COLUMNS:,}"})
    return found


def _files(file_name: str, content: bytes, most: int) -> Files:
    """The files of a ZIP by their names, or the one file; no more than can be held in memory."""
    if not file_name.lower().endswith(".zip"):
        return {PurePath(file_name).name: content}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [each for each in archive.infolist() if not (each.is_dir() or _is_hidden(each.filename))]
            if len(entries) > MAX_FILES or sum(each.file_size for each in entries) > most:
                words = _("%(file)s holds more than %(files)s files or %(n)s MiB.")
                raise Refused(words % {"file": file_name, "files": MAX_FILES, "n": most // 2**20})
            return {each.filename: archive.read(each) for each in entries}
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        OSError,
        NotImplementedError,
        RuntimeError,
        EOFError,
    ) as error:
        raise Refused(_("%(file)s is no ZIP that can be read.") % {"file": file_name}) from error


def _all_lines(found: Iterable[Answers], begun: list[str], *, with_items: bool) -> Iterator[dict[str, str]]:
    """The lines of all answers, and after them those of items without any, if wanted; `begun` says where it is."""
    answered, others = set[tuple[str, str]](), dict[tuple[str, str], Answers]()
    contents: dict[int, tuple[Item, str]] = {}  # of each item once, however many answers it has
    for each in found:
        begun[:] = [each.number]
        is_answered = any(each.values.values())
        if is_answered:
            yield from _lines(each)
        if with_items:
            if id(each.item) not in contents:
                contents[id(each.item)] = each.item, _digest(each.item)
            key = each.number, contents[id(each.item)][1]
            if is_answered:
                answered.add(key)
            else:
                others.setdefault(key, each)
    for key, each in others.items():
        if key not in answered:
            own = {"item": each.number, "person": ""}
            yield {**_of_item(each.item, own), **own}


def _digest(item: Item) -> str:
    """Tell items apart that have the same number, as those of two projects may."""
    return sha256(json.dumps(item, sort_keys=True).encode()).hexdigest()


def _is_hidden(name: str) -> bool:
    """Whether it is one of the files that macOS adds to each ZIP."""
    path = PurePath(name)
    return path.parts[0] == "__MACOSX" or path.name.startswith(".")


def _of_item(item: Item, taken: Collection[str]) -> dict[str, str]:
    return {f"{name} (of the item)" if name in taken else name: _cell(value) for name, value in item.items()}


def _lines(answers: Answers) -> Iterator[dict[str, str]]:
    """As many lines as a question has answers; a question with fewer is empty in the later ones."""
    own = {"item": answers.number, "person": answers.person}
    item = _of_item(answers.item, {*own, *answers.values})
    for nth in range(max(map(len, answers.values.values()))):
        given = {
            name: _cell(values[nth]) if nth < len(values) else "" for name, values in answers.values.items() if values
        }
        yield {**item, **own, **given}


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _json_lines(content: bytes) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(content.decode("utf-8-sig").split("\n"), start=1):
        if line.strip():
            found = json.loads(line)
            if not isinstance(found, dict):
                raise TypeError(f"line {number} is no object")
            yield found


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


# Label Studio: the raw JSON. JSON_MIN overwrites a column `id`, and drops who cancelled.

_VALUE_OF = {"rating": "rating", "choices": "choices", "textarea": "text", "number": "number"}


def label_studio(files: Files, left_out: Counter[str]) -> Iterator[Answers]:
    for name, content in files.items():
        for task in json.loads(content.decode("utf-8-sig")):
            if "data" not in task:
                words = _("%(file)s: a task has no “data”. Export “JSON”, not “JSON-MIN”.")
                raise Refused(words % {"file": name})
            yield Answers(task["data"], str(task["id"]), "")
            for annotation in task["annotations"]:
                if annotation.get("was_cancelled"):
                    left_out[_("skipped by the annotator")] += 1
                    continue
                answers = Answers(task["data"], str(task["id"]), _label_studio_person(annotation["completed_by"]))
                for result in annotation["result"]:
                    if key := _VALUE_OF.get(result["type"]):
                        given = result["value"][key]
                        answers.values.setdefault(result["from_name"], []).extend(
                            given if isinstance(given, list) else [given]
                        )
                yield answers


def _label_studio_person(completed_by: Any) -> str:
    return str(completed_by["id"] if isinstance(completed_by, dict) else completed_by)


# doccano: a ZIP with a file for each annotator, whose name is the only place of theirs.

SHARED = "all"  # the file's name where annotators share their answers, so nothing says who gave them
_DOCCANO_OWN = {"id", "label", "Comments"}


def doccano(files: Files, left_out: Counter[str]) -> Iterator[Answers]:
    for name, content in files.items():
        person = PurePath(name).stem
        for line in _json_lines(content):
            labels = line["label"]
            item = {key: value for key, value in line.items() if key not in _DOCCANO_OWN}
            if not all(map(_is_plain, labels)):
                left_out[_("spans")] += 1
                labels = []
            yield Answers(item, str(line["id"]), "" if person == SHARED else person, {"label": list(labels)})


# Potato: the annotations name their items alone, so the file of items has to be beside them.


def potato(files: Files, _left_out: Counter[str]) -> Iterator[Answers]:
    lines = [line for content in files.values() for line in _json_lines(content)]
    annotations = [line for line in lines if "instance_id" in line]
    if not annotations:
        raise ValueError(_("no line has an instance_id; a file of items alone is a table as it is"))
    items = dict[str, Item]()
    for line in (each for each in lines if "instance_id" not in each):
        if items.setdefault(str(line["id"]), line) != line:
            raise ValueError(_("there are two items %(id)s") % {"id": repr(str(line["id"])[:40])})
    if missing := next((each["instance_id"] for each in annotations if str(each["instance_id"]) not in items), None):
        words = _("There is no item %(id)s: put the annotations and the file of items into one ZIP.")
        raise Refused(words % {"id": repr(str(missing)[:40])})
    for number, item in items.items():
        yield Answers(item, number, "")
    for line in annotations:
        values = {schema: list(given.values()) for schema, given in line["labels"].items()}
        number = str(line["instance_id"])
        yield Answers(items[number], number, str(line["user_id"]), values)


# Argilla: `records.json` of `to_json`, or the flat columns of `to_datasets`, as JSONL or in Arrow.

_RESPONSES = ".responses"


def argilla(files: Files, left_out: Counter[str]) -> Iterator[Answers]:
    read = 0
    for name, content in files.items():
        if name.endswith(".arrow"):
            records = _arrow_rows(content)
        elif content.removeprefix(BOM_UTF8).lstrip()[:1] == b"[":
            records = json.loads(content.decode("utf-8-sig"))
        elif name.endswith((".jsonl", ".ndjson")):
            records = list(_json_lines(content))
        else:
            continue  # what a folder of `datasets` says of itself
        read += 1
        for record in records:
            yield from _nested_record(record) if "fields" in record else _flat_record(record, left_out)
    if not read:
        raise ValueError(_("no list of records, no JSONL and no Arrow"))


def _nested_record(record: dict[str, Any]) -> Iterator[Answers]:
    item = {**record["fields"], **record["metadata"]}
    given = [
        (str(response["user_id"]), question, response["value"])
        for question, responses in record["responses"].items()
        for response in responses
    ]
    yield from _by_person(item, str(record["id"]), given)


def _flat_record(record: dict[str, Any], left_out: Counter[str]) -> Iterator[Answers]:
    item = {name: value for name, value in record.items() if "." not in name and name not in _ARGILLA_OWN}
    given: list[tuple[str, str, Any]] = []
    questions = [name.removesuffix(_RESPONSES) for name in record if name.endswith(_RESPONSES)]
    if not questions:
        raise KeyError(_RESPONSES)
    for question in questions:
        columns = (record[f"{question}{_RESPONSES}{part}"] or [] for part in ("", ".users", ".status"))
        for value, person, status in zip(*columns, strict=True):
            if status == "submitted":
                given.append((str(person), question, value))
            else:
                left_out[str(status)[:_SHOWN]] += 1
    yield from _by_person(item, str(record["id"]), given)


_ARGILLA_OWN = {"id", "status", "_server_id"}


def _by_person(item: Item, number: str, given: list[tuple[str, str, Any]]) -> Iterator[Answers]:
    by_person: dict[str, dict[str, list[Any]]] = {}
    for person, question, value in given:
        values = by_person.setdefault(person, {})
        if _is_plain(value):
            values[question] = [value]
    yield Answers(item, number, "")
    for person, values in by_person.items():
        yield Answers(item, number, person, values)


def _arrow_rows(content: bytes) -> list[dict[str, Any]]:
    if not PARQUET.is_installed:
        raise Refused(_("Arrow files need an extra: %(command)s") % {"command": PARQUET.command})
    import pyarrow

    try:
        rows: list[dict[str, Any]] = pyarrow.ipc.open_stream(content).read_all().to_pylist()
    except pyarrow.ArrowInvalid as error:
        raise Refused(str(error)) from error
    return rows


Reader = Callable[[Files, Counter[str]], Iterator[Answers]]
TOOLS: dict[str, Reader] = {"argilla": argilla, "doccano": doccano, "label-studio": label_studio, "potato": potato}
TOOL_NAMES = {"argilla": "Argilla", "doccano": "doccano", "label-studio": "Label Studio", "potato": "Potato"}
