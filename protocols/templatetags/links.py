"""What the page of linking sentences shows: the boxes with what was ticked, and both answers beside each other."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template

from protocols.links.abstracts import most_of, written
from protocols.links.task import FIELD, Links, boxes_ticked

register = template.Library()
Part = Mapping[str, Any]


@dataclass(frozen=True)
class Box:
    """A sentence of the text, with the field of its box."""

    sentence: Part
    field: str
    is_ticked: bool


@dataclass(frozen=True)
class Page:
    """A sentence of the abstract with a box for each sentence of the text."""

    sentence: Part
    boxes: list[Box]


@register.simple_tag
def link_pages(
    abstract: Sequence[Part] | None,
    sentences: Sequence[Part],
    answer: Mapping[str, Any] | None,
    posted: Mapping[str, str],
) -> list[Page]:
    """Return the pages with what was answered before, or just posted, ticked; without an abstract of one's own."""
    abstract = abstract or written(posted.get("abstract", ""), most_of({"sentences": sentences}))
    links = _posted(posted) or (answer or {}).get("links", {})
    pages = []
    for part in abstract:
        ticked = set(links.get(part["id"], []))
        boxes = [Box(each, FIELD + json.dumps([part["id"], each["id"]]), each["id"] in ticked) for each in sentences]
        pages.append(Page(part, boxes))
    return pages


def _posted(posted: Mapping[str, str]) -> Links:
    """Return what was ticked in a form, as far as it can be read."""
    try:
        found = json.loads(posted["answer"]) if posted.get("answer") else boxes_ticked(posted)
        return {str(name): [str(each) for each in linked] for name, linked in found.items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}


@register.simple_tag
def links_beside(
    abstract: Sequence[Part], sentences: Sequence[Part], own: Mapping[str, Any], expected: Mapping[str, Any]
) -> list[tuple[Part, list[tuple[Part, bool, bool]]]]:
    """Return for each sentence of the abstract those that were ticked or expected, and which of the two."""
    found = []
    for part in abstract:
        mine, theirs = (set(each["links"][part["id"]]) for each in (own, expected))
        either = [each for each in sentences if each["id"] in mine | theirs]
        found.append((part, [(each, each["id"] in mine, each["id"] in theirs) for each in either]))
    return found
