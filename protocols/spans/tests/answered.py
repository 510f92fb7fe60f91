"""Campaigns whose people marked errors, by the services that the pages use."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crowd.models import Campaign
from crowd.services.claims import assignment_claim
from measures.spans.tests.golden import GOLDEN
from protocols.selectors import study_work
from protocols.services.material import material_import
from protocols.services.responses import response_submit
from protocols.spans.parameters import SpansParameters
from protocols.spans.report import KIND
from protocols.spans.task import TASK
from protocols.task import Subject
from reports.models import Report
from reports.services import report_compute, report_get_or_create
from tests.support.factories import RATE, enrol, make_campaign, silent

Marks = Sequence[Mapping[str, Any]]
FEW_DRAWS = SpansParameters(draws=50)
SPANS = GOLDEN["spans"]
GOLDEN_PRESET = {
    "key": "golden",
    "name": "Golden",
    "kinds": [
        {"key": key, "name": key, "side": "output"} for key in ("repetition", "grammar", "mistranslation", "addition")
    ]
    + [{"key": "omission", "name": "omission", "side": "missing"}],
    "severities": ["minor", "major"],
    "weights": {"minor": 1, "major": 5},
    "score": "none",
    "snap": "word",
    "premark": "none",
    "missing": True,
}
ESA_TEXTS = [
    {"id": str(number), "system": system, "source": f"It rained all day in Bonn, day {number}.", "output": output}
    for number in range(1, 13)
    for system, output in (("one", "It rained in Bonn."), ("=two", "It snowed in Bonn all day."))
]


def mark(start: int, end: int, severity: str = "minor", name: str = "m1", **more: Any) -> dict[str, Any]:
    return {"id": name, "side": "output", "start": start, "end": end, "severity": severity, **more}


def spans_campaign(
    lines: Sequence[Mapping[str, Any]], settings: Mapping[str, Any] | None = None, **more: Any
) -> Campaign:
    campaign = make_campaign(rating_task="spans", rater_tasks=50, task_settings=dict(settings or {}), **more)
    content = "\n".join(json.dumps(line) for line in lines).encode()
    assert material_import(campaign=campaign, file_name="texts.jsonl", content=content).problems == []
    campaign.items.update(wanted=5)
    return campaign


def answer_all(campaign: Campaign, name: str, answer: Callable[[Subject], Mapping[str, Any]]) -> None:
    """Let somebody answer all texts."""
    enrolment, settings = enrol(campaign, RATE, name), TASK.settings_read(campaign.task_settings)
    while (assignment := assignment_claim(enrolment=enrolment)) is not None:
        work = study_work(enrolment, assignment.pk)
        subject = work.subject
        given = TASK.read({"answer": json.dumps(answer(subject)), "confirmed": "1"}, subject, settings)
        response_submit(enrolment=enrolment, work=work, answer=given, milliseconds=60_000)


def of_marks(marks: Marks, score: int | None = None) -> dict[str, Any]:
    return {"marks": list(marks), "no_errors": all(each.get("fate") == "deleted" for each in marks), "score": score}


def golden_campaign() -> Campaign:
    """The golden texts, each by a system of its own, as three people marked them."""
    texts = [
        {"id": row["source_id"], "system": text, "source": row["source"], "output": row["output"]}
        for text, row in SPANS["texts"].items()
    ]
    campaign = spans_campaign(texts, {"preset": "own", "own_preset": json.dumps(GOLDEN_PRESET), "premark": "none"})
    for person in "ABC":
        answer_all(campaign, person, lambda subject, person=person: of_marks(_golden(subject.system, person)))  # type: ignore[misc]
    return campaign


def _golden(text: str, person: str) -> Marks:
    return [
        {**row, "side": "output", "id": str(number)} for number, row in enumerate(SPANS["marks"][text][person], start=1)
    ]


def esa_campaign(**more: Any) -> Campaign:
    """Two systems on twelve sources that three people marked and scored; the second one has the graver errors."""
    campaign = spans_campaign(ESA_TEXTS, **more)
    for number, name in enumerate(("ann", "ben", "cem")):
        answer_all(campaign, name, lambda subject, number=number: _esa(subject, number))  # type: ignore[misc]
    return campaign


def _esa(subject: Subject, number: int) -> dict[str, Any]:
    place = int(subject.name)
    if subject.system == "one":
        return of_marks([mark(3, 9)] if (place + number) % 3 == 0 or place == 5 else [], 90 - place)
    marks = [mark(3, 9, "major"), mark(0, 9, name="m2", note="=1+1")]
    return of_marks(marks[: 1 + (place + number) % 2], 50 - place - number)


def computed(campaign: Campaign, parameters: SpansParameters = FEW_DRAWS) -> Report:
    report = report_get_or_create(kind=KIND, on=campaign, parameters=parameters)
    report_compute(report=report, progress=silent)
    return Report.objects.get(pk=report.pk)
