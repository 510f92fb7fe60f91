"""The editing page."""

import json

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from compressions.models import Compression, Source
from compressions.selectors.sources import editor_task, source_of_assignment
from compressions.services.submission import LogRefused, RuleBroken, Submission, compression_submit
from crowd.access import worker_only
from crowd.errors import PlaceTaken
from crowd.models import Assignment, Enrolment
from crowd.selectors.work import standing
from crowd.views.worker import next_task
from measures.length import judge


@worker_only
@never_cache
@require_http_methods(["GET", "POST"])
def task(request: HttpRequest, enrolment: Enrolment, assignment_id: int) -> HttpResponse:
    assignment = editor_task(enrolment, assignment_id)
    source = source_of_assignment(assignment)
    if request.method == "GET":
        if assignment.state == Assignment.State.SUBMITTED:
            return redirect("crowd:work")
        draft = Submission(source.text, [], Compression.Start.SOURCE)
        return _page(request, enrolment, assignment, source, draft)
    submission = _submission(request)
    try:
        stored = compression_submit(
            enrolment=enrolment, assignment_id=assignment.pk, source=source, submission=submission
        )
    except PlaceTaken as refusal:
        return _page(request, enrolment, assignment, source, submission, refusal, status=409)
    except (RuleBroken, LogRefused) as refusal:
        return _page(request, enrolment, assignment, source, submission, refusal, status=422)
    if stored.text != submission.text:
        messages.warning(request, "You had sent another version of that text before. That one counts.")
    return next_task(enrolment)


def _submission(request: HttpRequest) -> Submission:
    try:
        log = json.loads(request.POST.get("log", ""))
    except (ValueError, RecursionError):  # no JSON, a number of thousands of digits, or nested too deeply
        log = None
    # Forms send line breaks as CR LF, whatever the box holds.
    text = request.POST.get("text", "").replace("\r\n", "\n")
    return Submission(text, log, request.POST.get("started_from", ""))


def _page(
    request: HttpRequest,
    enrolment: Enrolment,
    assignment: Assignment,
    source: Source,
    draft: Submission,
    refusal: Exception | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "enrolment": enrolment,
        "assignment": assignment,
        "source": source,
        "draft": draft,
        "log": json.dumps(draft.raw_log if isinstance(draft.raw_log, list) else []),
        "verdict": judge(source.text, draft.text, keep_percent=enrolment.campaign.keep_percent),
        "keep_percent": enrolment.campaign.keep_percent,
        "standing": standing(enrolment, assignment),
        "refusal": str(refusal) if refusal else "",
        "lost": isinstance(refusal, PlaceTaken),
    }
    return render(request, "compressions/task.html", context, status=status)
