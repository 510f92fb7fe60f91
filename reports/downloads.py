"""The files of a report, as a browser downloads them."""

from collections.abc import Iterable

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from corpus.models import Release

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "latex": "application/x-tex; charset=utf-8",
}
ENDINGS = {"csv": "csv", "json": "json", "latex": "tex"}


def download(file: str | Iterable[str], release: Release, kind: str, form: str) -> HttpResponseBase:
    """Return the response with a file, which is sent piece by piece unless it is there as a whole."""
    response_type = HttpResponse if isinstance(file, str) else StreamingHttpResponse
    response = response_type(file, content_type=CONTENT_TYPES[form])
    response["Content-Disposition"] = f'attachment; filename="{release.name}-{kind}.{ENDINGS[form]}"'
    return response
