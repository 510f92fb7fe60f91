"""A line of material of the ranking: two sentences, and the texts that people and systems made from them."""

import json
import unicodedata
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

from measures.experiments import hypothesis_sets
from protocols.models import MAX_NAME_LENGTH

SENTENCES, LEAST, MOST = 2, 2, 20
KINDS = ("human", "system", "reference", "baseline")
REFERENCE = "reference"
FILE_HELP = gettext_lazy(
    "A set in a line, with id, sentences (the two that the texts are made from; in CSV with | between) and hypotheses: "
    "a list of objects with name, text and perhaps kind (human, system, reference or baseline), in CSV as JSON in a "
    "cell. Optional are reference (the text of a reference, which is ranked like the others), language, and for "
    "practice expected: an object with a rank for each name. A set has 2 to 20 texts with the reference; equal ones "
    "are shown once."
)


def set_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is ranked; raise ValueError if a line has no such set."""
    given = _decoded(fields["hypotheses"], "hypotheses")
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise ValueError("hypotheses must be a list of objects with name and text")
    found = [_hypothesis(each) for each in given]
    if reference := _text(fields.get("reference") or "", "reference"):
        found.append((REFERENCE, reference, REFERENCE))
    names = [name for name, _text_of, _kind in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"hypotheses must have different names, and {twice[0]} is there twice")
    if not LEAST <= len(found) <= MOST:
        raise ValueError(f"a set has {LEAST} to {MOST} texts, the reference among them, and not {len(found)}")
    if [kind for _name, _text_of, kind in found].count(REFERENCE) > 1:
        raise ValueError("a set has one reference at most")
    (once,) = hypothesis_sets({}, {"": {name: text for name, text, _kind in found}}).sets.values()
    if len(once) < LEAST:
        raise ValueError("all texts are the same, so there is nothing to rank")
    body: dict[str, Any] = {
        "sentences": _sentences(fields["sentences"]),
        "hypotheses": [{"text": each.text, "names": list(each.names)} for each in once],
        "kinds": {name: kind for name, _text_of, kind in found},
    }
    language = fields.get("language") or ""
    if not isinstance(language, str) or len(language) > MAX_NAME_LENGTH:
        raise ValueError("language must be a tag such as en")
    return body | ({"language": language} if language else {})


def expected_of(given: object, body: Mapping[str, Any]) -> list[int]:
    """Return the rank of each text of practice; raise ValueError if one has none, or equal texts have several."""
    ranks = _decoded(given, "expected")
    names = [each["names"] for each in body["hypotheses"]]
    if not isinstance(ranks, dict) or set(ranks) != {name for of_text in names for name in of_text}:
        raise ValueError("expected must be an object with a rank for each name, and nothing else")
    if not all(type(each) is int and 1 <= each <= len(names) for each in ranks.values()):
        raise ValueError(f"expected: a rank is a whole number from 1 to {len(names)}")
    if any(len({ranks[name] for name in of_text}) > 1 for of_text in names):
        raise ValueError("expected: equal texts have one rank")
    return [ranks[of_text[0]] for of_text in names]


def _decoded(value: object, name: str) -> object:
    """Return what stands in a cell of CSV as JSON; what came from JSON as it is."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name} must be JSON") from error


def _hypothesis(given: Mapping[str, Any]) -> tuple[str, str, str]:
    if unknown := sorted(set(map(str, given)) - {"name", "text", "kind"}):
        raise ValueError(f"unknown in hypotheses: {unknown[0][:MAX_NAME_LENGTH]}")
    name, kind = given.get("name"), given.get("kind", "system")
    if not isinstance(name, str) or not 0 < len(name.strip()) <= MAX_NAME_LENGTH:
        raise ValueError(f"a name of hypotheses is missing, or has more than {MAX_NAME_LENGTH} characters")
    if kind not in KINDS:
        raise ValueError(f"{name}: kind must be one of {', '.join(KINDS)}")
    text = _text(given.get("text"), f"the text of {name}")
    if not text:
        raise ValueError(f"the text of {name} is missing")
    return name.strip(), text, kind


def _sentences(given: object) -> list[str]:
    found = given.split("|") if isinstance(given, str) else given
    if not isinstance(found, list) or len(found) != SENTENCES:
        raise ValueError(f"sentences must be {SENTENCES}")
    sentences = [_text(each, "a sentence") for each in found]
    if not all(sentences):
        raise ValueError("a sentence is missing")
    return sentences


def _text(given: object, name: str) -> str:
    if not isinstance(given, str):
        raise ValueError(f"{name} must be text")
    return unicodedata.normalize("NFC", given).strip()
