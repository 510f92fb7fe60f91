"""What the contract of judgement tasks tries this task with."""

from crowd.models import Campaign
from protocols.quiz.task import TASK
from protocols.quiz.tests.studies import LINES, SETTINGS, prepare

CAMPAIGN = {
    "editor_tasks": 3,
    "rater_tasks": 3,
    "ratings_per_page": 1,
    "task_settings": {**SETTINGS, "gap_days": 0},
}
MATERIAL = LINES
ANSWER = {"q0": "my very own words"}
PRIVATE = ("my very own words",)
BAD_INPUT: list[tuple[dict[str, str], str]] = [
    ({"q0": "a" * 2_001}, "up to 2000 characters"),
    ({"q1": "b" * 2_001}, "up to 2000 characters"),
    ({"q0": "a" + "\u0301" * 100}, "accents or marks"),
]
BAD_SETTINGS = [
    {"conditions": "one: none"},
    {"conditions": "one: none\ntwo: what"},
    {"conditions": "one: none\none: generic"},
    {"minutes": 0},
    {"people": 7},
    {"least_percent": 50},
    {"colour": "red"},
]
GOLDEN = "protocols/quiz/tests/test_figures.py::test_golden_scores_give_the_golden_tests"
ANSWERS = range(3 * 2 * 3, 3 * 2 * 3 + 3 * 3 + 1)
"""Of three people who come twice for three texts; and of two or three markers of as many as three short questions."""


def set_up(campaign: Campaign) -> None:
    TASK.pieces_make(campaign)


def before_work(campaign: Campaign, name: str) -> None:
    """Let somebody do what comes before the raters' round."""
    prepare(campaign, name)
