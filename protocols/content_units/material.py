"""Lines of material: a text with the facts or units that are looked for in it, and texts in which units are marked."""

import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy

from measures.spans import whole_clusters
from protocols.models import MAX_NAME_LENGTH
from protocols.task import Answer

KINDS = ("human", "system", "reference", "baseline")
REFERENCE = "reference"
LONGEST_UNIT, MOST_UNITS, MOST_PARTS = 500, 200, 50
LEAST_REFERENCES, MOST_REFERENCES, MOST_PEERS, MOST_PARAGRAPHS = 2, 10, 100, 200
MOST_FURTHER = 99
PRESENT, ABSENT, BROKEN = "yes", "no", "broken"
SAID = (PRESENT, ABSENT, BROKEN)
FACTOIDS_HELP = gettext_lazy(
    "A text in a line, with id (of its source), source (a text, or a list of them; in CSV with | between), output, and "
    "facts (a list of the facts of the source, as texts or as objects with id and text; in CSV with | between). "
    "Optional are system, kind (human, system, reference or baseline), language, and for practice expected: an object "
    "with yes, no or broken for each fact. Lines of one id have the same source and facts."
)
PEER_HELP = gettext_lazy(
    "A text in a line, with id (of its source), output, and units: a list of objects with id, text and references (the "
    "names of those that have it); in CSV as JSON in a cell. Optional are references (the names of all, if some have "
    "no unit), system, pyramid (which one, if a source has several), language, and for practice expected: an object "
    "with a list of [start, end] in characters for each unit. Lines of one id and pyramid have the same units."
)
SCU_HELP = gettext_lazy(
    "The texts of a source in a line, with id and references: an object with 2 to 10 texts by their names; in CSV as "
    "JSON in a cell. Optional are peers (texts by the names of systems, for the next task), language, and for practice "
    "expected: a list of objects with label and parts, an object with a list of [start, end] by the name of a text."
)

Part = list[int]
"""The number of a text, and where a part of it begins and ends, in code points."""


