"""The two three-point scales of Toutanova et al. 2016, §3.1, with their words."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    value: int
    words: str


@dataclass(frozen=True)
class Scale:
    key: str
    name: str
    question: str
    points: tuple[Point, ...]


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
SCALES = (MEANING, GRAMMAR)
VALUES = (1, 2, 3)
