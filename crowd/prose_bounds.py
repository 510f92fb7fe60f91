"""Bounds of the texts that participants read: ample for guidelines, and cheap to render as Markdown."""

from collections.abc import Callable

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.forms import Field
from django.utils.translation import gettext as _

from crowd.models.settings_version import plain_text

MAX_PROSE_LENGTH = 20_000
MAX_BRACKETS = 500
"""Greatest number of opening square brackets: for each one, the renderer looks for the end of a link again."""


def prose_validate(text: str) -> None:
    if len(text) > MAX_PROSE_LENGTH:
        words = _("This text is %(length)s characters long. Use %(most)s or fewer.")
        raise ValidationError(words % {"length": f"{len(text):,}", "most": f"{MAX_PROSE_LENGTH:,}"})
    if (brackets := text.count("[")) > MAX_BRACKETS:
        words = _("There are %(number)s “[” in this text. Use %(most)s or fewer.")
        raise ValidationError(words % {"number": f"{brackets:,}", "most": f"{MAX_BRACKETS:,}"})


def prose_bound(field: Field, stored: str) -> None:
    """Bound the field of a text; one that was stored before there were bounds stays valid until it is edited."""
    others = [each for each in field.validators if not isinstance(each, MaxLengthValidator)]
    field.validators = [*others, _unless_stored(plain_text(stored))]


def _unless_stored(stored: str) -> Callable[[str], None]:
    def validate(text: str) -> None:
        plain = plain_text(text)
        if plain != stored:
            prose_validate(plain)

    return validate
