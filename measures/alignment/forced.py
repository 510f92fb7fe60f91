"""Alignments in which every word has a place, for formats that cannot leave words unaligned."""

from __future__ import annotations

from collections.abc import Sequence

UNALIGNED = -1


def forced(places: Sequence[int | None], n_source: int) -> tuple[int, ...]:
    """Give each inserted word the place of the nearest aligned word.

    Such places are not an alignment: do not count operations from them.

    Parameters
    ----------
    places : sequence of int or None, of length m
        As `align_words` returns them.
    n_source : int
        The number of words of the source.

    Returns
    -------
    tuple of int, of length m
        Places from 0; if two aligned neighbours are equally near, that of the left one. All -1 if no word is aligned.

    Raises
    ------
    ValueError
        If a place is not in the source.

    Examples
    --------
    >>> forced((0, 2, None, None, 4), 5), forced((None, 3), 5), forced((None,), 5)
    ((0, 2, 2, 4, 4), (3, 3), (-1,))
    """
    if any(place is not None and not 0 <= place < n_source for place in places):
        raise ValueError(f"places must be from 0 to {n_source - 1}")
    left, right = _carried(places), _carried(places[::-1])[::-1]
    return tuple(min((one, other), key=lambda each: each[0])[1] for one, other in zip(left, right, strict=True))


def _carried(places: Sequence[int | None]) -> list[tuple[float, int]]:
    """For each word the distance and the place of the last aligned word up to it."""
    carried: list[tuple[float, int]] = []
    distance, last = float("inf"), UNALIGNED
    for place in places:
        distance, last = (distance + 1, last) if place is None else (0, place)
        carried.append((distance, last))
    return carried
