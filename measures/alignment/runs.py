"""Runs of equal words, which are aligned before anything else."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from measures.alignment.similarity import Word

LEAST_RUN = 2
"""The fewest words of a run, marks among them."""

Key = tuple[int, int, float, int, int, int]


@dataclass
class Alignment:
    """Which words are aligned so far.

    Attributes
    ----------
    places : list of int or None, of length m
        For each target word its place in the source.
    used : list of bool, of length n
        Whether a source word is aligned.
    """

    places: list[int | None]
    used: list[bool] = field(repr=False)

    @classmethod
    def of(cls, n: int, m: int) -> Alignment:
        """Return an alignment of nothing, for n source words and m target words."""
        return cls([None] * m, [False] * n)

    def add(self, i: int, j: int) -> None:
        """Align the source word i with the target word j."""
        self.places[j] = i
        self.used[i] = True

    def is_free(self, i: int, j: int) -> bool:
        """Whether neither of the two words is aligned."""
        return self.places[j] is None and not self.used[i]


def align_runs(source: Sequence[Word], target: Sequence[Word], alignment: Alignment) -> None:
    """Align runs of two or more equal words that have a content word.

    Those with the most content words come first, then the longest, the nearest to the diagonal and the leftmost. If
    another run takes some of a run's words, the rest becomes a run of its own. Takes time and memory in O(n m).

    Parameters
    ----------
    source, target : sequence of Word
        The words.
    alignment : Alignment
        Where the pairs are added.
    """
    n, m = len(source), len(target)
    queue = [key for i, j, length in _whole_runs(source, target) if (key := _key(i, j, length, target, n, m))]
    heapq.heapify(queue)
    while queue:
        *_, j, i, length = heapq.heappop(queue)
        pieces = list(_free_pieces(i, j, length, alignment))
        if pieces == [(i, j, length)]:
            for step in range(length):
                alignment.add(i + step, j + step)
            continue
        for piece in pieces:
            key = _key(*piece, target, n, m)
            if key:
                heapq.heappush(queue, key)


def _whole_runs(source: Sequence[Word], target: Sequence[Word]) -> Iterator[tuple[int, int, int]]:
    """Runs that cannot be made longer on either side."""
    places = defaultdict(list)
    for i, word in enumerate(source):
        places[word.form.norm].append(i)
    lengths: dict[int, int] = {}
    for j, word in enumerate(target):
        going_on = {}
        for i in places.get(word.form.norm, ()):
            going_on[i] = lengths.pop(i - 1, 0) + 1
        yield from ((i - length + 1, j - length, length) for i, length in lengths.items() if length >= LEAST_RUN)
        lengths = going_on
    end = len(target)
    yield from ((i - length + 1, end - length, length) for i, length in lengths.items() if length >= LEAST_RUN)


def _key(i: int, j: int, length: int, target: Sequence[Word], n: int, m: int) -> Key | None:
    """Return the key by which runs are ordered; None if the run is too short or has no content word."""
    kinds = [word.form.kind for word in target[j : j + length]]
    content = kinds.count("content")
    if not content or length < LEAST_RUN:
        return None
    return -content, -length, round(abs(i / n - j / m), 9), j, i, length


def _free_pieces(i: int, j: int, length: int, alignment: Alignment) -> Iterator[tuple[int, int, int]]:
    start = 0
    for step in range(length + 1):
        if step == length or not alignment.is_free(i + step, j + step):
            if step > start:
                yield i + start, j + start, step - start
            start = step + 1


def align_rare_runs(source: Sequence[Word], target: Sequence[Word], alignment: Alignment) -> None:
    """Align the equal words around each word that occurs once in both texts, and at their beginnings and ends.

    For texts that are too long to compare each word with each: takes time linear in the words.

    Parameters
    ----------
    source, target : sequence of Word
        The words.
    alignment : Alignment
        Where the pairs are added.
    """
    n, m = len(source), len(target)
    sources, targets = ([word.form.norm for word in text] for text in (source, target))
    once = {norm for norm, count in Counter(sources).items() if count == 1}
    place = {norm: i for i, norm in enumerate(sources) if norm in once}
    counts = Counter(targets)
    anchors = [(place[norm], j) for j, norm in enumerate(targets) if counts[norm] == 1 and norm in once]
    for i, j in anchors:
        alignment.add(i, j)
    for i, j in [(-1, -1), *anchors]:
        _extend(i, j, 1, sources, targets, alignment)
    for i, j in [(n, m), *reversed(anchors)]:
        _extend(i, j, -1, sources, targets, alignment)


def _extend(i: int, j: int, step: int, source: list[str], target: list[str], alignment: Alignment) -> None:
    i, j = i + step, j + step
    while 0 <= i < len(source) and 0 <= j < len(target) and source[i] == target[j] and alignment.is_free(i, j):
        alignment.add(i, j)
        i, j = i + step, j + step
