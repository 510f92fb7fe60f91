"""Align pairs of words one by one, best first, as the context grows."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable

from measures.alignment.context import Context
from measures.alignment.runs import Alignment

Candidate = tuple[int, int, float]


def align_best_first(
    candidates: Iterable[Candidate], context: Context, alignment: Alignment, *, window: int, least_context: float
) -> None:
    """Align candidates, best first, while their context is large enough.

    The score of a pair is its similarity, its context, half of its potential context, less half its distance from the
    diagonal. After each pair, those near it are scored again: context only grows, so a score only rises. Among equal
    scores, the smaller target place comes first, then the smaller source place.

    Parameters
    ----------
    candidates : iterable of (int, int, float)
        Places of the source and target words, which are free, and their similarity.
    context : Context
        The surroundings.
    alignment : Alignment
        Where the pairs are added.
    window : int
        How many words away a pair still counts as context.
    least_context : float
        The least context of a pair.
    """
    n, m = len(alignment.used), len(alignment.places)
    fixed: dict[int, dict[int, float]] = defaultdict(dict)
    for i, j, likeness in candidates:
        fixed[j][i] = likeness + context.potential(i, j) / 2 - abs(i / n - j / m) / 2
    queue: list[tuple[float, int, int]] = []

    def score(pairs: Iterable[tuple[int, int]]) -> None:
        for i, j in pairs:
            around = context.aligned(i, j)
            if around >= least_context:
                heapq.heappush(queue, (-round(fixed[j][i] + around, 9), j, i))

    score((i, j) for j, row in fixed.items() for i in row)
    while queue:
        _, j, i = heapq.heappop(queue)
        if alignment.is_free(i, j):
            alignment.add(i, j)
            near = ((place, other) for other in range(j - window, j + window + 1) for place in fixed.get(other, ()))
            score(pair for pair in near if abs(pair[0] - i) <= window and alignment.is_free(*pair))
