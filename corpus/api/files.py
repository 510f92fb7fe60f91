"""Files of releases."""

from http import HTTPStatus
from typing import Any

from django.http import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from common.api.operations import operation
from common.api.problems import MEDIA_TYPE, problem
from corpus.access import release_file_or_404
from corpus.downloads import CONTENT_TYPE, file_response
from crowd.api.endpoint import CampaignEndpoint


class OneFile(CampaignEndpoint):
    @operation(
        "getReleaseFile",
        files={200: CONTENT_TYPE, 206: CONTENT_TYPE},
        bare=(HTTPStatus.FOUND, HTTPStatus.NOT_MODIFIED),
        problems=(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, HTTPStatus.SERVICE_UNAVAILABLE),
    )
    def get(self, request: Request, version: int, name: str) -> Any:
        """Download a file of a release.

        With the header `Range` you get some of its bytes, so that a download can resume where it broke off. The ETag is
        the file's SHA-256: send it as `If-None-Match`, and a file that you have is not sent again. Some installations
        answer with a redirect (302) to an address that works for a minute.
        """
        return _in_words(file_response(request._request, release_file_or_404(self.campaign, version, name)))


def _in_words(response: HttpResponseBase) -> HttpResponseBase:
    """Return a response, with a problem in place of an empty refusal of a range."""
    if response.status_code != HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
        return response
    words = _("Your range begins after the end of the file. The header Content-Range says how long the file is.")
    members = problem(response.status_code, words)
    headers = {name: response.headers[name] for name in ("Content-Range", "ETag", "Accept-Ranges")}
    return Response(members, status=response.status_code, headers=headers, content_type=MEDIA_TYPE)
