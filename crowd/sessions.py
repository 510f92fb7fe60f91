"""The worker's session: a signed cookie that names one enrolment, separate from staff accounts.

Between the first click on a link and consent, the platform's ids are kept in another signed cookie whose path is the
link's own URL; nothing is stored about a person who does not consent.

An open task page also carries a signed token for its enrolment and sends it with every script request, so that nobody
loses work to a cookie that expires, is cleared or is replaced by another link's.
"""

import secrets
from dataclasses import asdict

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from crowd.models import Enrolment, JoinLink
from crowd.services.entry import PlatformIds

WORKER_COOKIE = "precis_worker"
ARRIVAL_COOKIE = "precis_arrival"
RESUME_SALT = "precis_resume"
RESUME_HEADER = "X-Resume-Token"
WORKER_SECONDS = 14 * 24 * 3600
ARRIVAL_SECONDS = 3600


def session_write(response: HttpResponse, enrolment: Enrolment) -> None:
    """Start a new session, replacing any earlier cookie."""
    value = signing.dumps({"enrolment": enrolment.pk, "nonce": secrets.token_hex(8)}, salt=WORKER_COOKIE)
    _set_cookie(response, WORKER_COOKIE, value, WORKER_SECONDS, "/")


def session_read(request: HttpRequest) -> Enrolment | None:
    return _enrolment(_content(request.COOKIES.get(WORKER_COOKIE, ""), WORKER_SECONDS, WORKER_COOKIE))


def resume_token(enrolment: Enrolment) -> str:
    """Return a token with which an open page can restore its session if the cookie is gone."""
    return signing.dumps({"enrolment": enrolment.pk}, salt=RESUME_SALT)


def resume_read(token: str) -> Enrolment | None:
    return _enrolment(_content(token, WORKER_SECONDS, RESUME_SALT))


def page_read(request: HttpRequest) -> Enrolment | None:
    """Return the enrolment named by a page script's token: the page's own, whichever link was opened since."""
    return resume_read(request.headers.get(RESUME_HEADER, ""))


def session_is_lost(request: HttpRequest) -> bool:
    return _content(request.COOKIES.get(WORKER_COOKIE, ""), WORKER_SECONDS, WORKER_COOKIE) is None


def _enrolment(content: dict[str, str] | None) -> Enrolment | None:
    if not content:
        return None
    enrolments = Enrolment.objects.select_related("worker", "link__campaign")
    return enrolments.filter(pk=content["enrolment"], worker__erased_at=None).first()


def arrival_write(response: HttpResponse, link: JoinLink, ids: PlatformIds) -> None:
    value = signing.dumps(asdict(ids), salt=ARRIVAL_COOKIE + link.token)
    _set_cookie(response, ARRIVAL_COOKIE, value, ARRIVAL_SECONDS, reverse("crowd:join", args=[link.token]))


def arrival_read(request: HttpRequest, link: JoinLink) -> PlatformIds:
    content = _content(request.COOKIES.get(ARRIVAL_COOKIE, ""), ARRIVAL_SECONDS, ARRIVAL_COOKIE + link.token)
    return PlatformIds(**content) if content else PlatformIds()


def arrival_clear(response: HttpResponse, link: JoinLink) -> None:
    response.delete_cookie(ARRIVAL_COOKIE, path=reverse("crowd:join", args=[link.token]))


def _set_cookie(response: HttpResponse, name: str, value: str, seconds: int, path: str) -> None:
    response.set_cookie(name, value, max_age=seconds, path=path, httponly=True, secure=settings.PUBLIC, samesite="Lax")


def _content(signed: str, seconds: int, salt: str) -> dict[str, str] | None:
    try:
        content: dict[str, str] = signing.loads(signed, salt=salt, max_age=seconds)
    except signing.BadSignature:
        return None
    return content
