"""What a participant's page tells of how it was worked on: counts, never which keys or what was copied.

A record is evidence beside the work. One that no page sends is dropped, and the work counts without it.
"""

import json
from collections.abc import Iterable
from typing import NamedTuple

from django.utils.translation import gettext as _

from common.templatetags.formatting import number, seconds
from common.words import Words

PageRecord = dict[str, int]

VERSION = 1
MOST_CHARACTERS = 200
MOST = 10**7
GREATEST = {
    "keys": MOST,  # pressed in the text box
    "soft": MOST,  # the same by a phone's keyboard or an input method, which tell no key
    "untrusted": MOST,  # events that a script made
    "webdriver": 1,  # the browser says that a program drives it
    "touch": 1,
    "away_n": MOST,  # times that the page was out of sight
    "away_ms": MOST,
    "copies": MOST,
}


OF_LEAVING = ("away_n", "away_ms")


def page_record_read(sent: str, *, with_leaving: bool = True) -> PageRecord | None:
    """Return the record that a page has sent; None for none, and for what no page sends.

    A page that was opened before a campaign stopped recording when it is left still sends that: it is dropped.
    """
    if not sent or len(sent) > MOST_CHARACTERS:
        return None
    try:
        record = json.loads(sent)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or record.get("v") != VERSION:
        return None
    counts = {name: value for name, value in record.items() if name != "v"}
    is_sound = all(
        name in GREATEST and type(value) is int and 0 <= value <= GREATEST[name] for name, value in counts.items()
    )
    if not is_sound:
        return None
    return {"v": VERSION} | {name: n for name, n in counts.items() if with_leaving or name not in OF_LEAVING}


class PageFact(NamedTuple):
    """Something that pages counted, for staff."""

    label: Words
    value: str


def page_facts(records: Iterable[PageRecord]) -> list[PageFact]:
    """Return what the records of somebody's pages say together; what never happened is left out."""
    pages = list(records)
    left, copied = _sum(pages, "away_n"), _sum(pages, "copies")
    facts = [
        (_("Pages that were left"), left and share_of(pages, "away_n")),
        (_("Times away"), left and number(left)),
        (_("Away in all"), left and seconds(_sum(pages, "away_ms"))),
        (_("Pages on which something was copied"), copied and share_of(pages, "copies")),
        (_("Copies"), copied and number(copied)),
        (_("Pages on which a script acted"), _sum(pages, "untrusted") and share_of(pages, "untrusted")),
        (_("Pages in a browser that a program drives"), _sum(pages, "webdriver") and share_of(pages, "webdriver")),
    ]
    return [PageFact(label, value) for label, value in facts if value]


def share_of(pages: list[PageRecord], name: str) -> str:
    """Say on how many of all pages something happened."""
    return n_of(sum(bool(each.get(name)) for each in pages), len(pages))


def n_of(some: int, of_all: int) -> str:
    return _("%(n)s of %(all)s") % {"n": number(some), "all": number(of_all)}


def _sum(pages: Iterable[PageRecord], name: str) -> int:
    return sum(each.get(name, 0) for each in pages)
