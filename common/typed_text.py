"""What people type: bounded before it is used, and refused in words that say where to look."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext as _

from common.errors import Refused
from measures.text.normalization import MAX_MARKS_IN_A_ROW, stacked_marks

MAX_FIELD_LENGTH = 50_000
"""Greatest length of a text in a form that says nothing else: guidelines with their examples are far shorter."""


class TextRefused(Refused):
    """A text that was typed cannot be stored as it is."""


def stacked_marks_words(position: int) -> str:
    """Say where marks are stacked; `position` is that of the first mark, from 0, and so that of its letter, from 1."""
    words = _("Character %(place)s has more than %(most)s accents or marks on it. Remove some.")
    return words % _place(position)


def comment_check(text: str) -> None:
    """Refuse a comment in which more marks stand on one letter than any writing needs."""
    if (position := stacked_marks(text)) is not None:
        words = _("In your comment, character %(place)s has more than %(most)s accents or marks on it. Remove some.")
        raise TextRefused(words % _place(position))


def _place(position: int) -> dict[str, int]:
    return {"most": MAX_MARKS_IN_A_ROW, "place": max(1, position)}


def typed_text_validate(text: str) -> None:
    """Refuse a text that is too long for any field, or has marks stacked on a letter."""
    MaxLengthValidator(MAX_FIELD_LENGTH)(text)
    marks_validate(text)


def typed_texts_validate(values: Mapping[str, Any]) -> None:
    """Raise a ValidationError with the reasons for each text among some values that cannot be stored as it is."""
    faults = {}
    for name, value in values.items():
        try:
            typed_text_validate(value if isinstance(value, str) else "")
        except ValidationError as error:
            faults[name] = error.messages
    if faults:
        raise ValidationError(faults)


class TypedTexts(forms.BaseForm):
    """A form whose texts have a greatest length and no stacked marks; refusals stand beside the field."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            if isinstance(field, forms.CharField):
                _bound(field)


def _bound(field: forms.CharField) -> None:
    if field.max_length is None:
        field.validators.append(MaxLengthValidator(MAX_FIELD_LENGTH))
    field.validators.append(marks_validate)


def marks_validate(text: str) -> None:
    """Refuse more marks on one letter than any writing needs, as validators do."""
    if len(text) > MAX_FIELD_LENGTH:  # refused for its length, and too long to look at
        return
    if (position := stacked_marks(text)) is not None:
        raise ValidationError(stacked_marks_words(position), code="stacked_marks")
