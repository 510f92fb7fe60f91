"""What people read under some settings: consent, guidelines and examples with their numbers filled in."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from common.words import Words
from crowd.languages import pages_in
from crowd.models import Round
from crowd.models.settings_version import (
    EDITORS_READ,
    PEOPLE_READ,
    RATERS_READ,
    TOLD_OR_HELD_TO,
    changed_names,
    plain_text,
)
from crowd.placeholders import PLACEHOLDERS, PlaceholdersRefused, Settings, faults_of, fill, names_in

READ_IN: Mapping[str, tuple[Round, ...]] = {
    "consent": (Round.EDIT, Round.RATE, Round.EXPERT),
    **dict.fromkeys(EDITORS_READ, (Round.EDIT,)),
    **dict.fromkeys(RATERS_READ, (Round.RATE, Round.EXPERT)),
}
"""The rounds whose people read a text."""
READERS = {
    Round.EDIT: _("What editors read"),
    Round.RATE: _("What raters read"),
    Round.EXPERT: _("What experts read"),
}

ENGLISH = "en"


@dataclass(frozen=True)
class Reading:
    """A text as its readers see it: once for all of them, or for each round where it differs."""

    faults: list[str]
    texts: list[tuple[Words, str]]


def readings_of(name: str, text: str, settings: Settings) -> Reading:
    """Return a text as it would be read, with what is wrong with its placeholders."""
    with pages_in(settings.get("page_language", ENGLISH)):  # where staff read, too
        filled: list[tuple[Words, str]] = [(READERS[each], fill(text, settings, each)) for each in READ_IN[name]]
    is_same = len({each for _, each in filled}) == 1
    return Reading(faults_of(text, settings, READ_IN[name]), [("", filled[0][1])] if is_same else filled)


def filled_texts(name: str, settings: Settings) -> list[str]:
    """Return a text as it is read in each of its rounds."""
    text = plain_text(settings.get(name) or "")
    return [fill(text, settings, work_round) for work_round in READ_IN[name]]


def readings_changed(before: Settings, after: Settings) -> list[str]:
    """Return the names of the texts that people read differently, be it for their words or for what is filled in."""
    return [name for name in PEOPLE_READ if filled_texts(name, before) != filled_texts(name, after)]


def told_names(before: Settings, after: Settings) -> set[str]:
    """Return the changed settings that people are told or held to, which includes all that a changed text names."""
    named = {name for text in readings_changed(before, after) for name in names_in(after.get(text) or "")}
    read = {
        setting
        for name in named & set(PLACEHOLDERS)
        for settings in PLACEHOLDERS[name].reads.values()
        for setting in settings
    }
    return set(changed_names(before, after)) & (set(TOLD_OR_HELD_TO) | read)


def placeholders_check(before: Settings, after: Settings) -> None:
    """Refuse texts that name what is not known or not set, unless it was so before and the text is the same."""
    faults = {}
    for name in PEOPLE_READ:
        text = after.get(name) or ""
        is_same = plain_text(before.get(name) or "") == plain_text(text)
        known = faults_of(text, before, READ_IN[name]) if is_same else []
        if found := [reason for reason in faults_of(text, after, READ_IN[name]) if reason not in known]:
            faults[name] = found
    if faults:
        raise PlaceholdersRefused(faults)
