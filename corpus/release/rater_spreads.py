"""z-scores by rater: how many standard deviations of a rater's own numbers a number lies above their mean."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from math import sqrt
from typing import TypeVar

from corpus.release.records import Ratings, ReleasedOutput, ReleasedRating, ReleasedSource, ReleasedText

CROWD, EXPERTS = "crowd", "experts"
DIGITS = 9
DEFINITION = (
    "The number less the mean of all numbers that its rater gave on this scale in this release, divided by their "
    "standard deviation (n - 1). Crowd and experts are apart, and a text that several systems wrote and that was rated "
    "once counts once. Null where the rater is unknown or gave no two different numbers."
)

Rated = TypeVar("Rated", ReleasedText, ReleasedOutput)


@dataclass(slots=True)
class _Moments:
    """How many numbers there were, their mean, and the sum of squared distances from it, one number after another."""

    number: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, given: float) -> None:
        self.number += 1
        away = given - self.mean
        self.mean += away / self.number
        self.squares += away * (given - self.mean)


class RaterSpreads:
    """The mean and deviation of each named rater's numbers on some scales, by pool; ratings are seen once and not kept.

    Source: Welford 1962, "Note on a method for calculating corrected sums of squares and products".
    """

    def __init__(self, scales: Collection[str]) -> None:
        self.scales = frozenset(scales)
        self._moments: dict[tuple[str, str, str], _Moments] = {}

    def add(self, source: ReleasedSource) -> None:
        """Take in the ratings of a source; those that equal texts share count once."""
        if not self.scales:
            return
        for pool in (CROWD, EXPERTS):
            for ratings in _distinct_ratings(source, pool):
                for rating in ratings:
                    for key in self.scales & rating.scores.keys() if rating.rater else ():
                        place = key, pool, rating.rater
                        self._moments.setdefault(place, _Moments()).add(float(rating.scores[key]))

    def has(self, scale: str) -> bool:
        """Whether any rating on a scale has a z-score."""
        return any(key == scale and moments.squares > 0 for (key, _, _), moments in self._moments.items())

    def z_score(self, rating: ReleasedRating, scale: str, pool: str) -> float | None:
        """Return a rating's z-score; None where its rater is unknown or gave no two different numbers on the scale."""
        moments = self._moments.get((scale, pool, rating.rater))
        if moments is None or moments.squares <= 0 or scale not in rating.scores:
            return None
        deviation = sqrt(moments.squares / (moments.number - 1))
        return round((float(rating.scores[scale]) - moments.mean) / deviation, DIGITS)

    def scored(self, source: ReleasedSource) -> ReleasedSource:
        """Return a source whose texts and outputs have ratings with z-scores."""
        if not self.scales:
            return source
        texts, outputs = map(self._scored, source.texts), map(self._scored, source.outputs)
        return replace(source, texts=list(texts), outputs=list(outputs))

    def _scored(self, each: Rated) -> Rated:
        crowd, experts = self._ratings(each.ratings, CROWD), self._ratings(each.expert_ratings, EXPERTS)
        return replace(each, ratings=crowd, expert_ratings=experts)

    def _ratings(self, ratings: Ratings, pool: str) -> Ratings:
        return tuple(
            replace(each, z_scores={key: self.z_score(each, key, pool) for key in each.scores if key in self.scales})
            for each in ratings
        )


def _distinct_ratings(source: ReleasedSource, pool: str) -> Iterator[Ratings]:
    """Yield the ratings of each text; those that equal outputs share come once."""
    of_crowd = pool == CROWD
    together = {text.text for text in source.texts}
    yield from (text.ratings if of_crowd else text.expert_ratings for text in source.texts)
    for output in source.outputs:
        if pool in output.rated_apart or output.text not in together:
            yield output.ratings if of_crowd else output.expert_ratings
        if pool not in output.rated_apart:
            together.add(output.text)
