"""Serve the files of a release: to staff or by signed link, whole or as an HTTP range to resume a download."""

import re

from django.conf import settings
from django.core import signing
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from common.api.etags import is_known, not_modified
from common.stores import store
from common.stores.base import SentAs
from corpus.models import Release, ReleaseFile

LINK_SALT = "precis.release-file"
LINK_SECONDS = 7 * 24 * 3600
REDIRECT_SECONDS = 60
CONTENT_TYPE = "application/octet-stream"
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
    """Return the file as an attachment; only a range if the request asks for one and If-Range matches.

    A client that says by If-None-Match that it has the file is told that nothing has changed.
    """
    etag = f'"{file.sha256}"'
    if is_known(request, etag):
        return not_modified(etag)
    disposition = content_disposition_header(True, _download_name(file)) or "attachment"
    if settings.STORED_REDIRECT and request.method == "GET" and (address := _link(file, disposition)):
        return HttpResponseRedirect(address, headers={"Cache-Control": "no-store"})
    try:
        response = _response(request, file)
    except FileNotFoundError as error:
        raise Http404(_("This file no longer exists, or is a link to another file.")) from error
    response["Content-Type"] = CONTENT_TYPE
    response["Content-Disposition"] = disposition
    response["Accept-Ranges"] = "bytes"
    response["ETag"] = etag
    return response


def _link(file: ReleaseFile, disposition: str) -> str | None:
    """Return an address for a minute, at which the storage itself sends the file, if it can."""
    return store("releases").link(file.stored_name, SentAs(disposition, CONTENT_TYPE, REDIRECT_SECONDS))


def _response(request: HttpRequest, file: ReleaseFile) -> HttpResponseBase:
    """Ask the storage for what is wanted before the response begins: what cannot be read has a status of its own."""
    requested, stored = _requested_range(request, file), store("releases")
    if request.method == "HEAD":
        stored.pieces(file.stored_name, range(0))  # is it there?
        return HttpResponse(headers={"Content-Length": str(file.size)})
    if requested is None:
        return FileResponse(stored.whole(file.stored_name, file.size), headers={"Content-Length": str(file.size)})
    if not requested:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{file.size}"})
    response = StreamingHttpResponse(stored.pieces(file.stored_name, requested), status=206)
    response["Content-Range"] = f"bytes {requested.start}-{requested.stop - 1}/{file.size}"
    response["Content-Length"] = len(requested)
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


def _download_name(file: ReleaseFile) -> str:
    """Flatten the path and prefix the release's name, which the archive has already."""
    name = file.name.replace("/", "-")
    return name if name.startswith(file.release.name) else f"{file.release.name}-{name}"
