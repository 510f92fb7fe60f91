"""The worker's flow after consent: guidelines, tasks, completion code."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from common.errors import SlotTaken, TooManyRequests
from common.rate_limits import rate_limit_take
from common.telemetry import claim_counted
from crowd.access import framed, public, worker_only
from crowd.limits import Act, at_most, limit_of, take_guess
from crowd.models import NO_MORE, Campaign, Enrolment, Outcome
from crowd.pay import pay_of_round
from crowd.round_registry import round_pages
from crowd.selectors.work import lease_seconds, live_lease, standing, work_is_left_for
from crowd.services.claims import TaskAhead, assignment_claim
from crowd.services.entry import enrolment_finish, enrolment_leave, enrolment_withdraw, guidelines_accept
from crowd.services.leases import assignment_renew
from crowd.sessions import redirect_or_json, refused_json, resume_read, session_write


@worker_only
@never_cache
@require_safe
def work(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """Take the worker to the step they have reached."""
    if enrolment.outcome in NO_MORE:
        return redirect("crowd:done")
    if enrolment.outcome == Outcome.WORKING and enrolment.campaign.is_final:
        return render(request, "crowd/ended.html", {"enrolment": enrolment, "standing": standing(enrolment)})
    return _step(request, enrolment)


def _step(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    is_working = enrolment.outcome == Outcome.WORKING
    if enrolment.guidelines_read_at is None or (is_working and _must_read_first(enrolment)):
        return redirect("crowd:guidelines")
    pages = round_pages(enrolment)
    if entry_page := pages.entry_page(enrolment):
        return redirect(entry_page)
    if not enrolment.campaign.is_final and (lease := live_lease(enrolment)):
        return redirect(pages.task_url, lease.pk)
    if not is_working:
        return redirect("crowd:done")
    return render(request, "crowd/work.html", {"enrolment": enrolment, "standing": standing(enrolment)})


@worker_only
@require_http_methods(["GET", "POST"])
@at_most(Act.CLAIM)
def guidelines(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    if request.method == "POST":
        if was_changed(request, enrolment.campaign):
            return redirect("crowd:guidelines")
        guidelines_accept(enrolment=enrolment)
        return next_task(enrolment)
    return render(request, "crowd/guidelines.html", {"enrolment": enrolment})


def was_changed(request: HttpRequest, campaign: Campaign) -> bool:
    """Whether the settings have changed since the page was shown on which somebody agrees to have read something."""
    current = str(campaign.settings_version_id)
    return request.POST.get("settings", current) != current


@worker_only
@require_POST
@at_most(Act.CLAIM)
def claim(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    return redirect_or_json(request, enrolment, next_task(enrolment))


def next_task(enrolment: Enrolment, *, ahead: TaskAhead | None = None) -> HttpResponseRedirect:
    """Redirect to the task that was taken `ahead`, or claim one; if none is left, the visit is over."""
    if enrolment.campaign.is_final:
        return _end_of_study(enrolment)
    pages = round_pages(enrolment)
    if ahead is not None and ahead.assignment_id is not None:
        claim_counted(enrolment.round)
        return redirect(pages.task_url, ahead.assignment_id)
    if _must_read_first(enrolment):
        return redirect("crowd:guidelines")
    if entry_page := pages.entry_page(enrolment):
        return redirect(entry_page)
    assignment = assignment_claim(enrolment=enrolment)
    if assignment is not None:
        return redirect(pages.task_url, assignment.pk)
    enrolment_finish(enrolment=enrolment)
    return redirect("crowd:done")


def way_back(enrolment: Enrolment) -> HttpResponseRedirect:
    """Redirect to where a returning person was; whoever stopped goes on at once if work is left for them."""
    if enrolment.outcome != Outcome.STOPPED_EARLY or not work_is_left_for(enrolment):
        return redirect("crowd:work")
    rate_limit_take(limit_of(Act.CLAIM), enrolment.pk)
    return next_task(enrolment)


def _end_of_study(enrolment: Enrolment) -> HttpResponseRedirect:
    """End a visit that was still open when the study ended: what was submitted brings its code."""
    if enrolment.outcome == Outcome.WORKING:
        enrolment_finish(enrolment=enrolment)
    return redirect("crowd:done")


def _must_read_first(enrolment: Enrolment) -> bool:
    """Whether a person has the guidelines to read, for the first time or because they changed, before a next text."""
    if enrolment.guidelines_read_at is None:
        return True
    return enrolment.guidelines_are_new and (live_lease(enrolment) is not None or work_is_left_for(enrolment))


@worker_only
@require_POST
@at_most(Act.CLAIM)
def finish(_request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """End a visit that is still open though nothing is left to do, or continue if something is."""
    return next_task(enrolment)


@worker_only
@require_POST
@at_most(Act.RENEW)
def renew(_request: HttpRequest, enrolment: Enrolment, assignment_id: int) -> HttpResponse:
    """Renew the lease; open pages call this regularly so that their task does not go to somebody else."""
    try:
        assignment = assignment_renew(assignment_id=assignment_id, enrolment=enrolment)
    except SlotTaken as refusal:
        return refused_json(refusal, 409)
    return JsonResponse({"state": assignment.state, "lease_seconds": lease_seconds(assignment)})


@public
@framed
@never_cache
@require_http_methods(["GET", "POST"])
def session(request: HttpRequest) -> HttpResponse:
    """Restore an open page's lost cookies: GET sets the CSRF cookie, POST with the page's token the session."""
    if request.method == "GET":
        return JsonResponse({"csrf": get_token(request)})
    enrolment = resume_read(request.POST.get("token", ""))
    if enrolment is None:
        return _no_session(request)
    response = JsonResponse({})
    session_write(response, enrolment)
    return response


def _no_session(request: HttpRequest) -> JsonResponse:
    try:
        take_guess(request)
    except TooManyRequests as refusal:
        headers = {"Retry-After": str(refusal.retry_after)}
        return JsonResponse({"error": str(refusal)}, status=429, headers=headers)
    words = _("This page was open too long. Open the study’s link again.")
    return JsonResponse({"error": words, "code": "session"}, status=403)


@worker_only
@never_cache
@require_safe
def stop(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """Say what stopping now would cost, before it happens."""
    if enrolment.outcome not in {Outcome.WORKING, Outcome.STOPPED_EARLY}:
        return redirect("crowd:done")
    done_so_far, pay = standing(enrolment), pay_of_round(enrolment.campaign, enrolment.round)
    missing = _missing_for_part(enrolment, done_so_far.submitted)
    context = {
        "enrolment": enrolment,
        "standing": done_so_far,
        "left": done_so_far.total - done_so_far.submitted,
        "gives_part": enrolment.campaign.pays_in_part(done_so_far.submitted) and bool(enrolment.link.code_partial),
        "missing_for_part": missing,
        "part": pay.of_part(done_so_far.submitted + missing),
        "whole": pay.of_person(done_so_far.total),
        "page": live_lease(enrolment),
    }
    return render(request, "crowd/stop.html", context)


def _missing_for_part(enrolment: Enrolment, submitted: int) -> int:
    """Return how many tasks more would bring the partial code; 0 if none would, or it is reached."""
    is_offered = enrolment.campaign.partial_after and enrolment.link.code_partial
    return max(0, enrolment.campaign.partial_after - submitted) if is_offered else 0


@worker_only
@require_POST
@at_most(Act.CLAIM)
def withdraw(_request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """End the visit and use none of the work."""
    enrolment_withdraw(enrolment=enrolment)
    return redirect("crowd:done")


@worker_only
@require_POST
@at_most(Act.CLAIM)
def leave(_request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """End the visit early; submitted work is kept."""
    enrolment_leave(enrolment=enrolment)
    return redirect("crowd:done")


@worker_only
@never_cache
@require_safe
def done(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    if enrolment.outcome == Outcome.WORKING:
        return redirect("crowd:work")
    done_so_far, pages = standing(enrolment), round_pages(enrolment)
    code = enrolment.completion_code(done_so_far.submitted)
    context = {
        "enrolment": enrolment,
        "code": code,
        "return_address": enrolment.link.return_address(code, enrolment.worker.external_id) if code else "",
        "standing": done_so_far,
        "part": pay_of_round(enrolment.campaign, enrolment.round).of_part(done_so_far.submitted),
        "more": work_is_left_for(enrolment),
        "review": pages.review_url if done_so_far.submitted else "",
        "next_visit": pages.next_visit(enrolment) if pages.next_visit else None,
    }
    return render(request, "crowd/done.html", context)
