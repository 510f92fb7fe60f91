"""What the editing page says about lengths before its script takes over (`static/js/lib/counter.js`)."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from measures.text.length_rule import Verdict

WHOLE = 100


@dataclass(frozen=True)
class LengthBar:
    """The length of a text as percentages of the original's: within the limit, beyond it, and the limit itself."""

    fill: str
    over: str
    limit: str


def rule_words(verdict: Verdict, keep_percent: int) -> str:
    """Say the length rule of a text in its own numbers."""
    words = ngettext(
        "Make it at least %(percent)s%% shorter: %(n)s character or fewer. The original has %(original)s.",
        "Make it at least %(percent)s%% shorter: %(n)s characters or fewer. The original has %(original)s.",
        verdict.allowed,
    )
    return words % {"percent": WHOLE - keep_percent, "n": verdict.allowed, "original": verdict.source_length}


def counter_words(verdict: Verdict) -> str:
    if not verdict.length:
        return _("Please write some text.")
    if verdict.excess:
        words = ngettext("%(n)s character too long", "%(n)s characters too long", verdict.excess)
        return words % {"n": verdict.excess}
    if not verdict.spare:
        return _("Short enough: right at the limit")
    words = ngettext("Short enough: %(n)s character to spare", "Short enough: %(n)s characters to spare", verdict.spare)
    return words % {"n": verdict.spare}


def length_bar(verdict: Verdict) -> LengthBar:
    whole = max(1, verdict.source_length)
    limit = WHOLE * verdict.allowed / whole
    length = min(WHOLE, WHOLE * verdict.length / whole)
    return LengthBar(fill=f"{min(limit, length):.1f}", over=f"{max(0, length - limit):.1f}", limit=f"{limit:.1f}")
