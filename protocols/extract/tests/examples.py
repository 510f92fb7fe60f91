"""What the contract of judgement tasks tries this task with."""

from typing import Any

from protocols.quiz.tests.studies import text_line

SLIDES = [{"title": "A hidden slide", "text": "", "first_utterance": "u1"}]
MATERIAL = [text_line("t1", slides=SLIDES), text_line("t2"), text_line("t3")]
HIDDEN = ("hidden slide",)
CAMPAIGN: dict[str, Any] = {"task_settings": {"least_percent": 20, "most_percent": 40}}
ANSWER = {"u1": "1"}
PRIVATE = ()
BAD_INPUT: list[tuple[dict[str, str], str]] = [
    ({}, "at least 4 more words"),
    ({"u9": "1"}, "at least 4 more words"),
    ({"u0": "1", "u1": "1", "u2": "1"}, "at least 7 words"),
]
BAD_SETTINGS = [{"least_percent": 0}, {"least_percent": 50, "most_percent": 40}, {"minutes": 12}]
GOLDEN = "protocols/quiz/tests/test_figures.py::test_golden_selections_give_the_golden_utterance_f"
