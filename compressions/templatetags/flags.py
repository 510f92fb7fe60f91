"""Flags as pages show them."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import template

from compressions import flag_kinds

register = template.Library()


@register.filter
def shown_flags(flags: Iterable[Sequence[Any]]) -> list[flag_kinds.ShownFlag]:
    """Return stored flags with the names of their kinds."""
    return flag_kinds.shown_flags(flags)
