"""Pages of people who do a judgement task with material of its own: practice, the task, and their answers."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from common.errors import AskedOnce, Refused, SlotTaken
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
from protocols.services.pages import (
    HAS_READ,
    TIME_OVER,
    draft_fields,
    draft_save,
    page_back,
    page_leave,
    page_now,
    time_over_fields,
)
from protocols.services.responses import VISIT_OVER, OtherAnswerCounts, practice_answer, response_submit
from protocols.task import AnswerRefused, Page, StudyTask, Subject, study_task
from ratings.answers import posted_number

State = Assignment.State
AT_WORK = {State.LEASED, State.EXPIRED}
ANSWERS_PER_PAGE = 50
NOT_FILLED_IN = {"csrfmiddlewaretoken", "page", "back"}


class Posted(dict[str, str]):
    """The fields of a form as they were sent; those that were not are empty."""

    def __missing__(self, _name: str) -> str:
        return ""


# What a page has where nothing was answered yet.
UNTOUCHED: dict[str, Any] = {
    "answer": None,
    "aside": "",
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
    """Return the part of the task that a participant does; for raters of another kind there is no such page."""
    return study_task(enrolment.campaign.rating_task).part_in(enrolment.round)


@worker_only
@never_cache
@require_http_methods(["GET", "POST"])
@at_most(Act.SUBMIT)
def task(request: HttpRequest, enrolment: Enrolment, assignment_id: int) -> HttpResponse:
    """Show a task, or take its answer; a submitted one is shown again for correction during the visit."""
    work = study_work(enrolment, assignment_id)
    study = work.study
    if request.method == "POST":
        pages = study.pages(work.subject, study.settings_read(enrolment.campaign.task_settings))
        is_turn = len(pages) > 1 and _is_elsewhere(request, pages) and work.assignment.state in AT_WORK
        return (_turn if is_turn else _submit)(request, enrolment, work, pages)
    state = work.assignment.state
    if state == State.SKIPPED:
        messages.info(request, _("You skipped this text."))
        return redirect("crowd:work")
    if is_withdrawn(work.assignment):
        messages.info(request, str(WITHDRAWN))
        return redirect("crowd:work")
    if state not in {State.SUBMITTED, State.DISCARDED}:
        return _page(request, enrolment, work)
    if enrolment.is_closed or not study.takes_corrections:
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
    return _page(request, enrolment, work, sent)


def _fields(request: HttpRequest) -> dict[str, str]:
    """Return what was filled in; that a time is over is for the server to say."""
    posted = [each for each in request.POST.dict().items() if not each[0].startswith(TIME_OVER)]
    return {name: value.replace("\x00", "") for name, value in posted if name not in NOT_FILLED_IN}


def _is_elsewhere(request: HttpRequest, pages: Sequence[Page]) -> bool:
    """Whether a form is not that of the last page, or asks for an earlier one."""
    return "back" in request.POST or request.POST.get("page", "") != pages[-1].key


def _turn(request: HttpRequest, enrolment: Enrolment, work: StudyWork, pages: Sequence[Page]) -> HttpResponse:
    """Go on to the next page of a task, or back to an earlier one."""
    posted, here = request.POST, redirect("protocols:task", work.assignment.pk)
    try:
        if "back" in posted:
            if not page_back(assignment=work.assignment, pages=pages, to=posted["back"], fields=_fields(request)):
                messages.info(request, str(HAS_READ))
        else:
            key, fields = posted.get("page", ""), _fields(request)
            if not page_now(work.assignment, pages).time_is_up:
                work.study.page_check(
                    key, fields, work.subject, work.study.settings_read(enrolment.campaign.task_settings)
                )
            page_leave(assignment=work.assignment, pages=pages, key=key, fields=fields)
    except (AnswerRefused, AskedOnce) as refusal:
        if wants_json(request):
            return refused_json(refusal, 422)
        refusal_counted(refusal)
        return _page(request, enrolment, work, {"posted": Posted(posted.dict())}, refusal, 422)
    return redirect_or_json(request, enrolment, here)


@worker_only
@require_POST
@at_most(Act.DRAFT)
def draft(request: HttpRequest, enrolment: Enrolment, assignment_id: int) -> HttpResponse:
    """Keep what is filled in on a page of a task so far."""
    work = study_work(enrolment, assignment_id)
    pages = work.study.pages(work.subject, work.study.settings_read(enrolment.campaign.task_settings))
    try:
        on = draft_save(
            assignment=work.assignment, pages=pages, key=request.POST.get("page", ""), fields=_fields(request)
        )
    except Refused as refusal:
        return refused_json(refusal, 409)
    return JsonResponse({"seconds_left": on.seconds_left})


def _submit(request: HttpRequest, enrolment: Enrolment, work: StudyWork, pages: Sequence[Page]) -> HttpResponse:
    posted, assignment, study = request.POST, work.assignment, work.study
    on = page_now(assignment, pages)
    if not on.is_last:
        return redirect_or_json(request, enrolment, redirect("protocols:task", assignment.pk))
    fields = _fields(request)
    if assignment.state in AT_WORK:
        kept = draft_fields(assignment, pages if on.is_over else pages[:-1])
        fields = kept | ({} if on.is_over else on.own(fields))
        fields |= time_over_fields(on.page) if on.time_is_up else {}
    is_last = posted.get("then") == "answers"
    ahead = None if is_last else TaskAhead(enrolment, assignment)
    try:
        comment = posted.get("comment", "")[:MAX_REMARK_LENGTH]
        comment_check(comment)
        answer = study.read(fields, work.subject, study.settings_read(enrolment.campaign.task_settings))
        response_submit(
            enrolment=enrolment,
            work=work,
            answer=answer,
            on=on,
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
        return _page(request, enrolment, work, {"posted": Posted(fields)}, refusal, status)
    if is_last:
        return redirect_or_json(request, enrolment, redirect("protocols:answers"))
    return redirect_or_json(request, enrolment, next_task(enrolment, ahead=ahead))


def _page(
    request: HttpRequest,
    enrolment: Enrolment,
    work: StudyWork,
    sent: dict[str, Any] | None = None,
    refusal: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render a page of a task with what was answered before (`answer`), or with what was just `posted`."""
    sent = sent or {}
    assignment, study = work.assignment, work.study
    version = sent.get("version", 0)
    is_correction = assignment.state == State.SUBMITTED
    pages = study.pages(work.subject, study.settings_read(enrolment.campaign.task_settings))
    on = page_now(assignment, pages)
    if "answer" not in sent and "posted" not in sent:
        sent["posted"] = Posted(draft_fields(assignment, pages))
    context = {
        **_shown(enrolment, work.subject, study),
        **sent,
        "page_key": on.page.key,
        "pages": pages,
        "is_before_last": not on.is_last,
        "seconds_left": on.seconds_left,
        "draft_url": reverse("protocols:draft", args=[assignment.pk]),
        "assignment": assignment,
        "version": version,
        "kept_under": ".".join(filter(None, (str(assignment.pk), str(version), on.page.key))),
        "is_correction": is_correction,
        "aside": _("Change your answer") if is_correction else "",
        "standing": standing(enrolment, assignment),
        "resume_token": resume_token(enrolment),
        "reasons": Remark.CANNOT_RATE_REASONS,
        "longest_remark": MAX_REMARK_LENGTH,
        "refusal": str(refusal) if refusal else "",
        "problems": refusal.problems if isinstance(refusal, AnswerRefused) else [],
        "asked_once": isinstance(refusal, AskedOnce),
        "lost": isinstance(refusal, SlotTaken),
    }
    return render(request, on.page.template, context, status=status)


