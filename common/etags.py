"""ETags: whether a client already has what it asks for."""

from django.http import HttpRequest, HttpResponseNotModified
from django.utils.http import parse_etags
from rest_framework.request import Request

WEAK = "W/"


def is_known(request: HttpRequest | Request, etag: str) -> bool:
    """Return whether a client says, by If-None-Match, that it has the content with an ETag (given in its quotes)."""
    known = [each.removeprefix(WEAK) for each in parse_etags(request.headers.get("If-None-Match", ""))]
    return etag in known or known == ["*"]


def not_modified(etag: str) -> HttpResponseNotModified:
    """Return the answer to a client that has the content."""
    return HttpResponseNotModified(headers={"ETag": etag})
