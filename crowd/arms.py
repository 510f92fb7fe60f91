"""The arms of a rater round: the people of each have scales of their own, and who gets which is drawn."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from common.typed_text import typed_text_validate
from crowd.scales import Scale, scales_of_arm
from crowd.tasks import JudgementTask

MIN_ARMS, MAX_ARMS = 2, 6
MAX_ARM_NAME = 60
ARM_KEY = re.compile(r"[a-z0-9_]{1,40}")


@dataclass(frozen=True)
class Arm:
    """An arm: its key stands in files, and what staff call it on pages. Participants read neither."""

    key: str
    name: str


def arms_load(stored: Sequence[Mapping[str, Any]]) -> tuple[Arm, ...]:
    """Deserialise arms as a campaign stores them."""
    return tuple(Arm(each["key"], each["name"]) for each in stored)


def arms_dump(arms: Iterable[Arm]) -> list[dict[str, str]]:
    return [asdict(arm) for arm in arms]


def arms_to_text(arms: Iterable[Arm]) -> str:
    """Format arms in the plain text that staff edit."""
    return "\n".join(f"{arm.key}: {arm.name}" for arm in arms)


def arms_from_text(text: str) -> tuple[Arm, ...]:
    """Parse arms from plain text; raise a ValidationError that names the line.

    >>> arms_from_text("three: Three points")
    (Arm(key='three', name='Three points'),)
    """
    arms = []
    for number, line in enumerate(text.splitlines(), start=1):
        key, colon, name = (part.strip() for part in line.partition(":"))
        if not line.strip():
            continue
        if not (colon and ARM_KEY.fullmatch(key) and 0 < len(name) <= MAX_ARM_NAME):
            words = _(
                "Line %(line)s: an arm is its key, of letters a to z, digits and _, and its name, of up to %(most)s "
                "characters: “three: Three points”."
            )
            raise ValidationError(words % {"line": number, "most": MAX_ARM_NAME})
        arms.append(Arm(key, name))
    return tuple(arms)


def arms_validate(
    stored: Sequence[Mapping[str, Any]], scales: Iterable[Scale], *, extra_raters: bool, task: JudgementTask
) -> None:
    """Refuse arms that could not have come from the text in which staff write them, or do not fit other settings."""
    arms, scales = arms_load(stored), tuple(scales)
    text = arms_to_text(arms)
    typed_text_validate(text)
    if arms_from_text(text) != arms:
        raise ValidationError(_("The name of an arm is one line, with nothing around it."))
    if arms and not MIN_ARMS <= len(arms) <= MAX_ARMS:
        words = _("A round has %(least)s to %(most)s arms, or none.")
        raise ValidationError(words % {"least": MIN_ARMS, "most": MAX_ARMS})
    for taken in ([arm.key for arm in arms], [arm.name for arm in arms]):
        if repeated := next((each for each in taken if taken.count(each) > 1), ""):
            raise ValidationError(_("Two arms are called “%(name)s”.") % {"name": repeated})
    if unknown := sorted({scale.arm for scale in scales} - {"", *(arm.key for arm in arms)}):
        raise ValidationError(_("A scale names the arm “%(arm)s”, which there is not.") % {"arm": unknown[0]})
    if arms and task.has_material:
        raise ValidationError(_("What raters judge here has no scales in which arms could differ."))
    if arms and not any(scale.arm for scale in scales):
        raise ValidationError(_("No scale names an arm, so the people of all arms would do the same."))
    if empty := next((arm.key for arm in arms if not scales_of_arm(scales, arm.key)), ""):
        raise ValidationError(_("The people of the arm “%(arm)s” have no scale.") % {"arm": empty})
    if arms and extra_raters:
        words = _(
            "With arms, each text has as many raters of each, so no extra raters can be asked where some disagree."
        )
        raise ValidationError(words)
