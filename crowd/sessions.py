"""The worker's session: a signed cookie that names one enrolment, separate from staff accounts.

Between the first click on a link and consent, the platform's ids are kept in another signed cookie whose path is the
link's own URL; nothing is stored about a person who does not consent.

An open task page also carries a signed token for its enrolment and sends it with every script request, so that nobody
loses work to a cookie that expires, is cleared or is replaced by another link's.

A browser in which a person has agreed to take part also has a lasting cookie: by it the browser holds the visit of a
person with a platform id (`crowd/services/browsers.py`), and is known when it comes as another person
(`crowd/services/shared_browsers.py`). Sessions and tokens name the browser that held the work when they were made, and
end when another one does.
"""

import re
import secrets
from dataclasses import asdict, dataclass, field
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from common.clock import database_said
from common.errors import Refused, TooManyRequests
from common.sql import Columns, Statement, read_each
from common.telemetry import refusal_counted
from crowd.models import Campaign, Enrolment, JoinLink, Worker
from crowd.services.entry import PlatformIds

ENROLMENT = Columns(
    Enrolment,
    "e",
    "id worker_id round link_id browser_hash guidelines_read_at guidelines_version_id qualified_at outcome finished_at "
    "is_excluded arm",
)
WORKER = Columns(Worker, "w", "id campaign_id number is_test")
LINK = Columns(
    JoinLink,
    "l",
    "id campaign_id round platform_key code_done code_partial code_failed code_no_work code_skipped code_withdrew "
    "is_test",
)
# Not what people read: those texts are long, and most pages show none of them.
CAMPAIGN = Columns(
    Campaign,
    "c",
    """
    id slug name state edit_paused rate_paused expert_paused sandbox_of_id settings_version_id
    editor_guidelines_changed_id rater_guidelines_changed_id
    texts_go_on_erasure record_leaving
    editors_per_source raters_per_compression editor_tasks rater_tasks lease_minutes editor_start
    editor_task fusion_within_longer fusion_asks_sentences
    keep_percent sentence_min_words paragraph_min_words
    qualification_questions qualification_pass_percent qualification_tries qualification_wait_minutes rating_task scales
    arms
    ratings_per_page extra_raters pairs_per_compression system_percent gold_percent gold_warn_percent
    partial_after currency editor_pay editor_pay_unit editor_minutes rater_pay rater_pay_unit rater_minutes
    editor_partial_pay rater_partial_pay failed_pay minimum_hourly_pay platform_fee_percent budget language
    page_language
    """,
)
VISIT = Statement(f"""
    SELECT {ENROLMENT}, {WORKER}, {LINK}, {CAMPAIGN}, {{now}}
    FROM crowd_enrolment e
    JOIN crowd_worker w ON w.id = e.worker_id
    JOIN crowd_joinlink l ON l.id = e.link_id
    JOIN crowd_campaign c ON c.id = l.campaign_id
    WHERE e.id = %(enrolment)s AND w.erased_at IS NULL
""")  # noqa: S608 - of constants


def enrolment_at_work(enrolment_id: int) -> Enrolment | None:
    """Return an enrolment with its worker, link and campaign; None if there is none, or the person was erased."""
    row = VISIT.row(enrolment=enrolment_id)
    if row is None:
        return None
    database_said(row[-1])
    enrolment, worker, link, campaign = read_each(row, ENROLMENT, WORKER, LINK, CAMPAIGN)
    worker.campaign = link.campaign = campaign
    enrolment.worker, enrolment.link = worker, link
    found: Enrolment = enrolment
    return found


WORKER_COOKIE = "precis_worker"
ASIDE_COOKIE = "precis_worker_aside"
ARRIVAL_COOKIE = "precis_arrival"
BROWSER_COOKIE = "precis_browser"
RESUME_SALT = "precis_resume"
RESUME_HEADER = "X-Resume-Token"
WORKER_SECONDS = 14 * 24 * 3600
ARRIVAL_SECONDS = 3600
BROWSER_SECONDS = 365 * 24 * 3600
BROWSER_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}\Z")  # 128 random bits


@dataclass(frozen=True)
class Arrival:
    """The ids with which somebody came by a link, and the token of the browser in which they agree with them."""

    ids: PlatformIds = field(default_factory=PlatformIds)
    browser: str = ""


def session_write(response: HttpResponseBase, enrolment: Enrolment) -> None:
    """Start a new session, replacing any earlier cookie."""
    value = signing.dumps({**_named(enrolment), "nonce": secrets.token_hex(8)}, salt=WORKER_COOKIE)
    _set_cookie(response, WORKER_COOKIE, value, WORKER_SECONDS, "/")


def session_put_aside(request: HttpRequest, response: HttpResponse) -> None:
    """Keep the session of this browser while a preview replaces it; one of a preview is not kept."""
    enrolment = session_read(request)
    if enrolment is not None and enrolment.campaign.sandbox_of_id is None:
        _set_cookie(response, ASIDE_COOKIE, request.COOKIES[WORKER_COOKIE], WORKER_SECONDS, "/")


def session_take_up(request: HttpRequest, response: HttpResponse) -> None:
    """Give a browser the session back that it had before a preview, unless it has begun another since."""
    current = session_read(request)
    if current is not None and current.campaign.sandbox_of_id is None:
        return
    aside = request.COOKIES.get(ASIDE_COOKIE, "")
    response.delete_cookie(ASIDE_COOKIE)
    if _content(aside, WORKER_SECONDS, WORKER_COOKIE):
        _set_cookie(response, WORKER_COOKIE, aside, WORKER_SECONDS, "/")
    else:
        response.delete_cookie(WORKER_COOKIE)


