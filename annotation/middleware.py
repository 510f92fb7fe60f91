"""The middleware that every request passes: its id and log line, headers of responses, compression, use of sessions.

The line that is logged about a request names the view and never the address: addresses hold tokens and numbers of
people.
"""

import logging
import time
from collections.abc import Callable, Container
from http import HTTPStatus
from http.cookies import Morsel

from csp.constants import HEADER as POLICY_HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.functional import cached_property
from django.utils.log import log_response

from common.client_address import is_from_proxy
from common.telemetry import Trace, new_request_id, request_counted, sane_request_id, traced
from crowd.access import may_be_framed
from crowd.account_sessions import note_use

ID_HEADER = "X-Request-ID"
NO_VIEW = "none"  # whatever the address: it leads nowhere
PROBED = {"/health/", "/health/live/", "/health/ready/", "/metrics"}
logger = logging.getLogger("precis.requests")
GetResponse = Callable[[HttpRequest], HttpResponseBase]


class SeeRequests:
    """The outermost middleware: what it measures is all that the app does for a request."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        begun, request_id = time.perf_counter(), request_id_of(request)
        with traced(Trace(request_id)):
            response = self.get_response(request)
            response.headers[ID_HEADER] = request_id
            if response.status_code >= HTTPStatus.BAD_REQUEST:
                # Django does so once, here or after this: then its line would lack the id.
                said = response.reason_phrase, request.path
                log_response("%s: %s", *said, response=response, request=request)  # type: ignore[arg-type]
            _note(request, response, time.perf_counter() - begun)
        return response


def request_id_of(request: HttpRequest) -> str:
    """Return the id that a proxy of ours gave a request, or a new one; what others send is not believed."""
    given = request.META.get("HTTP_X_REQUEST_ID", "")
    if given and settings.TRUSTED_PROXIES and is_from_proxy(request):
        return sane_request_id(given) or new_request_id()
    return new_request_id()


def _note(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    view = (request.resolver_match.view_name if request.resolver_match else "") or NO_VIEW
    method = request.method or ""
    request_counted(view=view, method=method, status=response.status_code, seconds=seconds)
    if settings.LOG_REQUESTS:
        milliseconds = round(seconds * 1000, 1)
        logger.info(
            "%s %s %s %s ms",
            *(method, view, response.status_code, milliseconds),
            extra={"view": view, "method": method, "status": response.status_code, "duration_ms": milliseconds},
        )


class AcceptProbes:
    """Take a question about the app's condition as one to localhost over HTTPS, whatever name it came by.

    The answers depend on neither and hold no links, so ALLOWED_HOSTS and the redirect to HTTPS protect nothing here.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info in PROBED:
            request.META["HTTP_HOST"] = "localhost"
            if settings.PUBLIC:
                request.META["HTTP_X_FORWARDED_PROTO"] = "https"
        return self.get_response(request)


class CompressPages(GZipMiddleware):
    """Compress all responses except files that support range requests: compression would shift the byte ranges."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.has_header("Accept-Ranges"):
            return response
        return super().process_response(request, response)


class ContentSecurityPolicy(CSPMiddleware):
    """Send the policy. It is the same for nearly all responses, so it is put together once."""

    @cached_property
    def _usual(self) -> str:
        return build_policy()

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if settings.DEBUG or hasattr(request, "_csp_nonce") or any(name.startswith("_csp") for name in vars(response)):
            return super().process_response(request, response)
        response.setdefault(POLICY_HEADER, self._usual)
        return response


class SandboxDownloads:
    """Send every file to download with a policy under which a browser that opens it all the same runs nothing in it."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.get("Content-Disposition", "").startswith("attachment"):
            response._csp_update = {"sandbox": True}  # type: ignore[attr-defined]  # read by django-csp
        return response


class FrameTaskPages:
    """Let the platforms in FRAME_ANCESTORS show the pages of participants in a frame, with the cookies they need.

    Browsers send cookies into another site's frame only if they are marked for that. The session of staff accounts
    never is. Without platforms nothing changes.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        match = request.resolver_match
        if settings.FRAME_ANCESTORS and match is not None and may_be_framed(match.func):
            response._csp_replace = {"frame-ancestors": settings.FRAME_ANCESTORS}  # type: ignore[attr-defined]
            del response["X-Frame-Options"]  # knows no list; the policy says who may
            _send_cookies_into_frames(response)
        return response


class FramedCookie(Morsel[str]):
    """A cookie for a page in another site's frame; `Partitioned` gives each site that frames it a jar of its own.

    Browsers that block other sites' cookies still take partitioned ones.
    """

    def OutputString(self, attrs: Container[str] | None = None) -> str:  # noqa: N802 - the name is the library's
        return f"{super().OutputString(attrs)}; Partitioned"


def _send_cookies_into_frames(response: HttpResponseBase) -> None:
    for name, cookie in response.cookies.items():
        if name != settings.SESSION_COOKIE_NAME:
            framed = FramedCookie()
            framed.set(name, cookie.value, cookie.coded_value)
            framed.update({**cookie, "samesite": "None", "secure": True})
            response.cookies[name] = framed


class NoteSessionUse:
    """Note the use of the sessions of accounts, every few minutes. Participants have none, so their pages ask nothing.

    It is the one thing that reading a page writes.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.session.accessed:
            note_use(request)
        return response
