"""An answer to the task of marking errors as it is stored."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from measures.spans import Mark, Preset, SpanAnswer
from protocols.spans.settings import preset_of
from protocols.task import Answer, Settings

MOST_MARKS = 1_000


def digest_of(body: Mapping[str, Any]) -> str:
    """Return the checksum of the texts that marks refer to."""
    return hashlib.sha256(json.dumps([body["source"], body["output"]]).encode()).hexdigest()


def marks_of(given: object) -> list[Mark]:
    if not isinstance(given, list) or len(given) > MOST_MARKS:
        raise ValueError(f"marks must be a list of at most {MOST_MARKS:,}")
    return [Mark.from_dict(each) for each in given]


def stored_answer(given: Mapping[str, Any], body: Mapping[str, Any], settings: Settings) -> Answer:
    """Return an answer as it is stored; raise ValueError if it is not one."""
    return {
        "preset": preset_of(settings).checksum,
        "digest": given.get("digest", digest_of(body)),
        "marks": [each.as_dict() for each in marks_of(given.get("marks", []))],
        "no_errors": given.get("no_errors") is True,
        "score": given.get("score"),
        "premarked": False,
        "actions": _actions(given.get("actions", [])),
    }


def _actions(given: object) -> list[list[Any]]:
    """Return what was done on the page: the time in milliseconds, the act, and the mark."""
    if not isinstance(given, list):
        raise ValueError("actions must be a list")
    return [
        [each[0], str(each[1])[:20], str(each[2])[:40]]
        for each in given[: 10 * MOST_MARKS]
        if isinstance(each, list) and len(each) == 3 and type(each[0]) is int
    ]


def judged_answer(answer: Mapping[str, Any], body: Mapping[str, Any]) -> SpanAnswer:
    marks = tuple(marks_of(answer["marks"]))
    return SpanAnswer(body["source"], body["output"], marks, answer["no_errors"], answer["score"])


def held_to(answer: Mapping[str, Any], settings: Settings) -> Preset:
    """Return what an answer is held to: of one given elsewhere no note is wanted, since files seldom have any."""
    used = preset_of(settings)
    if not answer.get("elsewhere"):
        return used
    kinds = (replace(kind, note_wanted=False) if kind.note_wanted else kind for kind in used.kinds)
    return replace(used, kinds=tuple(kinds))
