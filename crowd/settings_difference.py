"""What differs between two versions of a campaign's settings, as people read it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from common.words import Words
from crowd.arms import arms_load, arms_to_text
from crowd.models import Campaign
from crowd.models.campaign import MONEY, PayUnit
from crowd.models.setting_words import label_of
from crowd.models.settings_version import VERSIONED, changed_names, plain_text
from crowd.placeholders import money
from crowd.readings import filled_texts, readings_changed
from crowd.scale_texts import scales_to_text
from crowd.scales import scales_load
from crowd.tasks import task_of

Settings = Mapping[str, Any]
KEPT, REMOVED, ADDED, GAP = "kept", "removed", "added", "gap"
NOT_SET, NOT_RECORDED = _("not set"), _("not recorded")
PAY_UNITS: Mapping[str, Words] = {each.value: each.label for each in PayUnit}
MAX_COMPARED_LINES = 1_000
"""Of longer texts all lines are shown: comparing takes up to cubic time in lines that come again and again."""
_KINDS = {" ": KEPT, "-": REMOVED, "+": ADDED, "@": GAP}


@dataclass(frozen=True)
class Line:
    """A line of a text: kept, removed or added; a gap stands for lines that are the same."""

    kind: str
    text: str


@dataclass(frozen=True)
class SettingChange:
    """A setting that differs: a short value before and after, or the lines of a text."""

    name: str
    label: Words
    before: Words = ""
    after: Words = ""
    lines: tuple[Line, ...] = ()
    is_filled_only: bool = False
    """Whether a text is the same, and only what is filled in differs."""


def settings_difference(before: Settings, after: Settings) -> list[SettingChange]:
    """Return the settings that differ, then the texts in which people read other numbers for it."""
    changed = changed_names(before, after)
    refilled = [name for name in readings_changed(before, after) if name in before and name not in changed]
    return [_change(name, before, after) for name in changed] + [_refilled(name, before, after) for name in refilled]


def settings_first_recorded(before: Settings, after: Settings) -> list[SettingChange]:
    """Return the settings that the version before is too old to know; whether they changed is not recorded."""
    names = [name for name in VERSIONED if name in after and name not in before]
    return [
        SettingChange(name, label_of(name), NOT_RECORDED, setting_words(name, after[name], after)) for name in names
    ]


def _refilled(name: str, before: Settings, after: Settings) -> SettingChange:
    pairs = zip(filled_texts(name, before), filled_texts(name, after), strict=True)
    old, new = next((old, new) for old, new in pairs if old != new)
    label = _("%(setting)s, with the numbers filled in") % {"setting": label_of(name)}
    return SettingChange(name, label, lines=tuple(_lines(old, new)), is_filled_only=True)


def _change(name: str, before: Settings, after: Settings) -> SettingChange:
    label = label_of(name)
    if name == "scales":
        return SettingChange(name, label, lines=tuple(_lines(_scales_text(before), _scales_text(after))))
    if name == "arms":
        old_arms, new_arms = (arms_to_text(arms_load(each.get("arms", ()))) for each in (before, after))
        return SettingChange(name, label, lines=tuple(_lines(old_arms, new_arms)))
    if isinstance(Campaign._meta.get_field(name), models.TextField):
        return SettingChange(name, label, lines=tuple(_lines(str(before.get(name, "")), str(after.get(name, "")))))
    old, new = before.get(name), after.get(name)
    return SettingChange(name, label, setting_words(name, old, before), setting_words(name, new, after))


def _scales_text(settings: Settings) -> str:
    side_by_side = task_of(settings.get("rating_task")).asks_preference
    return scales_to_text(scales_load(settings.get("scales", ())), side_by_side=side_by_side)


def setting_words(name: str, value: Any, settings: Settings) -> Words:
    """Return a short setting as people say it: amounts with their currency, choices as on the settings page."""
    if value is None:
        return NOT_SET
    if name == "arms":
        return ", ".join(arm.name for arm in arms_load(value)) or _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name in MONEY:
        unit = PAY_UNITS.get(settings.get(f"{name}_unit", ""), "")
        return f"{money(value, settings.get('currency', ''))} {unit}".strip()
    choices = getattr(Campaign._meta.get_field(name), "choices", None) or ()
    return str(dict(choices).get(value, value))


def _lines(before: str, after: str) -> Iterator[Line]:
    """Compare texts line by line, with a line of context around what differs, unless that is empty."""
    old, new = plain_text(before).split("\n"), plain_text(after).split("\n")
    if max(len(old), len(new)) > MAX_COMPARED_LINES:
        yield from (Line(REMOVED, line) for line in old)
        yield from (Line(ADDED, line) for line in new)
        return
    lines = unified_diff(old, new, n=1, lineterm="")
    for line in islice(lines, 3, None):  # after the head of the format
        if line != " ":
            yield Line(_KINDS[line[0]], "" if _KINDS[line[0]] == GAP else line[1:])
