"""The worker's flow: join link, consent, guidelines, tasks, completion code."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from common.errors import Refused, SlotTaken
from crowd.access import public, worker_only
from crowd.models import Campaign, Enrolment, JoinLink
from crowd.responses import redirect_or_json
from crowd.round_registry import round_pages
from crowd.selectors.campaigns import work_is_left
from crowd.selectors.work import enrolment_of_id, lease_seconds, live_lease, standing, work_is_left_for
from crowd.services.claims import assignment_claim, assignment_renew
from crowd.services.entry import (
    NOT_OPEN,
    PlatformIds,
    enrolment_finish,
    enrolment_leave,
    guidelines_accept,
    worker_enter,
)
from crowd.sessions import arrival_clear, arrival_read, arrival_write, resume_read, session_read, session_write


@public
@never_cache
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show what the study is about and ask for consent; people arrive here through a join link."""
    link = get_object_or_404(JoinLink.objects.select_related("campaign"), token=token)
    if request.method == "POST":
        return _enter(request, link)
    if request.GET:
        response = redirect("crowd:join", token)
        arrival_write(response, link, _ids_from_query(request, link))
        return response
    ids = arrival_read(request, link)
    returning = _has_consented(request, link, ids)
    if not returning and not (link.is_active and link.campaign.is_open):
        return render(request, "crowd/refused.html", {"reason": NOT_OPEN}, status=409)
    if not returning and not work_is_left(link.campaign, link.round):
        context = {"link": link, "return_address": link.platform.return_address(link.code_no_work)}
        return render(request, "crowd/no_work.html", context)
    missing_id = link.platform.id_required and not ids.worker_id and not returning
    return render(request, "crowd/join.html", {"link": link, "returning": returning, "missing_id": missing_id})


def _has_consented(request: HttpRequest, link: JoinLink, ids: PlatformIds) -> bool:
    """Whether this person has consented already, identified by platform id, or without one by the browser's session."""
    if ids.worker_id:
        return enrolment_of_id(link, ids.worker_id) is not None
    known = session_read(request)
    return known is not None and known.link_id == link.pk


def _ids_from_query(request: HttpRequest, link: JoinLink) -> PlatformIds:
    platform = link.platform
    return PlatformIds(
        worker_id=_parameter(request, platform.worker_parameter).strip(),
        study_id=_parameter(request, platform.study_parameter),
        session_id=_parameter(request, platform.session_parameter),
    )


def _parameter(request: HttpRequest, name: str) -> str:
    """Return a query parameter, cut to the length and characters that the database can store."""
    return request.GET.get(name, "").replace("\x00", "")[:200] if name else ""


def _enter(request: HttpRequest, link: JoinLink) -> HttpResponse:
    known, ids = session_read(request), arrival_read(request, link)
    if known is not None and known.link_id == link.pk and not ids.worker_id:
        return redirect("crowd:work")
    if _was_changed(request, link.campaign):
        messages.info(request, "This page has changed since you opened it. Please read it again.")
        return redirect("crowd:join", link.token)
    try:
        enrolment = worker_enter(link=link, ids=ids, known=known)
    except Refused as refusal:
        return render(request, "crowd/refused.html", {"reason": str(refusal)}, status=409)
    response = redirect("crowd:work")
    session_write(response, enrolment)
    arrival_clear(response, link)
    return response


