"""What the contract of judgement tasks tries these tasks with, by their keys."""

import json
from types import SimpleNamespace
from typing import Any

SOURCE = ["It rained all day in Bonn.", "Nobody went out."]
OUTPUT = "It rained, so nobody went out."
FACTS = ["It rained.", "The rain was in Bonn.", "Nobody went out."]
UNITS = [
    {"id": "u1", "text": "It rained.", "references": ["A", "B"]},
    {"id": "u2", "text": "Nobody went out.", "references": ["B"]},
]
REFERENCES = {"zeta-net": "It rained in Bonn.", "beta-net": "In Bonn it rained, and nobody went out."}


def fact_line(name: str, system: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "source": SOURCE, "facts": FACTS, "output": OUTPUT, "system": system, **more}


def peer_line(name: str, system: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "output": OUTPUT, "units": UNITS, "system": system, **more}


def sent(units: list[dict[str, Any]], **more: str) -> dict[str, str]:
    return {"answer": json.dumps({"units": units}), **more}


TWO_SYSTEMS = [(str(number), system) for number in range(2) for system in ("alpha-net", "omega-net")]
BAD_MARKS: list[tuple[dict[str, str], str]] = [
    ({"further": "0"}, "can’t read"),
    ({"answer": "{", "further": "0"}, "can’t read"),
    ({"answer": "[]", "further": "0"}, "can’t read"),
    ({"answer": '{"units": [1]}', "further": "0"}, "can’t read"),
    ({"answer": "[" * 100_000, "further": "0"}, "can’t read"),
    ({"answer": "x" * 600_000, "further": "0"}, "too many"),
    (sent([{"id": "u1", "label": "a", "parts": [[0, 0, 10_000]]}], further="0"), "not in the text"),
    (sent([{"id": "u1", "label": "a", "parts": [[7, 0, 1]]}], further="0"), "not in the text"),
    (sent([{"id": "u1", "label": "a", "parts": [[0, 2, 1]]}], further="0"), "not in the text"),
    (sent([{"id": "u1", "label": "a", "parts": [[0, True, 3]]}], further="0"), "the number of a text"),
    (sent([{"id": "u1", "label": "a", "parts": 3}], further="0"), "in a list"),
]
SAID: list[dict[str, Any]] = [{"id": "u1", "parts": [[0, 0, 9]]}, {"id": "u2", "none": True}]
FACTOIDS = SimpleNamespace(
    MATERIAL=[
        fact_line("p", "", expected={"1": "yes", "2": "no", "3": "broken"}),
        *(fact_line(*each) for each in TWO_SYSTEMS),
    ],
    ANSWER={"unit-1": "yes", "unit-2": "no", "unit-3": "broken", "further": "0"},
    PRIVATE=(),
    BAD_INPUT=[
        ({}, "Not answered yet: facts 1, 2, 3."),
        ({"unit-1": "yes", "unit-2": "no", "further": "0"}, "Fact 3 is not answered yet."),
        ({"unit-1": "maybe", "unit-2": "no", "unit-3": "no", "further": "0"}, "Fact 1 is not answered yet."),
        ({"unit-1": "yes", "unit-2": "no", "unit-3": "no"}, "how many facts the text adds"),
        ({"unit-1": "yes", "unit-2": "no", "unit-3": "no", "further": "-1"}, "0 to 99"),
        ({"unit-1": "yes", "unit-2": "no", "unit-3": "no", "further": "100"}, "0 to 99"),
    ],
    BAD_SETTINGS=[{"colour": "red"}],
    GOLDEN="protocols/content_units/tests/test_report.py::test_factoids_have_the_golden_values",
)
PEER = SimpleNamespace(
    MATERIAL=[
        peer_line("p", "", expected={"u1": [[0, 9]], "u2": []}),
        *(peer_line(*each) for each in TWO_SYSTEMS),
    ],
    ANSWER=sent(SAID, further="1"),
    PRIVATE=(),
    BAD_INPUT=[
        *BAD_MARKS,
        (sent(SAID[:1], further="1"), "1 statement is open"),
        (sent(SAID), "how many further statements"),
        (sent(SAID, further="many"), "how many further statements"),
    ],
    BAD_SETTINGS=[{"colour": "red"}],
    GOLDEN="protocols/content_units/tests/test_report.py::test_pyramids_have_the_golden_values",
)
UNIT: dict[str, Any] = {"label": "my own words", "parts": [[0, 0, 9], [1, 0, 9]]}
SCU = SimpleNamespace(
    MATERIAL=[
        {
            "id": "p",
            "references": REFERENCES,
            "expected": [{"label": "Rain", "parts": {"zeta-net": [[0, 9]], "beta-net": [[8, 17]]}}],
        },
        *({"id": str(number), "references": REFERENCES, "peers": {"alpha-net": OUTPUT}} for number in range(2)),
    ],
    HIDDEN=(*REFERENCES, "alpha-net"),
    ANSWER=sent([UNIT]),
    PRIVATE=("my own words",),
    BAD_INPUT=[
        *BAD_MARKS,
        (sent([UNIT | {"label": " "}]), "has no words of its own"),
        (sent([UNIT | {"parts": []}]), "marked in no text"),
        (sent([UNIT | {"label": "x" * 501}]), "at most 500 characters"),
        (sent([]), "1 to 200 statements"),
    ],
    BAD_SETTINGS=[{"colour": "red"}],
    GOLDEN="protocols/content_units/tests/test_report.py::test_pyramids_of_two_people_have_the_golden_agreement",
)
OF_TASK = {"factoids": FACTOIDS, "peer": PEER, "scu": SCU}
