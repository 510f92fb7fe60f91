"""Ratings of two systems or more whose difference is known, for the questions of a study."""

from collections.abc import Sequence

import numpy as np

from corpus.release.records import ReleasedOutput, ReleasedRating, ReleasedSource
from crowd.scales import Point, Scale

CONTENT = Scale(
    "content",
    "Content",
    "How well does the answer answer the question?",
    tuple(
        Point(value, words)
        for value, words in ((5, "very good"), (4, "good"), (3, "fair"), (2, "poor"), (1, "very poor"))
    ),
)
BASELINE, NEW = "OList", "BlogSum"


def planted_sources(
    seed: int,
    *,
    effects: Sequence[float] = (0.5,),
    questions: int = 50,
    judges: int = 3,
    scales: Sequence[str] = ("content",),
) -> list[ReleasedSource]:
    """Answers of the baseline, and of a system for each of `effects`, in points, judged by the same people."""
    rng = np.random.default_rng(seed)
    severity = rng.normal(scale=0.3, size=judges)
    systems = [BASELINE, *(NEW if place == 0 else f"{NEW} {place + 1}" for place in range(len(effects)))]
    shifts = [0.0, *effects]
    found = []
    for number in range(questions):
        level = 2.75 + rng.normal(scale=0.5)
        outputs = []
        for system, shift in zip(systems, shifts, strict=True):
            answer = level + shift + rng.normal(scale=0.4)
            drawn = answer + severity[:, None] + rng.normal(scale=0.5, size=(judges, len(scales)))
            points = np.clip(np.round(drawn), 1, 5).astype(int).tolist()
            ratings = tuple(
                ReleasedRating(str(judge), dict(zip(scales, given, strict=True)))
                for judge, given in enumerate(points, start=1)
            )
            outputs.append(ReleasedOutput(system, f"{system} answers question {number}.", ratings))
        found.append(
            ReleasedSource(str(number), "Questions", f"Question {number}?", 1, "", str(number), "train", [], outputs)
        )
    return found
