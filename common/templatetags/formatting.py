"""Showing what people wrote, and figures: Markdown of staff, shares, bars."""

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from measures.text.length_rule import Verdict

register = template.Library()

# Raw HTML is off, and links go through markdown-it's own check of their scheme.
_markdown = MarkdownIt("commonmark", {"html": False})


class HasState(Protocol):
    @property
    def state(self) -> str: ...


T = TypeVar("T", bound=HasState)


@register.filter
def markdown(text: str, top: int = 2) -> SafeString:
    """Markdown as HTML; its highest heading becomes level `top`, so that it fits below the page's own."""
    return mark_safe(_html(text, top))  # noqa: S308  (rendered with raw HTML off)


@lru_cache(maxsize=64)
def _html(text: str, top: int) -> str:
    """Guidelines stand on every task page, and seldom change."""
    tokens = _markdown.parse(text)
    headings = [token for token in tokens if token.type in {"heading_open", "heading_close"}]
    shift = top - min((int(token.tag[1]) for token in headings), default=top)
    for token in headings:
        token.tag = f"h{min(6, int(token.tag[1]) + shift)}"
    html: str = _markdown.renderer.render(tokens, _markdown.options, {})
    return html


@register.filter
def percent(share: float | None) -> str:
    """A share as whole percent; a dash for none."""
    return "–" if share is None else f"{100 * share:.0f}%"


@register.filter
def figure(value: float | str | None, digits: int = 2) -> str:
    """A number with its digits; a dash for none."""
    return f"{value:.{digits}f}" if isinstance(value, float | int) else "–"


@register.filter
def tenths(share: float) -> int:
    """A share as a step of shading: 0 for nothing, 10 for all."""
    return math.ceil(10 * share)


@register.filter
def significant(value: float) -> str:
    """A number that may be tiny, with its first two digits."""
    return f"{value:.2g}"


@register.filter
def as_quotation(markdown_text: str) -> str:
    """Markdown as a quotation inside other Markdown: its headings stay its own."""
    return "\n".join(f"> {line}".rstrip() for line in markdown_text.strip().splitlines())


@register.filter
def in_cell(text: str) -> str:
    """A text inside a cell of a Markdown table."""
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())


@register.filter
def share(value: float) -> str:
    """A share as percent with all the digits that were asked for."""
    return f"{in_percent(value):g}%"


@register.filter
def in_percent(share: float) -> float:
    """A share as a number of percent, without binary noise."""
    return round(100 * share, 6)


@register.filter
def known(value: float) -> float | None:
    """A number, or none for what is not one."""
    return None if math.isnan(value) else float(value)


@register.filter
def from_top(height: float, whole: int) -> float:
    """Where a bar that stands on the ground begins."""
    return whole - height


@register.filter
def seconds(milliseconds: int | None) -> str:
    """A time for people: 4.2 s, 3 min 5 s; a dash for none."""
    if milliseconds is None:
        return "–"
    if milliseconds < 60_000:
        return f"{milliseconds / 1000:.1f} s"
    minutes, rest = divmod(round(milliseconds / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


@register.filter
def share_of(part: int, whole: int) -> float | None:
    """The share that `part` is of `whole`; none of nothing."""
    return part / whole if whole else None


@register.filter
def bar_width(share: float | None) -> str:
    """A share as the width of a bar in SVG."""
    return f"{100 * min(1.0, max(0.0, share or 0.0)):.1f}%"


@register.filter
def count_of(counts: Mapping[int, int], key: int) -> int:
    """How often `key` was counted."""
    return counts.get(key, 0)


@register.filter
def mean_of(summary: Mapping[str, Any], scale: str) -> float | None:
    """The mean of a scale in the figures of a release; those of early releases have two scales by name."""
    means: Mapping[str, float] = summary.get("means", {})
    return means.get(scale, summary.get(f"mean_{scale}"))


@register.filter
def value_of(values: Mapping[str, Any], key: str) -> Any:
    """What stands under a key that is itself a value."""
    return values.get(key)


@register.filter
def shortened_by(keep_percent: int) -> int:
    """By how many percent a text must become shorter."""
    return 100 - keep_percent


@register.filter
def in_state(things: Iterable[T], state: str) -> list[T]:
    """Those of the things that are in a state."""
    return [thing for thing in things if thing.state == state]


@register.filter
def shortened(verdict: Verdict) -> int:
    """How much of the shortening that the rule wants is done, in whole percent."""
    wanted = verdict.source_length - verdict.allowed
    removed = verdict.source_length - verdict.length
    return max(0, min(100, 100 * removed // wanted)) if wanted else 100