def facts_body(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a text, its source and the facts of that; raise ValueError if a line has no such thing."""
    source, facts = (_list_of(fields[name], name) for name in ("source", "facts"))
    paragraphs = [text_of(each, "source") for each in source]
    if not 0 < len(paragraphs) <= MOST_PARAGRAPHS or not all(paragraphs):
        raise ValueError(f"source must be 1 to {MOST_PARAGRAPHS} texts, none of them empty")
    kind = fields.get("kind") or "system"
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}")
    given = [each if isinstance(each, dict) else {"text": each} for each in facts]
    units = [_unit(each, str(number), {"id", "text"}) for number, each in enumerate(given, start=1)]
    return {"source": paragraphs, "kind": kind, "units": _checked(units, "facts"), **_shared(fields)}


def peer_body(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a text with the units of a pyramid, and the names of its references."""
    given = decoded(fields["units"], "units")
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise ValueError("units must be a list of objects with id, text and references")
    units = []
    for number, each in enumerate(given, start=1):
        unit = _unit(each, str(number), {"id", "text", "references"})
        unit["references"] = sorted(set(_names(each.get("references"), f"the references of unit {unit['id']}")))
        units.append(unit)
    named = decoded(fields.get("references") or [], "references")
    references = sorted({*_names(named, "references"), *(name for each in units for name in each["references"])})
    if not 0 < len(references) <= MOST_REFERENCES:
        raise ValueError(f"a pyramid has 1 to {MOST_REFERENCES} references, and not {len(references)}")
    return {"units": _checked(units, "units"), "references": references, **_shared(fields)}


def references_body(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the texts in which units are marked, in the order of their names, and the peers of the next task."""
    references = _texts_by_name(fields["references"], "references")
    if not LEAST_REFERENCES <= len(references) <= MOST_REFERENCES:
        raise ValueError(f"there must be {LEAST_REFERENCES} to {MOST_REFERENCES} references, not {len(references)}")
    peers = _texts_by_name(fields.get("peers") or {}, "peers")
    if len(peers) > MOST_PEERS:
        raise ValueError(f"there are more than {MOST_PEERS} peers")
    body: dict[str, Any] = {"references": [{"name": name, "text": references[name]} for name in sorted(references)]}
    return body | ({"peers": peers} if peers else {}) | _language(fields)


def is_given(fields: Mapping[str, Any], name: str) -> bool:
    """Whether a line has a field; an empty cell of CSV is none."""
    return fields.get(name) not in (None, "")


def decoded(value: object, name: str) -> Any:
    """Return what stands in a cell of CSV as JSON; what came from JSON as it is."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name} must be JSON") from error


def text_of(given: object, name: str) -> str:
    if not isinstance(given, str):
        raise ValueError(f"{name} must be text")
    return unicodedata.normalize("NFC", given).strip()


def name_of(given: object, name: str) -> str:
    """Return a name or an id."""
    if type(given) is int:
        given = str(given)
    if not isinstance(given, str) or not 0 < len(given.strip()) <= MAX_NAME_LENGTH:
        raise ValueError(f"{name} must be text of 1 to {MAX_NAME_LENGTH} characters")
    return given.strip()


def _shared(fields: Mapping[str, Any]) -> dict[str, str]:
    output = text_of(fields["output"], "output")
    if not output:
        raise ValueError("output is empty")
    return {"output": output, **_language(fields)}


def _language(fields: Mapping[str, Any]) -> dict[str, str]:
    language = fields.get("language") or ""
    if not isinstance(language, str) or len(language) > MAX_NAME_LENGTH:
        raise ValueError("language must be a tag such as en")
    return {"language": language} if language else {}


def _list_of(given: object, name: str) -> list[Any]:
    found = given.split("|") if isinstance(given, str) else given
    if not isinstance(found, list):
        raise ValueError(f"{name} must be a text or a list")
    return found


def _unit(given: Mapping[str, Any], number: str, known: set[str]) -> dict[str, Any]:
    if unknown := sorted(set(map(str, given)) - known):
        raise ValueError(f"unknown in unit {number}: {unknown[0][:MAX_NAME_LENGTH]}")
    text = text_of(given.get("text"), f"the text of unit {number}")
    if not 0 < len(text) <= LONGEST_UNIT:
        raise ValueError(f"the text of unit {number} must have 1 to {LONGEST_UNIT} characters")
    return {"id": name_of(given.get("id", number), f"the id of unit {number}"), "text": text}


def _checked(units: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    if not 0 < len(units) <= MOST_UNITS:
        raise ValueError(f"there must be 1 to {MOST_UNITS} {name}, not {len(units)}")
    ids = [each["id"] for each in units]
    if len(set(ids)) < len(ids):
        twice = next(each for each in ids if ids.count(each) > 1)
        raise ValueError(f"{name} must have different ids, and {twice} is there twice")
    return units


def _names(given: object, name: str) -> list[str]:
    if not isinstance(given, list):
        raise ValueError(f"{name} must be a list of names")
    return [name_of(each, f"a name in {name}") for each in given]


def _texts_by_name(given: object, name: str) -> dict[str, str]:
    texts = decoded(given, name)
    if not isinstance(texts, dict):
        raise ValueError(f"{name} must be an object with texts by their names")
    found = {name_of(each, f"a name in {name}"): text_of(text, f"{name}: {each}") for each, text in texts.items()}
    if not all(found.values()):
        raise ValueError(f"{name}: {next(each for each, text in found.items() if not text)} is empty")
    return found


# Parts of texts, in answers and in what is expected of practice


def parts_of(given: object, texts: Sequence[str]) -> list[Part]:
    """Return parts of texts in order, joined where they touch; raise ValueError if they are of other texts."""
    if not isinstance(given, list) or len(given) > MOST_PARTS:
        raise ValueError(f"a unit has at most {MOST_PARTS} parts, in a list")
    joined: list[Part] = []
    for each in given:
        if not (isinstance(each, list) and len(each) == 3 and all(type(number) is int for number in each)):
            raise ValueError("a part is the number of a text, its start and its end")
        if not 0 <= each[0] < len(texts) or not 0 <= each[1] < each[2] <= len(texts[each[0]]):
            raise ValueError("a part is not in the text")
        if whole_clusters(texts[each[0]], each[1], each[2]) != (each[1], each[2]):
            raise ValueError("a part cuts a character in two")
    for text, start, end in sorted(given):
        if joined and joined[-1][0] == text and joined[-1][2] >= start:
            joined[-1][2] = max(joined[-1][2], end)
        else:
            joined.append([text, start, end])
    return joined


def expected_facts(given: object, body: Mapping[str, Any]) -> Answer:
    """Return what is expected of practice with facts, by the ids of these."""
    said = decoded(given, "expected")
    ids = [each["id"] for each in body["units"]]
    if not isinstance(said, dict) or set(said) != set(ids) or not all(each in SAID for each in said.values()):
        raise ValueError(f"expected must be an object with {', '.join(SAID)} for each fact, and nothing else")
    return {"units": {each: said[each] for each in ids}, "further": 0}


def expected_peer(given: object, body: Mapping[str, Any]) -> Answer:
    places = decoded(given, "expected")
    ids = [each["id"] for each in body["units"]]
    if not isinstance(places, dict) or set(places) - set(ids):
        raise ValueError("expected must be an object with a list of [start, end] for each unit")
    return {"units": {each: _expected_parts(places.get(each, []), 0, [body["output"]]) for each in ids}, "further": 0}


def expected_units(given: object, body: Mapping[str, Any]) -> Answer:
    units, texts = decoded(given, "expected"), [each["text"] for each in body["references"]]
    if not isinstance(units, list) or not 0 < len(units) <= MOST_UNITS:
        raise ValueError(f"expected must be a list of 1 to {MOST_UNITS} units")
    names, found = [each["name"] for each in body["references"]], []
    for number, each in enumerate(units, start=1):
        if not isinstance(each, dict) or set(each) != {"label", "parts"} or not isinstance(each["parts"], dict):
            raise ValueError(f"expected: unit {number} must be an object with label and parts, by the name of a text")
        if unknown := sorted(set(each["parts"]) - set(names)):
            raise ValueError(f"expected: there is no reference {unknown[0]}")
        label = text_of(each["label"], f"the label of unit {number}")[:LONGEST_UNIT]
        parts = [
            part for name, given in each["parts"].items() for part in _expected_parts(given, names.index(name), texts)
        ]
        found.append({"label": label, "parts": sorted(parts)})
    return {"units": found}


def _expected_parts(given: object, number: int, texts: Sequence[str]) -> list[Part]:
    if not isinstance(given, list) or not all(isinstance(each, list) for each in given):
        raise ValueError("expected: parts must be a list of [start, end]")
    return parts_of([[number, *each] for each in given], texts)
