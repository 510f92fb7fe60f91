"""What the contract of judgement tasks tries this task with."""

TEXT = {"reference": "As it rained all day in Bonn, nobody went out.", "output": "It rained, so nobody went out."}
MATERIAL = [
    TEXT | {"id": "p", "expected": 2},
    *(
        TEXT | {"id": str(number), "system": system, "output": output}
        for number in range(3)
        for system, output in (("alpha-net", "It rained, so nobody went out."), ("omega-net", "Rain and nobody."))
    ),
]
ANSWER = {"score": "2"}
PRIVATE = ()
ANSWERS = (9,)
"""Each of three people gets one text of each of three sets."""
BAD_INPUT: list[tuple[dict[str, str], str]] = [
    ({}, "from 1 to 5"),
    ({"score": "0"}, "from 1 to 5"),
    ({"score": "6"}, "from 1 to 5"),
    ({"score": "2.5"}, "from 1 to 5"),
    ({"score": "best"}, "from 1 to 5"),
]
BAD_SETTINGS = [{"reference": "some"}, {"colour": "red"}]
GOLDEN = "protocols/absolute/tests/test_report.py::test_means_alpha_and_model_are_those_of_the_library"
