"""The marks that one person made in one text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

from measures.spans.mark import Mark, counted, places_of


@dataclass(frozen=True)
class Annotation:
    """What one person said of one output.

    Attributes
    ----------
    person, system, segment : str
        Who, of whose output, of which source: the three name it.
    source, output : str
        The texts in form NFC; empty where a file does not have them.
    marks : tuple of Mark
        The marks; none if there are no errors.
    score : float or None
        The score of the whole text, 0 to 100.
    document, document_segment : str
        The document that the source is of, and its number there.
    languages : tuple of (str, str)
        Languages of source and output as the file calls them, or empty texts.
    times : tuple of (float or None, float or None)
        When the work began and ended, in seconds since 1970.
    seconds : float or None
        How long it took.
    extra : mapping
        What a format knows besides, and writes again.
    line : int
        The line of a file, or the entry of its list, that it begins with; 0 if it is of none. Not compared.

    Examples
    --------
    >>> Annotation("A", "sys", "1", "It rained.", "Rain.", (Mark("m1", "output", 0, 4),)).text
    ('1', 'sys')
    """

    person: str
    system: str
    segment: str
    source: str = ""
    output: str = ""
    marks: tuple[Mark, ...] = ()
    score: float | None = None
    document: str = ""
    document_segment: str = ""
    languages: tuple[str, str] = ("", "")
    times: tuple[float | None, float | None] = (None, None)
    seconds: float | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    line: int = field(default=0, compare=False)

    @property
    def text(self) -> tuple[str, str]:
        """What names the text: the segment and the system."""
        return self.segment, self.system

    @property
    def counted(self) -> tuple[Mark, ...]:
        """The marks that no person deleted."""
        return counted(self.marks)


def text_means(values: Iterable[tuple[tuple[str, str], float]]) -> dict[tuple[str, str], float]:
    """Return the mean over people of each text.

    Parameters
    ----------
    values : iterable of ((str, str), float)
        A value of each annotation, with what names its text.

    Returns
    -------
    dict of (str, str) to float
        In the order in which texts come first.

    Examples
    --------
    >>> text_means([(("1", "sys"), 2.0), (("1", "sys"), 3.0)])
    {('1', 'sys'): 2.5}
    """
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for text, value in values:
        found[text].append(value)
    return {text: fmean(each) for text, each in found.items()}


def only(annotations: Iterable[Annotation], select: Callable[[Mark], bool]) -> list[Annotation]:
    """Keep some of the marks of annotations, such as those of a kind or severity.

    Parameters
    ----------
    annotations : iterable of Annotation
        The annotations.
    select : callable
        Whether a mark is kept; those that a person deleted never are.

    Returns
    -------
    list of Annotation
        As many, some perhaps without marks. A mark that is made of others keeps their spans as its own.

    Examples
    --------
    >>> marks = Mark("m1", "output", 0, 4, severity="minor"), Mark("m2", "output", 5, 9, severity="major")
    >>> (one,) = only([Annotation("A", "s", "1", marks=marks)], lambda mark: mark.severity == "major")
    >>> [mark.id for mark in one.marks]
    ['m2']
    """
    return [
        replace(each, marks=tuple(_whole(mark, each) for mark in each.counted if select(mark))) for each in annotations
    ]


def _whole(mark: Mark, annotation: Annotation) -> Mark:
    if not mark.parts:
        return mark
    return replace(mark, pairs=places_of(mark, {other.id: other for other in annotation.marks}), parts=())
