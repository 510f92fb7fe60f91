"""Which words of a text moved: those outside the longest sequence in the order of the source."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


def moved_places(places: Sequence[int | None]) -> tuple[int, ...]:
    """Return the words outside a longest sequence of aligned words that keeps the source's order.

    Of several longest sequences it takes the one whose last word comes earliest in the source, then the one whose last
    but one does, and so on.

    Parameters
    ----------
    places : sequence of int or None, of length m
        The place in the source of each word, no place twice; None for words that do not count.

    Returns
    -------
    tuple of int
        Places in the text, in order. Takes time m log m.

    Examples
    --------
    >>> moved_places([6, 7, 0, 1, None, 2, 3])
    (0, 1)
    """
    ends: list[int] = []
    last: list[int] = []
    before: dict[int, int | None] = {}
    for word, place in enumerate(places):
        if place is None:
            continue
        at = bisect_left(ends, place)
        before[word] = last[at - 1] if at else None
        ends[at : at + 1], last[at : at + 1] = [place], [word]
    word_in_order = last[-1] if last else None
    in_order = set()
    while word_in_order is not None:
        in_order.add(word_in_order)
        word_in_order = before[word_in_order]
    return tuple(word for word in before if word not in in_order)
