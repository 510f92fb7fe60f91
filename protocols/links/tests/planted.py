"""Campaigns whose people linked sentences, by the services that the pages use."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from crowd.models import Campaign
from crowd.services.claims import assignment_claim
from protocols.links.parameters import LinksParameters
from protocols.links.task import TASK
from protocols.links.tests.examples import line
from protocols.selectors import study_work
from protocols.services.material import material_import
from protocols.services.responses import response_submit
from tests.support.factories import RATE, enrol, make_campaign

QUICK = LinksParameters(copies=2, shuffles=10)
WORDS = ("screen", "battery", "yellow", "banana", "price", "button")
Sets = Mapping[str, Sequence[str]]


def links_campaign(lines: Sequence[Mapping[str, Any]], **more: Any) -> Campaign:
    campaign = make_campaign(rating_task="links", rater_tasks=50, **more)
    content = "\n".join(json.dumps(each) for each in lines).encode()
    assert material_import(campaign=campaign, file_name="talks.jsonl", content=content).problems == []
    campaign.items.update(wanted=5)
    return campaign


def answer_all(campaign: Campaign, name: str, links: Mapping[str, Sets]) -> None:
    """Let somebody link each document as it is said there, by its name."""
    enrolment = enrol(campaign, RATE, name)
    while (assignment := assignment_claim(enrolment=enrolment)) is not None:
        work = study_work(enrolment, assignment.pk)
        given = {"answer": json.dumps(links[work.subject.name]), "confirmed": "1"}
        answer = TASK.read(given, work.subject, {})
        response_submit(enrolment=enrolment, work=work, answer=answer, milliseconds=60_000)


def talk(number: int, topics: int = 3, each: int = 4) -> dict[str, Any]:
    """A document in which every topic has its word, its speaker and its act."""
    sentences = [
        {
            "id": str(topic * each + place),
            "text": f"The {WORDS[(topic + number) % 6]} of day {place}, said about {WORDS[(topic + number) % 6]}.",
            "speaker": "ABC"[topic % 3],
            "acts": ["decision"] if place else [],
            "entities": [WORDS[(topic + number) % 6]],
        }
        for topic in range(topics)
        for place in range(each)
    ]
    abstract = [{"id": f"s{topic}", "text": f"They spoke of {WORDS[(topic + number) % 6]}."} for topic in range(topics)]
    return line(f"talk {number}", "", sentences=sentences, abstract=abstract)


def topics_of(document: Mapping[str, Any], person: int) -> Sets:
    """Return the sentences of each topic, of which a second and a third person see a little less or more."""
    topics = len(document["abstract"])
    each = len(document["sentences"]) // topics
    found = {f"s{topic}": [str(topic * each + place) for place in range(each)] for topic in range(topics)}
    if person == 1:
        found["s0"] = found["s0"][:-1]
    if person == 2:
        found["s1"] = [*found["s1"], "0"]
    return found


def planted_campaign(documents: int = 4, people: int = 3, **more: Any) -> Campaign:
    """Documents of three topics that people link alike, but for a sentence or two."""
    lines = [talk(number) for number in range(documents)]
    campaign = links_campaign(lines, **more)
    for person in range(people):
        answer_all(campaign, f"person {person}", {each["id"]: topics_of(each, person) for each in lines})
    return Campaign.objects.get(pk=campaign.pk)
