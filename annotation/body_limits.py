"""Limits for the bodies of requests, applied before anything of a body is parsed or written to disk."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.translation import gettext as _

from annotation.failures import is_for_programs, language_of
from common.api.problems import problem_page
from crowd.access import STAFF_PAGES, Access, may_upload, sender_of
from crowd.sessions import is_signed_by_us, wants_json

# What a form adds to the file: its other fields, and the lines between them.
FORM_OVERHEAD_BYTES = 64 * 1024
# What strangers may send: a form with a name and a password or a consent; to the page of a task, whose session may have
# run out, also a text with the record of an hour's work, which is then given back. Parsing more is not cheap.
STRANGERS_BYTES = 64 * 1024
LOST_SESSION_BYTES = 512 * 1024


class LimitBodies:
    """Answer 413 to a body that is larger than its sender may send to this address.

    Participants and staff may send `settings.DATA_UPLOAD_MAX_MEMORY_SIZE` to their own pages; up to that size a body is
    parsed in memory. Only staff may send more, and only to the upload pages of their own campaigns.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
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
        return own_pages
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
