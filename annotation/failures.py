"""Requests that are refused or fail, told to participants in the language of their pages and to staff in English.

Limits for the bodies of requests are applied before anything of a body is parsed or written to disk.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from http import HTTPStatus

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseServerError, JsonResponse
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat
from django.template.loader import render_to_string
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.translation import gettext as _

from common.api.problems import problem_page
from common.errors import FileDamaged, FilesAway
from common.telemetry import current_trace
from crowd.access import STAFF_PAGES, Access, may_be_framed, may_upload, sender_of
from crowd.languages import pages_for, pages_in
from crowd.sessions import is_signed_by_us, session_read, wants_json

RETRY_SECONDS = "60"
API_PREFIX = "/api/v1/"
# What a form adds to the file: its other fields, and the lines between them.
FORM_OVERHEAD_BYTES = 64 * 1024
# What strangers may send: a form with a name and a password or a consent; to the page of a task, whose session may have
# run out, also a text with the record of an hour's work, which is then given back. Parsing more is not cheap.
STRANGERS_BYTES = 64 * 1024
LOST_SESSION_BYTES = 512 * 1024


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
        context = {"reason": str(exception), "is_damaged": isinstance(exception, FileDamaged)}
        response = render(request, "503.html", context, status=503)
        response["Retry-After"] = RETRY_SECONDS
        return response


class LimitBodies:
    """Answer 413 to a body that is larger than its sender may send to this address, and 411 to one without a length.

    A body in what Python calls a codec and is none of text, such as rot13, is answered with 415.

    Participants and staff may send `settings.DATA_UPLOAD_MAX_MEMORY_SIZE` to their own pages; up to that size a body is
    parsed in memory. Only staff may send more, and only to the upload pages of their own campaigns.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.META.get("HTTP_TRANSFER_ENCODING"):
            return HttpResponse(status=HTTPStatus.LENGTH_REQUIRED)
        try:
            "".encode(request.encoding or "utf-8")
        except LookupError:
            return HttpResponse(status=HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        length = body_length(request)
        if length > STRANGERS_BYTES and length > (limit := body_limit(request)):
            return too_large(request, limit)
        return self.get_response(request)


def body_length(request: HttpRequest) -> int:
    """Return the length as Django reads it: what is no number counts as no body."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


def body_limit(request: HttpRequest) -> int:
    """Return how many bytes the sender of this request may send to its address."""
    try:
        match = resolve(request.path_info)
    except Resolver404:
        return STRANGERS_BYTES
    own_pages: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if may_upload(request, match):
        return max(own_pages, settings.UPLOAD_MAX_BYTES + FORM_OVERHEAD_BYTES)
    if _is_known(request, match):
        return min(own_pages, getattr(match.func, "largest_body", own_pages))
    return LOST_SESSION_BYTES if _access(match) is Access.WORKER else STRANGERS_BYTES


def _is_known(request: HttpRequest, match: ResolverMatch) -> bool:
    """Whether the sender is a participant on the pages of participants, or staff on those of staff."""
    if _access(match) is Access.WORKER:
        return is_signed_by_us(request)
    return _access(match) in STAFF_PAGES and sender_of(request, match) is not None


def _access(match: ResolverMatch) -> Access | None:
    return getattr(match.func, "access", None)


def too_large(request: HttpRequest, limit: int) -> HttpResponse:
    with language_of(request):
        allowed = filesizeformat(limit)
        words = _("This is too large: at most %(allowed)s are accepted here. Nothing was saved.") % {"allowed": allowed}
        if is_for_programs(request):
            return problem_page(413, words, code="too_large")
        if wants_json(request):
            return JsonResponse({"error": words, "code": "too_large"}, status=413)
        return render(request, "413.html", {"allowed": allowed}, status=413)


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
