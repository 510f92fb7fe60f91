"""Rating scales. Each campaign defines its own; the default is meaning and grammar."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

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
# What the points of these scales mean, for somebody who meets them for the first time: shown beneath the labels.
PLAIN_WORDS = {
    ("meaning", 3): gettext_lazy("Nothing important is missing."),
    ("meaning", 2): gettext_lazy("Important parts are missing."),
    ("meaning", 1): gettext_lazy("The main point is lost."),
    ("grammar", 3): gettext_lazy("No mistakes, and easy to read."),
    ("grammar", 2): gettext_lazy("Small mistakes, but still clear."),
    ("grammar", 1): gettext_lazy("Hard to read, or makes no sense."),
}
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
    return tuple(scale_of(each["key"], each["name"], each["question"], tuple(each["points"])) for each in stored)


@lru_cache(maxsize=1024)  # anyone of the staff may send scales to be checked
def scale_of(key: str, name: str, question: str, lowest_first: tuple[str, ...]) -> Scale:
    """Return the scale whose points have these words."""
    points = tuple(Point(value, words) for value, words in enumerate(lowest_first, start=1))
    return Scale(key, name, question, points[::-1])


def as_shown_side_by_side(scales: Iterable[Scale]) -> tuple[Scale, ...]:
    """Return the scales with their answers worded as on the page, where the texts are called A and B."""
    words = (_("A is better"), _("About the same"), _("B is better"))
    points = tuple(Point(value, each) for value, each in enumerate(words, start=FIRST_IS_BETTER))
    return tuple(replace(scale, points=points, is_preference=True) for scale in scales)
