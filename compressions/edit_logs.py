"""Decode and replay the edit logs that browsers send."""

import json
from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from common.errors import Refused
from compressions.models import Source, Start
from measures.keystrokes.edit_log import EditLogError, Operation, parse_log, replay
from measures.keystrokes.log_bounds import log_bounds, most_operations_within

MAX_LOG_BYTES = 1_000_000
LOG_WORDS = gettext_lazy(
    "Something went wrong while recording your edits. Open “More” to start again or report a problem."
)


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
        raise LogRefused(LOG_WORDS)
    return source if started_from == Start.SOURCE else ""


def replay_log(source: Source, started_from: str, raw_log: object, available_ms: int | None = None) -> ReplayedLog:
    """Replay a log within the bounds for its source and, where that is known, for the time since it was given out.

    What is too much is refused before any of it is read.
    """
    start = beginning(source.text, started_from)
    bounds = log_bounds(len(source.text))
    if isinstance(raw_log, list):
        _size_check(len(raw_log), bounds.operations, available_ms)
    try:
        operations = parse_log(raw_log, max_operations=bounds.operations, max_characters=bounds.characters)
        return ReplayedLog(operations, replay(start, operations, max_replayed=bounds.replayed))
    except EditLogError as error:
        raise LogRefused(LOG_WORDS) from error


def _size_check(operations: int, most: int, available_ms: int | None) -> None:
    if operations > most:
        raise LogRefused(LOG_WORDS)
    if available_ms is not None and operations > most_operations_within(available_ms):
        raise LogRefused(LOG_WORDS)
