"""A mark in a text: a span, or something missing, with what a person said of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, NamedTuple, TypeAlias

Side: TypeAlias = Literal["source", "output", "both"]
Fate: TypeAlias = Literal["kept", "changed", "deleted"]

SIDES: tuple[Side, ...] = ("source", "output", "both")
FATES: tuple[Fate, ...] = ("kept", "changed", "deleted")
PERSON = "person"
"""The origin of a mark that a person made."""


class Place(NamedTuple):
    """A half-open span of one side, in code points of the text in form NFC."""

    side: Literal["source", "output"]
    start: int
    end: int


@dataclass(frozen=True)
class Mark:
    """A mark of a text, as it is stored.

    Attributes
    ----------
    id : str
        Its name, unique in the answer.
    side : {"source", "output", "both"}
        Of which text its span is; of both, if it has `pairs` of both or is made of `parts`.
    start, end : int or None
        A half-open span in code points of the text in form NFC; none with `pairs` and `parts`, and where nothing says
        at which place something is missing. Of what is missing at a place, `start` is `end`.
    missing : bool
        Whether it says that something is missing.
    kind, severity : str or None
        Keys of the preset.
    answers : mapping
        Answers to the questions of its kind, as nested as they are.
    pairs : tuple of Place
        The spans of a mark that has several.
    parts : tuple of str
        Names of the marks that it is made of.
    note : str
        What its author wrote about it.
    origin : str
        "person", or what made it before a person decided: "alignment", or the name of a model or person of a file.
    fate : {"kept", "changed", "deleted"} or None
        What a person decided about a mark that was there before.
    at_ms : int
        When it was made or last changed, in milliseconds since the page was given out.

    Examples
    --------
    >>> mark = Mark("m1", "output", 4, 9, kind="Style/Awkward", severity="minor")
    >>> mark.places, mark.counts, Mark.from_dict(mark.as_dict()) == mark
    ((Place(side='output', start=4, end=9),), True, True)
    """

    id: str
    side: Side = "output"
    start: int | None = None
    end: int | None = None
    missing: bool = False
    kind: str | None = None
    severity: str | None = None
    answers: Mapping[str, Any] = field(default_factory=dict)
    pairs: tuple[Place, ...] = ()
    parts: tuple[str, ...] = ()
    note: str = ""
    origin: str = PERSON
    fate: Fate | None = None
    at_ms: int = 0

    @property
    def counts(self) -> bool:
        """Whether it is still there: not a mark that a person deleted."""
        return self.fate != "deleted"

    @property
    def places(self) -> tuple[Place, ...]:
        """Its own spans; none of what is missing or made of parts."""
        if self.missing or self.start is None or self.end is None or self.side == "both":
            return self.pairs
        return (Place(self.side, self.start, self.end),)

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it; `pairs` are lists of side, start and end."""
        row = asdict(self)
        row["answers"] = dict(self.answers)
        row["pairs"], row["parts"] = [list(place) for place in self.pairs], list(self.parts)
        return row

    @classmethod
    def from_dict(cls, row: object) -> Mark:
        """Read a mark from JSON.

        Parameters
        ----------
        row : object
            What JSON has of a mark; what may be left out has its default.

        Returns
        -------
        Mark
            The mark; whether it fits a text and a preset is for `refusals` to say.

        Raises
        ------
        ValueError
            If it is not an object, has another field, or a value of a wrong type; it names the mark and the field.

        Examples
        --------
        >>> Mark.from_dict({"id": "m1", "start": 0, "end": "9"})
        Traceback (most recent call last):
        ...
        ValueError: mark m1: end must be a whole number or null
        """
        if not isinstance(row, Mapping) or not isinstance(row.get("id"), str) or not row["id"]:
            raise ValueError("a mark must be an object with an id")
        name = f"mark {row['id']}"
        for key, value in row.items():
            wanted = _TYPES.get(key)
            if wanted is None:
                raise ValueError(f"{name}: there is no field {str(key)[:50]!r}")
            if not wanted[1](value):
                raise ValueError(f"{name}: {key} must be {wanted[0]}")
        values = dict(row)
        values["pairs"] = tuple(Place(*each) for each in row.get("pairs") or ())
        values["parts"] = tuple(row.get("parts") or ())
        return cls(**values)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_place(value: object) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and len(value) == 3
        and value[0] in ("source", "output")
        and all(_is_whole(each) for each in value[1:])
    )


def _are(kind: Any, value: object) -> bool:
    return isinstance(value, list | tuple) and all(kind(each) for each in value)


_WHOLE_OR_NONE = ("a whole number or null", lambda value: value is None or _is_whole(value))
_TEXT_OR_NONE = ("a text or null", lambda value: value is None or _is_text(value))
_TYPES: dict[str, tuple[str, Any]] = {
    "id": ("a text", _is_text),
    "side": ("source, output or both", lambda value: value in SIDES),
    "start": _WHOLE_OR_NONE,
    "end": _WHOLE_OR_NONE,
    "missing": ("true or false", lambda value: isinstance(value, bool)),
    "kind": _TEXT_OR_NONE,
    "severity": _TEXT_OR_NONE,
    "answers": ("an object", lambda value: isinstance(value, Mapping)),
    "pairs": ("a list of [side, start, end]", lambda value: _are(_is_place, value)),
    "parts": ("a list of names of marks", lambda value: _are(_is_text, value)),
    "note": ("a text", _is_text),
    "origin": ("a text", _is_text),
    "fate": ("kept, changed, deleted or null", lambda value: value is None or value in FATES),
    "at_ms": ("a whole number from 0", lambda value: _is_whole(value) and value >= 0),
}
assert _TYPES.keys() == {each.name for each in fields(Mark)}


def places_of(mark: Mark, marks: Mapping[str, Mark]) -> tuple[Place, ...]:
    """Return the spans of a mark, or of what it is made of, without overlap.

    Parameters
    ----------
    mark : Mark
        A mark.
    marks : mapping of str to Mark
        All marks of its answer by id; parts that are not among them, or were deleted, have no span.

    Returns
    -------
    tuple of Place
        In order; spans that overlap or touch are one.

    Examples
    --------
    >>> one, two = Mark("1", "output", 0, 4), Mark("2", "output", 3, 9)
    >>> places_of(Mark("3", "both", parts=("1", "2")), {"1": one, "2": two})
    (Place(side='output', start=0, end=9),)
    """
    if not mark.parts and not mark.pairs:
        return mark.places
    parts = (marks[part] for part in mark.parts if part in marks and marks[part].counts)
    own = mark.places if not mark.parts else tuple(place for part in parts for place in part.places)
    joined: list[Place] = []
    for place in sorted(own):
        if joined and joined[-1].side == place.side and place.start <= joined[-1].end:
            joined[-1] = Place(place.side, joined[-1].start, max(joined[-1].end, place.end))
        else:
            joined.append(place)
    return tuple(joined)


def counted(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Return the marks that are still there, in order.

    Parameters
    ----------
    marks : iterable of Mark
        Marks.

    Returns
    -------
    tuple of Mark
        Those that no person deleted.

    Examples
    --------
    >>> len(counted([Mark("1", fate="kept"), Mark("2", fate="deleted"), Mark("3")]))
    2
    """
    return tuple(mark for mark in marks if mark.counts)
