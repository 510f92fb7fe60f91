"""Campaigns whose people looked for facts and units, by the services that the pages use."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crowd.models import Campaign
from crowd.services.claims import assignment_claim
from protocols.content_units.report import KINDS
from protocols.content_units.tests.examples import OF_TASK
from protocols.selectors import study_work
from protocols.services.material import material_import
from protocols.services.responses import response_submit
from protocols.task import Answer, Subject, study_task
from reports.models import Report
from reports.parameters import NOTHING, Attachment
from reports.services import report_compute, report_get_or_create
from tests.support.factories import RATE, enrol, make_campaign, silent

KIND = {each.key: each for each in KINDS}
FEW = {"draws": 100}


def units_campaign(key: str, lines: Sequence[Mapping[str, Any]], people: int = 2) -> Campaign:
    campaign = make_campaign(rating_task=key, rater_tasks=50, raters_per_compression=people)
    content = "\n".join(map(json.dumps, lines)).encode()
    assert material_import(campaign=campaign, file_name="texts.jsonl", content=content).problems == []
    return campaign


def answer_all(campaign: Campaign, person: str, answer: Callable[[Subject], Answer]) -> None:
    """Let somebody answer about all texts."""
    enrolment = enrol(campaign, RATE, person)
    while (assignment := assignment_claim(enrolment=enrolment)) is not None:
        work = study_work(enrolment, assignment.pk)
        given = answer(work.subject)
        work.study.check(given, work.subject, {})
        response_submit(enrolment=enrolment, work=work, answer=given, milliseconds=9_000)


def simulated_campaign(key: str) -> Campaign:
    """A campaign with the examples of a task, about which one simulated person answered."""
    campaign = units_campaign(key, [each for each in OF_TASK[key].MATERIAL if "expected" not in each])
    rng = random.Random(key)
    answer_all(campaign, "one", lambda subject: study_task(key).simulated(subject, {}, 1, rng))
    return campaign


def computed(campaign: Campaign, attached: Attachment = NOTHING, **parameters: Any) -> Report:
    kind = KIND[campaign.rating_task]
    chosen = kind.parameters.of({**FEW, **parameters})
    report = report_get_or_create(kind=kind, on=campaign, parameters=chosen, attached=attached)
    report_compute(report=report, progress=silent)
    return Report.objects.get(pk=report.pk)
