"""Small quiz studies, made by the services that the pages use, and people who take part in them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.test import Client

from compressions.models import FileImport
from crowd.models import Campaign
from protocols.quiz.task import TASK
from protocols.services.material import material_import
from tests.support.factories import EDIT, RATE, make_campaign, worker_client

CONDITIONS = "all-of-it: none\nown-choice: generic\nwith-questions: primed"
SETTINGS = {"conditions": CONDITIONS, "people": 6, "least_percent": 20, "most_percent": 40, "warm_up": "w"}
TEXTS = ("t1", "t2", "t3")
FIVE_WORDS = (
    "The bridge fell in March",
    "Nobody saw it at night",
    "A farmer heard the noise",
    "He called the town hall",
)


def text_line(name: str, **more: Any) -> dict[str, Any]:
    """A text of four utterances of five words; one or two of them are a summary."""
    utterances = [{"id": f"u{n}", "speaker": "Reader", "text": words} for n, words in enumerate(FIVE_WORDS, start=1)]
    return {"id": name, "title": f"The story {name}", "utterances": utterances, **more}


def question_lines(name: str) -> list[dict[str, Any]]:
    """Three questions of a text, one of each kind, and one that only primes."""
    own: list[dict[str, Any]] = [
        {"id": f"{name}-short", "type": 3, "question": "What fell?", "kind": "short", "key": ["the bridge"]},
        {"id": f"{name}-blank", "type": 3, "question": "It fell in …", "kind": "blank", "key": ["March"]},
        {
            "id": f"{name}-choice",
            "type": 4,
            "question": "Who heard it?",
            "kind": "choice",
            "key": ["a farmer"],
            "options": ["a farmer", "a driver"],
        },
        {
            "id": f"{name}-prime",
            "type": 4,
            "question": "Who was called?",
            "kind": "short",
            "key": ["the town hall"],
            "priming_only": True,
        },
    ]
    return [{**each, "text_id": name} for each in own]


LINES = [
    text_line("w"),
    *(text_line(name) for name in TEXTS),
    *(line for name in ("w", *TEXTS) for line in question_lines(name)),
]


def imported(campaign: Campaign, lines: Sequence[Mapping[str, Any]]) -> FileImport:
    content = "\n".join(json.dumps(line) for line in lines).encode()
    return material_import(campaign=campaign, file_name="study.jsonl", content=content)


def quiz_campaign(settings: Mapping[str, Any] | None = None, **more: Any) -> Campaign:
    """A campaign for a quiz study, with nothing in it yet."""
    fields = {"editor_tasks": 3, "rater_tasks": 3, "ratings_per_page": 1, **more}
    return make_campaign(rating_task="quiz", task_settings={**SETTINGS, **(settings or {})}, **fields)


def quiz_study(settings: Mapping[str, Any] | None = None, **more: Any) -> Campaign:
    """The same with its files and pieces of work: three texts, three conditions, six people."""
    campaign = quiz_campaign(settings, **more)
    lines = LINES if campaign.task_settings["warm_up"] else [each for each in LINES if "w" not in each.values()]
    assert imported(campaign, lines).problems == []
    TASK.pieces_make(campaign)
    return campaign


def next_address(client: Client) -> str:
    client.post("/work/guidelines/")
    return client.post("/work/next/").headers["Location"]


def prepare(campaign: Campaign, name: str, texts: int = 3) -> Client:
    """Let somebody choose the second utterance of so many texts, which is a summary."""
    client = worker_client(campaign, EDIT, name)
    address = next_address(client)
    for _text in range(texts):
        address = client.post(address, {"u1": "1", "version": "0"}).headers["Location"]
    return client


def at_quiz(campaign: Campaign, name: str) -> tuple[Client, str]:
    """Somebody on the second visit, warmed up, before their first quiz."""
    client = worker_client(campaign, RATE, name)
    address = next_address(client)
    if address == "/work/task/practice/":
        material = client.get(address).context["material"]
        client.post(address, {"material": material.pk, "confirmed": "1"})
        address = client.post(address).headers["Location"]
    return client, address


def quizzes(client: Client, address: str, answers: dict[str, str]) -> str:
    """Begin and hand in the quiz at an address, and answer what is asked after the last; return where it leads."""
    assert client.post(address, {"page": "begin"}).headers["Location"] == address
    following = client.post(address, {"page": "quiz", "confirmed": "1", **answers}).headers["Location"]
    if following == address:
        following = client.post(address, {"page": "heard", **answers}).headers["Location"]
    return following
