"""Answers that a client may keep: it is told when it has them already, and changes nothing that it has not seen.

Compressing an answer makes its ETag a weak one on the way, so that weak ones count as what they were made from.
"""

from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponseNotModified
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from common.api.problems import Problem

WEAK, ANY = "W/", "*"
LENGTH = 32


def content_etag(content: Any) -> str:
    """Return the ETag of an answer that has no name of its own."""
    return f'"{sha256(JSONRenderer().render(content)).hexdigest()[:LENGTH]}"'


def is_known(request: HttpRequest | Request, etag: str) -> bool:
    """Return whether a client says, by If-None-Match, that it has the content with an ETag (given in its quotes)."""
    return _names(request, "If-None-Match", etag)


def match_check(request: HttpRequest | Request, etag: Callable[[], str]) -> None:
    """Refuse a change whose If-Match names another ETag than the present one; without the header, nothing is asked."""
    if "If-Match" in request.headers and not _names(request, "If-Match", etag()):
        words = _("This has changed since you read it. Get it again, and repeat your change if it still applies.")
        raise Problem(HTTPStatus.PRECONDITION_FAILED, words)


def _names(request: HttpRequest | Request, header: str, etag: str) -> bool:
    named = [each.removeprefix(WEAK) for each in parse_etags(request.headers.get(header, ""))]
    return etag in named or named == [ANY]


def not_modified(etag: str) -> HttpResponseNotModified:
    """Return the answer to a client that has the content."""
    return HttpResponseNotModified(headers={"ETag": etag})


def answer_with_etag(request: Request, etag: str | None, made: Callable[[], Any]) -> Any:
    """Return an answer with its ETag, or tell the client that it has it."""
    if etag is None:
        return Response(made())
    return not_modified(etag) if is_known(request, etag) else Response(made(), headers={"ETag": etag})
