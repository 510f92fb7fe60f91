"""The worker's session: a signed cookie that names one enrolment, apart from staff accounts.

Between the first click on a link and consent, what the platform said waits in another signed cookie that only the
link's own address receives; nothing is stored about a person who does not consent.
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
WORKER_SECONDS = 14 * 24 * 3600
ARRIVAL_SECONDS = 3600


def session_write(response: HttpResponse, enrolment: Enrolment) -> None:
    """Start a fresh session; nothing of an earlier cookie is taken over."""
    value = signing.dumps({"enrolment": enrolment.pk, "nonce": secrets.token_hex(8)}, salt=WORKER_COOKIE)
    _set(response, WORKER_COOKIE, value, WORKER_SECONDS, "/")


def session_read(request: HttpRequest) -> Enrolment | None:
    content = _content(request, WORKER_COOKIE, WORKER_SECONDS)
    if not content:
        return None
    related = Enrolment.objects.select_related("worker", "link__campaign")
    return related.filter(pk=content["enrolment"]).first()


def arrival_write(response: HttpResponse, link: JoinLink, ids: PlatformIds) -> None:
    value = signing.dumps(asdict(ids), salt=ARRIVAL_COOKIE + link.token)
    _set(response, ARRIVAL_COOKIE, value, ARRIVAL_SECONDS, reverse("crowd:join", args=[link.token]))


def arrival_read(request: HttpRequest, link: JoinLink) -> PlatformIds:
    content = _content(request, ARRIVAL_COOKIE, ARRIVAL_SECONDS, salt=ARRIVAL_COOKIE + link.token)
    return PlatformIds(**content) if content else PlatformIds()


def arrival_clear(response: HttpResponse, link: JoinLink) -> None:
    response.delete_cookie(ARRIVAL_COOKIE, path=reverse("crowd:join", args=[link.token]))


def _set(response: HttpResponse, name: str, value: str, seconds: int, path: str) -> None:
    response.set_cookie(name, value, max_age=seconds, path=path, httponly=True, secure=settings.PUBLIC, samesite="Lax")


def _content(request: HttpRequest, name: str, seconds: int, salt: str | None = None) -> dict[str, str] | None:
    try:
        content: dict[str, str] = signing.loads(request.COOKIES.get(name, ""), salt=salt or name, max_age=seconds)
    except signing.BadSignature:
        return None
    return content
