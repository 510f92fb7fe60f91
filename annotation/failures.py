"""Pages for requests that fail: for participants in the language of their pages, for staff in English."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseServerError
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from common.api.problems import problem_page
from common.errors import FilesAway
from common.telemetry import current_trace
from crowd.access import may_be_framed
from crowd.languages import pages_for, pages_in
from crowd.sessions import session_read

RETRY_SECONDS = "60"
API_PREFIX = "/api/v1/"


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Tell people that their page was open too long; `reason` is for developers."""
    with language_of(request):
        return render(request, "403_csrf.html", {"reason": reason}, status=403)


def not_found(request: HttpRequest, exception: Http404) -> HttpResponse:
    if is_for_programs(request):
        return problem_page(404, _("There is nothing at this address."))
    with language_of(request):
        return render(request, "404.html", {"exception": exception}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer without the database, which may be what has failed."""
    if is_for_programs(request):
        return problem_page(500, _("Something went wrong on the server. The log has it under the id of this request."))
    with pages_for(request) if _is_for_participants(request) else nullcontext():
        return HttpResponseServerError(render_to_string("500.html", {"reference": current_trace().request_id}))


class AnswerFilesAway:
    """Answer with 503 where the storage of files does not answer, before anything of a file was sent."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, FilesAway):
            return None
        response = render(request, "503.html", {"reason": str(exception)}, status=503)
        response["Retry-After"] = RETRY_SECONDS
        return response


def is_for_programs(request: HttpRequest) -> bool:
    """Whether a request is for the API, whose failures are told in JSON."""
    return request.path.startswith(API_PREFIX)


def language_of(request: HttpRequest) -> AbstractContextManager[None]:
    """Return a context in which a failed request is answered in the language of its pages."""
    if not _is_for_participants(request):
        return nullcontext()
    enrolment = session_read(request)
    return pages_in(enrolment.campaign.page_language) if enrolment else pages_for(request)


def _is_for_participants(request: HttpRequest) -> bool:
    """Whether a request is for one of the pages of participants, which platforms may show in a frame."""
    return request.resolver_match is not None and may_be_framed(request.resolver_match.func)