@worker_only
@never_cache
@require_safe
def work(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """Take the worker to the step they have reached."""
    if enrolment.outcome == Enrolment.Outcome.FAILED:
        return redirect("crowd:done")
    is_working = enrolment.outcome == Enrolment.Outcome.WORKING
    if enrolment.guidelines_read_at is None or (is_working and _must_read_first(enrolment)):
        return redirect("crowd:guidelines")
    pages = round_pages(enrolment.round)
    if entry_check := pages.entry_check(enrolment):
        return redirect(entry_check)
    if lease := live_lease(enrolment):
        return redirect(pages.task_url, lease.pk)
    if not is_working:
        return redirect("crowd:done")
    return render(request, "crowd/work.html", {"enrolment": enrolment, "standing": standing(enrolment)})


@worker_only
@require_http_methods(["GET", "POST"])
def guidelines(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    if request.method == "POST":
        if _was_changed(request, enrolment.campaign):
            return redirect("crowd:guidelines")
        guidelines_accept(enrolment=enrolment)
        return next_task(enrolment)
    return render(request, "crowd/guidelines.html", {"enrolment": enrolment})


def _was_changed(request: HttpRequest, campaign: Campaign) -> bool:
    """Whether the settings have changed since the page was shown on which somebody agrees to have read something."""
    current = str(campaign.settings_version_id)
    return request.POST.get("settings", current) != current


@worker_only
@require_POST
def claim(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    return redirect_or_json(request, enrolment, next_task(enrolment))


def next_task(enrolment: Enrolment, *, has_reviewed: bool = False) -> HttpResponseRedirect:
    """Claim the next task and redirect to it; if none is left, to the review of the answers, then the end."""
    if _must_read_first(enrolment):
        return redirect("crowd:guidelines")
    pages = round_pages(enrolment.round)
    if entry_check := pages.entry_check(enrolment):
        return redirect(entry_check)
    assignment = assignment_claim(enrolment=enrolment)
    if assignment is not None:
        return redirect(pages.task_url, assignment.pk)
    may_review = pages.review_url and not has_reviewed and not enrolment.is_closed
    if may_review and standing(enrolment).submitted:
        return redirect(pages.review_url)
    enrolment_finish(enrolment=enrolment)
    return redirect("crowd:done")


def _must_read_first(enrolment: Enrolment) -> bool:
    """Whether a person has the guidelines to read, for the first time or because they changed, before a next text."""
    if enrolment.guidelines_read_at is None:
        return True
    return enrolment.guidelines_are_new and (live_lease(enrolment) is not None or work_is_left_for(enrolment))


@worker_only
@require_POST
def finish(_request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """End the visit after the review of the answers, or continue if work is left for this person."""
    return next_task(enrolment, has_reviewed=True)


@worker_only
@require_POST
def renew(_request: HttpRequest, enrolment: Enrolment, assignment_id: int) -> HttpResponse:
    """Renew the lease; open pages call this regularly so that their task does not go to somebody else."""
    try:
        assignment = assignment_renew(assignment_id=assignment_id, enrolment=enrolment)
    except SlotTaken as refusal:
        return JsonResponse({"error": str(refusal)}, status=409)
    return JsonResponse({"state": assignment.state, "lease_seconds": lease_seconds(assignment)})


@public
@never_cache
@require_http_methods(["GET", "POST"])
def session(request: HttpRequest) -> HttpResponse:
    """Restore an open page's lost cookies: GET sets the CSRF cookie, POST with the page's token the session."""
    if request.method == "GET":
        return JsonResponse({"csrf": get_token(request)})
    enrolment = resume_read(request.POST.get("token", ""))
    if enrolment is None:
        return JsonResponse({"error": "This page is too old. Open the link you came by again."}, status=403)
    response = JsonResponse({})
    session_write(response, enrolment)
    return response


@worker_only
@require_POST
def leave(_request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """End the visit early; submitted work is kept."""
    enrolment_leave(enrolment=enrolment)
    return redirect("crowd:done")


@worker_only
@never_cache
@require_safe
def done(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    if enrolment.outcome == Enrolment.Outcome.WORKING:
        return redirect("crowd:work")
    code = enrolment.completion_code
    context = {
        "enrolment": enrolment,
        "code": code,
        "return_address": enrolment.link.platform.return_address(code),
        "standing": standing(enrolment),
        "more": work_is_left_for(enrolment),
    }
    return render(request, "crowd/done.html", context)
