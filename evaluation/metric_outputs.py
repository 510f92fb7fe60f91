"""The outputs of a release by the score of one metric and by their ratings, and where the two disagree most."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from corpus.release.records import ReleasedSource
from evaluation.judged_release import JudgedRelease
from measures.core.arrays import FloatArray

MAX_DRAWN = 2000
DISAGREEMENTS = 5


@dataclass(frozen=True)
class RatedOutput:
    """An output with its score, its ratings, and how much higher the metric ranks it than people do.

    `ahead` is the difference of the two ranks among the chosen outputs as a share, from -1 to 1.
    """

    source: ReleasedSource
    system: str
    text: str
    score: float
    rating: float
    ratings: tuple[float, ...]
    ahead: float = 0.0

    @property
    def references(self) -> list[str]:
        return [text.text for text in self.source.texts]


@dataclass(frozen=True)
class Disagreements:
    """The outputs that the metric ranks far above and far below where people rank them, the furthest first."""

    above: list[RatedOutput]
    below: list[RatedOutput]


def rated_outputs(judged: JudgedRelease, judgement: str, *, genre: str = "", system: str = "") -> list[RatedOutput]:
    """Return the outputs that have both a score by the only metric and a rating, of a genre and a system if named."""
    scores, quality, ratings = judged.scored.scores[0], judged.quality(judgement), judged.ratings(judgement)
    found = [
        (row, column)
        for row, column in np.argwhere(~np.isnan(scores) & ~np.isnan(quality)).tolist()
        if (not genre or judged.inputs[column].genre == genre) and (not system or judged.systems[row] == system)
    ]
    ahead = _ahead(
        np.array([scores[place] for place in found], dtype=np.float64),
        np.array([quality[place] for place in found], dtype=np.float64),
    )
    return [
        RatedOutput(
            judged.inputs[column],
            judged.systems[row],
            judged.outputs[row][column] or "",
            float(scores[row, column]),
            float(quality[row, column]),
            tuple(ratings[row, column][~np.isnan(ratings[row, column])].tolist()),
            float(ahead[number]),
        )
        for number, (row, column) in enumerate(found)
    ]


def _ahead(scores: FloatArray, quality: FloatArray) -> FloatArray:
    """Return the rank by score minus the rank by rating; equal values share the mean of their ranks."""
    # Means of thirds and fifths that are equal may differ in their last digits.
    difference: FloatArray = scipy.stats.rankdata(np.round(scores, 12)) - scipy.stats.rankdata(np.round(quality, 9))
    return difference / max(1, len(scores) - 1)


def disagreements(outputs: Sequence[RatedOutput]) -> Disagreements:
    ordered = sorted(outputs, key=lambda each: each.ahead)
    return Disagreements(
        [each for each in ordered[::-1][:DISAGREEMENTS] if each.ahead > 0],
        [each for each in ordered[:DISAGREEMENTS] if each.ahead < 0],
    )


def sampled(outputs: Sequence[RatedOutput], seed: int) -> Sequence[RatedOutput]:
    """Return all outputs, or as many of them as a plot can show, drawn with a seed."""
    if len(outputs) <= MAX_DRAWN:
        return outputs
    drawn = np.random.default_rng(seed).choice(len(outputs), MAX_DRAWN, replace=False)
    return [outputs[number] for number in sorted(drawn.tolist())]


def typical_output(outputs: Sequence[RatedOutput]) -> RatedOutput | None:
    """Return an output with a score in the middle and a short source, as an example; None if there is none."""
    if not outputs:
        return None
    middle = float(np.median([each.score for each in outputs]))
    nearest = sorted(outputs, key=lambda each: abs(each.score - middle))[: max(1, len(outputs) // 10)]
    return min(nearest, key=lambda each: (not each.source.texts, len(each.source.text)))
