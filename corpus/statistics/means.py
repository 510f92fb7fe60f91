"""The two means of a scale: over compressions, as in Toutanova et al. 2016, Table 3, and over ratings.

Where some texts have more ratings than others, the two differ: raters who are asked because the first ones disagree
weigh down the mean over ratings, since texts on which people disagree are the worse ones.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from corpus.release.records import ReleasedText
from crowd.scales import Scale

OVER_COMPRESSIONS = "mean_over_compressions"
OVER_RATINGS = "mean_over_ratings"
Means = dict[str, float | None]


class PointSums:
    """Exact sums of points, so that no mean depends on the order of the texts or ratings."""

    def __init__(self) -> None:
        # By scale and by the number of ratings of the text.
        self._points: dict[tuple[str, int], Fraction | int] = defaultdict(int)
        self._texts: Counter[tuple[str, int]] = Counter()

    def add(self, text: ReleasedText) -> None:
        given: dict[str, list[float]] = {}
        for rating in text.ratings:
            for scale, value in rating.scores.items():
                given.setdefault(scale, []).append(value)
        for scale, values in given.items():
            self._points[scale, len(values)] += sum(map(exact, values))
            self._texts[scale, len(values)] += 1

    def as_json(self, scales: Sequence[Scale]) -> dict[str, Means]:
        return {
            OVER_COMPRESSIONS: {scale.key: self._over_compressions(scale.key) for scale in scales},
            OVER_RATINGS: {scale.key: self._over_ratings(scale.key) for scale in scales},
        }

    def _over_compressions(self, scale: str) -> float | None:
        """Return the mean of each text's mean; a text without ratings does not count."""
        total = sum(Fraction(points) / number for (key, number), points in self._points.items() if key == scale)
        return _ratio(total, sum(texts for (key, _), texts in self._texts.items() if key == scale))

    def _over_ratings(self, scale: str) -> float | None:
        total = sum(points for (key, _), points in self._points.items() if key == scale)
        return _ratio(total, sum(texts * number for (key, number), texts in self._texts.items() if key == scale))


def exact(number: float) -> Fraction | int:
    """Return a number whose sum does not depend on the order."""
    return number if isinstance(number, int) else Fraction(number)


def _ratio(total: Fraction | int, number: int) -> float | None:
    return float(Fraction(total) / number) if number else None


def named_means(figures: Mapping[str, Any], scales: Sequence[Scale]) -> dict[str, Means]:
    """Return both means from a release's summary or from a row of its overview; None for one that is not there.

    Early releases have the mean over ratings alone, as `means` or, before scales had names, as `mean_{scale}`.
    """
    early = figures.get("means", {scale.key: figures.get(f"mean_{scale.key}") for scale in scales})
    return {OVER_COMPRESSIONS: figures.get(OVER_COMPRESSIONS, {}), OVER_RATINGS: figures.get(OVER_RATINGS, early)}
