"""The context of two words: aligned neighbours, and neighbours that may be aligned."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence

from measures.alignment.options import AlignmentOptions
from measures.alignment.resources import AlignmentResources
from measures.alignment.runs import Alignment
from measures.alignment.similarity import Word, similarity

CONTENT_WEIGHT, OTHER_WEIGHT = 1.0, 0.5
"""How much an aligned neighbour counts, if it is a content word and if not."""
POTENTIAL_WEIGHT = 0.5
"""How much a neighbour counts that has a similar word on the same side, aligned or not."""


class Context:
    """The surroundings of pairs of words in two texts.

    Parameters
    ----------
    source, target : sequence of Word, of length n and m
        The words.
    alignment : Alignment
        What is aligned; context grows with it.
    options : AlignmentOptions
        The window, and what counts as similar.
    resources : AlignmentResources
        Pairs and vectors.
    """

    def __init__(
        self,
        source: Sequence[Word],
        target: Sequence[Word],
        alignment: Alignment,
        options: AlignmentOptions,
        resources: AlignmentResources,
    ) -> None:
        self._source, self._target, self._alignment = source, target, alignment
        self._options, self._resources = options, resources
        self._places: dict[Word, list[int]] = defaultdict(list)
        for i, word in enumerate(source):
            self._places[word].append(i)
        self._similar: dict[Word, list[tuple[int, float]]] = {}
        self._near: dict[int, list[int]] = {}

    def similar(self, j: int) -> list[tuple[int, float]]:
        """Return the source places of the words similar to the target word j, in order, with their similarity."""
        word = self._target[j]
        if word not in self._similar:
            found = (
                (places, likeness)
                for other, places in self._places.items()
                if (likeness := similarity(other, word, self._options, self._resources))
            )
            self._similar[word] = sorted((i, likeness) for places, likeness in found for i in places)
        return self._similar[word]

    def aligned(self, i: int, j: int) -> float:
        """Return the weight of the aligned words on the same side of the source word i and the target word j."""
        window, places = self._options.window, self._alignment.places
        total = self._options.edge_weight * self._edges(i, j)
        for other in range(max(0, j - window), min(len(places), j + window + 1)):
            place = places[other]
            if place is None or other == j or not 0 < abs(place - i) <= window or (place < i) != (other < j):
                continue
            weight = CONTENT_WEIGHT if self._target[other].form.is_content else OTHER_WEIGHT
            total += weight / max(abs(place - i), abs(other - j))
        return round(total, 9)

    def _edges(self, i: int, j: int) -> int:
        """Return beside how many edges both words stand: the beginnings of both texts, and their ends."""
        return (i == j == 0) + (i == len(self._source) - 1 and j == len(self._target) - 1)

    def potential(self, i: int, j: int) -> float:
        """Return the weight of the content words near the target word j with similar ones on that side of i."""
        window = self._options.window
        total = 0.0
        for other in range(max(0, j - window), min(len(self._target), j + window + 1)):
            if other == j or not self._target[other].form.is_content:
                continue
            low, high = (i - window, i - 1) if other < j else (i + 1, i + window)
            near = self._near_places(other)
            if bisect_left(near, low) < bisect_right(near, high):
                total += 1 / abs(other - j)
        return POTENTIAL_WEIGHT * total

    def _near_places(self, j: int) -> list[int]:
        if j not in self._near:
            self._near[j] = [i for i, likeness in self.similar(j) if likeness >= self._options.least_potential]
        return self._near[j]
