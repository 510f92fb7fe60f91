"""The YAML of a file as nodes that know their lines, and every fault with its line and the name of what is wrong.

Of YAML we take what people write: mappings, lists and scalars. Anchors, tags and whatever else makes a file that is
small on the disk and large in memory is refused, and so is a file that is too large, before it is parsed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import yaml
from django.utils.translation import gettext as _

from common.errors import Refused

MAX_FAULTS, MOST_FOUND = 50, 1000  # named, and counted
MAX_BYTES = 2**20
MAX_DEPTH = 6
MAX_NODES, MAX_NAMES = 50_000, 1000  # in a file, and in one mapping
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, where PyYAML has it


@dataclass(frozen=True, order=True)
class Fault:
    """What is wrong in a line; `line` is 0 for what does not come from the file, `name` empty for the whole file."""

    line: int
    name: str
    reason: str

    def __str__(self) -> str:
        where = [f"line {self.line}"] * bool(self.line) + [self.name] * bool(self.name)
        return ": ".join([*where, self.reason])


class CampaignFileRefused(Refused):
    """Nothing of a file is stored, because something in it is wrong."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        found = sorted(set(faults))
        self.faults, self.more = found[:MAX_FAULTS], max(0, len(found) - MAX_FAULTS)
        super().__init__("\n".join(map(str, self.faults)))


def faults_check(faults: list[Fault]) -> None:
    """Read no further in a file that has so many faults."""
    if len(faults) >= MOST_FOUND:
        raise CampaignFileRefused(faults)


@dataclass(frozen=True)
class Node:
    line: int


@dataclass(frozen=True)
class Scalar(Node):
    """A value as it is written; `is_plain` without quotes, so that it may be a number."""

    text: str
    is_plain: bool = False


@dataclass(frozen=True)
class ListNode(Node):
    items: tuple[Node, ...]


@dataclass(frozen=True)
class MapNode(Node):
    entries: tuple[tuple[Scalar, Node], ...]


@dataclass(frozen=True)
class Unusable(Node):
    """What is refused already, so that nobody looks into it."""


def nodes_read(content: bytes) -> tuple[Node, list[Fault]]:
    """Return the root of a file and what is wrong with its YAML; raise CampaignFileRefused where it cannot be read."""
    if len(content) > MAX_BYTES:
        words = _("The file is larger than %(size)s MiB.") % {"size": MAX_BYTES // 2**20}
        raise CampaignFileRefused([Fault(0, "", words)])
    text = _decoded(content)
    reader = _Reader(text)
    try:
        return reader.root(), reader.faults
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        words = _("This is not YAML: %(reason)s.") % {"reason": error.problem or error.context}
        raise CampaignFileRefused([*reader.faults, Fault(mark.line + 1 if mark else 0, "", words)]) from error
    except yaml.reader.ReaderError as error:
        code = _code(error.character)
        line = text.count("\n", 0, max(0, text.find(chr(code)))) + 1
        words = _("The character U+%(code)s is not allowed in YAML.") % {"code": f"{code:04X}"}
        raise CampaignFileRefused([*reader.faults, Fault(line, "", words)]) from error
    except (ValueError, OverflowError) as error:  # an escape beyond the last character there is
        words = _("This is not YAML: there is an invalid escape.")
        raise CampaignFileRefused([*reader.faults, Fault(reader.line, "", words)]) from error


def _code(character: object) -> int:
    return character if isinstance(character, int) else ord(str(character)[0])


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        before = content.rfind(b"\n", 0, error.start) + 1
        words = _("This is not UTF-8 (byte %(byte)s of the line).") % {"byte": error.start - before + 1}
        raise CampaignFileRefused([Fault(line, "", words)]) from error


class _Reader:
    """Builds nodes of events, and never more of them than is good."""

    def __init__(self, text: str) -> None:
        self.faults: list[Fault] = []
        self.line = 1
        self._events = self._read(text)
        self._nodes = 0

    def _read(self, text: str) -> Iterator[yaml.Event]:
        for event in yaml.parse(text, Loader=LOADER):
            self.line = _line_of(event)
            yield event

    def root(self) -> Node:
        next(self._events)  # the stream begins
        if isinstance(next(self._events), yaml.StreamEndEvent):
            raise CampaignFileRefused([Fault(0, "", _("The file is empty."))])
        root = self._node(next(self._events), depth=1)
        next(self._events)  # the document ends
        if not isinstance(next(self._events), yaml.StreamEndEvent):
            raise CampaignFileRefused([*self.faults, Fault(self.line, "", _("A file must contain only one document."))])
        return root

    def _node(self, event: yaml.Event, depth: int) -> Node:
        line = _line_of(event)
        self._count(line, depth)
        if isinstance(event, yaml.AliasEvent):
            return self._refuse(line, _("Aliases (*name) are not allowed. Write the value out."))
        is_usual = self._is_usual(event, line)
        if isinstance(event, yaml.ScalarEvent):
            node: Node = Scalar(line, event.value, is_plain=event.implicit[0])
        elif isinstance(event, yaml.SequenceStartEvent):
            node = ListNode(line, tuple(self._items(depth)))
        else:
            node = MapNode(line, tuple(self._entries(depth)))
        return node if is_usual else Unusable(line)

    def _count(self, line: int, depth: int) -> None:
        self._nodes += 1
        if depth > MAX_DEPTH:
            raise CampaignFileRefused([*self.faults, Fault(line, "", _("This is nested too deeply."))])
        if self._nodes > MAX_NODES:
            raise CampaignFileRefused([*self.faults, Fault(line, "", _("The file holds too many values."))])

    def _is_usual(self, event: yaml.Event, line: int) -> bool:
        if getattr(event, "anchor", None):
            self._refuse(line, _("Anchors (&name) are not allowed. Write the value where it is needed."))
            return False
        if getattr(event, "tag", None):
            self._refuse(line, _("Tags (!name) are not allowed."))
            return False
        return True

    def _items(self, depth: int) -> Iterator[Node]:
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            yield self._node(event, depth + 1)

    def _entries(self, depth: int) -> Iterator[tuple[Scalar, Node]]:
        seen: dict[str, int] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key, value = self._node(event, depth + 1), self._node(next(self._events), depth + 1)
            if not isinstance(key, Scalar):
                self._refuse(key.line, _("A name must be a plain word."))
            elif key.text == "<<":
                self._refuse(key.line, _("Merge keys (<<) are not allowed. Write the values out."))
            elif key.text in seen:
                words = _("This name is used twice here, first in line %(line)s.") % {"line": seen[key.text]}
                self._refuse(key.line, words, shown(key.text))
            elif len(seen) == MAX_NAMES:
                raise CampaignFileRefused([*self.faults, Fault(key.line, "", _("There are too many names here."))])
            else:
                seen[key.text] = key.line
                yield key, value

    def _refuse(self, line: int, reason: str, name: str = "") -> Unusable:
        self.faults.append(Fault(line, name, reason))
        faults_check(self.faults)
        return Unusable(line)


def _line_of(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 0


def shown(text: str) -> str:
    """Return the start of a text of a file so that pages and terminals can show it."""
    return "".join(each if each.isprintable() else " " for each in text[:60])
