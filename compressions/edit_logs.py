"""Edit logs as browsers send them: decoded, replayed, or refused."""

import json
from dataclasses import dataclass

from common.errors import Refused
from compressions.models import Source, Start
from measures.keystrokes.edit_log import EditLogError, Operation, parse_log, replay

MAX_LOG_BYTES = 1_000_000


class LogRefused(Refused):
    """The log cannot be read, or does not lead to the submitted text."""


@dataclass(frozen=True)
class Writing:
    """What was done in a box, and what it holds after that."""

    operations: tuple[Operation, ...]
    text: str


def json_decoded(raw: str | bytes) -> object:
    """What a browser sent, or None for what is no JSON, or too much of it."""
    if len(raw.encode(errors="replace") if isinstance(raw, str) else raw) > MAX_LOG_BYTES:
        return None
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):  # no JSON, a number of thousands of digits, or nested too deeply
        return None


def beginning(source: str, started_from: str) -> str:
    """What the box held at first."""
    if started_from not in Start.values:
        raise LogRefused(f"What the box held at first is unknown: {started_from[:40]!r}.")
    return source if started_from == Start.SOURCE else ""


def log_replayed(source: Source, started_from: str, raw_log: object) -> Writing:
    start = beginning(source.text, started_from)
    try:
        operations = parse_log(raw_log)
        return Writing(operations, replay(start, operations))
    except EditLogError as error:
        raise LogRefused(f"The record of your edits cannot be read ({error}).") from error
