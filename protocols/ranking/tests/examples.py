"""What the contract of judgement tasks tries this task with."""

from typing import Any

SENTENCES = ["It rained all day in Bonn.", "Nobody went out."]


def line(name: str, **more: Any) -> dict[str, Any]:
    """A set of three texts, of which one is shared by two systems, with the reference."""
    texts = {
        "alpha-net": "It rained, so nobody went out.",
        "omega-net": f"Rain {name} and nobody.",
        "delta-net": "It rained,  so nobody went out.",
    }
    hypotheses = [{"name": each, "text": text} for each, text in texts.items()]
    reference = "As it rained all day in Bonn, nobody went out."
    return {"id": name, "sentences": SENTENCES, "hypotheses": hypotheses, "reference": reference, **more}


EXPECTED = {"alpha-net": 1, "delta-net": 1, "omega-net": 3, "reference": 1}
MATERIAL = [line("p", expected=EXPECTED), *(line(str(number)) for number in range(3))]
HIDDEN = ("alpha-net", "omega-net", "delta-net")
ANSWER = {"rank-1": "2", "rank-2": "1", "rank-3": "2"}
PRIVATE = ()
BAD_INPUT: list[tuple[dict[str, str], str]] = [
    ({}, "These texts have no rank yet: A, B, C."),
    (ANSWER | {"rank-3": ""}, "Text C has no rank yet."),
    (ANSWER | {"rank-2": "0"}, "Text B: the rank is a whole number from 1 to 3."),
    (ANSWER | {"rank-2": "4"}, "from 1 to 3"),
    (ANSWER | {"rank-2": "1.5"}, "from 1 to 3"),
    (ANSWER | {"rank-2": "-1"}, "from 1 to 3"),
    (ANSWER | {"rank-2": "1" * 5000}, "from 1 to 3"),
    (ANSWER | {"rank-2": "first"}, "from 1 to 3"),
]
BAD_SETTINGS = [{"colour": "red"}]
GOLDEN = "protocols/ranking/tests/test_report.py::test_golden_ranks_and_agreement"
