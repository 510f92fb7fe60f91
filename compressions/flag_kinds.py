"""The kinds of flags on compressions: what each is called and what it means.

A compression stores its flags with the names that `measures` gives them, and beside them the keys of their kinds, by
which lists are narrowed. A flag says what was seen, with its evidence, and never why it came about.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from measures.keystrokes.effort import FlagName
from measures.text.odd_texts import DisguiseName, OddTextName

Flag = list[str | int | None]
"""Name, evidence, and the operation to look at, if any."""

LOG_TOO_LONG = "edits last longer than the time"
SAME_TEXT = "same text for different sources"
ONE_CUT = "one piece cut out"
UNKNOWN = "other"
NO_FLAGS: dict[str, Any] = {
    "flags": [],
    "is_flagged": False,
    "flag_kinds": "",
    "flags_seen_at": None,
    "flags_seen_by": None,
}


@dataclass(frozen=True)
class FlagKind:
    """A kind: its key in addresses and files, its name in stored flags, its name on pages, and its meaning."""

    key: str
    stored: str
    label: str | Promise
    meaning: str | Promise


KINDS = (
    FlagKind(
        "pasted",
        FlagName.PASTED_FROM_ELSEWHERE,
        _("Pasted from elsewhere"),
        _("Text was pasted, or put in as a long correction, that stands neither in the source nor in the draft."),
    ),
    FlagKind(
        "speed",
        FlagName.IMPOSSIBLE_SPEED,
        _("Typed very fast"),
        _("Characters came one by one, faster than people type. Words and phrases that came as a whole do not count."),
    ),
    FlagKind(
        "seconds",
        FlagName.FEW_SECONDS,
        _("Done in a few seconds"),
        _("The last change came a few seconds after the text was shown."),
    ),
    FlagKind(
        "clock",
        LOG_TOO_LONG,
        _("Edits last longer than the time"),
        _("The record of edits covers more time than there was between giving out the text and its submission."),
    ),
    FlagKind(
        "short",
        OddTextName.VERY_SHORT,
        _("Very short"),
        _("The text has less than a fifth of the allowed length. The page asks before it sends such a text."),
    ),
    FlagKind(
        "unlike",
        OddTextName.UNLIKE_SOURCE,
        _("Hardly a word of the original"),
        _("Of the longer words of the text, few are in the source. The page asks before it sends such a text."),
    ),
    FlagKind(
        "squeezed",
        OddTextName.SQUEEZED,
        _("Spaces or vowels left out"),
        _("Words of the source stand together without a space, or without their vowels."),
    ),
    FlagKind(
        "ending",
        OddTextName.CUT_OFF,
        _("End cut off"),
        _("The text ends with a word that hardly ends a sentence. Only for English, French, German and Spanish."),
    ),
    FlagKind(
        "language",
        OddTextName.OTHER_LANGUAGE,
        _("In another language"),
        _("The text has another script than the source, or the frequent words of another language."),
    ),
    FlagKind(
        "repeated",
        SAME_TEXT,
        _("Same text for different sources"),
        _("The editor submitted the same text for another source as well."),
    ),
    FlagKind(
        "cut",
        ONE_CUT,
        _("One piece cut out"),
        _(
            "At least three and half of the editor’s texts are their source with one piece cut out: the end, the "
            "beginning or the middle. Chance hardly gives so many, by what others wrote for the same sources."
        ),
    ),
    FlagKind(
        "direction",
        DisguiseName.BIDIRECTIONAL,
        _("Hidden writing direction"),
        _("Invisible characters change the direction in which the text is shown."),
    ),
    FlagKind(
        "alphabets",
        DisguiseName.MIXED_ALPHABETS,
        _("Alphabets mixed in a word"),
        _("A word has letters of two alphabets, some of which look alike."),
    ),
)
KIND_OF_NAME = {kind.stored: kind for kind in KINDS}


def kinds_of(flags: Iterable[Sequence[Any]]) -> str:
    """Return the kinds of stored flags as `Compression.flag_kinds` holds them."""
    keys = dict.fromkeys(KIND_OF_NAME[name].key if name in KIND_OF_NAME else UNKNOWN for name, *_rest in flags)
    return f" {' '.join(keys)} " if keys else ""


def of_kind(key: str) -> Q:
    """Return the condition for compressions with a flag of this kind."""
    return Q(flag_kinds__contains=f" {key} ")


def flag_columns(flags: list[Flag]) -> dict[str, Any]:
    """Return the columns that store flags."""
    return {"flags": flags, "is_flagged": bool(flags), "flag_kinds": kinds_of(flags)}


@dataclass(frozen=True)
class ShownFlag:
    """A flag as pages show it."""

    label: str | Promise
    evidence: str
    operation: int | None
    meaning: str | Promise


def shown_flags(flags: Iterable[Sequence[Any]]) -> list[ShownFlag]:
    """Return stored flags with the names of their kinds; one of an unknown kind keeps the name it has."""
    return [_shown(*flag) for flag in flags]


def _shown(name: str, evidence: str, operation: int | None) -> ShownFlag:
    kind = KIND_OF_NAME.get(name)
    label = kind.label if kind else name.capitalize()
    return ShownFlag(label, evidence, operation, kind.meaning if kind else "")
