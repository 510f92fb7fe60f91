"""What makes an answer impossible, and what a person is asked once before it is taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from measures.spans.answers import faults_of_answers
from measures.spans.characters import cluster_starts
from measures.spans.mark import PERSON, Mark, counted, places_of
from measures.spans.presets import Kind, Preset

LOW_SCORE = 34
LARGE_SHARE = 0.8
MAJOR = ("major", "critical")
MOST_NOTE = 2_000


@dataclass(frozen=True)
class SpanAnswer:
    """What a person says of a text.

    Attributes
    ----------
    source, output : str
        The texts in form NFC.
    marks : tuple of Mark
        The marks, those that the person deleted among them.
    no_errors : bool
        Whether the person said that there is nothing to mark.
    score : object
        The score of the whole text, or None.
    """

    source: str
    output: str
    marks: tuple[Mark, ...]
    no_errors: bool = False
    score: object = None


def refusals(answer: SpanAnswer, preset: Preset) -> tuple[str, ...]:
    """Say why an answer cannot be taken.

    Parameters
    ----------
    answer : SpanAnswer
        The answer.
    preset : Preset
        What it is held to.

    Returns
    -------
    tuple of str
        The reasons, each with the mark that it is about; none if the answer can be taken. Takes time in proportion to
        the texts and the marks.

    Examples
    --------
    >>> from measures.spans.presets import preset
    >>> refusals(SpanAnswer("It rained.", "Rain.", (Mark("m1", "output", 3, 9, severity="minor"),)), preset("mqm"))
    ('mark m1: no kind is given', 'mark m1: places 3 to 9 are not in the output of 5 characters')
    >>> refusals(SpanAnswer("It rained.", "Rain.", (), score=70), preset("esa"))
    ('neither a mark nor "no errors" is given',)
    """
    return (*_of_answer(answer, preset), *_of_marks(answer, preset))


def _of_answer(answer: SpanAnswer, preset: Preset) -> Iterator[str]:
    there = counted(answer.marks)
    if not there and not answer.no_errors:
        yield 'neither a mark nor "no errors" is given'
    if there and answer.no_errors:
        yield f'"no errors" is given beside mark {there[0].id}'
    if preset.max_spans is not None and len(there) > preset.max_spans:
        first = there[preset.max_spans].id
        yield f"mark {first}: there are {len(there)} marks, at most {preset.max_spans} are possible"
    yield from _of_score(answer.score, preset.score)


def _of_score(score: object, wanted: str) -> Iterator[str]:
    if wanted == "none":
        if score is not None:
            yield "a score is given, and none is asked for"
    elif score is None:
        yield "the score is missing"
    elif isinstance(score, bool) or not isinstance(score, int) or not 0 <= score <= 100:
        yield "the score must be a whole number from 0 to 100"


def _of_marks(answer: SpanAnswer, preset: Preset) -> Iterator[str]:
    marks = {mark.id: mark for mark in answer.marks}
    yield from (f"mark {name}: there are {n} marks of this id" for name, n in _twice(m.id for m in answer.marks))
    starts = {"source": _edges(answer.source), "output": _edges(answer.output)}
    for mark in answer.marks:
        if mark.origin != PERSON and mark.fate is None:
            yield f"mark {mark.id}: it was there before, and is neither kept, changed nor deleted"
        elif mark.counts:
            kind = preset.kind(mark.kind)
            faults = (
                *_of_kind(mark, kind, preset),
                *_of_place(mark, kind, preset, starts),
                *_of_parts(mark, kind, marks),
            )
            yield from (f"mark {mark.id}: {fault}" for fault in faults)
    yield from _of_all(counted(answer.marks), preset)


@lru_cache(maxsize=8)
def _edges(text: str) -> frozenset[int]:
    return frozenset((*cluster_starts(text), len(text)))


def _of_kind(mark: Mark, kind: Kind | None, preset: Preset) -> Iterator[str]:
    if preset.kinds and mark.kind is None:
        yield "no kind is given"
    elif mark.kind is not None and (kind is None or kind.key != mark.kind):
        yield f"there is no kind {mark.kind[:50]!r}"
    possible = preset.severities if kind is None or kind.severities is None else kind.severities
    if possible and mark.severity is None:
        yield "no severity is given"
    elif mark.severity is not None and mark.severity not in possible:
        yield f"there is no severity {mark.severity[:50]!r}" + (f" of kind {kind.key}" if kind else "")
    if kind is not None and kind.note_wanted and not mark.note.strip():
        yield f"kind {kind.key} needs a note"
    if len(mark.note) > MOST_NOTE:
        yield f"its note has more than {MOST_NOTE:,} characters"
    yield from faults_of_answers(mark.answers, () if kind is None else kind.questions)


def _of_place(mark: Mark, kind: Kind | None, preset: Preset, edges: Mapping[str, frozenset[int]]) -> Iterator[str]:
    if mark.missing:
        yield from _of_missing(mark, kind, preset, edges)
        return
    if kind is not None and kind.side == "missing":
        yield f"kind {kind.key} is of what is missing"
    if mark.parts or (kind is not None and kind.composite):
        if mark.places or mark.start is not None or mark.end is not None:
            yield "it is made of other marks and has a span of its own"
        return
    if mark.pairs and (mark.start is not None or mark.end is not None):
        yield "it has both pairs and a span"
    if not mark.places:
        yield "it has no span"
    for side, start, end in mark.places:
        yield from _of_span(side, start, end, edges[side])
    yield from _of_sides(mark, kind, edges)


def _of_missing(mark: Mark, kind: Kind | None, preset: Preset, edges: Mapping[str, frozenset[int]]) -> Iterator[str]:
    if not (preset.missing if kind is None else kind.side == "missing"):
        yield "what is missing cannot be marked" + (f" as {kind.key}" if kind else "")
    if mark.pairs or mark.parts or mark.start != mark.end or mark.side == "both":
        yield "what is missing has no span: one place, or none"
    elif mark.start is not None and mark.start not in edges[mark.side]:
        yield _outside_or_within(mark.side, mark.start, mark.start, edges[mark.side])


def _of_span(side: str, start: int, end: int, edges: frozenset[int]) -> Iterator[str]:
    if not (0 <= start <= max(edges) and 0 <= end <= max(edges)):
        yield _outside_or_within(side, start, end, edges)
    elif start >= end:
        yield f"start {start} is not before end {end}"
    elif not {start, end} <= edges:
        yield _outside_or_within(side, start, end, edges)


def _outside_or_within(side: str, start: int, end: int, edges: frozenset[int]) -> str:
    if 0 <= start <= max(edges) and 0 <= end <= max(edges):
        return f"places {start} to {end} of the {side} cut a character in two"
    return f"places {start} to {end} are not in the {side} of {max(edges)} characters"


def _of_sides(mark: Mark, kind: Kind | None, edges: Mapping[str, frozenset[int]]) -> Iterator[str]:
    sides = Counter(place.side for place in mark.places)
    if mark.places and mark.side != ("both" if len(sides) > 1 else next(iter(sides))):
        yield f"its side is {mark.side}, and its spans are of the {' and '.join(sorted(sides))}"
    if kind is None or not mark.places:
        return
    if kind.side == "both" and len(sides) < 2:
        yield f"kind {kind.key} needs spans of source and output"
    elif kind.side in ("source", "output", "whole") and set(sides) != {"output" if kind.side == "whole" else kind.side}:
        yield f"kind {kind.key} is of the {'output' if kind.side == 'whole' else kind.side}"
    elif kind.side == "either" and len(sides) > 1:
        yield f"kind {kind.key} is of one side"
    if kind.side == "whole" and (mark.start, mark.end) != (0, max(edges["output"])):
        yield f"kind {kind.key} is of the whole text"
    if not kind.several and max(sides.values()) > 1:
        yield f"kind {kind.key} has one span of each side"


def _of_parts(mark: Mark, kind: Kind | None, marks: Mapping[str, Mark]) -> Iterator[str]:
    if kind is not None and kind.composite and not mark.parts:
        yield f"kind {kind.key} is made of other marks, and none is named"
    if mark.parts and (kind is None or not kind.composite):
        yield "it names parts, and its kind is not made of other marks"
    for part in mark.parts:
        if part not in marks or not marks[part].counts:
            yield f"there is no mark {part[:50]!r} that it could be made of"
        elif marks[part].parts:
            yield f"mark {part}, which it is made of, is made of marks itself"
    yield from (f"it names mark {part} twice" for part, _ in _twice(mark.parts))


def _of_all(marks: Sequence[Mark], preset: Preset) -> Iterator[str]:
    seen: dict[object, str] = {}
    for mark in marks:
        # Things that are missing nowhere in particular may be as many as they are.
        if mark.missing and mark.start is None:
            continue
        what = (
            mark.side,
            mark.start,
            mark.end,
            mark.missing,
            mark.kind,
            tuple(sorted(mark.pairs)),
            tuple(sorted(mark.parts)),
        )
        if what in seen:
            yield f"mark {mark.id}: mark {seen[what]} has the same side, span and kind"
        seen.setdefault(what, mark.id)
    for mark in marks:
        kind = preset.kind(mark.kind)
        if kind is not None and kind.side == "whole" and len(marks) > 1:
            yield f"mark {mark.id}: kind {kind.key} stands for all others, and there are {len(marks) - 1}"


def _twice(names: Iterator[str] | Sequence[str]) -> Iterator[tuple[str, int]]:
    return ((name, number) for name, number in Counter(names).items() if number > 1)


class Oddity(NamedTuple):
    """What is odd about an answer, as its key and values: whoever asks says it in their own language.

    Attributes
    ----------
    key : {"high score", "low score", "large mark"}
        What it is.
    number : int
        The score, or the percent of the text that is marked.
    name : str
        The severity beside a high score, the side of a large mark; empty of a low score.
    mark : str
        Which mark it is about; empty of a low score.
    """

    key: Literal["high score", "low score", "large mark"]
    number: int
    name: str = ""
    mark: str = ""


def asked_once(answer: SpanAnswer, preset: Preset) -> tuple[Oddity, ...]:
    """Say what is odd about an answer that can be taken: asked once, and taken if the person says so.

    Parameters
    ----------
    answer : SpanAnswer
        An answer without `refusals`.
    preset : Preset
        What it is held to.

    Returns
    -------
    tuple of Oddity
        A score of 100 beside a major mark, one below 34 without any, and marks of more than 80% of a text, other than
        those of kinds that are of the whole text.

    Examples
    --------
    >>> from measures.spans.presets import preset
    >>> mark = Mark("m1", "output", 0, 5, severity="major")
    >>> for each in asked_once(SpanAnswer("It rained.", "Rain.", (mark,), score=100), preset("esa")):
    ...     print(*each)
    high score 100 major m1
    large mark 100 output m1
    """
    return (*_odd_scores(answer), *_large_marks(answer, preset))


def _odd_scores(answer: SpanAnswer) -> Iterator[Oddity]:
    major = [mark for mark in counted(answer.marks) if (mark.severity or "").casefold() in MAJOR]
    if answer.score == 100 and major:
        yield Oddity("high score", 100, str(major[0].severity), major[0].id)
    if isinstance(answer.score, int) and answer.score < LOW_SCORE and not major:
        yield Oddity("low score", answer.score)


def _large_marks(answer: SpanAnswer, preset: Preset) -> Iterator[Oddity]:
    marks = {mark.id: mark for mark in answer.marks}
    for mark in counted(answer.marks):
        kind = preset.kind(mark.kind)
        if kind is not None and kind.side == "whole":
            continue
        places = places_of(mark, marks)
        for side, text in (("source", answer.source), ("output", answer.output)):
            marked = sum(place.end - place.start for place in places if place.side == side)
            if marked > LARGE_SHARE * len(text):
                yield Oddity("large mark", round(100 * marked / len(text)), side, mark.id)
