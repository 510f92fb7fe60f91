"""F of marked characters, as the WMT shared task on quality estimation had it in 2023."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

import numpy as np

from measures.core.arrays import BoolArray, FloatArray
from measures.spans.annotation import Annotation
from measures.spans.mark import places_of
from measures.spans.pair_agreement import DRAWS, LEAST_COMMON, PairAgreement, mean_over_couples

OTHER_SEVERITY = 0.5

Marked: TypeAlias = dict[int, dict[tuple[str, int], set[str | None]]]
"""The severities of each marked character, by side and place, of each text."""


def character_f(
    annotations: Iterable[Annotation],
    *,
    least_common: int = LEAST_COMMON,
    source_of: Mapping[str, str] | None = None,
    draws: int = DRAWS,
    seed: int,
) -> PairAgreement:
    """Compute how far the marks of pairs of people agree, character by character.

    A character that both marked counts 1 if they gave it a severity in common, else a half. Something missing from the
    output stands at the character at its place, or after the last one. Counts are added up over texts (micro).

    Source: the script of WMT 2023, quality estimation, task 2 (task2_evaluate.py). It knows the output alone; marks of
    the source count here as well, on their own characters.

    Parameters
    ----------
    annotations : iterable of Annotation
        One of each person and text, with texts. Marks that a person deleted do not count; `only` chooses others.
    least_common, source_of, draws, seed
        As in `measures.spans.pair_f`.

    Returns
    -------
    PairAgreement
        P, R and F of each pair of people, and the mean of F with its interval.

    Raises
    ------
    ValueError
        If people who marked a text had different ones, or a person has two annotations of a text.

    Examples
    --------
    >>> from measures.spans.mark import Mark
    >>> marks = ("A", Mark("1", "output", 0, 4, severity="minor")), ("B", Mark("1", "output", 2, 4, severity="major"))
    >>> texts = [Annotation(who, "s", "1", "", "Rain.", (mark,)) for who, mark in marks]
    >>> (couple,) = character_f(texts, least_common=1, seed=1).couples
    >>> couple.precision, couple.recall
    (0.25, 0.5)
    """
    return mean_over_couples(
        annotations, _prepare, _compare, least_common=least_common, source_of=source_of, draws=draws, seed=seed
    )


def _prepare(annotations: Mapping[int, Annotation]) -> Marked:
    return {number: _severities(each) for number, each in annotations.items()}


def _compare(mine: Marked, theirs: Marked, both: BoolArray) -> FloatArray:
    sums = np.zeros((len(both), 4))
    for number in np.flatnonzero(both).tolist():
        first, second = mine[number], theirs[number]
        common = sum(1 if first[each] & second[each] else OTHER_SEVERITY for each in first.keys() & second.keys())
        sums[number] = common, common, len(first), len(second)
    return sums


def _severities(annotation: Annotation) -> dict[tuple[str, int], set[str | None]]:
    """Return the severities of each marked character."""
    found: dict[tuple[str, int], set[str | None]] = {}
    marks = {mark.id: mark for mark in annotation.marks}
    for mark in annotation.counted:
        places: list[tuple[str, int, int]] = [(side, start, end) for side, start, end in places_of(mark, marks)]
        if mark.missing:
            text = annotation.source if mark.side == "source" else annotation.output
            at = len(text) if mark.start is None else mark.start
            places = [(mark.side, at, at + 1)]
        for side, start, end in places:
            for place in range(start, end):
                found.setdefault((side, place), set()).add(mark.severity)
    return found
