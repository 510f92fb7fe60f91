"""What the people of benchmarks send from the page of a text, read from it with as little CPU as possible."""

import random
import re
from collections.abc import Callable

from tests.support.patient_browser import submission

Answer = Callable[[bytes, random.Random], dict[str, str]]
_TASKS = re.compile(rb'name="tasks" value="([\d,]+)"')
_POINT = re.compile(rb'type="radio"\s+name="([\w-]+)"\s+value="(\d)"')


def shortening(page: bytes, _rng: random.Random) -> dict[str, str]:
    """Return the form of an editor who deletes the end of the text."""
    return submission(page.decode())


def judgement(page: bytes, rng: random.Random) -> dict[str, str]:
    """Return the form of a rater who chooses a point at random on every scale of every text of the page."""
    found = _TASKS.search(page)
    assert found is not None, page[:2000]
    points: dict[str, list[str]] = {}
    for name, value in _POINT.findall(page):
        points.setdefault(name.decode(), []).append(value.decode())
    filled = {"tasks": found[1].decode()} | {name: rng.choice(values) for name, values in points.items()}
    for task in filled["tasks"].split(","):
        filled |= {f"version-{task}": "0", f"milliseconds-{task}": "1500", f"difference-{task}": ""}
    return filled


ANSWERS: dict[str, Answer] = {"edit": shortening, "rate": judgement}
