"""The figures of a release (Toutanova et al. 2016, Tables 2 and 3), counted while it is written.

For the whole and for each split: texts by genre; sources, compressions, compressions per source and mean points for all
texts, single sentences and paragraphs; the counts of each point of scales with few; the distribution of compression
ratios.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import InitVar, dataclass, field
from typing import Any

from corpus.release.options import splits_in_order
from corpus.release.records import ReleasedSource
from corpus.statistics.means import PointSums
from crowd.scales import Scale
from measures.text.normalization import length

WHOLE = "all"
KINDS = {1: "1 sentence", 2: "2 sentences"}
RATIO_BINS = 20
UNRATED = "unrated_compressions"
"""References: compressions that the crowd neither rated nor compared. Left out of a row that has none."""


@dataclass
class _Count:
    """Counts of one kind of sources in one split."""

    sources: int = 0
    compressions: int = 0
    unrated: int = 0
    ratings: int = 0
    counted: frozenset[str] = frozenset()
    points: Counter[tuple[str, float]] = field(default_factory=Counter)
    sums: PointSums = field(default_factory=PointSums)

    def add(self, source: ReleasedSource) -> None:
        self.sources += 1
        self.compressions += len(source.texts)
        compared = {text for pair in source.comparisons for text in (pair.first, pair.second)}
        self.unrated += sum(not text.ratings and text.text not in compared for text in source.texts)
        for text in source.texts:
            self.ratings += len(text.ratings)
            self.sums.add(text)
            self.points.update(
                (key, point) for rating in text.ratings for key, point in rating.scores.items() if key in self.counted
            )

    def as_row(self, kind: str, scales: Sequence[Scale]) -> dict[str, Any]:
        return {
            "kind": kind,
            "sources": self.sources,
            "compressions": self.compressions,
            **({UNRATED: self.unrated} if self.unrated else {}),
            "compressions_per_source": self.compressions / self.sources if self.sources else None,
            "ratings": self.ratings,
            **self.sums.as_json(scales),
        }


@dataclass
class _Part:
    """Counts of one split, or of the whole."""

    counted: InitVar[frozenset[str]]
    kinds: dict[str, _Count] = field(init=False)
    genres: dict[str, Counter[str]] = field(default_factory=dict)
    per_source: Counter[int] = field(default_factory=Counter)
    ratios: Counter[int] = field(default_factory=Counter)

    def __post_init__(self, counted: frozenset[str]) -> None:
        self.kinds = {kind: _Count(counted=counted) for kind in (WHOLE, *KINDS.values())}

    def add(self, source: ReleasedSource) -> None:
        kind = KINDS[source.sentences]
        for each in (WHOLE, kind):
            self.kinds[each].add(source)
        self.genres.setdefault(source.genre, Counter())[kind] += 1
        self.per_source[len(source.texts)] += 1
        whole = length(source.text)
        for text in source.texts:
            self.ratios[_ratio_bin(length(text.text), whole)] += 1

    def as_json(self, scales: Sequence[Scale]) -> dict[str, Any]:
        everything = self.kinds[WHOLE]
        return {
            "kinds": [count.as_row(kind, scales) for kind, count in self.kinds.items()],
            "genres": [
                {"genre": genre, **{kind: counts[kind] for kind in KINDS.values()}, "all": counts.total()}
                for genre, counts in sorted(self.genres.items())
            ],
            "points": {
                scale.key: [[value, everything.points[scale.key, value]] for value in reversed(scale.values)]
                for scale in scales
                if scale.has_few_points
            },
            "per_source": sorted([number, count] for number, count in self.per_source.items()),
            "ratios": [[index / RATIO_BINS, self.ratios[index]] for index in range(RATIO_BINS)],
        }


def _ratio_bin(short: int, whole: int) -> int:
    """Return the bin of a compression ratio. Bins include their upper edge: a ratio of 25% counts as up to 25%."""
    return min(RATIO_BINS - 1, max(0, -(-RATIO_BINS * short // max(1, whole)) - 1))


class Overview:
    """Count sources as they are written."""

    def __init__(self, scales: Sequence[Scale]) -> None:
        self._scales = scales
        self._counted = frozenset(scale.key for scale in scales if scale.has_few_points)
        self._parts: dict[str, _Part] = {WHOLE: _Part(self._counted)}

    def add(self, source: ReleasedSource) -> None:
        for name in (WHOLE, source.split):
            self._parts.setdefault(name, _Part(self._counted)).add(source)

    def as_json(self) -> dict[str, Any]:
        splits = splits_in_order(name for name in self._parts if name != WHOLE)
        return {name: self._parts[name].as_json(self._scales) for name in (WHOLE, *splits)}
