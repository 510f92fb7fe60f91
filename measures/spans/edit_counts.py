"""Counts of edits by kind, by whether they help, and by how much, and the words that they touch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from measures.core.undefined import Undefined
from measures.spans.annotation import Annotation
from measures.spans.answers import judged
from measures.spans.mark import places_of
from measures.spans.presets import Preset
from measures.spans.tokens import tokens

NO_WORDS = Undefined("the texts have no words")


@dataclass(frozen=True)
class EditCount:
    """The edits of a system of one kind that help or harm alike.

    Attributes
    ----------
    system, kind : str
        Whose outputs, and the kind of the edits.
    efficacy : {"good", "trivial", "bad"} or None
        What people said of them; None if their answers do not say.
    degree : int or None
        How much they help or harm, 1 to 3; None if it was not asked.
    edits : int
        Number of edits, over texts and people.
    """

    system: str
    kind: str
    efficacy: str | None
    degree: int | None
    edits: int


def edit_counts(annotations: Iterable[Annotation], preset: Preset) -> tuple[EditCount, ...]:
    """Count the edits of each system by kind, efficacy and degree.

    Source: Heineman et al. 2023, SALSA. Its score of a sentence is not computed: in it, errors of grammar add.

    Parameters
    ----------
    annotations : iterable of Annotation
        One of each person and text.
    preset : Preset
        The kinds, whose questions say which answers help.

    Returns
    -------
    tuple of EditCount
        In order of system, of the preset's kinds, then good, trivial, bad and unknown, and of the degree. Marks of
        other kinds do not count.

    Examples
    --------
    >>> from measures.spans.mark import Mark
    >>> from measures.spans.presets import preset
    >>> mark = Mark("1", "source", 0, 4, kind="deletion", answers={"deletion_type": "trivial_deletion"})
    >>> edit_counts([Annotation("A", "sys", "1", marks=(mark,))], preset("salsa"))
    (EditCount(system='sys', kind='deletion', efficacy='trivial', degree=None, edits=1),)
    """
    order = {kind.key: place for place, kind in enumerate(preset.kinds)}
    found: Counter[tuple[str, str, str | None, int | None]] = Counter()
    for each in annotations:
        for mark in each.counted:
            kind = preset.kind(mark.kind)
            if kind is not None:
                found[(each.system, kind.key, *judged(mark.answers, kind.questions))] += 1
    efficacies = ("good", "trivial", "bad", None)
    return tuple(
        EditCount(*key, edits=found[key])
        for key in sorted(found, key=lambda key: (key[0], order[key[1]], efficacies.index(key[2]), key[3] or 0))
    )


@dataclass(frozen=True)
class EditShare:
    """Which share of the words of a system's texts a kind of edit touches.

    Attributes
    ----------
    system, kind : str
        Whose outputs, and the kind of the edits.
    source, output : float or Undefined
        Words that are touched over all words, of the sources and of the outputs, over texts and people.
    """

    system: str
    kind: str
    source: float | Undefined
    output: float | Undefined


def edit_shares(annotations: Iterable[Annotation], preset: Preset, *, language: str = "en") -> tuple[EditShare, ...]:
    """Compute which share of the words of sources and outputs each kind of edit touches.

    Parameters
    ----------
    annotations : iterable of Annotation
        One of each person and text, with texts.
    preset : Preset
        The kinds.
    language : str, default "en"
        Tag of the language of the texts, which says how they are cut into tokens.

    Returns
    -------
    tuple of EditShare
        In order of system and of the preset's kinds; a word that two edits of a kind touch counts once. Undefined where
        the texts have no words.

    Examples
    --------
    >>> from measures.spans.mark import Mark
    >>> from measures.spans.presets import preset
    >>> edit = Mark("1", "source", 0, 2, kind="deletion")
    >>> edit_shares([Annotation("A", "sys", "1", "It rained", "rained", (edit,))], preset("salsa"))[0]
    EditShare(system='sys', kind='deletion', source=0.5, output=0.0)
    """
    words: Counter[tuple[str, str]] = Counter()
    touched: Counter[tuple[str, str, str]] = Counter()
    for each in annotations:
        marks = {mark.id: mark for mark in each.marks}
        for side, text in (("source", each.source), ("output", each.output)):
            spans = tokens(text, language)
            words[each.system, side] += len(spans)
            for kind in preset.kinds:
                places = [
                    place
                    for mark in each.counted
                    if mark.kind == kind.key
                    for place in places_of(mark, marks)
                    if place.side == side
                ]
                touched[each.system, kind.key, side] += sum(
                    any(start < place.end and place.start < end for place in places) for start, end in spans
                )

    def share(system: str, kind: str, side: str) -> float | Undefined:
        return touched[system, kind, side] / words[system, side] if words[system, side] else NO_WORDS

    return tuple(
        EditShare(system, kind.key, share(system, kind.key, "source"), share(system, kind.key, "output"))
        for system in sorted({system for system, _ in words})
        for kind in preset.kinds
    )
