"""Campaigns whose people gave texts from 1 to 5 points, by the services that the pages use."""

import json
from collections.abc import Callable
from typing import Any

from crowd.models import Campaign
from crowd.services.claims import assignment_claim
from protocols.absolute.report import KIND
from protocols.absolute.task import TASK
from protocols.selectors import study_work
from protocols.services.material import material_import
from protocols.services.responses import response_submit
from protocols.task import Subject
from reports.models import Report
from reports.services import report_compute, report_get_or_create
from tests.support.factories import RATE, enrol, make_campaign, silent

SYSTEMS = ("=good", "middling", "poor")


def text_line(name: str, system: str, **more: Any) -> dict[str, Any]:
    texts = {"reference": f"The mill closed on day {name}.", "output": f"The mill, {system}, closed on day {name}."}
    return {"id": name, "system": system, **texts, **more}


def absolute_campaign(sources: int = 12, **more: Any) -> Campaign:
    """Texts of three systems for each of some sources."""
    settings = {"rating_task": "absolute", "rater_tasks": 50, "raters_per_compression": 5, **more}
    campaign = make_campaign(**settings)
    lines = [text_line(str(number), system) for number in range(sources) for system in SYSTEMS]
    content = "\n".join(map(json.dumps, lines)).encode()
    assert material_import(campaign=campaign, file_name="texts.jsonl", content=content).problems == []
    return campaign


def score_all(campaign: Campaign, person: str, score: Callable[[Subject], int]) -> None:
    """Let somebody give points to all texts that they are given."""
    enrolment, settings = enrol(campaign, RATE, person), TASK.settings_read(campaign.task_settings)
    while (assignment := assignment_claim(enrolment=enrolment)) is not None:
        work = study_work(enrolment, assignment.pk)
        answer = TASK.read({"score": str(score(work.subject))}, work.subject, settings)
        response_submit(enrolment=enrolment, work=work, answer=answer, milliseconds=9_000)


def scored_campaign(**more: Any) -> Campaign:
    """Twelve sources that nine people gave points; "=good" gets the best."""
    campaign = absolute_campaign(**more)
    for person in range(9):

        def score(subject: Subject, person: int = person) -> int:
            return 1 + SYSTEMS.index(subject.system) + (int(subject.name) + person) % 3

        score_all(campaign, f"person {person}", score)
    return campaign


def computed(campaign: Campaign) -> Report:
    report = report_get_or_create(kind=KIND, on=campaign, parameters=KIND.parameters())
    report_compute(report=report, progress=silent)
    return Report.objects.get(pk=report.pk)
