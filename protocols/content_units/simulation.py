"""Simulated people: what texts have is drawn by names, so that it is the same for all; each errs by themself."""

import random
from collections.abc import Sequence
from typing import Any

from measures.spans import tokens
from protocols.content_units.material import MOST_UNITS, Part
from protocols.task import Subject

ERR, ADDED = 0.4, 0.6
"""How often somebody careless errs about a unit; how much likelier a poor text is to add something."""
CHUNK = 4


def quality_of(system: str) -> float:
    """Return how much of its source, or of the references, the texts of a system keep: .2 to .9."""
    return 0.2 + 0.7 * random.Random(f"quality:{system}").random()


def simulated_facts(subject: Subject, skill: float, rng: random.Random) -> tuple[dict[str, bool], int]:
    """Return which units a text has, as a simulated person says, and how many further ones."""
    found, quality = {}, quality_of(subject.system)
    for each in subject.body["units"]:
        has = random.Random(f"has:{subject.name}:{subject.system}:{each['id']}").random() < quality
        found[each["id"]] = has != (rng.random() < ERR * (1 - skill))
    adds = random.Random(f"adds:{subject.name}:{subject.system}").random() < ADDED * (1 - quality)
    return found, int(adds != (rng.random() < ERR * (1 - skill) / 2))


def simulated_parts(text: str, rng: random.Random) -> list[Part]:
    """Return some words of a text."""
    words = tokens(text) or [(0, len(text))]
    first = rng.randrange(len(words))
    return [[0, words[first][0], words[min(len(words) - 1, first + 2)][1]]]


def simulated_units(name: str, texts: Sequence[str], skill: float, rng: random.Random) -> list[dict[str, Any]]:
    """Return units of a few words each. Which texts share one is drawn by the source; people leave some texts out."""
    chunks = []
    for number, text in enumerate(texts):
        words = tokens(text) or [(0, len(text))]
        chunks.append(
            [[number, words[at][0], words[min(len(words), at + CHUNK) - 1][1]] for at in range(0, len(words), CHUNK)]
        )
    drawn = random.Random(f"units:{name}")
    units: list[dict[str, Any]] = []
    for of_text in chunks:
        drawn.shuffle(of_text)
    while any(chunks) and len(units) < MOST_UNITS:
        sharing = [each.pop() for each in chunks if each and drawn.random() < 0.6]
        kept = [part for part in sharing if rng.random() >= ERR * (1 - skill)]
        if kept:
            of, start, end = kept[0]
            units.append({"label": texts[of][start:end][:80], "parts": sorted(kept)})
    return units or [{"label": texts[0][:80], "parts": [[0, 0, len(texts[0])]]}]
