"""What the pages of the three tasks send, and what their script takes."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from measures.spans import cluster_starts
from protocols.content_units.material import LONGEST_UNIT, MOST_FURTHER, MOST_UNITS, PRESENT, Part, parts_of
from protocols.task import Answer, AnswerRefused

MOST_BYTES = 500_000
FURTHER, ANSWER = "further", "answer"


def has_unit(said: object) -> bool:
    """Whether an answer says that a text has a unit."""
    return said == PRESENT if isinstance(said, str) else bool(said)


def quoted(parts: Sequence[Part], texts: Sequence[str]) -> str:
    return " … ".join(texts[text][start:end] for text, start, end in parts)


def field_of(place: int) -> str:
    return f"unit-{place + 1}"


def further_of(posted: Mapping[str, str], words: str) -> tuple[int, list[tuple[str, str]]]:
    typed = posted.get(FURTHER, "").strip()
    if typed.isdecimal() and len(typed) <= 4 and int(typed) <= MOST_FURTHER:
        return int(typed), []
    return 0, [(FURTHER, words % {"most": MOST_FURTHER})]


def is_further(answer: Answer) -> bool:
    return type(answer.get("further")) is int and 0 <= answer["further"] <= MOST_FURTHER


def units_sent(posted: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the units that the page's script sent."""
    sent = posted.get(ANSWER, "")
    if len(sent.encode(errors="ignore")) > MOST_BYTES:
        raise AnswerRefused([("units", _("There are too many marks for us to save."))])
    try:
        given = json.loads(sent)
        units = given["units"] if isinstance(given, dict) else None
        if not isinstance(units, list) or len(units) > MOST_UNITS or not all(isinstance(each, dict) for each in units):
            raise ValueError(f"an answer has a list of at most {MOST_UNITS} units")
    except (ValueError, KeyError, RecursionError) as error:
        raise AnswerRefused([("units", _("We can’t read your marks: %(why)s") % {"why": error})]) from error
    return units


def parts_sent(unit: Mapping[str, Any], texts: Sequence[str]) -> list[Part]:
    try:
        return parts_of(unit.get("parts", []), texts)
    except ValueError as error:
        raise AnswerRefused([("units", _("We can’t read your marks: %(why)s") % {"why": error})]) from error


def page_data(
    texts: Sequence[tuple[str, int, str]], units: Sequence[Mapping[str, str]] | None, language: str
) -> dict[str, Any]:
    """Return what the page's script takes: the texts as shown, and the units that are looked for, if they are given."""
    data = [
        {"index": index, "text": text, "joined": sorted(set(range(len(text))) - set(cluster_starts(text)))}
        for _letter, index, text in texts
    ]
    return {
        "texts": [{"letter": letter, "index": index, "text": text} for letter, index, text in texts],
        "page_data": {"texts": data, "units": units, "most": MOST_UNITS, "longest": LONGEST_UNIT, "language": language},
    }
