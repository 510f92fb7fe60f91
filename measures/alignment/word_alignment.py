"""Alignment of the words of a compression to the words of its source."""

from __future__ import annotations

from collections.abc import Sequence


def align_words(source: Sequence[str], target: Sequence[str]) -> tuple[int | None, ...]:
    """Align each word of a compression to at most one word of its source.

    Each word of the source is used at most once. The alignment has three steps: the words of a longest common
    subsequence; moved words, each to the nearest unused source word of the same form; and replacements, where
    a single unaligned word stands between two aligned ones whose source words have exactly one unused word
    between them. Case is ignored. The remaining words are insertions.

    The public release of Toutanova et al. 2016 aligns each word of a compression to one source word; their
    aligner (Jacana) is trained, so its alignments differ where words were paraphrased.

    Parameters
    ----------
    source : sequence of str, of length n
        The words of the source.
    target : sequence of str, of length m
        The words of the compression.

    Returns
    -------
    tuple of int or None, of length m
        Positions in the source from 0, each at most once; None for an inserted word. Takes O(n m) time.

    Examples
    --------
    >>> align_words("The old bridge finally fell".split(), "the bridge at last fell".split())
    (0, 2, None, None, 4)
    >>> align_words("think about your household".split(), "imagine your household".split())
    (None, 2, 3)
    >>> align_words("He bought an automobile today".split(), "Today he bought a car".split())
    (4, 0, 1, None, None)
    >>> align_words("He bought an automobile today".split(), "He bought an auto today".split())
    (0, 1, 2, 3, 4)
    """
    source_forms, target_forms = [word.casefold() for word in source], [word.casefold() for word in target]
    aligned = _common_subsequence(source_forms, target_forms)
    _align_moved(source_forms, target_forms, aligned)
    _align_replaced(len(source), aligned)
    return tuple(aligned)


def _common_subsequence(source: list[str], target: list[str]) -> list[int | None]:
    """Align a longest common subsequence; of several, the one with the earliest source words."""
    lengths = [[0] * (len(target) + 1) for _ in range(len(source) + 1)]
    for i in reversed(range(len(source))):
        row, below = lengths[i], lengths[i + 1]
        for j in reversed(range(len(target))):
            row[j] = below[j + 1] + 1 if source[i] == target[j] else max(below[j], row[j + 1])
    aligned: list[int | None] = [None] * len(target)
    i = j = 0
    while i < len(source) and j < len(target):
        if source[i] == target[j] and lengths[i][j] == lengths[i + 1][j + 1] + 1:
            aligned[j] = i
            i, j = i + 1, j + 1
        elif lengths[i][j + 1] >= lengths[i + 1][j]:
            j += 1
        else:
            i += 1
    return aligned


def _align_moved(source: list[str], target: list[str], aligned: list[int | None]) -> None:
    used = {position for position in aligned if position is not None}
    for j, word in enumerate(target):
        if aligned[j] is not None:
            continue
        free = [i for i, form in enumerate(source) if form == word and i not in used]
        if free:
            expected = _previous_position(aligned, j)
            nearest = min(free, key=lambda i: abs(i - expected))
            aligned[j] = nearest
            used.add(nearest)


def _previous_position(aligned: list[int | None], j: int) -> int:
    """Return the source position of the nearest aligned word to the left of word j; -1 if there is none."""
    return next((position for position in reversed(aligned[:j]) if position is not None), -1)


def _align_replaced(n_source: int, aligned: list[int | None]) -> None:
    used = {position for position in aligned if position is not None}
    edges = [-1, *aligned, n_source]
    for j in range(1, len(edges) - 1):
        before, here, after = edges[j - 1 : j + 2]
        if here is None and before is not None and after == before + 2 and before + 1 not in used:
            aligned[j - 1] = before + 1
