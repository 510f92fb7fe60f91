"""What differs between two versions of a campaign's settings, as people read it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice
from typing import Any

from django.db import models

from crowd.models import Campaign
from crowd.models.campaign import RatingTask
from crowd.models.settings_version import changed_names, plain_text
from crowd.scales import scales_load, scales_to_text

Settings = Mapping[str, Any]
KEPT, REMOVED, ADDED, GAP = "kept", "removed", "added", "gap"
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
    label: str
    before: str = ""
    after: str = ""
    lines: tuple[Line, ...] = ()


def settings_difference(before: Settings, after: Settings) -> list[SettingChange]:
    return [_change(name, before, after) for name in changed_names(before, after)]


def _change(name: str, before: Settings, after: Settings) -> SettingChange:
    field = Campaign._meta.get_field(name)
    label = str(getattr(field, "verbose_name", name))
    if name == "scales":
        return SettingChange(name, label, lines=tuple(_lines(_scales_text(before), _scales_text(after))))
    if isinstance(field, models.TextField):
        return SettingChange(name, label, lines=tuple(_lines(str(before.get(name, "")), str(after.get(name, "")))))
    return SettingChange(name, label, setting_words(name, before.get(name)), setting_words(name, after.get(name)))


def _scales_text(settings: Settings) -> str:
    side_by_side = settings.get("rating_task") == RatingTask.PAIR
    return scales_to_text(scales_load(settings.get("scales", ())), side_by_side=side_by_side)


def setting_words(name: str, value: Any) -> str:
    """Return a short setting as it is called on the settings page."""
    if isinstance(value, bool):
        return "yes" if value else "no"
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
