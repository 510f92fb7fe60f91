"""What was filled in in a field of a form, for templates."""

from collections.abc import Mapping

from django import template

register = template.Library()


@register.filter
def field(values: Mapping[str, str] | None, name: str) -> str:
    """Return the value of a field; empty if there is none."""
    return (values or {}).get(name, "")
