"""Template tags for the languages of pages and texts."""

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from crowd.default_texts import plain_words
from crowd.languages import direction_of
from crowd.models import Campaign
from crowd.page_words import has_words, words_version
from crowd.scales import Point, Scale

register = template.Library()


@register.simple_tag
def text_language(campaign: Campaign, own: str = "") -> SafeString:
    """Write the attributes of an element that holds a text of a campaign: its own language or theirs, the direction."""
    language = own or campaign.language
    return format_html('lang="{}" dir="{}"', language, direction_of(language))


@register.filter
def said_plainly(point: Point, scale: Scale) -> str:
    """Say what a point of a scale means in plain words, where its own are the published ones."""
    return plain_words(scale, point.value)


@register.simple_tag
def words_address() -> str:
    """Return the address of the scripts' words in the language of the page; empty for English."""
    language = get_language() or ""
    return reverse("crowd:page-words", args=[language, words_version(language)]) if has_words(language) else ""
