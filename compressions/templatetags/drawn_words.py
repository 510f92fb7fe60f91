"""The direction of the words of an alignment: each is drawn on its own, so browsers cannot put them in order."""

import unicodedata
from collections.abc import Iterable

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from compressions.alignment_drawing import DrawnWord
from crowd.languages import direction_of
from crowd.models import Campaign

register = template.Library()

_DIRECTIONS = {"L": "ltr", "R": "rtl", "AL": "rtl"}


@register.simple_tag
def words_language(words: Iterable[DrawnWord], campaign: Campaign) -> SafeString:
    """Write the attributes of an element that holds one side of an alignment: its language and direction."""
    direction = direction_of_words((each.word for each in words), campaign.language)
    return format_html('lang="{}" dir="{}"', campaign.language, direction)


@register.filter
def set_apart(word: str, campaign: Campaign) -> SafeString:
    """Write a word within a sentence of the page, so that neither changes the direction of the other."""
    return format_html('<bdi lang="{}">{}</bdi>', campaign.language, word)


def direction_of_words(words: Iterable[str], language: str) -> str:
    """Return the direction of most letters; where neither has more, the direction of the campaign's language."""
    found = [_DIRECTIONS.get(unicodedata.bidirectional(letter)) for word in words for letter in word]
    to_right, to_left = found.count("ltr"), found.count("rtl")
    if to_right == to_left:
        return direction_of(language)
    return "rtl" if to_left > to_right else "ltr"
