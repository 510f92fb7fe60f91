"""What a format has no place for, said in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from measures.spans.annotation import Annotation
from measures.spans.mark import PERSON, Mark, Place, places_of

OF_MARKS: dict[str, tuple[str, Callable[[Mark], bool]]] = {
    "kind": ("the kind of {}", lambda mark: mark.kind is not None),
    "severity": ("the severity of {}", lambda mark: mark.severity is not None),
    "place": ("the place of {} of what is missing", lambda mark: mark.missing and mark.start is not None),
    "answers": ("the answers to questions about {}", lambda mark: bool(mark.answers)),
    "note": ("the note of {}", lambda mark: bool(mark.note)),
    "origin": ("the origin of {} that no person made", lambda mark: mark.origin != PERSON),
    "fate": ("what was decided about {} there before", lambda mark: mark.fate is not None),
    "at": ("the time of {}", lambda mark: mark.at_ms != 0),
    "source": ("{} of the source", lambda mark: mark.side == "source"),
    "several": ("all spans but one of {}", lambda mark: len(mark.places) > 1),
    "parts": ("{} made of other marks", lambda mark: bool(mark.parts)),
    "deleted": ("{} deleted by people", lambda mark: not mark.counts),
}
"""What may be lost of marks, by name; the braces are for how many they are."""

OF_ANNOTATIONS: dict[str, tuple[str, Callable[[Annotation], bool]]] = {
    "texts": ("the texts of {}", lambda each: bool(each.source or each.output)),
    "score": ("the score of {}", lambda each: each.score is not None),
    "segment": ("the name of the segment of {}", lambda each: bool(each.segment)),
    "document": ("the document of {}", lambda each: bool(each.document or each.document_segment)),
    "document_segment": ("the place in the document of {}", lambda each: bool(each.document_segment)),
    "languages": ("the languages of {}", lambda each: any(each.languages)),
    "times": ("the beginning and end of {}", lambda each: each.times != (None, None)),
    "seconds": ("the duration of {}", lambda each: each.seconds is not None),
    "person": ("the name of the person of {}", lambda each: bool(each.person)),
}
"""What may be lost of annotations."""


def losses(annotations: Sequence[Annotation], names: Iterable[str]) -> tuple[str, ...]:
    """Say what of annotations a format has no place for.

    Parameters
    ----------
    annotations : sequence of Annotation
        What is written.
    names : iterable of str
        Keys of `OF_MARKS` and `OF_ANNOTATIONS`: what the format does not have.

    Returns
    -------
    tuple of str
        A sentence for each that the annotations do have, with how many they are. Marks that people deleted are counted
        among the deleted alone.

    Examples
    --------
    >>> losses([Annotation("A", "s", "1", score=5, marks=(Mark("1", note="Odd."),))], ["score", "note", "answers"])
    ('Not written: the score of 1 annotation.', 'Not written: the note of 1 mark.')
    """
    said = []
    for name in names:
        if name in OF_ANNOTATIONS:
            phrase, has = OF_ANNOTATIONS[name]
            number, what = sum(has(each) for each in annotations), "annotation"
        else:
            phrase, of_mark = OF_MARKS[name]
            chosen = (mark for each in annotations for mark in each.marks if mark.counts or name == "deleted")
            number, what = sum(of_mark(mark) for mark in chosen), "mark"
        if number:
            said.append(f"Not written: {phrase.format(how_many(number, what))}.")
    return tuple(said)


def how_many(number: int, what: str) -> str:
    """Return a number of things in words, such as "2 marks"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def single_place(mark: Mark, annotation: Annotation, *, sides: Sequence[str] = ("output", "source")) -> Place | None:
    """Return the one span that a format can have of a mark: from its first to its last character on one side.

    Parameters
    ----------
    mark : Mark
        The mark.
    annotation : Annotation
        What it is of.
    sides : sequence of str
        The sides that the format has; the first on which the mark has a span counts.

    Returns
    -------
    Place or None
        The span; None if there is none.

    Examples
    --------
    >>> mark = Mark("1", "both", pairs=(Place("source", 0, 4), Place("output", 0, 2), Place("output", 5, 7)))
    >>> single_place(mark, Annotation("A", "s", "1", marks=(mark,)))
    Place(side='output', start=0, end=7)
    """
    places = places_of(mark, {each.id: each for each in annotation.marks})
    for side in sides:
        own = [place for place in places if place.side == side]
        if own:
            return Place(own[0].side, min(each.start for each in own), max(each.end for each in own))
    return None


def first_of_each_text(annotations: Iterable[Annotation]) -> tuple[list[Annotation], tuple[str, ...]]:
    """Return the first annotation of each text, for a format that has one, and a sentence about the others.

    Parameters
    ----------
    annotations : iterable of Annotation
        The annotations.

    Returns
    -------
    list of Annotation, tuple of str
        The first ones in order; no sentence if there are no others.

    Examples
    --------
    >>> first_of_each_text([Annotation(who, "s", "1") for who in "AB"])[1]
    ('Not written: 1 further annotation of the same texts; those of each person can be written apart.',)
    """
    every = list(annotations)
    first: dict[tuple[str, str], Annotation] = {}
    for each in every:
        first.setdefault(each.text, each)
    left = len(every) - len(first)
    if not left:
        return list(first.values()), ()
    what = how_many(left, "further annotation")
    return list(first.values()), (f"Not written: {what} of the same texts; those of each person can be written apart.",)
