"""Rating scales and arms as staff write them.

A scale is a line with its name and question, then a line for each point. Brackets before the name hold its arm, and
[nuggets] after the question says that raters can look them up. An arm is a line with its key and name.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from crowd.scales import (
    LARGEST_NUMBER,
    MAX_POINTS,
    MAX_SCALES,
    MIN_POINTS,
    MOST_IMPORTED_POINTS,
    PREFERENCE_WORDS,
    RESERVED_KEYS,
    NumberRange,
    Point,
    Scale,
    imported_scale,
    plain_number,
    scale_of,
)

_NO_HEAD = gettext_lazy("Line %(line)s: a scale begins with its name and question, “Name: question?”.")


def scales_to_text(scales: Iterable[Scale], *, side_by_side: bool = False) -> str:
    """Format scales in the plain text that staff edit."""
    blocks = []
    for scale in scales:
        points = [] if side_by_side else [f"{point.value} {point.words}" for point in scale.points]
        arm = f"[{scale.arm}] " if scale.arm else ""
        nuggets = f" {_NUGGETS}" if scale.shows_nuggets else ""
        blocks.append("\n".join([f"{arm}{scale.name}: {scale.question}{nuggets}", *points]))
    return "\n\n".join(blocks)


def scales_from_text(
    text: str, *, side_by_side: bool = False, keys: Mapping[tuple[str, str], str] | None = None
) -> tuple[Scale, ...]:
    """Parse scales from plain text; raise a ValidationError that names the line.

    `keys` holds the keys of scales by arm and name, for those that must keep theirs; other keys are made of the names.
    Only the raters of different arms can have scales of one name.
    """
    scales: list[Scale] = []
    for lines in _split_blocks(text):
        scale = _parse_scale(lines, place=len(scales) + 1, side_by_side=side_by_side, keys=keys or {})
        if scale.arm and scale.key in {each.key for each in scales}:  # no page says the arm, so no key does
            scale = replace(scale, key=f"{scale.key[:38]}_{len(scales) + 1}")
        if any(scale.key == each.key or _same_name(scale, each) for each in scales):
            raise ValidationError(
                _("Line %(line)s: two scales are called “%(name)s”.") % {"line": lines[0][0], "name": scale.name}
            )
        if len(scales) == MAX_SCALES:
            raise ValidationError(
                _("Line %(line)s: a text is rated on at most %(most)s scales.")
                % {"line": lines[0][0], "most": MAX_SCALES}
            )
        scales.append(scale)
    if not scales:
        raise ValidationError(_("There is no scale; a text is rated on 1 to %(most)s.") % {"most": MAX_SCALES})
    return tuple(scales)


def _same_name(one: Scale, other: Scale) -> bool:
    """Whether some rater would have two scales of this name."""
    return one.name == other.name and (one.arm == other.arm or not (one.arm and other.arm))


Line = tuple[int, str]
_NUGGETS, _MARKED = "[nuggets]", re.compile(r"(.*?)\s*[\[\uff3b]\s*nuggets\s*[\]\uff3d]", re.IGNORECASE)
_ARM_OF_SCALE = re.compile(r"\[([a-z0-9_]{1,40})\]\s*(.*)")


def _split_blocks(text: str) -> list[list[Line]]:
    """Split numbered lines into one block per scale; a line that does not start with a digit begins a scale."""
    blocks: list[list[Line]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        if not line.strip()[0].isdigit():
            blocks.append([])
        if not blocks:
            raise ValidationError(_NO_HEAD % {"line": number})
        blocks[-1].append((number, line.strip()))
    return blocks


def _parse_scale(
    lines: Sequence[Line], *, place: int, side_by_side: bool, keys: Mapping[tuple[str, str], str]
) -> Scale:
    (number, head), *points = lines
    of_arm = _ARM_OF_SCALE.fullmatch(head)
    arm, head = (of_arm[1], of_arm[2]) if of_arm else ("", head)
    marked = _MARKED.fullmatch(head)
    name, question = _name_and_question(marked[1] if marked else head)
    key = keys.get((arm, name)) or _key_of(name, place)
    if not question or not key:
        raise ValidationError(_NO_HEAD % {"line": number})
    if max(len(key), len(name)) > 40 or len(question) > 200:
        raise ValidationError(_("Line %(line)s: a name has at most 40 characters, a question 200.") % {"line": number})
    if not side_by_side:
        return Scale(key, name, question, _parse_points(number, name, points), arm=arm, shows_nuggets=bool(marked))
    if points:
        raise ValidationError(
            _("Line %(line)s: side by side, all questions have the same answers, so write none here.")
            % {"line": points[0][0]}
        )
    return scale_of(key, name, question, PREFERENCE_WORDS, arm, shows_nuggets=bool(marked))


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
            _(
                "Line %(line)s: “%(name)s” has %(points)s points; a scale has %(least)s to %(most)s, each on a line of "
                "its own, such as “3 Most important meaning”."
            )
            % {
                "line": head_number,
                "name": name,
                "points": len(lines),
                "least": MIN_POINTS,
                "most": MAX_POINTS,
            }
        )
    words: dict[int, str] = {}
    for number, line in lines:
        match = re.fullmatch(r"(\d)[.:)]?\s+(\S.{0,99})", line)
        if not match:
            raise ValidationError(
                _("Line %(line)s: a point is a digit and up to 100 characters of words.") % {"line": number}
            )
        if int(match[1]) in words:
            raise ValidationError(
                _("Line %(line)s: “%(name)s” has the point %(point)s twice.")
                % {"line": number, "name": name, "point": match[1]}
            )
        words[int(match[1])] = match[2].strip()
    if sorted(words) != list(range(1, len(words) + 1)):
        raise ValidationError(
            _("Line %(line)s: the points of “%(name)s” must be 1 to %(last)s, each of them once.")
            % {"line": head_number, "name": name, "last": len(words)}
        )
    return tuple(Point(value, words[value]) for value in sorted(words, reverse=True))


_NUMBER = r"-?\d{1,7}(?:\.\d{1,6})?"
_IMPORTED = re.compile(
    rf"(?P<key>[a-z][a-z0-9_]{{0,39}})\s+(?P<lowest>{_NUMBER})\s*\.\.\s*(?P<highest>{_NUMBER})\s+"
    rf"(?:(?P<real>real)|step\s+(?P<step>{_NUMBER}))(?P<less>\s*,\s*less is better)?"
)


def imported_scale_from_text(text: str) -> Scale:
    """Parse the scale of a file's column, such as “score 0..100 real”; raise a ValidationError that says what is wrong.

    >>> imported_scale_from_text("errors 0..25 step 1, less is better").numbers
    NumberRange(lowest=0.0, highest=25.0, step=1.0, less_is_better=True)
    """
    shown = {"scale": text.strip()[:80]}
    match = _IMPORTED.fullmatch(text.strip())
    if match is None:
        raise ValidationError(
            _(
                "“%(scale)s” is no scale: write its column, ends and step, such as “score 0..100 real” or “adequacy "
                "1..5 step 1”, and “, less is better” behind it where that is so."
            )
            % shown
        )
    lowest, highest = float(match["lowest"]), float(match["highest"])
    step = None if match["real"] else float(match["step"])
    if not -LARGEST_NUMBER <= lowest < highest <= LARGEST_NUMBER:
        raise ValidationError(
            _("“%(scale)s”: the highest number must be above the lowest, and both within a million.") % shown
        )
    if step is not None and not _divides(step, highest - lowest):
        words = _("“%(scale)s”: the step must lead from the lowest to the highest number, by 2 to %(most)s points.")
        raise ValidationError(words % {**shown, "most": MOST_IMPORTED_POINTS})
    if match["key"] in RESERVED_KEYS:
        raise ValidationError(_("No scale can have the key %(keys)s.") % {"keys": match["key"]})
    return imported_scale(match["key"], NumberRange(lowest, highest, step, match["less"] is not None))


def imported_scale_to_text(scale: Scale) -> str:
    """Write a scale of a file as `imported_scale_from_text` reads it."""
    if scale.numbers is None:
        raise ValueError(f"{scale.key} did not come with a file")
    step = "real" if scale.numbers.step is None else f"step {plain_number(scale.numbers.step)}"
    less = ", less is better" if scale.numbers.less_is_better else ""
    return f"{scale.key} {scale.lowest}..{scale.highest} {step}{less}"


def _divides(step: float, whole: float) -> bool:
    steps = whole / step if step > 0 else 0
    return 1 <= round(steps) < MOST_IMPORTED_POINTS and abs(steps - round(steps)) < 1e-6
