"""What a value of a file may be: each kind reads it and describes itself in JSON Schema, so the two cannot differ."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from difflib import get_close_matches
from typing import Any

import yaml
from django.utils.translation import gettext as _

from common.typed_text import stacked_marks_words
from common.words import Words
from crowd.models.settings_version import plain_text
from dashboard.campaign_files.reading import (
    MAX_FAULTS,
    Fault,
    ListNode,
    MapNode,
    Node,
    Scalar,
    Unusable,
    faults_check,
    shown,
)
from measures.text.normalization import stacked_marks

Path = tuple[str | int, ...]
UNREAD: Any = object()
"""In place of a value that is wrong."""

_RESOLVER = yaml.SafeLoader("")
_STRING = "tag:yaml.org,2002:str"
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,9})")
_AMOUNT = re.compile(r"-?(0|[1-9][0-9]{0,9})(\.[0-9]{1,2})?")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,9})(\.[0-9]{1,20})?")


def is_read_as_text(plain: str) -> bool:
    """Whether YAML takes a value without quotes for a text: not for a number, a day, yes, no or nothing."""
    tag: str = _RESOLVER.resolve(yaml.ScalarNode, plain, (True, False))  # type: ignore[no-untyped-call]
    return tag == _STRING


@dataclass
class Reading:
    """What is found while a file is read: its faults, and the line of each value by its path."""

    faults: list[Fault] = field(default_factory=list)
    lines: dict[Path, int] = field(default_factory=dict)
    wrong: set[Path] = field(default_factory=set)

    def refuse(self, node: Node, path: Path, reason: str) -> Any:
        name = next((each for each in reversed(path) if isinstance(each, str)), "")
        self.faults.append(Fault(node.line, shown(name), reason))
        self.wrong.add(path)
        faults_check(self.faults)
        return UNREAD


class Kind(ABC):
    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """Describe what is valid."""

    @abstractmethod
    def read(self, node: Node, path: Path, reading: Reading) -> Any:
        """Return the value of a node; UNREAD, after a fault, if it has none of this kind."""

    def of(self, node: Node, path: Path, reading: Reading) -> Any:
        reading.lines[path] = node.line
        if isinstance(node, Unusable):
            reading.wrong.add(path)
            return UNREAD
        return self.read(node, path, reading)


def is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.is_plain and node.text in {"", "~", "null"}


@dataclass(frozen=True)
class Text(Kind):
    """A text; one with `choices` is one of them. Ends of lines, and white space around it, are as forms leave them."""

    most: int
    least: int = 0
    pattern: str = ""
    rule: Words = ""
    """What `pattern` means, in words."""
    choices: tuple[str, ...] = ()

    def schema(self) -> dict[str, Any]:
        if self.choices:
            return {"enum": list(self.choices)}
        described: dict[str, Any] = {"type": "string", "maxLength": self.most}
        if self.least:
            described["minLength"] = self.least
        if self.pattern and not self.least:
            described["anyOf"] = [{"maxLength": 0}, {"pattern": self.pattern}]
        elif self.pattern:
            described["pattern"] = self.pattern
        return described

    def read(self, node: Node, path: Path, reading: Reading) -> Any:
        if not isinstance(node, Scalar) or is_null(node):
            return reading.refuse(node, path, _("This must be a text."))
        if node.is_plain and not is_read_as_text(node.text):
            words = _("“%(value)s” is not a text in YAML. Put it in quotes.") % {"value": shown(node.text)}
            return reading.refuse(node, path, words)
        text = plain_text(node.text)
        fault = self._fault(text)
        return reading.refuse(node, path, fault) if fault else text

    def _fault(self, text: str) -> str:
        if self.choices:
            return "" if text in self.choices else self._no_choice(text)
        if not self.least <= len(text) <= self.most:
            return self._length_fault(text)
        if any(each == "\x00" or "\ud800" <= each <= "\udfff" for each in text):
            return _("This contains a character that is not allowed.")
        if (position := stacked_marks(text)) is not None:
            return stacked_marks_words(position)
        if text and self.pattern and not re.fullmatch(self.pattern, text):
            return str(self.rule)
        return ""

    def _length_fault(self, text: str) -> str:
        if len(text) < self.least:
            return _("This must not be empty.")
        words = _("This is %(length)s characters long. Use %(most)s or fewer.")
        return words % {"length": f"{len(text):,}", "most": f"{self.most:,}"}

    def _no_choice(self, text: str) -> str:
        words = _("“%(value)s” is not one of: %(choices)s.")
        return words % {"value": shown(text), "choices": ", ".join(self.choices)}


@dataclass(frozen=True)
class Whole(Kind):
    least: int
    most: int
    or_nothing: bool = False

    def schema(self) -> dict[str, Any]:
        return {"type": _type("integer", self.or_nothing), "minimum": self.least, "maximum": self.most}

    def read(self, node: Node, path: Path, reading: Reading) -> Any:
        if self.or_nothing and is_null(node):
            return None
        if not isinstance(node, Scalar) or not node.is_plain or not _WHOLE.fullmatch(node.text):
            return reading.refuse(node, path, _("This must be a whole number, without quotes."))
        number = int(node.text)
        return number if self.least <= number <= self.most else reading.refuse(node, path, _between(self))


@dataclass(frozen=True)
class Amount(Kind):
    """An amount of money, or nothing."""

    least: Decimal
    most: Decimal

    def schema(self) -> dict[str, Any]:
        return {"type": ["number", "null"], "minimum": float(self.least), "maximum": float(self.most)}

    def read(self, node: Node, path: Path, reading: Reading) -> Any:
        if is_null(node):
            return None
        if not isinstance(node, Scalar) or not node.is_plain or not _AMOUNT.fullmatch(node.text):
            return reading.refuse(node, path, _("This must be an amount such as 2.50, without quotes, or null."))
        amount = Decimal(node.text)
        return amount if self.least <= amount <= self.most else reading.refuse(node, path, _between(self))


@dataclass(frozen=True)
class Number(Kind):
    least: float
    most: float

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "minimum": self.least, "maximum": self.most}

    def read(self, node: Node, path: Path, reading: Reading) -> Any:
        if not isinstance(node, Scalar) or not node.is_plain or not _NUMBER.fullmatch(node.text):
            return reading.refuse(node, path, _("This must be a number such as 0.1, without quotes."))
        number = float(node.text)
        return number if self.least <= number <= self.most else reading.refuse(node, path, _between(self))


@dataclass(frozen=True)
class Truth(Kind):
    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def read(self, node: Node, path: Path, reading: Reading) -> Any:
        if isinstance(node, Scalar) and node.is_plain and node.text in {"true", "false"}:
            return node.text == "true"
        return reading.refuse(node, path, _("This must be true or false, without quotes."))


@dataclass(frozen=True)
class Setting(Kind):
    """A text, a whole number or a boolean: what a form can be sent, which then says whether it fits."""

    most: int

    def schema(self) -> dict[str, Any]:
        return {"type": ["string", "integer", "boolean"], "maxLength": self.most}

    def read(self, node: Node, path: Path, reading: Reading) -> Any:
        if isinstance(node, Scalar) and node.is_plain:
            if node.text in {"true", "false"}:
                return node.text == "true"
            if _WHOLE.fullmatch(node.text):
                return int(node.text)
        return Text(self.most).read(node, path, reading)


@dataclass(frozen=True)
class Moment(Kind):
    """A time, or nothing."""

    def schema(self) -> dict[str, Any]:
        return {"type": ["string", "null"], "format": "date-time"}

    def read(self, node: Node, path: Path, reading: Reading) -> Any:
        if is_null(node):
            return None
        try:
            moment = datetime.fromisoformat(node.text) if isinstance(node, Scalar) else None
            if moment is not None and moment.tzinfo is not None:
                return moment.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        return reading.refuse(node, path, _("This must be a time with its zone, such as “2026-03-01T09:00:00Z”."))


@dataclass(frozen=True)
class Listed(Kind):
    item: Kind
    most: int
    least: int = 0

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.item.schema(), "minItems": self.least, "maxItems": self.most}

    def read(self, node: Node, path: Path, reading: Reading) -> Any:
        if not isinstance(node, ListNode):
            return reading.refuse(node, path, _("This must be a list: lines that begin with “- ”."))
        if not self.least <= len(node.items) <= self.most:
            words = _("This must be a list of %(least)s to %(most)s; it has %(number)s.")
            values = {"least": self.least, "most": f"{self.most:,}", "number": f"{len(node.items):,}"}
            return reading.refuse(node, path, words % values)
        # What is wrong keeps its place, so that what follows keeps its line; nothing of such a file is stored.
        return [self.item.of(each, (*path, number), reading) for number, each in enumerate(node.items)]


@dataclass(frozen=True)
class Table(Kind):
    """Values under names that the file chooses."""

    value: Kind
    pattern: str

    def schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "propertyNames": {"pattern": self.pattern},
            "additionalProperties": self.value.schema(),
        }

    def read(self, node: Node, path: Path, reading: Reading) -> Any:
        if not isinstance(node, MapNode):
            return reading.refuse(node, path, _("This must be names with values."))
        found = {key.text: self.value.of(below, (*path, key.text), reading) for key, below in node.entries}
        return {name: value for name, value in found.items() if value is not UNREAD}


@dataclass(frozen=True)
class Entry:
    """A name in a record."""

    kind: Kind
    is_required: bool = False
    help: str = ""
    default: Any = UNREAD

    def schema(self) -> dict[str, Any]:
        described = self.kind.schema()
        if self.help:
            described["description"] = self.help
        if self.default is not UNREAD:
            described["default"] = self.default
        return described


@dataclass(frozen=True)
class Record(Kind):
    """Values under names that are known."""

    entries: Mapping[str, Entry]

    def schema(self) -> dict[str, Any]:
        described: dict[str, Any] = {"type": "object", "additionalProperties": False}
        described["properties"] = {name: entry.schema() for name, entry in self.entries.items()}
        if required := [name for name, entry in self.entries.items() if entry.is_required]:
            described["required"] = required
        return described

    def read(self, node: Node, path: Path, reading: Reading) -> Any:
        if not isinstance(node, MapNode):
            return reading.refuse(node, path, _("This must be names with values: lines such as “name: value”."))
        found = {}
        for key, below in node.entries:
            entry = self.entries.get(key.text)
            if entry is None:
                reading.refuse(key, (*path, key.text), self._unknown(key.text, reading))
            elif (value := entry.kind.of(below, (*path, key.text), reading)) is not UNREAD:
                found[key.text] = value
        there = {key.text for key, _below in node.entries}
        for name, entry in self.entries.items():
            if entry.is_required and name not in there:
                reading.refuse(node, (*path, name), _("This is missing."))
        return found

    def _unknown(self, name: str, reading: Reading) -> str:
        is_shown = len(reading.faults) < MAX_FAULTS  # looking for similar names takes long
        if is_shown and (close := get_close_matches(name[:60], self.entries, n=1)):
            return _("this is not known here; did you mean %(name)s?") % {"name": close[0]}
        return _("this is not known here.")


def _type(name: str, or_nothing: bool) -> str | list[str]:
    return [name, "null"] if or_nothing else name


def _between(kind: Whole | Amount | Number) -> str:
    words = _("This must be between %(least)s and %(most)s.")
    return words % {"least": f"{kind.least:,}", "most": f"{kind.most:,}"}
