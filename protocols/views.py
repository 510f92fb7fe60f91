"""Pages of people who do a judgement task with material of its own: practice, the task, and their answers."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from common.errors import NotYours, Refused, SlotTaken
from common.telemetry import refusal_counted, submission_counted
from common.typed_text import TextRefused, comment_check
from crowd.access import worker_only
from crowd.limits import Act, at_most
from crowd.models import Assignment, Enrolment, Remark
from crowd.models.remarks import MAX_REMARK_LENGTH
from crowd.selectors.work import WITHDRAWN, is_withdrawn, live_lease, standing, work_is_left_for
from crowd.services.claims import TaskAhead
from crowd.sessions import redirect_or_json, refused_json, resume_token, wants_json
from crowd.views.worker import next_task
from protocols.models import Response
from protocols.selectors import StudyWork, next_practice, responses_of_worker, study_work, subject_of
from protocols.services.responses import VISIT_OVER, OtherAnswerCounts, practice_answer, response_submit
from protocols.task import AnswerRefused, AskedOnce, StudyTask, Subject, study_task
from ratings.answers import posted_number

State = Assignment.State
ANSWERS_PER_PAGE = 50


class Posted(dict[str, str]):
    """The fields of a form as they were sent; those that were not are empty."""

    def __missing__(self, _name: str) -> str:
        return ""


# What a page has where nothing was answered yet.
UNTOUCHED: dict[str, Any] = {
    "answer": None,
    "asked_once": False,
    "assignment": None,
    "comment": "",
    "expected": None,
    "is_answered": False,
    "is_correction": False,
    "is_practice": False,
    "lost": False,
    "material": None,
    "posted": Posted(),
    "problems": [],
    "refusal": "",
    "version": 0,
}


def _study(enrolment: Enrolment) -> StudyTask:
    """Return the task of a participant; for raters of another kind there is no such page."""
    try:
        return study_task(enrolment.campaign.rating_task)
    except Refused as refusal:
        raise NotYours(str(refusal)) from refusal


@worker_only
@never_cache
@require_http_methods(["GET", "POST"])
@at_most(Act.SUBMIT)
def task(request: HttpRequest, enrolment: Enrolment, assignment_id: int) -> HttpResponse:
    """Show a task, or take its answer; a submitted one is shown again for correction during the visit."""
    work, study = study_work(enrolment, assignment_id), _study(enrolment)
    if request.method == "POST":
        return _submit(request, enrolment, work, study)
    state = work.assignment.state
    if state == State.SKIPPED:
        messages.info(request, _("You skipped this text."))
        return redirect("crowd:work")
    if is_withdrawn(work.assignment):
        messages.info(request, str(WITHDRAWN))
        return redirect("crowd:work")
    if state not in {State.SUBMITTED, State.DISCARDED}:
        return _page(request, enrolment, work, study)
    if enrolment.is_closed:
        messages.info(request, str(VISIT_OVER))
        return redirect("crowd:work")
    response = Response.objects.get(assignment=work.assignment)
    comment = work.assignment.remarks.filter(kind=Remark.Kind.COMMENT).first()
    sent = {
        "answer": response.answer,
        "posted": Posted(study.fields(response.answer, work.subject)),
        "version": response.version,
        "comment": comment.text if comment else "",
    }
    return _page(request, enrolment, work, study, sent)


def _submit(request: HttpRequest, enrolment: Enrolment, work: StudyWork, study: StudyTask) -> HttpResponse:
    posted, assignment = request.POST, work.assignment
    is_last = posted.get("then") == "answers"
    ahead = None if is_last else TaskAhead(enrolment, assignment)
    try:
        comment = posted.get("comment", "")[:MAX_REMARK_LENGTH]
        comment_check(comment)
        answer = study.read(posted.dict(), work.subject, study.settings_read(enrolment.campaign.task_settings))
        response_submit(
            enrolment=enrolment,
            assignment=assignment,
            task=study,
            answer=answer,
            known_version=posted_number(posted.get("version", "")) or 0,
            milliseconds=posted_number(posted.get("milliseconds", "")),
            comment=comment,
            ahead=ahead,
        )
        if assignment.state != State.SUBMITTED:  # and not a correction
            submission_counted(enrolment.round)
    except OtherAnswerCounts as refusal:
        messages.warning(request, str(refusal))
    except (AnswerRefused, AskedOnce, SlotTaken, TextRefused) as refusal:
        status = 409 if isinstance(refusal, SlotTaken) else 422
        if wants_json(request):
            return refused_json(refusal, status)
        refusal_counted(refusal)
        return _page(request, enrolment, work, study, {"posted": Posted(posted.dict())}, refusal, status)
    if is_last:
        return redirect_or_json(request, enrolment, redirect("protocols:answers"))
    return redirect_or_json(request, enrolment, next_task(enrolment, ahead=ahead))


def _page(
    request: HttpRequest,
    enrolment: Enrolment,
    work: StudyWork,
    study: StudyTask,
    sent: dict[str, Any] | None = None,
    refusal: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render a task with what was answered before (`answer`), or with what was just `posted`."""
    sent = sent or {}
    assignment = work.assignment
    version = sent.get("version", 0)
    context = {
        **_shown(enrolment, work.subject, study),
        **sent,
        "assignment": assignment,
        "version": version,
        "kept_under": f"{assignment.pk}.{version}",
        "is_correction": assignment.state == State.SUBMITTED,
        "standing": standing(enrolment, assignment),
        "resume_token": resume_token(enrolment),
        "reasons": Remark.CANNOT_RATE_REASONS,
        "longest_remark": MAX_REMARK_LENGTH,
        "refusal": str(refusal) if refusal else "",
        "problems": refusal.problems if isinstance(refusal, AnswerRefused) else [],
        "asked_once": isinstance(refusal, AskedOnce),
        "lost": isinstance(refusal, SlotTaken),
    }
    return render(request, study.template, context, status=status)


