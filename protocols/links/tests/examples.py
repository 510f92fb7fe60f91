"""What the contract of judgement tasks tries this task with."""

import json
from typing import Any

SENTENCES = [
    {"id": "1", "text": "The remote must be cheap.", "speaker": "A"},
    {"id": "2", "text": "Then we drop the screen.", "speaker": "B"},
    {"id": "3", "text": "A screen costs four pounds.", "speaker": "A"},
    {"id": "4", "text": "Which colour do we take?", "speaker": "C"},
    {"id": "5", "text": "Yellow sells well.", "speaker": "B"},
    {"id": "6", "text": "Yellow it is, then.", "speaker": "A"},
]
ABSTRACT = [{"id": "s1", "text": "They gave up the screen for its cost."}, {"id": "s2", "text": "It will be yellow."}]
LINKS = {"s1": ["1", "2", "3"], "s2": ["5", "6"]}


def line(name: str, annotator: str = "alpha-net", **more: Any) -> dict[str, Any]:
    return {"id": name, "annotator": annotator, "sentences": SENTENCES, "abstract": ABSTRACT, **more}


MATERIAL = [
    line("p", expected=LINKS),
    *(line(f"meeting {number}", annotator) for number in range(3) for annotator in ("alpha-net", "omega-net")),
]
ANSWER = {"answer": json.dumps(LINKS)}
PRIVATE = ()
BAD_INPUT: list[tuple[dict[str, str], str]] = [
    ({"answer": "{"}, "can’t read"),
    ({"answer": "[]"}, "an object"),
    ({"answer": json.dumps(LINKS | {"s1": "1"})}, "list of ids"),
    ({"answer": json.dumps(LINKS | {"s3": ["1"]})}, "no sentence s3"),
    ({"answer": json.dumps(LINKS | {"s1": ["7"]})}, "no sentence 7"),
    ({'box["s1"]': "1"}, "two ids"),
    ({'box["s1","9"]': "9"}, "no sentence 9"),
    ({"answer": "x" * 600_000}, "too much"),
]
BAD_SETTINGS = [{"colour": "red"}]
GOLDEN = "protocols/links/tests/test_report.py::test_the_omega_of_people_is_the_golden_one"
