"""What the contract of judgement tasks tries this task with."""

import json

MATERIAL = [
    {"id": "p", "source": "It was cold.", "output": "It was gold.", "expected": {"no_errors": True, "score": 90}},
    *(
        {
            "id": str(number),
            "source": f"It rained all day in Bonn for {number} days, and nobody went out.",
            "output": f"It rained in {place} for {number} days.",
            "system": system,
        }
        for number in range(3)
        for system, place in (("alpha-net", "Bonn"), ("omega-net", "Bohn"))
    ),
]
MARK = {"id": "m1", "side": "output", "start": 0, "end": 2, "severity": "minor", "note": "mine alone", "at_ms": 71}
GIVEN = {"marks": [MARK], "no_errors": False, "score": 80, "actions": [[73, "add", "m1"]]}
ANSWER = {"answer": json.dumps(GIVEN)}
PRIVATE = ("mine alone", 71, 73)
BAD_INPUT: list[tuple[dict[str, str], str]] = [
    ({}, "can’t read"),
    ({"answer": "{"}, "can’t read"),
    ({"answer": "[]"}, "can’t read"),
    ({"answer": json.dumps(GIVEN | {"marks": 7})}, "can’t read"),
    ({"answer": json.dumps(GIVEN | {"score": 101})}, "from 0 to 100"),
    ({"answer": json.dumps(GIVEN | {"score": "high"})}, "score"),
    ({"answer": json.dumps(GIVEN | {"marks": [MARK | {"end": 10_000}]})}, "m1"),
    ({"answer": json.dumps(GIVEN | {"marks": [MARK | {"severity": "critical"}]})}, "critical"),
    ({"answer": json.dumps(GIVEN | {"digest": "0" * 64})}, "another text"),
]
BAD_SETTINGS = [{"preset": "nothing"}, {"premark": "some"}, {"preset": "own", "own_preset": "{"}, {"colour": "red"}]
GOLDEN = "measures/spans/tests/test_scores.py::test_golden_scores_of_segments_and_system"
