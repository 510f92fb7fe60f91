"""Template filters for what people read."""

from typing import Protocol

from django import template

from crowd.models import Campaign
from crowd.placeholders import fill, numbers_of

register = template.Library()


class Reader(Protocol):
    """Whoever comes by a link or takes part in a round."""

    round: str

    @property
    def campaign(self) -> Campaign: ...


@register.filter
def filled(text: str, reader: Reader) -> str:
    """Fill the placeholders of a text for whoever reads it."""
    return fill(text, numbers_of(reader.campaign), reader.round)
