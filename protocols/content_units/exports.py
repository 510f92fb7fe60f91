"""All answers of all people as a table, a unit in a line; and marked units as the material of who looks for them."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.errors import Refused
from crowd.models import Campaign
from protocols.content_units.forms import quoted
from protocols.content_units.material import LONGEST_UNIT
from protocols.content_units.pyramids import Pyramids
from protocols.exports import CSV, Export, ExportForm, table_lines
from protocols.selectors import GivenAnswer, given_answers

COLUMNS = ("person", "id", "pyramid", "system", "unit", "text", "said", "parts", "words", "further", "milliseconds")


def _units(campaign: Campaign) -> Export:
    return Export(table_lines(COLUMNS, _rows(given_answers(campaign))))


def _rows(given: Iterable[GivenAnswer]) -> Iterator[Sequence[object]]:
    """Yield a line for each unit in each answer."""
    for each in given:
        about, answer = each.subject, each.answer
        time = "" if each.milliseconds is None else each.milliseconds
        for unit, text, said in _said(about.body, answer):
            names = each.person, about.name, about.condition, about.system, unit, text
            parts, texts = ("", []) if isinstance(said, str) else (json.dumps(said), _texts(about.body))
            words = "" if isinstance(said, str) else quoted(said, texts)
            yield (*names, said if isinstance(said, str) else "", parts, words, answer.get("further", ""), time)


def _said(body: Mapping[str, Any], answer: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    if isinstance(answer["units"], list):
        for number, unit in enumerate(answer["units"], start=1):
            yield str(number), unit["label"], unit["parts"]
    else:
        for unit in body["units"]:
            yield unit["id"], unit["text"], answer["units"][unit["id"]]


def _texts(body: Mapping[str, Any]) -> list[str]:
    return [each["text"] for each in body["references"]] if "output" not in body else [body["output"]]


def _peers(campaign: Campaign) -> Export:
    """Write the peers of each source with the units of its pyramid, which is that of who comes first."""
    if campaign.rating_task != "scu":
        raise Refused(_("Only where people mark units are there peers who have these."))
    answers = list(given_answers(campaign))
    bodies = {each.subject.name: each.subject.body for each in answers}
    return Export(_peer_lines(Pyramids.of(answers), bodies))


def _peer_lines(sources: Iterable[Pyramids], bodies: dict[str, Any]) -> Iterator[str]:
    for source in sources:
        units = [
            {
                "id": str(number),
                "text": (unit["label"] or source.quote_of(unit))[:LONGEST_UNIT],
                "references": source.references_of(unit),
            }
            for number, unit in enumerate(source.first, start=1)
        ]
        shared = {"id": source.name, "units": units, "references": source.references}
        shared |= {name: bodies[source.name][name] for name in ("language",) if name in bodies[source.name]}
        for system, text in bodies[source.name].get("peers", {}).items():
            yield json.dumps({**shared, "system": system, "output": text}, ensure_ascii=False) + "\n"


FORMS = {
    "units": ExportForm("units", gettext_lazy("All answers, unit by unit (CSV)"), "units.csv", CSV, _units),
    "peers": ExportForm(
        "peers", gettext_lazy("Peers with the units to look for (JSONL)"), "peers.jsonl", "application/jsonl", _peers
    ),
}
"""The second is of marked units alone."""