def _shown(enrolment: Enrolment, subject: Subject, study: StudyTask) -> dict[str, Any]:
    campaign = enrolment.campaign
    shown = study.shown(subject, study.settings_read(campaign.task_settings))
    return {**UNTOUCHED, "enrolment": enrolment, "campaign": campaign, **shown}


@worker_only
@never_cache
@require_http_methods(["GET", "POST"])
@at_most(Act.CLAIM)
def practice(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """Show the next practice; once it is answered, show the answer that was expected beside one's own."""
    material, study = next_practice(enrolment), _study(enrolment)
    if material is None:
        return next_task(enrolment) if request.method == "POST" else redirect("crowd:work")
    subject = subject_of(material, f"practice:{enrolment.pk}:{material.pk}")
    context = {
        **_shown(enrolment, subject, study),
        "is_practice": True,
        "material": material,
        "standing": standing(enrolment),
    }
    context |= {"kept_under": f"practice.{material.pk}", "version": 0, "resume_token": resume_token(enrolment)}
    if request.method == "GET" or request.POST.get("material") != str(material.pk):
        return render(request, study.template, context)
    try:
        answer = study.read(request.POST.dict(), subject, study.settings_read(enrolment.campaign.task_settings))
    except (AnswerRefused, AskedOnce) as refusal:
        if wants_json(request):
            return refused_json(refusal, 422)
        problems = refusal.problems if isinstance(refusal, AnswerRefused) else []
        context |= {"refusal": str(refusal), "problems": problems, "posted": Posted(request.POST.dict())}
        return render(request, study.template, {**context, "asked_once": isinstance(refusal, AskedOnce)}, status=422)
    practice_answer(enrolment=enrolment, material=material, answer=answer)
    context |= {"answer": answer, "expected": material.expected, "is_answered": True}
    context |= {"posted": study.fields(answer, subject), "expected_fields": study.fields(material.expected, subject)}
    return render(request, study.template, context)


@worker_only
@never_cache
@require_safe
def answers(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """List a person's answers, for review and correction during the visit."""
    study = _study(enrolment)
    page = Paginator(responses_of_worker(enrolment), ANSWERS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "enrolment": enrolment,
        "page": page,
        "answers": [(each.assignment_id, *study.said(_subject(each), each.answer)) for each in page],
        "standing": standing(enrolment),
        "more": live_lease(enrolment) is not None or work_is_left_for(enrolment),
    }
    return render(request, "protocols/answers.html", context)


def _subject(response: Response) -> Subject:
    return subject_of(response.assignment.item.task_item.material, response.assignment_id)
