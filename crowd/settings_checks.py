"""What must hold for the texts and scales of a campaign, wherever they come from: a page, a program or a file.

What is stored already stays valid until it is changed: it may be older than a bound.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _

from common.typed_text import typed_text_validate
from crowd.models import Campaign
from crowd.models.settings_version import PEOPLE_READ, plain_text
from crowd.prose_bounds import prose_validate
from crowd.scale_texts import scales_from_text, scales_to_text
from crowd.scales import RESERVED_KEYS, scales_load

TEXTS = tuple(
    field.name for field in Campaign._meta.concrete_fields if isinstance(field, models.CharField | models.TextField)
)


def settings_check(campaign: Campaign, *, before: Mapping[str, Any]) -> None:
    """Raise a ValidationError with the reasons for each setting that differs from before and cannot be stored."""
    faults = dict(_faults(campaign, before))
    if faults:
        raise ValidationError(faults)


def _faults(campaign: Campaign, before: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    for name in (*TEXTS, "scales"):
        value = getattr(campaign, name)
        if name in before and _same(before[name], value):
            continue
        try:
            _validate(name, value)
        except ValidationError as error:
            yield name, error.messages


def _same(before: Any, after: Any) -> bool:
    return bool(plain_text(before) == plain_text(after) if isinstance(after, str) else before == after)


def _validate(name: str, value: Any) -> None:
    if name == "scales":
        scales_validate(value)
        return
    if name in PEOPLE_READ:
        prose_validate(value)
    typed_text_validate(value)


def scales_validate(stored: list[Mapping[str, Any]]) -> None:
    """Refuse scales that could not have come from the text in which staff write them."""
    scales = scales_load(stored)
    if reserved := {each.key for each in scales} & RESERVED_KEYS:
        raise ValidationError(_("No scale can have the key %(keys)s.") % {"keys": ", ".join(sorted(reserved))})
    text = scales_to_text(scales)
    typed_text_validate(text)
    if scales_from_text(text, keys={each.name: each.key for each in scales}) != scales:
        raise ValidationError(
            _("Names, questions and points are one line each; a name has no colon and does not begin with a digit.")
        )