def session_read(request: HttpRequest) -> Enrolment | None:
    return _enrolment(_content(request.COOKIES.get(WORKER_COOKIE, ""), WORKER_SECONDS, WORKER_COOKIE))


def resume_token(enrolment: Enrolment) -> str:
    """Return a token with which an open page can restore its session if the cookie is gone."""
    return signing.dumps(_named(enrolment), salt=RESUME_SALT)


def resume_read(token: str) -> Enrolment | None:
    return _enrolment(_content(token, WORKER_SECONDS, RESUME_SALT))


def page_read(request: HttpRequest) -> Enrolment | None:
    """Return the enrolment named by a page script's token: the page's own, whichever link was opened since."""
    return resume_read(request.headers.get(RESUME_HEADER, ""))


def session_is_lost(request: HttpRequest) -> bool:
    return _content(request.COOKIES.get(WORKER_COOKIE, ""), WORKER_SECONDS, WORKER_COOKIE) is None


def is_signed_by_us(request: HttpRequest) -> bool:
    """Whether a request comes with a session or a page's token that was given out here, whoever has it now."""
    token = request.headers.get(RESUME_HEADER, "")
    return not session_is_lost(request) or _content(token, WORKER_SECONDS, RESUME_SALT) is not None


def _named(enrolment: Enrolment) -> dict[str, Any]:
    return {"enrolment": enrolment.pk, "browser": _holder(enrolment)}


def _holder(enrolment: Enrolment) -> str:
    """Return enough of the hash to tell browsers apart."""
    return enrolment.browser_hash[:16]


def _enrolment(content: dict[str, Any] | None) -> Enrolment | None:
    if not content:
        return None
    enrolment = enrolment_at_work(content["enrolment"])
    # Sessions from before browsers were stored name none; they last until one holds the work.
    is_held = enrolment is not None and _holder(enrolment) == content.get("browser", "")
    return enrolment if is_held else None


def browser_token(request: HttpRequest, arrival: Arrival | None = None) -> str:
    """Return the token by which a browser holds work, or that of its arrival; a new one for a browser that has none.

    The lasting cookie goes first: the browser may have got it by another link since it arrived by this one.
    """
    token = request.COOKIES.get(BROWSER_COOKIE, "")
    if BROWSER_TOKEN.match(token):
        return token
    return (arrival.browser if arrival else "") or secrets.token_urlsafe(16)


def browser_write(response: HttpResponse, token: str) -> None:
    _set_cookie(response, BROWSER_COOKIE, token, BROWSER_SECONDS, "/")


def arrival_write(response: HttpResponse, link: JoinLink, arrival: Arrival) -> None:
    value = signing.dumps(asdict(arrival), salt=ARRIVAL_COOKIE + link.token)
    _set_cookie(response, ARRIVAL_COOKIE, value, ARRIVAL_SECONDS, reverse("crowd:join", args=[link.token]))


def arrival_read(request: HttpRequest, link: JoinLink) -> Arrival:
    """Return with what somebody came; ids that are not signed are worth nothing once the link wants signed ones."""
    content = _content(request.COOKIES.get(ARRIVAL_COOKIE, ""), ARRIVAL_SECONDS, ARRIVAL_COOKIE + link.token)
    if not content or "ids" not in content:
        return Arrival()
    ids = PlatformIds(**content["ids"])
    return Arrival(ids, content["browser"]) if ids.is_signed or not link.signing_keys else Arrival()


def has_arrived(request: HttpRequest) -> bool:
    """Whether this browser has opened the link with parameters before, and has not gone on yet."""
    return ARRIVAL_COOKIE in request.COOKIES


def arrival_clear(response: HttpResponse, link: JoinLink) -> None:
    response.delete_cookie(ARRIVAL_COOKIE, path=reverse("crowd:join", args=[link.token]))


def _set_cookie(response: HttpResponseBase, name: str, value: str, seconds: int, path: str) -> None:
    response.set_cookie(name, value, max_age=seconds, path=path, httponly=True, secure=settings.PUBLIC, samesite="Lax")


def _content(signed: str, seconds: int, salt: str) -> dict[str, Any] | None:
    try:
        content: dict[str, Any] = signing.loads(signed, salt=salt, max_age=seconds)
    except signing.BadSignature:
        return None
    return content


def wants_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def refused_json(refusal: Refused, status: int, **more: str) -> JsonResponse:
    """Refuse a script's request: the words are for the person, and the code is what the script goes by."""
    refusal_counted(refusal)
    return JsonResponse({"error": str(refusal), "code": refusal.code, **more}, status=status)


def redirect_or_json(request: HttpRequest, enrolment: Enrolment, redirect: HttpResponseRedirect) -> HttpResponse:
    """Redirect a form post; give a script the URL as JSON, so that the page is fetched only once.

    The session is set to the page's worker, whichever link the browser has opened since.
    """
    if not wants_json(request):
        return redirect
    response = JsonResponse({"next": redirect.url})
    session_write(response, enrolment)
    return response


def too_many_requests(request: HttpRequest, refusal: TooManyRequests) -> HttpResponse:
    """Ask somebody to wait; what they sent comes back in the page, to be sent again."""
    response: HttpResponse
    if wants_json(request):
        response = JsonResponse({"error": str(refusal)}, status=429)
    else:
        sent = [(name, value) for name, values in request.POST.lists() for value in values]
        kept = [field for field in sent if field[0] != "csrfmiddlewaretoken"]
        context = {
            "reason": str(refusal),
            "kept": kept,
            "typed": request.POST.get("text", ""),
            "may_send_again": request.method == "POST",
        }
        response = render(request, "crowd/too_many_requests.html", context, status=429)
    response["Retry-After"] = str(refusal.retry_after)
    return response
