"""Sending files of a release: whole, or the part that a broken download still wants; to staff, or by a signed link."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from django.core import signing
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header

from corpus.models import Release, ReleaseFile

LINK_SALT = "precis.release-file"
LINK_SECONDS = 7 * 24 * 3600
PIECE = 1 << 16
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def link_token(file: ReleaseFile) -> str:
    """What lets anybody who has it fetch one file, for a week."""
    return signing.dumps({"file": file.pk}, salt=LINK_SALT)


def file_of_token(token: str) -> ReleaseFile | None:
    """The file that a link was made for; none if it has ended, was changed, or its release is not there to be read."""
    try:
        content = signing.loads(token, salt=LINK_SALT, max_age=LINK_SECONDS)
    except signing.BadSignature:
        return None
    ready = ReleaseFile.objects.filter(release__state=Release.State.READY)
    return ready.select_related("release__campaign").filter(pk=content["file"]).first()


def file_response(request: HttpRequest, file: ReleaseFile) -> HttpResponseBase:
    """The file as an attachment; a range of it if one is asked for, of the version that the asker has begun with."""
    path = file.release.folder / file.name
    if not path.is_file():
        raise Http404("This file is no longer there.")
    asked = _range(request, file)
    if asked is None:
        response: HttpResponseBase = FileResponse(path.open("rb"))
    elif asked:
        response = _part(path, asked, file)
    else:
        response = HttpResponse(status=416, headers={"Content-Range": f"bytes */{file.size}"})
    response["Content-Type"] = "application/octet-stream"
    response["Content-Disposition"] = content_disposition_header(True, _download_name(file)) or "attachment"
    response["Accept-Ranges"] = "bytes"
    response["ETag"] = f'"{file.sha256}"'
    return response


def _range(request: HttpRequest, file: ReleaseFile) -> range | None:
    """The bytes asked for; none if the whole file is meant, an empty range if what is asked for is not there."""
    if request.method != "GET":
        return None
    begun_with = request.headers.get("If-Range", f'"{file.sha256}"')
    match = _RANGE.fullmatch(request.headers.get("Range", ""))
    if match is None or begun_with != f'"{file.sha256}"' or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if not first:  # the last so many bytes
        return range(max(0, file.size - int(last)), file.size)
    stop = min(file.size, int(last) + 1) if last else file.size
    return range(int(first), stop) if int(first) < stop else range(0)


def _part(path: Path, asked: range, file: ReleaseFile) -> StreamingHttpResponse:
    response = StreamingHttpResponse(_bytes(path, asked), status=206)
    response["Content-Range"] = f"bytes {asked.start}-{asked.stop - 1}/{file.size}"
    response["Content-Length"] = len(asked)
    return response


def _bytes(path: Path, asked: range) -> Iterator[bytes]:
    with path.open("rb") as stream:
        stream.seek(asked.start, os.SEEK_SET)
        left = len(asked)
        while left and (piece := stream.read(min(PIECE, left))):
            left -= len(piece)
            yield piece


def _download_name(file: ReleaseFile) -> str:
    """Without the folders; the archive has the release's name already."""
    name = file.name.replace("/", "-")
    return name if name.startswith(file.release.name) else f"{file.release.name}-{name}"
