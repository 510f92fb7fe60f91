"""The crowd's ratings before anybody is left out, as patterns: enough to compute agreement from, and few."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, TypeAlias

from ratings.models import RaterPool

Row: TypeAlias = tuple[Any, ...]
"""A score, as `corpus/release/table_readers.py` reads it."""

IMPORTED = "imported"  # the platform of people who are known from the files of a release only


class RatingsBeforeCleaning:
    """Counts, scale by scale, on how many texts of the released sources each combination of points was given.

    Compressions by people and side-by-side pairs count, whoever wrote or rated them; system outputs and experts do
    not. Imported ratings were cleaned by someone else before, so with any of them nothing is known.
    """

    def __init__(self, scales: Iterable[str], imported: frozenset[int]) -> None:
        self._patterns: dict[str, Counter[tuple[int, ...]]] = {scale: Counter() for scale in scales}
        self._imported = imported
        self._is_known = True

    def add(
        self, rows_of_texts: Iterable[tuple[Any, ...]], rows_of_pairs: Iterable[tuple[Any, ...]], written: set[int]
    ) -> None:
        """Count a released source: the scores of its texts and pairs, and which texts people wrote."""
        self._count([row for row in rows_of_texts if row[1] in written and row[-1] is None])
        self._count(rows_of_pairs)

    def _count(self, rows: Iterable[Row]) -> None:
        points: dict[tuple[str, int], list[int]] = defaultdict(list)
        for _, subject, _, worker, pool, _, scale, value, *_ in rows:
            if pool == RaterPool.CROWD and scale in self._patterns:
                points[scale, subject].append(value)
                self._is_known = self._is_known and worker is not None and worker not in self._imported
        for (scale, _), given in points.items():
            self._patterns[scale][tuple(sorted(given))] += 1

    def as_json(self) -> dict[str, list[dict[str, Any]]] | None:
        """Return the points of a text, rising, and the number of texts with them, by scale; None if not known."""
        if not self._is_known:
            return None
        return {
            scale: [{"points": list(points), "texts": texts} for points, texts in sorted(found.items())]
            for scale, found in self._patterns.items()
        }
