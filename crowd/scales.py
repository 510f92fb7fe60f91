"""Rating scales. Each campaign defines its own; the default is meaning and grammar.

Staff write them as plain text: a line with the name and question, then a line for each point.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

MIN_POINTS, MAX_POINTS = 2, 7
MAX_SCALES = 6
# Names of the other fields in the same form.
RESERVED_KEYS = {"comment", "difference", "milliseconds", "version"}


@dataclass(frozen=True)
class Point:
    value: int
    words: str


@dataclass(frozen=True)
class Scale:
    """A scale's question and its points, the highest first."""

    key: str
    name: str
    question: str
    points: tuple[Point, ...]
    is_preference: bool = False
    """Whether its points say which of two texts is better."""

    @property
    def values(self) -> tuple[int, ...]:
        """The values of the points, the lowest first."""
        return tuple(range(1, len(self.points) + 1))


# Toutanova et al. 2016, §3.1.
MEANING = Scale(
    "meaning",
    "Meaning",
    "How much of the meaning is kept?",
    (Point(3, "Most important meaning"), Point(2, "Much meaning"), Point(1, "Little or none")),
)
GRAMMAR = Scale(
    "grammar",
    "Grammar",
    "How good is the language?",
    (Point(3, "Flawless language"), Point(2, "Minor errors"), Point(1, "Disfluent or incomprehensible")),
)
DEFAULT_SCALES = (MEANING, GRAMMAR)
# Side by side, every scale has the same answers; "first" and "second" refer to the texts in their stored order.
FIRST_IS_BETTER, SAME, SECOND_IS_BETTER = 1, 2, 3
PREFERENCE_WORDS = ("the first is better", "the same", "the second is better")


def scales_dump(scales: Iterable[Scale]) -> list[dict[str, Any]]:
    """Serialise scales for the database and files; the words of the points are listed from the lowest."""
    return [
        {
            "key": scale.key,
            "name": scale.name,
            "question": scale.question,
            "points": [point.words for point in reversed(scale.points)],
        }
        for scale in scales
    ]


def default_scales() -> list[dict[str, Any]]:
    return scales_dump(DEFAULT_SCALES)


def scales_load(stored: Sequence[Mapping[str, Any]]) -> tuple[Scale, ...]:
    """Deserialise scales written by `scales_dump`."""
    return tuple(_scale(each["key"], each["name"], each["question"], tuple(each["points"])) for each in stored)


@cache
def _scale(key: str, name: str, question: str, lowest_first: tuple[str, ...]) -> Scale:
    points = tuple(Point(value, words) for value, words in enumerate(lowest_first, start=1))
    return Scale(key, name, question, points[::-1])


def as_shown_side_by_side(scales: Iterable[Scale]) -> tuple[Scale, ...]:
    """Return the scales with their answers worded as on the page, where the texts are called A and B."""
    words = (_("A is better"), _("About the same"), _("B is better"))
    points = tuple(Point(value, each) for value, each in enumerate(words, start=FIRST_IS_BETTER))
    return tuple(replace(scale, points=points, is_preference=True) for scale in scales)


def scales_to_text(scales: Iterable[Scale], *, side_by_side: bool = False) -> str:
    """Format scales in the plain text that staff edit."""
    blocks = []
    for scale in scales:
        points = [] if side_by_side else [f"{point.value} {point.words}" for point in scale.points]
        blocks.append("\n".join([f"{scale.name}: {scale.question}", *points]))
    return "\n\n".join(blocks)


def scales_from_text(
    text: str, *, side_by_side: bool = False, keys: Mapping[str, str] | None = None
) -> tuple[Scale, ...]:
    """Parse scales from plain text; raise a ValidationError that names the line.

    `keys` holds the keys of scales by name, for those that must keep theirs; other keys are made of the names.
    """
    scales: list[Scale] = []
    for lines in _split_blocks(text):
        scale = _parse_scale(lines, place=len(scales) + 1, side_by_side=side_by_side, keys=keys or {})
        if any(scale.key == each.key or scale.name == each.name for each in scales):
            raise ValidationError(f"Line {lines[0][0]}: two scales are called “{scale.name}”.")
        if len(scales) == MAX_SCALES:
            raise ValidationError(f"Line {lines[0][0]}: a judgement has at most {MAX_SCALES} scales.")
        scales.append(scale)
    if not scales:
        raise ValidationError(f"There are 0 scales; a judgement has 1 to {MAX_SCALES}.")
    return tuple(scales)


Line = tuple[int, str]


def _split_blocks(text: str) -> list[list[Line]]:
    """Split numbered lines into one block per scale; a line that does not start with a digit begins a scale."""
    blocks: list[list[Line]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        if not line.strip()[0].isdigit():
            blocks.append([])
        if not blocks:
            raise ValidationError(f"Line {number}: a scale begins with its name and question, “Name: question?”.")
        blocks[-1].append((number, line.strip()))
    return blocks


def _parse_scale(lines: Sequence[Line], *, place: int, side_by_side: bool, keys: Mapping[str, str]) -> Scale:
    (number, head), *points = lines
    name, question = _name_and_question(head)
    key = keys.get(name) or _key_of(name, place)
    if not question or not key:
        raise ValidationError(f"Line {number}: a scale begins with its name and question, “Name: question?”.")
    if max(len(key), len(name)) > 40 or len(question) > 200:
        raise ValidationError(f"Line {number}: a name has at most 40 characters, a question 200.")
    if not side_by_side:
        return Scale(key, name, question, _parse_points(number, name, points))
    if points:
        raise ValidationError(f"Line {points[0][0]}: side by side all questions have the same answers, so none here.")
    return _scale(key, name, question, PREFERENCE_WORDS)


def _name_and_question(head: str) -> tuple[str, str]:
    name, _colon, question = head.partition(":") if ":" in head else head.partition("\uff1a")  # as typed in Chinese
    return name.strip(), question.strip()


def _key_of(name: str, place: int) -> str:
    """Return a key of Latin letters and digits; a name in another script gives only its place among the scales."""
    key = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    if not key and any(map(str.isalpha, name)):
        return f"scale_{place}"
    return f"{key}_scale" if key in RESERVED_KEYS else key


def _parse_points(head_number: int, name: str, lines: Sequence[Line]) -> tuple[Point, ...]:
    if not MIN_POINTS <= len(lines) <= MAX_POINTS:
        raise ValidationError(
            f"Line {head_number}: “{name}” has {len(lines)} points; a scale has {MIN_POINTS} to {MAX_POINTS}, "
            "each on a line of its own, such as “3 Most important meaning”."
        )
    words: dict[int, str] = {}
    for number, line in lines:
        match = re.fullmatch(r"(\d)[.:)]?\s+(\S.{0,99})", line)
        if not match:
            raise ValidationError(f"Line {number}: a point is a digit and up to 100 characters of words.")
        if int(match[1]) in words:
            raise ValidationError(f"Line {number}: “{name}” has the point {match[1]} twice.")
        words[int(match[1])] = match[2].strip()
    if sorted(words) != list(range(1, len(words) + 1)):
        raise ValidationError(f"Line {head_number}: the points of “{name}” must be 1 to {len(words)}, none left out.")
    return tuple(Point(value, words[value]) for value in sorted(words, reverse=True))
