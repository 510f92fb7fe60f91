"""Campaigns whose people ranked texts, by the services that the pages use."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from crowd.models import Campaign
from crowd.services.claims import assignment_claim
from protocols.ranking.figures import RankingParameters
from protocols.ranking.report import KIND
from protocols.ranking.task import TASK
from protocols.selectors import study_work
from protocols.services.material import material_import
from protocols.services.responses import response_submit
from reports.models import Report
from reports.services import report_compute, report_get_or_create
from tests.support.factories import RATE, enrol, make_campaign, silent

FEW_DRAWS = RankingParameters(draws=100)
SENTENCES = ["The mill closed in May.", "Its owner had died in March."]
Ranks = Mapping[str, int]
"""The number that somebody gives each system, by its name."""


def set_line(name: str, systems: Sequence[str], **more: Any) -> dict[str, Any]:
    hypotheses = [{"name": each, "text": f"Text of {each} for {name}."} for each in systems]
    return {"id": name, "sentences": SENTENCES, "hypotheses": hypotheses, **more}


def ranking_campaign(lines: Sequence[Mapping[str, Any]], **more: Any) -> Campaign:
    campaign = make_campaign(**{"rating_task": "ranking", "rater_tasks": 50, "raters_per_compression": 5, **more})
    content = "\n".join(json.dumps(line) for line in lines).encode()
    assert material_import(campaign=campaign, file_name="sets.jsonl", content=content).problems == []
    return campaign


def rank_all(campaign: Campaign, person: str, ranks: Mapping[str, Ranks]) -> None:
    """Let somebody rank all sets, by the numbers of each set."""
    enrolment = enrol(campaign, RATE, person)
    while (assignment := assignment_claim(enrolment=enrolment)) is not None:
        work = study_work(enrolment, assignment.pk)
        subject = work.subject
        of_set, texts = ranks[subject.name], subject.body["hypotheses"]
        given = {"given": [of_set[each["names"][0]] for each in texts]}
        posted = {**TASK.fields(given, subject), "confirmed": "1"}
        answer = TASK.read(posted, subject, {})
        response_submit(enrolment=enrolment, work=work, answer=answer, milliseconds=60_000)


def twelve_sets(**more: Any) -> Campaign:
    """Twelve sets of three systems and a reference that three people ranked: "=good" before the others."""
    lines = [set_line(str(number), ["=good", "middling", "poor"], reference=f"Ref {number}.") for number in range(12)]
    campaign = ranking_campaign(lines, **more)
    for person in range(3):
        ranks = {
            str(number): {
                "=good": 1 + (number == 5),
                "middling": 2 + (number + person) % 3 // 2,
                "poor": 4,
                "reference": 1 + (number + person) % 4,
            }
            for number in range(12)
        }
        rank_all(campaign, f"person {person}", ranks)
    return campaign


def computed(campaign: Campaign, parameters: RankingParameters = FEW_DRAWS) -> Report:
    report = report_get_or_create(kind=KIND, on=campaign, parameters=parameters)
    report_compute(report=report, progress=silent)
    return Report.objects.get(pk=report.pk)