def _shown(enrolment: Enrolment, subject: Subject, study: StudyTask) -> dict[str, Any]:
    campaign = enrolment.campaign
    shown = study.shown(subject, study.settings_read(campaign.task_settings))
    own: dict[str, Any] = {
        "enrolment": enrolment,
        "campaign": campaign,
        "words": campaign.task.words_in(enrolment.round),
        "guidelines": enrolment.guidelines,
        "never_skipped": campaign.task.by_design,
    }
    return {**UNTOUCHED, **own, **shown}


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
        "aside": _("Practice"),
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
    assert material.expected is not None, "what has no expected answer is not practice"
    context |= {"answer": answer, "expected": material.expected, "is_answered": True}
    context |= {"posted": study.fields(answer, subject), "expected_fields": study.fields(material.expected, subject)}
    return render(request, study.template, context)


@worker_only
@never_cache
@require_safe
def wait(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """Tell somebody who is early for the second part of a study when it begins, or that the first comes before it."""
    part = _study(enrolment)
    if part.entry_page(enrolment) is None:
        return redirect("crowd:work")
    return render(request, "protocols/wait.html", {"enrolment": enrolment, "opens_at": part.opens_at(enrolment)})


@worker_only
@never_cache
@require_safe
def answers(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """List a person's answers, for review and correction during the visit."""
    study = study_task(enrolment.campaign.rating_task)
    page = Paginator(responses_of_worker(enrolment), ANSWERS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "enrolment": enrolment,
        "page": page,
        "answers": [_said(study, each) for each in page],
        "standing": standing(enrolment),
        "more": live_lease(enrolment) is not None or work_is_left_for(enrolment),
    }
    return render(request, "protocols/answers.html", context)


def _said(study: StudyTask, response: Response) -> tuple[int, str, str, bool]:
    """Return an answer's task, what it is about, what it says, and whether it can be changed."""
    material = response.assignment.item.task_item.material
    part = study.part(material.task)
    about, says = part.said(subject_of(material, response.assignment_id), response.answer)
    return response.assignment_id, about, says, part.takes_corrections
