"""How a text was written, as a short list of steps, from its log in the files of a release."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.templatetags.formatting import seconds
from compressions.replay import KINDS
from measures.keystrokes.edit_log import EditLogError, Kind, Operation, parse_log

MOST_STEPS, MOST_LETTERS = 40, 200
Log = Mapping[str, Any]
"""A line of `edit_logs.jsonl`."""


@dataclass(frozen=True)
class History:
    """The first steps of one editor's writing as HTML, and how many there are."""

    editor: str
    text: str
    steps: SafeString
    number: int

    @property
    def heading(self) -> str:
        words = ngettext(
            "How editor %(editor)s wrote it: %(number)s step",
            "How editor %(editor)s wrote it: %(number)s steps",
            self.number,
        )
        return words % {"editor": self.editor, "number": self.number}

    @property
    def left_out(self) -> str:
        number = self.number - MOST_STEPS
        if number <= 0:
            return ""
        return _("The file edit_logs.jsonl has %(number)s more.") % {"number": number}


def logs_of(lines: Iterable[bytes], wanted: Sequence[str]) -> Mapping[str, list[Log]]:
    """Return the logs of some sources, by their ids; both are in one order, so that what follows is not read."""
    last, found = "", defaultdict(list)
    begins = {b'{"source": ' + json.dumps(each, ensure_ascii=False).encode() + b",": each for each in wanted}
    for line in lines:
        source = begins.get(line[: line.find(b', "split"') + 1])
        if source is not None:
            found[source].append(json.loads(line))
            last = source
        elif last and last == wanted[-1]:
            break
    return found


class LogsInOrder:
    """Gives the logs of one source after the other, in the order in which they stand in the file."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._logs: Iterator[Log] = map(json.loads, lines)
        self._next = next(self._logs, None)

    def of(self, source: str) -> list[Log]:
        found = []
        while self._next is not None and self._next["source"] == source:
            found.append(self._next)
            self._next = next(self._logs, None)
        return found


def history_of(log: Log) -> History | None:
    """Return the steps of a log; None where it cannot be read."""
    try:
        steps = list(_steps(parse_log(log["log"])))
    except EditLogError:
        return None
    shown = format_html_join("", "<li>{} {}{}{}</li>", map(_words, steps[:MOST_STEPS]))
    return History(log["editor"], log["text"], shown, len(steps))


def _steps(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Join what was typed or deleted in one go; the time is that of the beginning."""
    last: Operation | None = None
    for each in operations:
        joined = _joined(last, each) if last else None
        if joined is None and last is not None:
            yield last
        last = joined or each
    if last is not None:
        yield last


def _joined(last: Operation, each: Operation) -> Operation | None:
    if last.kind is not each.kind or each.kind not in {Kind.TYPING, Kind.DELETION}:
        return None
    if not each.removed and each.position == last.position + len(last.inserted):
        return Operation(last.position, last.removed, last.inserted + each.inserted, last.kind, last.at_ms)
    if last.inserted or each.inserted:
        return None
    if each.position + len(each.removed) == last.position:
        return Operation(each.position, each.removed + last.removed, "", last.kind, last.at_ms)
    if each.position == last.position:
        return Operation(last.position, last.removed + each.removed, "", last.kind, last.at_ms)
    return None


def _words(step: Operation) -> tuple[str, str, str, str]:
    removed = format_html(" <del>{}</del>", _cut(step.removed)) if step.removed else ""
    inserted = format_html(" <ins>{}</ins>", _cut(step.inserted)) if step.inserted else ""
    return seconds(step.at_ms), str(KINDS[step.kind]), removed, inserted


def _cut(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else text[:MOST_LETTERS] + "…"
