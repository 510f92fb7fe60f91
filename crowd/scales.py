"""Rating scales. Each campaign defines its own, by default meaning and grammar; imported ratings may have others."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import isfinite
from typing import Any, cast

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


MOST_IMPORTED_POINTS = 101
LARGEST_NUMBER = 1_000_000
_NEARLY = 1e-9
"""How far a number may be from a step of its scale, in steps: 0.3 is not three times 0.1 in a computer."""


@dataclass(frozen=True)
class NumberRange:
    """The numbers of a scale that ratings made elsewhere were given on; any from end to end where it has no step."""

    lowest: float
    highest: float
    step: float | None = None
    less_is_better: bool = False

    def has(self, number: float) -> bool:
        """Whether a number is one of the scale."""
        if not self.lowest <= number <= self.highest:
            return False
        if self.step is None:
            return True
        steps = (number - self.lowest) / self.step
        return abs(steps - round(steps)) < _NEARLY

    @cached_property
    def values(self) -> tuple[float, ...]:
        """The numbers from the lowest to the highest; none where any between them may be given."""
        if self.step is None:
            return ()
        number = round((self.highest - self.lowest) / self.step)
        return tuple(plain_number(round(self.lowest + place * self.step, 9)) for place in range(number + 1))


def plain_number(number: float) -> float:
    """Return a whole number as such, so that files and pages say 70 and not 70.0."""
    return int(number) if isfinite(number) and number == int(number) else number


@dataclass(frozen=True)
class Scale:
    """A scale's question and its points, the highest first; or the range of a scale that came with a file."""

    key: str
    name: str
    question: str
    points: tuple[Point, ...]
    is_preference: bool = False
    """Whether its points say which of two texts is better."""
    numbers: NumberRange | None = None
    arm: str = ""
    """The arm whose raters have it; empty if all have."""
    shows_nuggets: bool = False
    """Whether raters can look up the nuggets of the source with it."""

    @property
    def values(self) -> tuple[Any, ...]:
        """The values of the points, the lowest first: whole ones of the campaign's own; none of real numbers."""
        return tuple(range(1, len(self.points) + 1)) if self.numbers is None else self.numbers.values

    @property
    def lowest(self) -> float:
        return 1 if self.numbers is None else plain_number(self.numbers.lowest)

    @property
    def highest(self) -> float:
        return len(self.points) if self.numbers is None else plain_number(self.numbers.highest)

    @property
    def has_few_points(self) -> bool:
        """Whether ratings are in so few categories that people often give the same one, as kappa wants."""
        return 0 < len(self.values) <= MAX_POINTS

    def has(self, number: float) -> bool:
        """Whether people can give a number."""
        return number in self.values if self.numbers is None else self.numbers.has(number)


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
# What these points mean, for somebody who meets them for the first time: shown beneath the published words.
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
            **_dumped_points(scale),
            **({"arm": scale.arm} if scale.arm else {}),
            **({"nuggets": True} if scale.shows_nuggets else {}),
        }
        for scale in scales
    ]


def _dumped_points(scale: Scale) -> dict[str, Any]:
    if scale.numbers is None:
        return {"points": [point.words for point in reversed(scale.points)]}
    return {
        "lowest": plain_number(scale.numbers.lowest),
        "highest": plain_number(scale.numbers.highest),
        "step": None if scale.numbers.step is None else plain_number(scale.numbers.step),
        "less_is_better": scale.numbers.less_is_better,
    }


def default_scales() -> list[dict[str, Any]]:
    return scales_dump(DEFAULT_SCALES)


def scales_load(stored: Sequence[Mapping[str, Any]]) -> tuple[Scale, ...]:
    """Deserialise scales written by `scales_dump`."""
    return tuple(
        scale_of(
            each["key"],
            each["name"],
            each["question"],
            tuple(each["points"]),
            each.get("arm", ""),
            shows_nuggets=each.get("nuggets", False),
        )
        if "points" in each
        else imported_scale(
            each["key"], NumberRange(each["lowest"], each["highest"], each["step"], each["less_is_better"])
        )
        for each in stored
    )


def imported_scale(key: str, numbers: NumberRange) -> Scale:
    """Return a scale that came with a file; its key is all that is known of its name and question."""
    few = numbers.values if len(numbers.values) <= MAX_POINTS else ()
    return Scale(key, key, "", tuple(Point(cast(int, value), "") for value in reversed(few)), numbers=numbers)


@lru_cache(maxsize=1024)  # anyone of the staff may send scales to be checked
def scale_of(
    key: str, name: str, question: str, lowest_first: tuple[str, ...], arm: str = "", *, shows_nuggets: bool = False
) -> Scale:
    """Return the scale whose points have these words."""
    points = tuple(Point(value, words) for value, words in enumerate(lowest_first, start=1))
    return Scale(key, name, question, points[::-1], arm=arm, shows_nuggets=shows_nuggets)


def scales_of_arm(scales: Iterable[Scale], arm: str) -> tuple[Scale, ...]:
    """Return the scales that a person of an arm has; all of them for somebody in none, such as an expert."""
    return tuple(scale for scale in scales if not arm or scale.arm in {"", arm})


def told_apart(scales: Sequence[Scale]) -> tuple[Scale, ...]:
    """Return the scales with names that tell staff apart what raters of two arms know by the same one."""
    names = [scale.name for scale in scales]
    return tuple(
        replace(scale, name=f"{scale.name} ({scale.arm})") if scale.arm and names.count(scale.name) > 1 else scale
        for scale in scales
    )


def as_shown_side_by_side(scales: Iterable[Scale]) -> tuple[Scale, ...]:
    """Return the scales with their answers worded as on the page, where the texts are called A and B."""
    words = (_("A is better"), _("About the same"), _("B is better"))
    points = tuple(Point(value, each) for value, each in enumerate(words, start=FIRST_IS_BETTER))
    return tuple(replace(scale, points=points, is_preference=True) for scale in scales)
