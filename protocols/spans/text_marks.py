"""Marks as they were answered: as annotations, which all else is made of, and over a text."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

from crowd.languages import direction_of
from crowd.models import Campaign
from measures.spans import Annotation, Mark, Place, Preset, places_of
from protocols.models import Material, Response
from protocols.selectors import GivenAnswer, counted_responses, subject_of


@dataclass(frozen=True)
class MarkedText:
    """An answer: its annotation, whether marks were there at the beginning, and what was done on the page."""

    annotation: Annotation
    premarked: bool
    actions: tuple[tuple[Any, ...], ...] = ()

    @classmethod
    def of(cls, given: GivenAnswer) -> "MarkedText":
        """Read a stored answer."""
        body, answer = given.subject.body, given.answer
        language = body.get("language", "")
        annotation = Annotation(
            given.person,
            given.subject.system,
            given.subject.name,
            body["source"],
            body["output"],
            tuple(map(Mark.from_dict, answer["marks"])),
            answer["score"],
            languages=(language, language),
            seconds=None if given.milliseconds is None else given.milliseconds / 1000,
        )
        return cls(annotation, bool(answer["premarked"]), tuple(map(tuple, answer["actions"])))


def marked_texts(given: Iterable[GivenAnswer]) -> list[MarkedText]:
    return [MarkedText.of(each) for each in given]


def language_of(annotations: Iterable[Annotation], usual: str) -> str:
    """Return the language that most texts name, or else the campaign's: it says how texts are cut into tokens."""
    named = Counter(each.languages[1] or usual for each in annotations)
    return min(named, key=lambda each: (-named[each], each), default=usual)


Side = Literal["source", "output"]
SIDES: tuple[Side, ...] = ("source", "output")
SHADES = 5


@dataclass(frozen=True)
class Wanted:
    """The marks that are shown; an empty text means all."""

    kind: str = ""
    severity: str = ""
    person: str = ""

    def shows(self, mark: Mark) -> bool:
        return self.kind in ("", mark.kind) and self.severity in ("", mark.severity)


@dataclass(frozen=True)
class Numbered:
    """A mark with its number among those of its person."""

    number: int
    mark: Mark
    text: str

    @property
    def words(self) -> str:
        return ", ".join(filter(None, (self.mark.severity, self.mark.kind)))


@dataclass(frozen=True)
class Piece:
    """A stretch of a text on which the same marks are; `begun` are those that begin with it."""

    text: str
    marks: tuple[Numbered, ...] = ()
    begun: tuple[Numbered, ...] = ()
    rank: int = 0

    @property
    def depth(self) -> int:
        """How many marks lie on each other here, as far as that is shown."""
        return min(3, len(self.marks))


@dataclass(frozen=True)
class PersonRow:
    """What one person marked in a text, by side, and what they say is missing."""

    person: str
    sides: list[tuple[Side, list[Piece]]]
    marks: list[Numbered]
    missing: list[Numbered]
    score: float | None
    is_premarked: bool


@dataclass(frozen=True)
class SharePiece:
    """A stretch of a text, and how many of the people marked it; `shade` is from 0 to `SHADES`."""

    text: str
    people: int
    shade: int


@dataclass(frozen=True)
class TextMarks:
    """All that the page shows of a text."""

    rows: list[PersonRow]
    shares: list[tuple[Side, list[SharePiece]]]
    people: list[str]
    kinds: list[str]
    severities: list[str]
    language: str
    direction: str
    deleted: int = field(default=0)


def marked_material(campaign: Campaign, material: Iterable[Material]) -> dict[int, list[MarkedText]]:
    """Return the answers to some material, by its id, in one query."""
    wanted = {each.pk: each for each in material}
    rows = counted_responses(campaign).filter(assignment__item__task_item__material__in=wanted)
    rows = rows.select_related("assignment__item__task_item", "assignment__worker")
    found: dict[int, list[MarkedText]] = {key: [] for key in wanted}
    for row in rows.order_by("assignment__worker__number", "pk"):
        key = row.assignment.item.task_item.material_id
        found[key].append(MarkedText.of(_given(row, wanted[key])))
    return found


