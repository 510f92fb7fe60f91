"""Intervals of the report hold the truth that was planted in simulated people's marks."""

import random

import pytest

from measures.spans import Annotation, Mark, preset
from protocols.report_rows import ReportRow
from protocols.spans.scores import count_rows, score_rows
from protocols.spans.settings import SpansParameters

SEEDS, AT_LEAST = 100, 90
SOURCES, PEOPLE = 80, 3
RATES = {"good": 0.1, "middling": 0.25, "poor": 0.5}
"""How many errors each word has on average, over texts; two in five of them are major."""
WORDS = ["It", "rained", "all", "day", "in", "Bonn", "and", "nobody", "went", "out"]
SPREAD, MAJOR, SEEN = 0.4, 0.4, 0.8
"""How much texts differ, how many errors are major, and how many of them a person sees."""


def simulated(seed: int) -> list[Annotation]:
    """Texts with errors of their own, of which each person sees some."""
    rng = random.Random(seed)
    found = []
    for source in range(SOURCES):
        for system, rate in RATES.items():
            of_text = rate * rng.uniform(1 - SPREAD, 1 + SPREAD)
            errors = [(place, rng.random() < MAJOR) for place in range(len(WORDS)) if rng.random() < of_text]
            for person in range(PEOPLE):
                seen = [error for error in errors if rng.random() < SEEN]
                found.append(_marked(f"{person}", system, f"{source}", seen))
    return found


def _marked(person: str, system: str, source: str, errors: list[tuple[int, bool]]) -> Annotation:
    starts = [len(" ".join(WORDS[:place])) + (place > 0) for place, _ in errors]
    marks = tuple(
        Mark(f"{place}", start=start, end=start + len(WORDS[place]), severity="major" if is_major else "minor")
        for start, (place, is_major) in zip(starts, errors, strict=True)
    )
    text = " ".join(WORDS)
    return Annotation(person, system, source, text, text, marks, 50)


def points_of(rate: float) -> float:
    """What a person's marks of a text of that rate weigh on average."""
    return len(WORDS) * rate * SEEN * (MAJOR * 5 + (1 - MAJOR))


def holds(row: ReportRow, truth: float) -> bool:
    assert row.low is not None
    assert row.high is not None
    return row.low <= truth <= row.high


@pytest.mark.slow
def test_the_planted_points_and_differences_are_in_the_intervals_of_at_least_90_of_100_seeds() -> None:
    held = dict.fromkeys([*RATES, "good and poor", "marks"], 0)
    for seed in range(SEEDS):
        annotations, parameters = simulated(seed), SpansParameters(draws=500, seed=seed)
        rows = [
            *score_rows(annotations, preset("esa"), parameters),
            *count_rows(annotations, preset("esa"), parameters, "en"),
        ]
        found = {(row.table, row.part, row.group): row for row in rows}
        for system, rate in RATES.items():
            held[system] += holds(found["points", "all", system], -points_of(rate))
        difference = points_of(RATES["poor"]) - points_of(RATES["good"])
        held["good and poor"] += holds(found["differences", "good", "poor"], difference)
        held["marks"] += holds(found["marks per 100 words", "all", "poor"], 100 * RATES["poor"] * SEEN)
    assert {name: number for name, number in held.items() if number < AT_LEAST} == {}
