"""Compressing pages on their way."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class CompressPages(GZipMiddleware):
    """All but files of which a part may be asked for: the parts of a compressed file are not those of the file."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.has_header("Accept-Ranges"):
            return response
        return super().process_response(request, response)
