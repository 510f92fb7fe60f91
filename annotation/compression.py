"""Gzip compression of responses."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class CompressPages(GZipMiddleware):
    """Compress all responses except files that support range requests: compression would shift the byte ranges."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.has_header("Accept-Ranges"):
            return response
        return super().process_response(request, response)
