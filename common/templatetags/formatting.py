"""Template filters for text and numbers: Markdown, percentages, durations, bars."""

import math
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from django import template
from django.template import RequestContext
from django.template.base import render_value_in_context
from django.template.defaultfilters import floatformat
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt

register = template.Library()


@register.simple_tag(takes_context=True)
def address_with(context: RequestContext, name: str, value: object) -> str:
    """Return the query string of this page with one parameter changed, such as `?q=border&page=2`."""
    query = context["request"].GET.copy()
    query[name] = str(value)
    return f"?{query.urlencode()}"


@register.simple_tag
def scrollable(label: str) -> SafeString:
    """Return the attributes of what scrolls by itself, such as a wide table: it has a name, and keys reach it."""
    return format_html('role="region" tabindex="0" aria-label="{}"', label)


@register.simple_tag
def heads(*labels: str) -> SafeString:
    """Return the heads of columns of a table that stand side by side."""
    return format_html_join("", '<th scope="col">{}</th>', ((label,) for label in labels))


@register.simple_tag
def number_heads(*labels: str) -> SafeString:
    """Return the heads of columns of numbers that stand side by side."""
    return format_html_join("", '<th scope="col" class="num">{}</th>', ((label,) for label in labels))


@register.simple_tag(takes_context=True)
def fact(context: RequestContext, label: str, value: object) -> SafeString:
    """Return an entry of a list of facts or figures; the value is shown as a variable of the template would be."""
    return format_html("<div><dt>{}</dt><dd>{}</dd></div>", label, render_value_in_context(value, context))


# Raw HTML is disabled, and markdown-it validates the scheme of links.
markdown_parser = MarkdownIt("commonmark", {"html": False})


class HasState(Protocol):
    @property
    def state(self) -> str: ...


T = TypeVar("T", bound=HasState)


@register.filter
def markdown(text: str, top: int = 2) -> SafeString:
    """Render Markdown as HTML, shifting headings so that the highest is level `top` and fits below the page's own."""
    return mark_safe(_html(text, top))  # noqa: S308  (rendered with raw HTML disabled)


MARKED = {"✓": "good", "✗": "bad"}
"""What a quotation is that stands under a line with such a mark; guidelines have good and bad examples."""


@lru_cache(maxsize=64)
def _html(text: str, top: int) -> str:
    """Render Markdown, cached: guidelines are on every task page and seldom change."""
    tokens = markdown_parser.parse(text)
    headings = [token for token in tokens if token.type in {"heading_open", "heading_close"}]
    shift = top - min((int(token.tag[1]) for token in headings), default=top)
    for token in headings:
        token.tag = f"h{min(6, int(token.tag[1]) + shift)}"
    for place, token in enumerate(tokens):
        if token.type == "blockquote_open" and (mark := tokens[max(0, place - 2)].content[:1]) in MARKED:
            token.attrSet("class", MARKED[mark])
    html: str = markdown_parser.renderer.render(tokens, markdown_parser.options, {})
    return html


@register.filter
def percent(share: float | None) -> str:
    """Format a fraction as a whole percentage; a dash for None."""
    return "–" if share is None else f"{100 * share:.0f}%"


@register.filter
def number(count: int | None) -> str:
    """Format a whole number with separators; a dash for None."""
    return "–" if count is None else floatformat(count, "g")


@register.filter
def figure(value: float | str | None, digits: int = 2) -> str:
    """Format a number with `digits` decimals; a dash for anything else."""
    return f"{value:.{digits}f}" if isinstance(value, float | int) else "–"


@register.filter
def decimal(value: float | str | None, digits: int = 2) -> str:
    """Format a number with `digits` decimals and a true minus, never as a negative zero; a dash for anything else.

    >>> decimal(0.587), decimal(-0.25), decimal(-0.001), decimal(None)
    ('0.59', '−0.25', '0.00', '–')
    """
    if not isinstance(value, float | int):
        return "–"
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "\N{MINUS SIGN}")


@register.filter
def signed(value: float | None, digits: int = 2) -> str:
    """Format a number with its sign, a true minus, and `digits` decimals; a dash for None."""
    if value is None:
        return "–"
    # Rounded first, so that nothing is neither above nor below.
    rounded = round(value, digits) + 0.0
    return f"{abs(rounded):.{digits}f}" if not rounded else f"{rounded:+.{digits}f}".replace("-", "\N{MINUS SIGN}")


