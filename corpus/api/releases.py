"""Releases: what there is, freezing another, and their figures."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from common.api.operations import operation
from common.etags import is_known, not_modified
from corpus.access import release_or_404
from corpus.api.answers import FreezeBody, OneReleaseSerializer, OverviewSerializer, ReleaseSerializer
from corpus.models import Release
from corpus.selectors import releases_of_campaign
from corpus.services.release import release_request
from corpus.statistics.tables import overview_rows
from crowd.api.endpoint import CampaignEndpoint

ANSWER_VERSION = 1
"""Raise it with any change of what is said of a finished release: clients keep what they have for as long as it is
called the same."""


def etag_of(release: Release, what: str) -> str | None:
    """Return the ETag of what is said of a release; None until it is ready, since it changes until then."""
    return f'"{release.checksum}-{what}-{ANSWER_VERSION}"' if release.state == Release.State.READY else None


def answer_with_etag(request: Request, etag: str | None, made: Callable[[], Any]) -> Any:
    """Return an answer with its ETag, or tell the client that it has it."""
    if etag is None:
        return Response(made())
    return not_modified(etag) if is_known(request, etag) else Response(made(), headers={"ETag": etag})


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
        return release_request(campaign=self.campaign, user=self.user, options=self.sent["options"])


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
    header, rows = overview_rows(release, release.campaign.rating_scales)
    figures = [dict(zip(header, row, strict=True)) for row in rows]
    for figure in figures:
        figure |= {"row": str(figure["row"]), "value": None if figure["value"] == "" else figure["value"]}
        del figure["release"]
    return {"release": release.name, "sha256": release.checksum, "rows": figures}
