"""Texts with the length that they were built to have: for the count in Python and for the one in JavaScript."""

import json
from pathlib import Path

FILE = Path(__file__).parent / "data" / "lengths.json"


def length_vectors() -> list[tuple[str, str, int]]:
    """Name, text, length."""
    return [(name, text, count) for name, text, count in json.loads(FILE.read_text(encoding="ascii"))]
