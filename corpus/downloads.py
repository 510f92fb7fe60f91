"""Serve the files of a release: to staff or by signed link, whole or as an HTTP range to resume a download."""

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect

from common.api.etags import is_known, not_modified
from common.ranged_files import RangedFile, StoredPart, ranged_response
from common.stores import store
from common.stores.base import SentAs
from corpus.models import Release, ReleaseFile

LINK_SALT = "precis.release-file"
LINK_SECONDS = 7 * 24 * 3600
REDIRECT_SECONDS = 60
CONTENT_TYPE = "application/octet-stream"


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
    stored = StoredPart("releases", file.stored_name, range(file.size))
    served = RangedFile([stored], f'"{file.sha256}"', CONTENT_TYPE, _download_name(file), as_stored=True)
    if is_known(request, served.etag):
        return not_modified(served.etag)
    if settings.STORED_REDIRECT and request.method == "GET" and (address := _link(file, served.disposition)):
        return HttpResponseRedirect(address, headers={"Cache-Control": "no-store"})
    return ranged_response(request, served)


def _link(file: ReleaseFile, disposition: str) -> str | None:
    """Return an address for a minute, at which the storage itself sends the file, if it can."""
    return store("releases").link(file.stored_name, SentAs(disposition, CONTENT_TYPE, REDIRECT_SECONDS))


def _download_name(file: ReleaseFile) -> str:
    """Flatten the path and prefix the release's name, which the archive has already."""
    name = file.name.replace("/", "-")
    return name if name.startswith(file.release.name) else f"{file.release.name}-{name}"
