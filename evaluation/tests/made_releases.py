"""Releases made in memory, for what sections say of outputs, ratings and scores that are given."""

from collections.abc import Sequence

import numpy as np

from corpus.release.records import ReleasedOutput, ReleasedRating, ReleasedSource, ReleasedText
from crowd.scales import GRAMMAR, MEANING
from evaluation.judged_release import JudgedRelease, texts_of
from evaluation.parameters import EvaluationParameters
from evaluation.scored_outputs import MetricInfo, ScoredOutputs
from measures.core.arrays import FloatArray

Points = Sequence[Sequence[Sequence[int]]]
"""Points for meaning of each rater, by system and input; grammar gets the same."""


def made_release(
    points: Points,
    metrics: dict[str, FloatArray],
    parameters: EvaluationParameters,
    *,
    systems: Sequence[str] = ("A", "B", "C", "D"),
    jackknifed: FloatArray | None = None,
    people: dict[tuple[int, str], FloatArray] | None = None,
    texts: Sequence[Sequence[ReleasedText]] = (),
    genres: Sequence[str] = (),
) -> JudgedRelease:
    """A release whose outputs have these ratings and scores (system by input)."""
    number = len(points[0]) if points else 0
    sources = [
        ReleasedSource(
            f"{place:02}",
            genres[place] if genres else "News",
            f"Source {place} has some words.",
            1,
            "",
            str(place),
            "train",
            list(texts[place]) if texts else [],
            [
                ReleasedOutput(system, f"Output {place} of {system}.", rated(points[row][place]))
                for row, system in enumerate(systems)
            ],
        )
        for place in range(number)
    ]
    scores = np.array(list(metrics.values()), dtype=np.float64).reshape(len(metrics), len(systems), number)
    known = ScoredOutputs(
        tuple(MetricInfo(name, 1, name, is_computed=True, signature="made:up") for name in metrics),
        scores,
        np.full(scores.shape, np.nan) if jackknifed is None else jackknifed,
        people or {},
    )
    names = tuple(systems)
    return JudgedRelease(
        sources, tuple(sources), names, (MEANING, GRAMMAR), texts_of(sources, names), known, parameters
    )


def rated(points: Sequence[int]) -> tuple[ReleasedRating, ...]:
    return tuple(ReleasedRating(str(rater), {"meaning": value, "grammar": value}) for rater, value in enumerate(points))
