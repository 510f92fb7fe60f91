"""Showing what people wrote: Markdown of staff, figures."""

from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

register = template.Library()

# Raw HTML is off, and links go through markdown-it's own check of their scheme.
_markdown = MarkdownIt("commonmark", {"html": False})


@register.filter
def markdown(text: str) -> SafeString:
    rendered: str = _markdown.render(text)
    return mark_safe(rendered)  # noqa: S308  (rendered with raw HTML off)


@register.filter
def percent(share: float | None) -> str:
    """A share as whole percent; a dash for none."""
    return "–" if share is None else f"{100 * share:.0f}%"


@register.filter
def figure(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{value:.{digits}f}"