def _given(row: Response, material: Material) -> GivenAnswer:
    subject = subject_of(material, row.assignment_id)
    return GivenAnswer(row.assignment.worker.public_name, subject, row.answer, row.version, row.milliseconds)


def text_marks(texts: Sequence[MarkedText], preset: Preset, wanted: Wanted, usual_language: str) -> TextMarks:
    """Return the marks of a text, those that are wanted, by person."""
    annotations = [each.annotation for each in texts]
    shown = [each for each in texts if wanted.person in ("", each.annotation.person)]
    marks = [mark for each in annotations for mark in each.counted]
    language = next((each.languages[1] for each in annotations if each.languages[1]), usual_language)
    ranks = {severity: rank for rank, severity in enumerate(preset.gravest_last, start=1)}
    rows = [_person_row(each, ranks, wanted) for each in shown]
    return TextMarks(
        rows,
        [(side, pieces) for side in SIDES if (pieces := list(_shares(rows, shown, side)))],
        sorted({each.person for each in annotations}),
        sorted({mark.kind for mark in marks if mark.kind}),
        sorted({mark.severity for mark in marks if mark.severity}),
        language,
        direction_of(language),
        sum(not mark.counts for each in annotations for mark in each.marks),
    )


def _person_row(each: MarkedText, ranks: Mapping[str, int], wanted: Wanted) -> PersonRow:
    annotation = each.annotation
    chosen = [mark for mark in annotation.counted if wanted.shows(mark)]
    places = _places(annotation, chosen)
    numbered = [
        Numbered(number, mark, _marked_text(annotation, places[mark.id])) for number, mark in enumerate(chosen, start=1)
    ]
    sides: list[tuple[Side, list[Piece]]] = [
        (side, list(_pieces(_text(annotation, side), numbered, places, side, ranks)))
        for side in SIDES
        if side == "output" or any(place.side == side for own in places.values() for place in own)
    ]
    missing = [item for item in numbered if not places[item.mark.id]]
    return PersonRow(annotation.person, sides, numbered, missing, annotation.score, each.premarked)


def _places(annotation: Annotation, marks: Sequence[Mark]) -> dict[str, tuple[Place, ...]]:
    known = {mark.id: mark for mark in annotation.marks}
    return {mark.id: places_of(mark, known) for mark in marks}


def _text(annotation: Annotation, side: Side) -> str:
    return annotation.source if side == "source" else annotation.output


def _marked_text(annotation: Annotation, places: Sequence[Place]) -> str:
    return " … ".join(_text(annotation, place.side)[place.start : place.end] for place in places)


def _pieces(
    text: str,
    marks: Sequence[Numbered],
    places: Mapping[str, Sequence[Place]],
    side: Side,
    ranks: Mapping[str, int],
) -> Iterator[Piece]:
    """Cut a text wherever a mark begins or ends."""
    own = [(each, place) for each in marks for place in places[each.mark.id] if place.side == side]
    cuts = sorted({0, len(text), *(end for _, place in own for end in (place.start, place.end))})
    for start, end in pairwise(cuts):
        on = tuple(each for each, place in own if place.start < end and start < place.end)
        begun = tuple(each for each, place in own if place.start == start and place.start < place.end)
        rank = max((ranks.get(each.mark.severity or "", 1) for each in on), default=0)
        yield Piece(text[start:end], on, begun, rank)


def _shares(rows: Sequence[PersonRow], shown: Sequence[MarkedText], side: Side) -> Iterator[SharePiece]:
    """Yield how many of the people marked each stretch of a text; nothing of a side that has no mark."""
    if not shown:
        return
    text, people = _text(shown[0].annotation, side), [0] * len(_text(shown[0].annotation, side))
    for row in rows:
        start = 0
        for piece in dict(row.sides).get(side, []):
            if piece.marks:
                for place in range(start, start + len(piece.text)):
                    people[place] += 1
            start += len(piece.text)
    if side == "source" and not any(people):
        return
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or people[end] != people[start]:
            yield SharePiece(text[start:end], people[start], -(-SHADES * people[start] // len(shown)))
            start = end


def wanted_of(query: Mapping[str, Any]) -> Wanted:
    """Read what is asked for; what no mark has shows nothing."""
    return Wanted(*(str(query.get(name, ""))[:100] for name in ("kind", "severity", "person")))
