"""Serve the files of a release: to staff or by signed link, whole or as an HTTP range to resume a download."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from django.core import signing
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from corpus.models import Release, ReleaseFile

LINK_SALT = "precis.release-file"
LINK_SECONDS = 7 * 24 * 3600
CHUNK_SIZE = 1 << 16
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def link_token(file: ReleaseFile) -> str:
    """Return a signed token that gives access to one file for a week."""
    return signing.dumps({"file": file.pk}, salt=LINK_SALT)


def file_of_token(token: str) -> ReleaseFile | None:
    """Return the file of a link; None if the token is expired or altered, or the release is not ready."""
    try:
        content = signing.loads(token, salt=LINK_SALT, max_age=LINK_SECONDS)
    except signing.BadSignature:
        return None
    ready = ReleaseFile.objects.filter(release__state=Release.State.READY)
    return ready.select_related("release__campaign").filter(pk=content["file"]).first()


def file_response(request: HttpRequest, file: ReleaseFile) -> HttpResponseBase:
    """Return the file as an attachment; only a range if the request asks for one and If-Range matches."""
    path = file.release.folder / file.name
    if not path.is_file() or path.resolve() != file.release.folder.resolve() / file.name:
        raise Http404(_("This file no longer exists, or is a link to another file."))
    requested = _requested_range(request, file)
    if requested is None:
        response: HttpResponseBase = FileResponse(path.open("rb"))
    elif requested:
        response = _partial_response(path, requested, file)
    else:
        response = HttpResponse(status=416, headers={"Content-Range": f"bytes */{file.size}"})
    response["Content-Type"] = "application/octet-stream"
    response["Content-Disposition"] = content_disposition_header(True, _download_name(file)) or "attachment"
    response["Accept-Ranges"] = "bytes"
    response["ETag"] = f'"{file.sha256}"'
    return response


def _requested_range(request: HttpRequest, file: ReleaseFile) -> range | None:
    """Return the requested byte range; None for the whole file, an empty range if it cannot be satisfied."""
    if request.method != "GET":
        return None
    if_range = request.headers.get("If-Range", f'"{file.sha256}"')
    match = _RANGE.fullmatch(request.headers.get("Range", ""))
    if match is None or if_range != f'"{file.sha256}"' or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if not first:  # suffix range: the last bytes
        return range(max(0, file.size - int(last)), file.size)
    stop = min(file.size, int(last) + 1) if last else file.size
    return range(int(first), stop) if int(first) < stop else range(0)


def _partial_response(path: Path, requested: range, file: ReleaseFile) -> StreamingHttpResponse:
    response = StreamingHttpResponse(_bytes(path, requested), status=206)
    response["Content-Range"] = f"bytes {requested.start}-{requested.stop - 1}/{file.size}"
    response["Content-Length"] = len(requested)
    return response


def _bytes(path: Path, requested: range) -> Iterator[bytes]:
    with path.open("rb") as stream:
        stream.seek(requested.start, os.SEEK_SET)
        left = len(requested)
        while left and (chunk := stream.read(min(CHUNK_SIZE, left))):
            left -= len(chunk)
            yield chunk


def _download_name(file: ReleaseFile) -> str:
    """Flatten the path and prefix the release's name, which the archive has already."""
    name = file.name.replace("/", "-")
    return name if name.startswith(file.release.name) else f"{file.release.name}-{name}"
