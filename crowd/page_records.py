"""What a participant's page tells of how it was worked on: counts, never which keys or what was copied.

A record is evidence beside the work. One that no page sends is dropped, and the work counts without it.
"""

import json

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


def page_record_read(sent: str) -> PageRecord | None:
    """Return the record that a page has sent; None for none, and for what no page sends."""
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
    return {"v": VERSION, **counts} if is_sound else None
