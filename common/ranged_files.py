"""Serve stored files whole or as an HTTP range, to resume a download or to hear a part of a sound."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from common.api.etags import is_known, not_modified
from common.stores import store

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


@dataclass(frozen=True)
class StoredPart:
    """Some bytes of a file in a storage."""

    storage: str
    name: str
    wanted: range


@dataclass(frozen=True)
class RangedFile:
    """What is served as one file: parts of stored ones, one after the other. `etag` stands in its quotes.

    If it is one stored file `as_stored`, the web server can send it itself. Opened by itself it is a download; within a
    page, sounds play all the same.
    """

    parts: Sequence[StoredPart]
    etag: str
    content_type: str
    file_name: str
    as_stored: bool = False

    @property
    def disposition(self) -> str:
        return content_disposition_header(True, self.file_name) or "attachment"

    @property
    def size(self) -> int:
        return sum(len(each.wanted) for each in self.parts)

    def pieces(self, wanted: range) -> Iterator[bytes]:
        """Return some of its bytes. Whether the first part has them is known before the first piece."""
        found, start = list[StoredPart](), 0
        for each in self.parts:
            own = each.wanted[max(0, wanted.start - start) : max(0, wanted.stop - start)]
            start += len(each.wanted)
            if own:
                found.append(StoredPart(each.storage, each.name, own))
        return chain(_bytes(found[0]), *map(_late_bytes, found[1:])) if found else iter(())


def _bytes(part: StoredPart) -> Iterator[bytes]:
    return store(part.storage).pieces(part.name, part.wanted)


def _late_bytes(part: StoredPart) -> Iterator[bytes]:
    """Open nothing before the parts that come first are read."""
    yield from _bytes(part)


def ranged_response(request: HttpRequest, file: RangedFile) -> HttpResponseBase:
    """Return a file, or only a range of it if the request asks for one and If-Range matches.

    A client that says by If-None-Match that it has the file is told that nothing has changed.
    """
    if is_known(request, file.etag):
        return not_modified(file.etag)
    try:
        response = _response(request, file)
    except FileNotFoundError as error:
        raise Http404(_("This file no longer exists, or is a link to another file.")) from error
    response["Content-Type"] = file.content_type
    response["Content-Disposition"] = file.disposition
    response["Accept-Ranges"] = "bytes"
    response["ETag"] = file.etag
    return response


def _response(request: HttpRequest, file: RangedFile) -> HttpResponseBase:
    """Ask the storage for what is wanted before the response begins: what cannot be read has a status of its own."""
    requested = _requested_range(request, file)
    if request.method == "HEAD":
        store(file.parts[0].storage).pieces(file.parts[0].name, range(0))  # is it there?
        return HttpResponse(headers={"Content-Length": str(file.size)})
    if requested is None:
        return _whole(file)
    if not requested:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{file.size}"})
    response = StreamingHttpResponse(file.pieces(requested), status=206)
    response["Content-Range"] = f"bytes {requested.start}-{requested.stop - 1}/{file.size}"
    response["Content-Length"] = len(requested)
    return response


def _whole(file: RangedFile) -> HttpResponseBase:
    headers, first = {"Content-Length": str(file.size)}, file.parts[0]
    if file.as_stored:
        return FileResponse(store(first.storage).whole(first.name, file.size), headers=headers)
    return StreamingHttpResponse(file.pieces(range(file.size)), headers=headers)


def _requested_range(request: HttpRequest, file: RangedFile) -> range | None:
    """Return the requested byte range; None for the whole file, an empty range if it cannot be satisfied."""
    if request.method != "GET":
        return None
    match = _RANGE.fullmatch(request.headers.get("Range", ""))
    if match is None or request.headers.get("If-Range", file.etag) != file.etag or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if not first:  # suffix range: the last bytes
        return range(max(0, file.size - int(last)), file.size)
    stop = min(file.size, int(last) + 1) if last else file.size
    return range(int(first), stop) if int(first) < stop else range(0)
