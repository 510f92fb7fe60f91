"""How people come in: the join link, consent, and another browser than the one that they began in."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from common.errors import Refused, TooManyRequests
from common.telemetry import refusal_counted
from crowd.access import framed, public
from crowd.arrivals import ids_of_arrival
from crowd.languages import pages_for, pages_in
from crowd.limits import may_note_other_id, take_guess, take_join
from crowd.models import Enrolment, JoinLink
from crowd.platforms import ACCOUNT, DIRECT, platform_sending
from crowd.selectors.campaigns import work_is_left
from crowd.selectors.progress import link_refusal
from crowd.selectors.work import enrolment_of_id
from crowd.services.browsers import OtherBrowser, browser_hash, browser_holds, browser_request_create
from crowd.services.entry import has_come_by, worker_enter
from crowd.services.links import join_link_note_other_id, join_link_note_wrong_id
from crowd.sessions import (
    Arrival,
    arrival_clear,
    arrival_read,
    arrival_write,
    browser_token,
    browser_write,
    has_arrived,
    session_read,
    session_write,
    too_many_requests,
)
from crowd.signing_keys import BadToken
from crowd.views.worker import was_changed, way_back


@public
@framed
@never_cache
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show what the study is about and ask for consent; people arrive here through a join link."""
    try:
        link = _link(request, token)
        with pages_in(link.campaign.page_language):
            return _joined(request, link)
    except TooManyRequests as refusal:
        with pages_for(request):
            return too_many_requests(request, refusal)


def _joined(request: HttpRequest, link: JoinLink) -> HttpResponse:
    try:
        if request.method == "POST":
            return _enter(request, link)
        return _arrive(request, link) if request.GET else _consent_page(request, link)
    except TooManyRequests as refusal:
        return too_many_requests(request, refusal)


def _link(request: HttpRequest, token: str) -> JoinLink:
    link = JoinLink.objects.select_related("campaign").filter(token=token).first()
    if link is None:
        take_guess(request)
        raise Http404("there is no such link")
    return link


def _arrive(request: HttpRequest, link: JoinLink) -> HttpResponse:
    """Take the ids out of the address at once, so that nobody passes them on with it."""
    try:
        ids = ids_of_arrival(request, link)
    except BadToken:
        return render(request, "crowd/bad_token.html", {"link": link}, status=400)
    if ids.worker_id and not ids.is_signed and not link.platform.is_possible_id(ids.worker_id):
        take_join(request, link)
        join_link_note_wrong_id(link=link, worker_id=ids.worker_id)
        return render(request, "crowd/wrong_link.html", {"link": link}, status=400)
    _note_other_platform(request, link)
    response = redirect("crowd:join", link.token)
    arrival_write(response, link, Arrival(ids, browser_token(request)))
    return response


def _note_other_platform(request: HttpRequest, link: JoinLink) -> None:
    """Count for staff that a platform sends people to a direct link: once for who opens the address again soon."""
    platform = platform_sending(request.GET.dict()) if link.platform_key == DIRECT else ""
    if not platform or has_arrived(request):
        return
    known = session_read(request)
    is_new = known is None or not has_come_by(known, link)
    if is_new and may_note_other_id(request, link):
        join_link_note_other_id(link=link, platform=platform)


def _consent_page(request: HttpRequest, link: JoinLink) -> HttpResponse:
    """Whoever does not hold a visit sees the same, whether or not somebody with these ids takes part."""
    arrival = arrival_read(request, link)
    held = _held_enrolment(request, link, arrival, session_read(request))
    returning = held is not None and has_come_by(held, link)
    if not returning and (refusal := link_refusal(link)):
        return render(request, "crowd/refused.html", {"reason": refusal}, status=409)
    if not returning and not work_is_left(link.campaign, link.round, is_test=link.is_test):
        context = {"link": link, "return_address": link.platform.return_address(link.code_no_work)}
        return render(request, "crowd/no_work.html", context)
    missing_id = link.wants_id and not arrival.ids.worker_id and not returning
    if missing_id and link.platform_key == ACCOUNT:  # experts get their id where they are logged in
        return redirect("crowd:campaigns")
    if missing_id:
        return render(request, "crowd/missing_id.html", {"link": link})
    return render(request, "crowd/join.html", {"link": link, "returning": returning})


def _held_enrolment(
    request: HttpRequest, link: JoinLink, arrival: Arrival, known: Enrolment | None
) -> Enrolment | None:
    """Return the enrolment that this browser may continue, if any."""
    ids = arrival.ids
    if not ids.worker_id:
        return known if known is not None and has_come_by(known, link) else None
    enrolled = enrolment_of_id(link, ids.worker_id)
    browser = browser_hash(link.campaign, browser_token(request, arrival))
    is_held = enrolled is not None and browser_holds(enrolled, browser, known, is_signed=ids.is_signed)
    return enrolled if is_held else None


def _enter(request: HttpRequest, link: JoinLink) -> HttpResponse:
    known, arrival = session_read(request), arrival_read(request, link)
    held = _held_enrolment(request, link, arrival, known)
    if held is not None and not arrival.ids.worker_id and held.link_id == link.pk:
        return way_back(held)
    if was_changed(request, link.campaign):
        messages.info(request, _("This page has changed since you opened it. Read it again."))
        return redirect("crowd:join", link.token)
    if held is None:
        take_join(request, link)
        if refusal := link_refusal(link):  # whoever it is, so that nobody learns who takes part
            return render(request, "crowd/refused.html", {"reason": refusal}, status=409)
    token = browser_token(request, arrival)
    try:
        enrolment = worker_enter(link=link, ids=arrival.ids, known=known, browser=browser_hash(link.campaign, token))
    except OtherBrowser as other:
        return _ask_staff(request, link, arrival, other)
    except Refused as refused:
        refusal_counted(refused)
        return render(request, "crowd/refused.html", {"reason": str(refused)}, status=409)
    response = way_back(enrolment)
    session_write(response, enrolment)
    browser_write(response, token)
    arrival_clear(response, link)
    return response


def _ask_staff(request: HttpRequest, link: JoinLink, arrival: Arrival, refusal: OtherBrowser) -> HttpResponse:
    """Tell somebody that another browser holds the visit, and keep for staff that they came."""
    token = browser_token(request, arrival)
    browser = browser_hash(link.campaign, token)
    asked = browser_request_create(enrolment=refusal.enrolment, link=link, browser=browser)
    response = render(request, "crowd/other_browser.html", {"link": link, "asked": asked}, status=409)
    browser_write(response, token)
    return response
