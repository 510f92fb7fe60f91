"""The rater's pages: qualification and rating."""

import random
from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from compressions.models import Target
from crowd.access import worker_only
from crowd.errors import PlaceTaken, Refused
from crowd.models import Assignment, Enrolment
from crowd.selectors.work import standing
from crowd.sessions import resume_token
from crowd.views.worker import next_task
from ratings.models import QualificationAttempt, QualificationItem
from ratings.scales import SCALES
from ratings.selectors.qualification import attempts_of, qualification_gate, qualification_items
from ratings.selectors.targets import rater_task, target_of_assignment
from ratings.services.qualification import Answer, qualification_submit
from ratings.services.rating import rating_submit


@worker_only
@never_cache
@require_http_methods(["GET", "POST"])
def task(request: HttpRequest, enrolment: Enrolment, assignment_id: int) -> HttpResponse:
    assignment = rater_task(enrolment, assignment_id)
    target = target_of_assignment(assignment)
    if request.method == "GET":
        if assignment.state == Assignment.State.SUBMITTED:
            return redirect("crowd:work")
        return _page(request, enrolment, assignment, target)
    try:
        rating_submit(
            enrolment=enrolment,
            assignment_id=assignment.pk,
            target=target,
            meaning=_point(request.POST, "meaning"),
            grammar=_point(request.POST, "grammar"),
        )
    except PlaceTaken as refusal:
        return _page(request, enrolment, assignment, target, refusal, status=409)
    except Refused as refusal:
        return _page(request, enrolment, assignment, target, refusal, status=422)
    return next_task(enrolment)


def _point(answers: Mapping[str, str], name: str) -> int:
    """The chosen point; 0, which is on no scale, if there is none."""
    value = answers.get(name, "")
    return int(value) if value in {"1", "2", "3"} else 0


def _page(
    request: HttpRequest,
    enrolment: Enrolment,
    assignment: Assignment,
    target: Target,
    refusal: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "enrolment": enrolment,
        "assignment": assignment,
        "source_text": target.source.text,
        "compression_text": target.text,
        "scales": [(scale, _point(request.POST, scale.key)) for scale in SCALES],
        "standing": standing(enrolment, assignment),
        "resume_token": resume_token(enrolment),
        "refusal": str(refusal) if refusal else "",
        "lost": isinstance(refusal, PlaceTaken),
    }
    return render(request, "ratings/task.html", context, status=status)


@worker_only
@never_cache
@require_http_methods(["GET", "POST"])
def qualification(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """The test before the work: the examples, then how it went and why."""
    if enrolment.guidelines_read_at is None:
        return redirect("crowd:guidelines")
    if qualification_gate(enrolment) != "ratings:qualification":
        return redirect("crowd:work")
    tries = list(attempts_of(enrolment))
    if request.method == "GET":
        return _test_page(request, enrolment, tries)
    items = list(qualification_items(enrolment.campaign))
    number = request.POST.get("number", "")
    try:
        attempt = qualification_submit(
            enrolment=enrolment,
            number=int(number) if number.isdecimal() and len(number) < 4 else 0,
            answers=_answers(request.POST, items),
        )
    except Refused as refusal:
        return _test_page(request, enrolment, tries, refusal)
    return _result_page(request, enrolment, attempt, items)


def _answers(posted: Mapping[str, str], items: list[QualificationItem]) -> dict[int, Answer]:
    given = {
        item.pk: Answer(_point(posted, f"meaning-{item.pk}"), _point(posted, f"grammar-{item.pk}")) for item in items
    }
    return {pk: answer for pk, answer in given.items() if answer.meaning and answer.grammar}


def _test_page(
    request: HttpRequest,
    enrolment: Enrolment,
    tries: list[QualificationAttempt],
    refusal: Refused | None = None,
) -> HttpResponse:
    number = len(tries) + 1
    items = list(qualification_items(enrolment.campaign))
    random.Random(f"{enrolment.pk}:{number}").shuffle(items)
    context = {
        "enrolment": enrolment,
        "number": number,
        "tries": enrolment.campaign.qualification_tries,
        "pass_percent": enrolment.campaign.qualification_pass_percent,
        "questions": [
            (item, [(scale, _point(request.POST, f"{scale.key}-{item.pk}")) for scale in SCALES]) for item in items
        ],
        "refusal": str(refusal) if refusal else "",
    }
    return render(request, "ratings/qualification.html", context, status=422 if refusal else 200)


def _result_page(
    request: HttpRequest,
    enrolment: Enrolment,
    attempt: QualificationAttempt,
    items: list[QualificationItem],
) -> HttpResponse:
    context = {
        "attempt": attempt,
        "tries_left": enrolment.campaign.qualification_tries - attempt.number,
        "results": [(item, *attempt.answers.get(str(item.pk), ("–", "–"))) for item in items],
    }
    return render(request, "ratings/qualification_result.html", context)
