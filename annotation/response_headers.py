"""Headers of particular responses: files to download run nothing, task pages may be framed by chosen platforms."""

from collections.abc import Callable, Container
from http.cookies import Morsel

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import cached_property

from crowd.access import may_be_framed

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class ContentSecurityPolicy(CSPMiddleware):
    """Send the policy. It is the same for nearly all responses, so it is put together once."""

    @cached_property
    def _usual(self) -> str:
        return build_policy()

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if settings.DEBUG or hasattr(request, "_csp_nonce") or any(name.startswith("_csp") for name in vars(response)):
            return super().process_response(request, response)
        response.setdefault(HEADER, self._usual)
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
