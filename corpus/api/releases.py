"""Releases: what there is, freezing another, their figures and their files."""

from http import HTTPStatus
from typing import Any

from django.http import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from common.api.etags import answer_with_etag
from common.api.operations import operation
from common.api.problems import MEDIA_TYPE, problem
from corpus.api.answers import FreezeBody, OneReleaseSerializer, OverviewSerializer, ReleaseSerializer
from corpus.downloads import CONTENT_TYPE, file_response
from corpus.models import Release
from corpus.selectors import release_file_or_404, release_or_404, releases_of_campaign
from corpus.services.release import release_request
from corpus.statistics.tables import overview_rows
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


ANSWER_VERSION = 2
"""Raise it with any change of what is said of a finished release: clients keep what they have for as long as it is
called the same."""


def etag_of(release: Release, what: str) -> str | None:
    """Return the ETag of what is said of a release; None until it is ready, since it changes until then."""
    return f'"{release.checksum}-{what}-{ANSWER_VERSION}"' if release.state == Release.State.READY else None


class Releases(CampaignEndpoint):
    @operation("listReleases", answer=ReleaseSerializer, listed=True, key="version")
    def get(self, request: Request) -> Any:
        """List the releases of a campaign."""
        return releases_of_campaign(self.campaign)

    @operation("freezeRelease", body=FreezeBody, answer=ReleaseSerializer, status=HTTPStatus.ACCEPTED)
    def post(self, request: Request) -> Any:
        """Freeze a release.

        What is in it is settled at once; a job writes its files.
        """
        return release_request(
            campaign=self.campaign, user=self.user, options=self.sent["options"], statement=self.sent["statement"]
        )


class OneRelease(CampaignEndpoint):
    @operation("getRelease", answer=OneReleaseSerializer, bare=(HTTPStatus.NOT_MODIFIED,))
    def get(self, request: Request, version: int) -> Any:
        """Get a release, with its options, figures and files.

        Once it is ready it never changes, and the answer has an ETag.
        """
        release = release_or_404(self.campaign, version, "files")
        context = {"request": request}
        return answer_with_etag(
            request, etag_of(release, "release"), lambda: OneReleaseSerializer(release, context=context).data
        )


class Overview(CampaignEndpoint):
    @operation("getReleaseOverview", answer=OverviewSerializer, bare=(HTTPStatus.NOT_MODIFIED,))
    def get(self, request: Request, version: int) -> Any:
        """Get the figures of a release: Tables 2 and 3 of the paper, for the whole and for each split."""
        release = release_or_404(self.campaign, version)
        return answer_with_etag(request, etag_of(release, "overview"), lambda: _figures(release))


def _figures(release: Release) -> dict[str, Any]:
    header, rows = overview_rows(release, release.rating_scales)
    figures = [dict(zip(header, row, strict=True)) for row in rows]
    for figure in figures:
        figure |= {"row": str(figure["row"]), "value": None if figure["value"] == "" else figure["value"]}
        del figure["release"]
    return {"release": release.name, "sha256": release.checksum, "rows": figures}
