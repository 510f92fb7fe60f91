"""Alignments of the words of pairs, with the words that pairs themselves show to stand for each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from measures.alignment import Aligner, AlignmentOptions, AlignmentResources, Places, align_words, word_pairs
from measures.alignment.pharaoh import read_pairs

LEAST_TOGETHER, LEAST_DICE = 3, 0.5
"""Of words that are aligned in no other way: in how many pairs both stand, and how much of all pairs with either."""

Words = Sequence[str]


def alignments(pairs: Sequence[tuple[Words, Words]], language: str, align: Aligner | None = None) -> list[Places]:
    """Align the words of pairs, twice: the second time with words that stood in the same pairs without a partner.

    Synonyms such as "purchased" and "bought" look unlike each other. Where both are often left over in the same pairs
    and seldom one without the other, they count as similar.

    Parameters
    ----------
    pairs : sequence of (sequence of str, sequence of str)
        The words of each source and each target.
    language : str
        Tag of their language.
    align : callable, optional
        Aligns a pair, in place of all this.

    Returns
    -------
    list of tuple of int or None
        Of each pair, the place in the source of each target word.

    Examples
    --------
    >>> things = ["red hats", "blue lamps", "old ink", "no bread"]
    >>> pairs = [(("she", "purchased", *thing.split()), (thing.split()[1], "bought")) for thing in things]
    >>> alignments(pairs, "en")[0]
    (3, 1)
    """
    if align is not None:
        return [align(source, target) for source, target in pairs]
    own = partial(align_words, options=AlignmentOptions(language=language))
    found = [own(source, target) for source, target in pairs]
    lines = _similar(pairs, found)
    if not lines:
        return found
    resources = AlignmentResources(word_pairs(lines))
    return [own(source, target, resources=resources) for source, target in pairs]


def links_of(alignment: str, source: Words, target: Words) -> Places:
    """Return an alignment as rules are taken from it: each word belongs to one word at most.

    Parameters
    ----------
    alignment : str
        In the Pharaoh format; its sure pairs count.
    source, target : sequence of str
        The words.

    Returns
    -------
    tuple of int or None
        The place in the source of each target word: the first that no target word before it has.

    Raises
    ------
    ValueError
        If it is not in the format, or a place is outside the words.

    Examples
    --------
    >>> links_of("0-0 1-0 1-1 2p2", ["He", "bought", "hats"], ["He", "got", "caps"])
    (0, 1, None)
    """
    found: list[int | None] = [None] * len(target)
    pairs = read_pairs(alignment, len(source), len(target)).sure
    for own, other in sorted(pairs, key=lambda pair: (pair[1], pair[0])):
        if found[other] is None and own not in found:
            found[other] = own
    return tuple(found)


def _similar(pairs: Sequence[tuple[Words, Words]], found: Sequence[Places]) -> list[str]:
    """Return lines of words that are left over together."""
    together, of_source, of_target = Counter[tuple[str, str]](), Counter[str](), Counter[str]()
    for (source, target), places in zip(pairs, found, strict=True):
        taken = set(places)
        lost = {word.lower() for place, word in enumerate(source) if place not in taken and word.isalpha()}
        new = {word.lower() for word, place in zip(target, places, strict=True) if place is None and word.isalpha()}
        of_source.update(lost)
        of_target.update(new)
        together.update((one, other) for one in lost for other in new)
    return sorted(
        f"{one}\t{other}"
        for (one, other), number in together.items()
        if number >= LEAST_TOGETHER and 2 * number >= LEAST_DICE * (of_source[one] + of_target[other])
    )
