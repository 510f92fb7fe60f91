"""Write YAML by hand: the same bytes for the same values, and long texts as people would write them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from dashboard.campaign_files.kinds import is_read_as_text

STEP = "  "
_PLAIN = re.compile(r"[^\W\d_](?:[\w .,;()!?’‘“”/%+=@–—-]*[\w.,;()!?’‘“”/%+=@–—-])?")
# What YAML takes for an end of line, or does not take at all.
_UNPRINTABLE = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_ELSEWHERE_A_TRUTH = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}


def yaml_lines(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the lines of a mapping or a list of mappings, without their ends."""
    pad = STEP * depth
    if isinstance(value, Mapping):
        for name, below in value.items():
            yield from _entry(f"{pad}{name}:", below, depth)
    else:
        for item in value:
            yield from _item(item, depth)


def _item(item: Any, depth: int) -> Iterator[str]:
    pad = STEP * depth
    if not isinstance(item, Mapping):
        yield f"{pad}- {scalar(item)}"
        return
    first, *rest = yaml_lines(item, depth + 1)
    yield f"{pad}- {first[len(pad) + len(STEP) :]}"
    yield from rest


def _entry(head: str, value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, Sequence) and not isinstance(value, str) and _is_flat(value):
        yield f"{head} [{', '.join(map(str, value))}]"
    elif isinstance(value, Mapping | list):
        yield head if value else f"{head} {{}}"
        yield from yaml_lines(value, depth + 1)
    elif isinstance(value, str) and _is_block(value):
        yield f"{head} |"
        yield from (f"{STEP * (depth + 1)}{line}" if line else "" for line in value.split("\n"))
    else:
        yield f"{head} {scalar(value)}"


def _is_flat(value: Sequence[Any]) -> bool:
    return all(type(each) is int for each in value)


def _is_block(text: str) -> bool:
    return "\n" in text and not _UNPRINTABLE.search(text) and text == text.strip()


def scalar(value: Any) -> str:
    """Return a value in one line."""
    if isinstance(value, str):
        return value if _is_plain(value) else quoted(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, datetime):
        return f'"{value.astimezone(UTC).isoformat().replace("+00:00", "Z")}"'
    if isinstance(value, Decimal):
        return f"{value:.2f}"
    return f"{Decimal(repr(value)):f}"


def _is_plain(text: str) -> bool:
    return bool(_PLAIN.fullmatch(text)) and text.lower() not in _ELSEWHERE_A_TRUTH and is_read_as_text(text)


def quoted(text: str) -> str:
    """Return a text in double quotes, with an escape for whatever could not be read back."""
    named = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return '"' + _UNPRINTABLE.sub(lambda match: f"\\U{ord(match[0]):08X}", named) + '"'
