"""Alignments as text in the Pharaoh format: ``0-0 1-2``, with ``1p2`` for a possible pair."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from measures.alignment.scores import Pair

_PAIR = re.compile(r"([0-9]{1,9})([-p])([0-9]{1,9})")


@dataclass(frozen=True)
class GoldPairs:
    """A gold alignment: sure and possible pairs of places of source and target words."""

    sure: frozenset[Pair]
    possible: frozenset[Pair]


def read_pairs(text: str, n_source: int, n_target: int) -> GoldPairs:
    """Read pairs.

    Parameters
    ----------
    text : str
        Pairs, separated by white space.
    n_source, n_target : int
        The numbers of words, which bound the places.

    Returns
    -------
    GoldPairs
        The sure and the possible pairs.

    Raises
    ------
    ValueError
        If something is not a pair, or a place is outside its text; the message names the pair.

    Examples
    --------
    >>> gold = read_pairs("0-0 1p2", 2, 3)
    >>> sorted(gold.sure), sorted(gold.possible)
    ([(0, 0)], [(1, 2)])
    """
    sure: set[Pair] = set()
    possible: set[Pair] = set()
    for each in text.split():
        found = _PAIR.fullmatch(each)
        if found is None:
            raise ValueError(f"{each[:40]!r} is not a pair such as 0-1")
        pair = int(found[1]), int(found[3])
        if pair[0] >= n_source or pair[1] >= n_target:
            raise ValueError(f"the pair {each} is outside texts of {n_source} and {n_target} words (places are from 0)")
        (sure if found[2] == "-" else possible).add(pair)
    return GoldPairs(frozenset(sure), frozenset(possible))


def written_pairs(pairs: Iterable[Pair]) -> str:
    """Write pairs, in the order of the source.

    Examples
    --------
    >>> written_pairs({(1, 2), (0, 0)})
    '0-0 1-2'
    """
    return " ".join(f"{i}-{j}" for i, j in sorted(pairs))
