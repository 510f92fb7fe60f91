"""Give each request an id, count it, and write a line about it if the settings ask for that.

A line names the view and never the address: addresses hold tokens and numbers of people.
"""

import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from common.client_address import is_from_proxy
from common.telemetry import Trace, new_request_id, request_counted, sane_request_id, traced

HEADER = "X-Request-ID"
NO_VIEW = "none"  # whatever the address: it leads nowhere
logger = logging.getLogger("precis.requests")


class SeeRequests:
    """The outermost middleware: what it measures is all that the app does for a request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        begun, request_id = time.perf_counter(), request_id_of(request)
        with traced(Trace(request_id)):
            response = self.get_response(request)
            response.headers[HEADER] = request_id
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
