"""Decode and replay the edit logs that browsers send."""

import json
from dataclasses import dataclass

from common.errors import Refused
from compressions.models import Source, Start
from measures.keystrokes.edit_log import EditLogError, Operation, parse_log, replay

MAX_LOG_BYTES = 1_000_000


class LogRefused(Refused):
    """The log cannot be parsed, or does not lead to the submitted text."""


@dataclass(frozen=True)
class ReplayedLog:
    """The operations of a log and the text they lead to."""

    operations: tuple[Operation, ...]
    text: str


def decode_json(raw: str | bytes) -> object:
    """Decode JSON from a browser; return None if it is invalid or too large."""
    if len(raw.encode(errors="replace") if isinstance(raw, str) else raw) > MAX_LOG_BYTES:
        return None
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):  # not JSON, a number with too many digits, or nested too deeply
        return None


def beginning(source: str, started_from: str) -> str:
    """Return the text with which the editor's box started."""
    if started_from not in Start.values:
        raise LogRefused(f"What the box held at first is unknown: {started_from[:40]!r}.")
    return source if started_from == Start.SOURCE else ""


def replay_log(source: Source, started_from: str, raw_log: object) -> ReplayedLog:
    start = beginning(source.text, started_from)
    try:
        operations = parse_log(raw_log)
        return ReplayedLog(operations, replay(start, operations))
    except EditLogError as error:
        raise LogRefused(f"The record of your edits cannot be read ({error}).") from error
