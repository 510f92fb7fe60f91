"""A report's answer in a sentence or two, which holds for any number of texts and for undefined figures."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from edit_operations.page_tables import CLASSES, ReportRows
from edit_operations.sections.base import Row

FEW = 50
"""With fewer compressions than this the page gives counts: a percentage of three texts claims more than is known."""


def answer_of(report: ReportRows) -> list[str]:
    """Return the sentences at the top of the page."""
    classes = [report.share(name) for name in CLASSES]
    return [kept_words(report.share("deleted"), _compressions(classes)), changed_texts(classes)]


def _compressions(rows: Sequence[Row | None]) -> int | None:
    """Return of how many compressions the shares are."""
    return next((row["n"] for row in rows if row and row.get("n")), None)


def kept_words(deleted: Row | None, compressions: int | None) -> str:
    """Say how many words people kept; a few compressions give no interval that could be relied on."""
    if deleted is None or deleted.get("value") is None:
        reason = (deleted or {}).get("reason")
        if reason:
            return _("The share of words that people kept is unknown: %(reason)s.") % {"reason": reason.rstrip(".")}
        return _("The share of words that people kept is unknown.")
    kept = _percent(1 - deleted["value"])
    is_small = compressions is not None and compressions < FEW
    if is_small or deleted.get("low") is None or deleted.get("high") is None:
        return _("People kept %(kept)s of the words, as they were or in another form.") % {"kept": kept}
    ends = {"kept": kept, "low": _percent(1 - deleted["high"]), "high": _percent(1 - deleted["low"])}
    words = _("People kept %(kept)s of the words, as they were or in another form (95%% interval %(low)s to %(high)s).")
    return words % ends


def changed_texts(rows: Sequence[Row | None]) -> str:
    """Say how many compressions change words, only delete and reorder, and only delete."""
    shares = [row.get("value") if row else None for row in rows]
    if any(share is None for share in shares):
        reason = next((row["reason"] for row in rows if row and row.get("reason")), "")
        if reason:
            return _("How people shortened the texts is unknown: %(reason)s.") % {"reason": reason.rstrip(".")}
        return _("How people shortened the texts is unknown.")
    number = _compressions(rows)
    known = [share for share in shares if share is not None]
    return _counts(known, number) if number is not None and number < FEW else _shares(known, number)


def _counts(shares: Sequence[float], number: int) -> str:
    changed, reordered, deleted = (round(share * number) for share in shares)
    words = ngettext(
        "%(n)s compression was aligned: %(changed)s with changed words, %(reordered)s with words only deleted and "
        "reordered, %(deleted)s with words only deleted. One compression is too few to say more.",
        "%(n)s compressions were aligned: %(changed)s with changed words, %(reordered)s with words only deleted and "
        "reordered, %(deleted)s with words only deleted. That is too few to say more.",
        number,
    )
    return words % {"n": number, "changed": changed, "reordered": reordered, "deleted": deleted}


def _shares(shares: Sequence[float], number: int | None) -> str:
    values: dict[str, Any] = dict(zip(("changed", "reordered", "deleted"), map(_percent, shares), strict=True))
    if number is None:
        words = _(
            "%(changed)s of compressions change words, %(reordered)s only delete and reorder words, and %(deleted)s "
            "only delete words."
        )
        return words % values
    words = _(
        "%(changed)s of %(n)s compressions change words, %(reordered)s only delete and reorder words, and %(deleted)s "
        "only delete words."
    )
    return words % {**values, "n": f"{number:,}"}


def _percent(share: float) -> str:
    """Return a whole percentage; only exact values are shown as 0% or 100%.

    >>> _percent(0.004), _percent(0.5), _percent(0.999), _percent(1.0)
    ('under 1%', '50%', 'over 99%', '100%')
    """
    if 0 < share < 0.005:
        return _("under 1%%") % {}
    if 0.995 < share < 1:
        return _("over 99%%") % {}
    return f"{100 * share:.0f}%"
