"""Marks that an alignment of words suggests, for a person to keep, change or delete."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Literal

from measures.alignment.aligner import Aligner, align_words
from measures.alignment.classes import ENGLISH_WORD_KIND, TextOperations, text_operations
from measures.spans.characters import Span
from measures.spans.mark import Mark, Place
from measures.spans.presets import PREMARKED
from measures.spans.tokens import tokens

ALIGNMENT = "alignment"
"""The origin of marks that are made here."""


def premarks(
    source: str,
    output: str,
    *,
    language: str = "en",
    aligner: Aligner = align_words,
    word_kind: Callable[[str], str] = ENGLISH_WORD_KIND,
) -> tuple[Mark, ...]:
    """Make the marks of an output that follow from the alignment of its words with those of the source.

    Words of the source without a partner are a deletion, words of the output without one an insertion, a partner of
    another form is a substitution, and words outside the longest sequence in the order of the source are a reorder.
    Neighbours of a kind are one mark, in the output and the source; punctuation alone makes none. The marks have no
    severity.

    Parameters
    ----------
    source, output : str
        The texts, in form NFC.
    language : str, default "en"
        Tag of their language, which says how they are cut into tokens.
    aligner : callable
        From the words of both texts to the place in the source of each word of the output, or None.
    word_kind : callable
        The kind of a word: "p" for punctuation.

    Returns
    -------
    tuple of Mark
        Deletions, insertions, substitutions, then reorders, each in the order of the texts, of origin "alignment".

    Examples
    --------
    >>> places = lambda source, output: (0, 2)
    >>> [(mark.kind, mark.places[0][1:]) for mark in premarks("Prices are rising", "prices rise", aligner=places)]
    [('deletion', (7, 10)), ('substitution', (11, 17))]
    """
    sides = tokens(source, language), tokens(output, language)
    words = [source[start:end] for start, end in sides[0]], [output[start:end] for start, end in sides[1]]
    places = aligner(*words)
    operations = text_operations(words[0], words[1], places, word_kind=word_kind)
    found = _runs(words, places, operations, word_kind)
    return tuple(_mark(f"{ALIGNMENT}-{n}", kind, runs, sides) for n, (kind, runs) in enumerate(found, start=1))


def _runs(
    words: Sequence[Sequence[str]],
    places: Sequence[int | None],
    operations: TextOperations,
    word_kind: Callable[[str], str],
) -> Iterator[tuple[str, tuple[list[int], list[int]]]]:
    """Return each kind with the places of its source words and of its output words."""
    classes = operations.target_classes
    inserted = [place for place, each in enumerate(classes) if each == "inserted"]
    substituted = [place for place, each in enumerate(classes) if each == "paraphrased"]
    chosen: tuple[list[tuple[int | None, int | None]], ...] = (
        [(place, None) for place in operations.deleted],
        [(None, place) for place in inserted],
        [(places[place], place) for place in substituted],
        [(places[place], place) for place in operations.moved],
    )
    for kind, pairs in zip(PREMARKED, chosen, strict=True):
        for run in _neighbours(pairs):
            source = [one for one, _ in run if one is not None]
            output = [other for _, other in run if other is not None]
            if any(word_kind(words[0][each]) != "p" for each in source) or any(
                word_kind(words[1][each]) != "p" for each in output
            ):
                yield kind, (source, output)


def _neighbours(pairs: Sequence[tuple[int | None, int | None]]) -> Iterator[list[tuple[int | None, int | None]]]:
    """Cut pairs of places where either place does not follow on the one before it."""

    def diagonal(numbered: tuple[int, tuple[int | None, int | None]]) -> tuple[int | None, ...]:
        number, pair = numbered
        return tuple(None if place is None else place - number for place in pair)

    for _, run in groupby(enumerate(pairs), key=diagonal):
        yield [pair for _, pair in run]


def _mark(name: str, kind: str, runs: tuple[list[int], list[int]], sides: tuple[list[Span], list[Span]]) -> Mark:
    names: tuple[Literal["source", "output"], ...] = ("source", "output")
    found = tuple(
        Place(side, spans[run[0]][0], spans[run[-1]][1])
        for side, run, spans in zip(names, runs, sides, strict=True)
        if run
    )
    if len(found) > 1:
        return Mark(name, "both", pairs=found, kind=kind, origin=ALIGNMENT)
    return Mark(name, found[0].side, found[0].start, found[0].end, kind=kind, origin=ALIGNMENT)
