"""Texts with what they were built to give: for the count and the rule in Python, and for those in JavaScript."""

import json
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parent / "data"
LENGTHS = DATA / "lengths.json"
VERDICTS = DATA / "verdicts.json"
SECOND_THOUGHTS = DATA / "second_thoughts.json"


class VerdictVector(NamedTuple):
    """What the rule has to say of one compression."""

    name: str
    source: str
    compression: str
    keep_percent: int
    length: int
    allowed: int
    reasons: list[str]
    stacked_at: int | None = None


def length_vectors() -> list[tuple[str, str, int]]:
    """Name, text, length."""
    return [(name, text, count) for name, text, count in json.loads(LENGTHS.read_text(encoding="ascii"))]


def verdict_vectors() -> list[VerdictVector]:
    return [VerdictVector(*row) for row in json.loads(VERDICTS.read_text(encoding="ascii"))]


def second_thought_vectors() -> list[tuple[str, str, str, int, str | None]]:
    """Name, source, text, allowed length, and what is asked about."""
    return [tuple(row) for row in json.loads(SECOND_THOUGHTS.read_text(encoding="ascii"))]