@register.filter
def p_value(p: float | str | None) -> str:
    """Format a p-value; a dash for anything else.

    >>> p_value(0.00001), p_value(0.0312), p_value(None)
    ('< 0.0001', '0.031', '–')
    """
    if not isinstance(p, float | int):
        return "–"
    if p < 0.0001:
        return "< 0.0001"
    return f"{p:.4f}" if p < 0.001 else f"{p:.3f}"


@register.filter
def tenths(share: float) -> int:
    """Map a fraction to a shading step from 0 (none) to 10 (all)."""
    return math.ceil(10 * share)


@register.filter
def significant(value: float) -> str:
    """Format a number, possibly tiny, with two significant digits."""
    return f"{value:.2g}"


@register.filter
def as_quotation(markdown_text: str) -> str:
    """Quote Markdown for embedding in other Markdown, so that its headings stay inside the quotation."""
    return "\n".join(f"> {line}".rstrip() for line in markdown_text.strip().splitlines())


@register.filter
def in_cell(text: str) -> str:
    """Escape a text for a cell of a Markdown table."""
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())


@register.filter
def share(value: float) -> str:
    """Format a fraction as a percentage with all its digits."""
    return f"{in_percent(value):g}%"


@register.filter
def in_percent(share: float) -> float:
    """Convert a fraction to a percentage, rounded to drop floating-point noise."""
    return round(100 * share, 6)


@register.filter
def known(value: float) -> float | None:
    """Return the number, or None for NaN."""
    return None if math.isnan(value) else float(value)


@register.filter
def from_top(height: float, whole: int) -> float:
    """Return the y coordinate of the top of a bar that stands on the baseline."""
    return whole - height


@register.filter
def seconds(milliseconds: int | None) -> str:
    """Format a duration, such as 4.2 s or 3 min 5 s; a dash for None."""
    if milliseconds is None:
        return "–"
    if milliseconds < 60_000:
        return _("%(seconds)s s") % {"seconds": f"{milliseconds / 1000:.1f}"}
    minutes, rest = divmod(round(milliseconds / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": minutes}
    return _("%(minutes)s min %(seconds)s s") % {"minutes": minutes, "seconds": rest}


SYMBOLS = {"GBP": "£", "USD": "$", "EUR": "€"}


@register.filter
def money(amount: Decimal | float | None, currency: str) -> str:
    """Format an amount, such as £1.50 or CHF 1.50; a dash for None.

    >>> money(Decimal("1234.5"), "GBP"), money(Decimal(2), "CHF"), money(None, "EUR")
    ('£1,234.50', 'CHF 2.00', '–')
    """
    if amount is None:
        return "–"
    return f"{SYMBOLS.get(currency) or f'{currency} '}{amount:,.2f}"


@register.filter
def minutes(milliseconds: float | None) -> str:
    """Format a duration in minutes with one decimal; a dash for None."""
    return "–" if milliseconds is None else f"{milliseconds / 60_000:,.1f}"


@register.filter
def share_of(part: int, whole: int) -> float | None:
    """Return `part / whole`, or None if `whole` is 0."""
    return part / whole if whole else None


@register.filter
def bar_width(share: float | None) -> str:
    """Format a fraction, clipped to [0, 1], as the width of an SVG bar."""
    return f"{100 * min(1.0, max(0.0, share or 0.0)):.1f}%"


@register.filter
def count_of(counts: Mapping[int, int], key: int) -> int:
    """Return the count of `key`, 0 if absent."""
    return counts.get(key, 0)


@register.filter
def value_of(values: Mapping[str, Any], key: str) -> Any:
    """Look up a key that is held in a template variable."""
    return values.get(key)


@register.filter
def shortened_by(keep_percent: int) -> int:
    """Return the percentage by which a text must be shortened."""
    return 100 - keep_percent


@register.filter
def in_state(things: Iterable[T], state: str) -> list[T]:
    """Keep the objects that are in a state."""
    return [thing for thing in things if thing.state == state]
