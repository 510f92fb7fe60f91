"""What is said of fields that nobody knows, and of words that are no choice: what may have been meant."""

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

MOST_NAMED = 12  # choices; the OpenAPI document has them all


def refuse_unknown(sent: Iterable[str], known: Collection[str]) -> None:
    """Raise ValidationError for the names that are not known, with the one that may have been meant."""
    if unknown := {name: [_unknown_words(name, known)] for name in sent if name not in known}:
        raise ValidationError(unknown)


def _unknown_words(name: str, known: Collection[str]) -> str:
    if close := get_close_matches(str(name)[:100], known, n=1):
        return _("There is no such field here. Did you mean %(name)s?") % {"name": close[0]}
    return _("There is no such field here.")


def choices_named(errors: Any, field: Any) -> Any:
    """Return the faults of a field with the choices that there are, where a word is none of them."""
    if isinstance(errors, Mapping):
        below = getattr(field, "fields", None)
        return {
            name: choices_named(each, below.get(name) if below else getattr(field, "child", None))
            for name, each in errors.items()
        }
    if isinstance(errors, list):
        return [choices_named(each, field) for each in errors]
    if isinstance(errors, ErrorDetail) and errors.code == "invalid_choice" and (choices := _choices_of(field)):
        more = ", …" if len(choices) > MOST_NAMED else ""
        return f"{errors} {_('Choices: %(names)s') % {'names': ', '.join(choices[:MOST_NAMED]) + more}}"
    return errors


def _choices_of(field: Any) -> list[str]:
    choosing = getattr(field, "child", field)
    return list(map(str, choosing.choices)) if isinstance(choosing, serializers.ChoiceField) else []
